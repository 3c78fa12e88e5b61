"""Tensors of equal elements, which are made again for less than a copy costs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.dialects.dense_elements import equal_element
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.destination_style import (
    DESTINATION_STYLE,
    destinations,
)
from xdsl_bufferization.locations import built_for


def is_copied_if_shared(use: Use) -> bool:
    """Whether an op may write an operand in place: a destination, what a loop begins with
    or the argument of a call. What ends a region does not count: an iteration that yields
    such a tensor may be able to write it to a buffer that there is."""
    op = use.operation
    if op.has_trait(IsTerminator):
        return False
    model = DESTINATION_STYLE.lookup(op)
    if model is not None:
        return use in destinations(model, op)
    return bool(op.regions) or CALL.lookup(op) is not None


def is_filled(value: SSAValue) -> bool:
    """Whether all elements of a tensor are equal, so that `fill_again` may make it."""
    op = value.owner
    if isinstance(op, linalg.FillOp):
        # Another tensor may be in a memory space of its own.
        return isinstance(op.operands[1].owner, tensor.EmptyOp)
    if isinstance(op, arith.ConstantOp):
        return isa(value.type, TensorType) and equal_element(op.value) is not None
    return isinstance(op, tensor.SplatOp)


def fill_again(value: SSAValue, user: Operation) -> Sequence[Operation]:
    """Return ops that make such a tensor for a user; the last one has it as result."""
    op = value.owner
    assert isinstance(op, Operation)
    with built_for(user):
        if isinstance(op, tensor.SplatOp):
            return [op.clone()]
        if isinstance(op, arith.ConstantOp):
            element = equal_element(op.value)
            assert element is not None
            constant = arith.ConstantOp(element)
            scalar = constant.results[0]
            ops = [constant, tensor.EmptyOp([], value.type)]
        else:
            scalar, dest = op.operands
            assert isinstance(dest.owner, tensor.EmptyOp)
            ops = [dest.owner.clone()]
        empty = ops[-1].results[0]
        return [*ops, linalg.FillOp([scalar], [empty], [value.type])]
