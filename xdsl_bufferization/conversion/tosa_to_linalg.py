"""The pass tosa-to-linalg."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.conversion.tosa.common import Lowering, lower_tosa
from xdsl_bufferization.conversion.tosa.elementwise import ELEMENTWISE, elementwise
from xdsl_bufferization.conversion.tosa.indexing import gather, resize, table
from xdsl_bufferization.conversion.tosa.reductions import REDUCTIONS, argmax, reduce
from xdsl_bufferization.conversion.tosa.scaling import rescale
from xdsl_bufferization.conversion.tosa.shapes import identity, reverse, tile
from xdsl_bufferization.conversion.tosa_to_arith import APPLY_SCALE, CONSTANTS
from xdsl_bufferization.conversion.tosa_to_linalg_named import NAMED
from xdsl_bufferization.conversion.tosa_to_scf import CONTROL_FLOW
from xdsl_bufferization.conversion.tosa_to_tensor import SHAPES
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class TosaToLinalgPass(ModulePass):
    """Replace tosa ops by linalg, tensor, scf and arith ops.

        %0 = tosa.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>

    becomes

        %1 = tensor.empty() : tensor<4x8xf32>
        %0 = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, j)>,
                             affine_map<(i, j) -> (i, j)>],
            iterator_types = ["parallel", "parallel"]}
            ins(%a, %b : tensor<4x8xf32>, tensor<1x8xf32>) outs(%1 : tensor<4x8xf32>) {
          ^bb0(%x: f32, %y: f32, %out: f32):
            %2 = arith.addf %x, %y : f32
            linalg.yield %2 : f32
        } -> tensor<4x8xf32>

    This pass does the work of mlir-opt's tosa-to-linalg-named, tosa-to-linalg,
    tosa-to-tensor, tosa-to-scf and tosa-to-arith together. The first and the last three
    also exist as separate passes here, and may run before or after this one. All tosa
    ops are replaced except Fourier transforms, three-dimensional and transposed
    convolutions, variables and custom ops.

    Sizes may be dynamic, except those of convolutions, pools, scatter, tile and resize,
    and those that decide whether an operand is broadcast. Zero points, shapes, and the
    multipliers and shifts of a rescale must be constant.
    """

    name = "tosa-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tosa_to_linalg(op)


def tosa_to_linalg(root: Operation) -> None:
    """Replace the tosa ops under `root`.

    Raises:
        PassFailedException: when an op asks for what is not supported.
    """
    lower_tosa(root, _ALL)


_ALL: dict[str, Lowering] = {
    **NAMED,
    **SHAPES,
    **CONTROL_FLOW,
    **CONSTANTS,
    **APPLY_SCALE,
    **dict.fromkeys(ELEMENTWISE, elementwise),
    **dict.fromkeys(REDUCTIONS, reduce),
    "tosa.argmax": argmax,
    "tosa.gather": gather,
    "tosa.identity": identity,
    "tosa.rescale": rescale,
    "tosa.resize": resize,
    "tosa.reverse": reverse,
    "tosa.table": table,
    "tosa.tile": tile,
}
