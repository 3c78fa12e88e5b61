"""When an op may be executed although the program might not have come to it.

xDSL's `Pure` says that it always may be, `ConditionallySpeculatable` asks the op. These
answer for ops whose behaviour is undefined, or which may not end, unless an operand is a
constant.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import (
    ConditionallySpeculatable,
    ConstantLike,
    RecursivelySpeculatable,
)

from xdsl_bufferization.records import record

from .shapes import shape_of


class SpeculatableDim(ConditionallySpeculatable):
    """Of an op that asks for a size: where the dimension is known to exist."""

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        source, index = op.operands
        shape, dimension = shape_of(source.type), _constant(index)
        return shape is not None and dimension is not None and 0 <= dimension < len(shape)


@record
class SpeculatableDivision(ConditionallySpeculatable):
    """Of a division of integers: where it is known neither to divide by zero nor, if it
    is signed, to overflow, which dividing by -1 may."""

    signed: bool

    def is_speculatable(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, op: Operation
    ) -> bool:
        divisor = _constant(op.operands[1])
        return divisor not in (None, 0) and not (self.signed and divisor == -1)


class SpeculatableLoop(ConditionallySpeculatable):
    """Of a counted loop whose third operand is the step: with steps of one, which ends
    for all bounds, and a body that may be executed."""

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        return _constant(op.operands[2]) == 1 and (
            RecursivelySpeculatable.is_speculatable(op)
        )


def _constant(value: SSAValue) -> int | None:
    attribute = ConstantLike.get_constant_value(value)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None
