"""The pass rewrite-in-destination-passing-style."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import cast

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import bufferization, linalg, tensor
from xdsl_bufferization.dialects.op_lists import postorder
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.models.tensor.elements import take_element_body
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    TensorBuilder,
    dynamic_sizes,
    mixed_sizes,
)


@dataclass(frozen=True)
class RewriteInDestinationPassingStylePass(ModulePass):
    """Give ops that make a new tensor a destination: a tensor that they write into.

    An op in destination-passing style can compute its result where the result is needed.
    Run this pass before `eliminate-empty-tensors`, which chooses the destination.

        %0 = tensor.from_elements %x, %y : tensor<2xf32>

    becomes

        %1 = tensor.empty() : tensor<2xf32>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %2 = tensor.insert %x into %1[%c0] : tensor<2xf32>
        %0 = tensor.insert %y into %2[%c1] : tensor<2xf32>

    tensor.generate becomes a linalg.generic with an empty destination. tensor.pad becomes
    a linalg.fill, or a linalg.generic where the padding depends on the coordinates, and
    an insertion of the source into it; a `nofold` pad without padding becomes a copy to
    a new allocation.
    """

    name = "rewrite-in-destination-passing-style"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_in_destination_passing_style(op)


def rewrite_in_destination_passing_style(root: Operation) -> None:
    """Rewrite every tensor.from_elements, generate and pad under `root`."""
    for op in reversed(postorder(root)):
        rewrite_op(op)


def rewrite_op(op: Operation) -> Operation | None:
    """Give one op a destination: the op that makes its result now, or None for an op that
    is not a tensor.from_elements, generate or pad."""
    with built_for(op):
        result = _computed_in_destination(op)
    if result is None:
        return None
    Rewriter.replace_op(op, [], [result])
    assert isinstance(result, OpResult)
    return result.op


def _computed_in_destination(op: Operation) -> SSAValue | None:
    if isinstance(op, tensor.FromElementsOp):
        return _insert_elements(op)
    if isinstance(op, tensor.GenerateOp):
        return _compute_elements(op)
    if isinstance(op, tensor.PadOp):
        return _insert_into_padding(op)
    return None


def _insert_elements(op: tensor.FromElementsOp) -> SSAValue:
    builder = TensorBuilder(op)
    result_type = cast(TensorType, op.results[0].type)
    shape = result_type.get_shape()
    result = builder.empty(shape, result_type)
    if not op.operands:
        return result
    indices = [builder.index(number) for number in range(max(shape, default=0))]
    places = product(*(indices[:size] for size in shape))
    for element, place in zip(op.operands, places, strict=True):
        result = builder.insert(
            tensor.InsertOp.create(
                operands=[element, result, *place], result_types=[result_type]
            )
        )
    return result


def _compute_elements(op: tensor.GenerateOp) -> SSAValue:
    builder = TensorBuilder(op)
    result_type = cast(TensorType, op.results[0].type)
    sizes = mixed_sizes(result_type.get_shape(), op.operands)
    return _compute(op, builder.empty(sizes, result_type), builder)


def _compute(op: Operation, dest: SSAValue, builder: TensorBuilder) -> SSAValue:
    """Compute every element of `dest` with the body of `op`, which is taken from it."""
    rank = cast(TensorType, dest.type).get_num_dims()
    return builder.insert(
        linalg.GenericOp(
            [],
            [dest],
            Region(take_element_body(op)),
            [AffineMapAttr(AffineMap.identity(rank))],
            [linalg.IteratorTypeAttr.parallel()] * rank,
            [dest.type],
        )
    )


def _insert_into_padding(op: tensor.PadOp) -> SSAValue:
    builder = TensorBuilder(op)
    if op.nofold is not None and all(size == 0 for size in (*_low(op), *_high(op))):
        return _copy(op, builder)
    sizes = padded_sizes(op, builder)
    padding = builder.empty(sizes, cast(TensorType, op.results[0].type))
    element = padding_element(op)
    if element is None:
        padding = _compute(op, padding, builder)
    else:
        padding = builder.fill(element, padding)
    return insert_source(op, padding, builder)


def _copy(op: tensor.PadOp, builder: TensorBuilder) -> SSAValue:
    """The source in memory of its own, as `nofold` asks."""
    source, result_type = op.operands[0], op.results[0].type
    dynamic = dynamic_sizes(builder.sizes(source))
    allocated = builder.insert(bufferization.AllocTensorOp(result_type, dynamic))
    return builder.insert(linalg.CopyOp([source], [allocated], [result_type]))


# ---------------------------------------------------------------------------------------
# tensor.pad in parts


def _low(op: tensor.PadOp) -> list[Size]:
    return mixed_sizes(op.static_low.get_values(), op.low)


def _high(op: tensor.PadOp) -> list[Size]:
    return mixed_sizes(op.static_high.get_values(), op.high)


def padded_sizes(op: tensor.PadOp, builder: TensorBuilder) -> list[Size]:
    """The sizes of the result of a tensor.pad, the dynamic ones computed."""
    shape = cast(TensorType, op.results[0].type).get_shape()
    return [
        builder.sum((builder.size(op.operands[0], number), low, high))
        if size < 0
        else size
        for number, (size, low, high) in enumerate(
            zip(shape, _low(op), _high(op), strict=True)
        )
    ]


def padding_element(op: tensor.PadOp) -> SSAValue | None:
    """What a tensor.pad pads with, unless that depends on the coordinates. A constant in
    its body is moved out of it."""
    body = op.regions[0].blocks[0]
    terminator = body.last_op
    assert terminator is not None, "verified"
    element = terminator.operands[0]
    if element.owner is body:
        return None
    if isinstance(element, OpResult) and element.op.parent is body:
        if not isinstance(element.op, ConstantOp):
            return None
        element.op.detach()
        Rewriter.insert_op(element.op, InsertPoint.before(op))
    return element


def insert_source(
    op: tensor.PadOp, padding: SSAValue, builder: TensorBuilder
) -> SSAValue:
    """Insert the source of a tensor.pad into a tensor of only padding."""
    source = op.operands[0]
    result_type = cast(TensorType, op.results[0].type)
    result = builder.insert_slice(source, padding, _low(op), builder.sizes(source))
    if result.type != result_type:
        result = builder.insert(tensor.CastOp(result, result_type))
    return result
