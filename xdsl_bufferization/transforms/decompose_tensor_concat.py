"""The pass decompose-tensor-concat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.tensor_builder import Size, TensorBuilder


@dataclass(frozen=True)
class DecomposeTensorConcatPass(ModulePass):
    """Replace tensor.concat by insertions into a new tensor.

    `one-shot-bufferize` copies every operand of a tensor.concat into a new buffer. To
    compute the parts in their place in the result instead, first run this pass and then
    `eliminate-empty-tensors`.

        func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<7xf32> {
          %0 = tensor.concat dim(0) %a, %b
              : (tensor<3xf32>, tensor<4xf32>) -> tensor<7xf32>
          return %0 : tensor<7xf32>
        }

    becomes

        func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<7xf32> {
          %0 = tensor.empty() : tensor<7xf32>
          %1 = tensor.insert_slice %a into %0[0] [3] [1]
              : tensor<3xf32> into tensor<7xf32>
          %2 = tensor.insert_slice %b into %1[3] [4] [1]
              : tensor<4xf32> into tensor<7xf32>
          return %2 : tensor<7xf32>
        }
    """

    name = "decompose-tensor-concat"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        decompose_tensor_concat(op)


def decompose_tensor_concat(root: Operation) -> None:
    """Replace every tensor.concat under `root`."""
    for op in visiting(list(walk(root))):
        if isinstance(op, tensor.ConcatOp):
            joined = join(op, op.dim.value.data, TensorBuilder(op))
            Rewriter.replace_op(op, [], [joined])


def join(op: Operation, along: int, builder: TensorBuilder) -> SSAValue:
    """The operands of an op next to each other in a new tensor of the result's type."""
    result_type = cast(TensorType, op.results[0].type)
    # Where each part begins, along the dimension, and the sizes of each part.
    parts: list[tuple[SSAValue, Size, list[Size]]] = []
    end: Size = 0
    for value in op.operands:
        sizes = builder.sizes(value)
        parts.append((value, end, sizes))
        end = builder.sum([end, sizes[along]])
    shape = [
        end if number == along else _common_size([sizes[number] for _, _, sizes in parts])
        for number in range(result_type.get_num_dims())
    ]
    joined = builder.empty(shape, result_type)
    for value, begin, sizes in parts:
        offsets = [begin if number == along else 0 for number in range(len(shape))]
        joined = builder.insert_slice(value, joined, offsets, sizes)
    if joined.type != result_type:
        joined = builder.insert(tensor.CastOp(joined, result_type))
    return joined


def _common_size(sizes: Sequence[Size]) -> Size:
    """Return the common size of all parts, static if that of any part is."""
    return next((size for size in sizes if isinstance(size, int)), sizes[0])
