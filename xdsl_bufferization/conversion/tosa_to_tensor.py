"""The pass tosa-to-tensor."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.conversion.tosa.common import Lowering, lower_tosa
from xdsl_bufferization.conversion.tosa.shapes import concat, pad, reshape, slice_
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class TosaToTensorPass(ModulePass):
    """Replace tosa.reshape, slice, pad and concat by ops of the tensor dialect.

        func.func @f(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
          %s = tosa.const_shape {values = dense<[6, 4]> : tensor<2xindex>}
              : () -> !tosa.shape<2>
          %0 = tosa.reshape %x, %s
              : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
          return %0 : tensor<6x4xf32>
        }

    becomes

        func.func @f(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
          %0 = tensor.collapse_shape %x [[0, 1], [2]]
              : tensor<2x3x4xf32> into tensor<6x4xf32>
          return %0 : tensor<6x4xf32>
        }

    Shapes must be constant. `tosa-to-linalg` includes this pass.
    """

    name = "tosa-to-tensor"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_tosa(op, SHAPES)


SHAPES: dict[str, Lowering] = {
    "tosa.concat": concat,
    "tosa.pad": pad,
    "tosa.reshape": reshape,
    "tosa.slice": slice_,
}
