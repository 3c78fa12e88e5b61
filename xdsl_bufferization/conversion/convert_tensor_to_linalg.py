"""The pass convert-tensor-to-linalg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.op_lists import postorder
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.rewrite_in_destination_passing_style import (
    insert_source,
    padded_sizes,
    padding_element,
)
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    TensorBuilder,
    dynamic_sizes,
)


@dataclass(frozen=True)
class ConvertTensorToLinalgPass(ModulePass):
    """Replace tensor.pad by a linalg.fill and an insertion into it.

        func.func @f(%t: tensor<5xf32>, %x: f32) -> tensor<8xf32> {
          %0 = tensor.pad %t low[1] high[2] {
          ^bb0(%i: index):
            tensor.yield %x : f32
          } : tensor<5xf32> to tensor<8xf32>
          return %0 : tensor<8xf32>
        }

    becomes

        func.func @f(%t: tensor<5xf32>, %x: f32) -> tensor<8xf32> {
          %0 = tensor.empty() : tensor<8xf32>
          %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
          %2 = tensor.insert_slice %t into %1[1] [5] [1]
              : tensor<5xf32> into tensor<8xf32>
          return %2 : tensor<8xf32>
        }

    Padding that depends on the coordinates becomes a tensor.generate instead of the
    linalg.fill.
    """

    name = "convert-tensor-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_tensor_to_linalg(op)


def convert_tensor_to_linalg(root: Operation) -> None:
    """Replace every tensor.pad under `root`."""
    for op in visiting(reversed(postorder(root))):
        if isinstance(op, tensor.PadOp):
            _decompose(op)


@dataclass
class _ArithBuilder(TensorBuilder):
    """A builder that adds sizes with arith ops."""

    def sum(self, sizes: Sequence[Size]) -> Size:
        dynamic = dynamic_sizes(sizes)
        constant = sum(size for size in sizes if isinstance(size, int))
        if not dynamic:
            return constant
        total = dynamic[0]
        for size in dynamic[1:]:
            total = self.insert(AddiOp(total, size))
        return self.insert(AddiOp(total, self.index(constant))) if constant else total


def _decompose(op: tensor.PadOp) -> None:
    builder = _ArithBuilder(op)
    sizes = padded_sizes(op, builder)
    result_type = cast(TensorType, op.results[0].type)
    element = padding_element(op)
    if element is None:
        padding = _generate(op, sizes, builder)
    else:
        padding = builder.fill(element, builder.empty(sizes, result_type))
    Rewriter.replace_op(op, [], [insert_source(op, padding, builder)])


def _generate(
    op: tensor.PadOp, sizes: Sequence[Size], builder: TensorBuilder
) -> SSAValue:
    """A tensor of only padding, computed by the body of the op."""
    result_type = cast(TensorType, op.results[0].type)
    dynamic = [
        builder.index(size) if isinstance(size, int) else size
        for number, size in enumerate(sizes)
        if result_type.get_shape()[number] < 0
    ]
    body = op.detach_region(op.regions[0])
    return builder.insert(tensor.GenerateOp(dynamic, body, result_type))
