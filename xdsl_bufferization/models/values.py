"""Facts about SSA values that several models ask for."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.traits import ConstantLike


def number_of(value: SSAValue) -> int:
    """The number of a result, or of a block argument."""
    assert isinstance(value, (OpResult, BlockArgument))
    return value.index


def constant_integer(value: SSAValue) -> int | None:
    """The integer or index, as a signed number, that an op like arith.constant gives."""
    if not isinstance(value, OpResult) or not value.op.has_trait(
        ConstantLike, value_if_unregistered=False
    ):
        return None
    attribute = value.op.properties.get("value")
    if not isinstance(attribute, IntegerAttr):
        return None
    constant = cast(IntegerAttr[IntegerType | IndexType], attribute)
    number = constant.value.data
    if isinstance(constant.type, IntegerType):
        width = constant.type.width.data
        number &= (1 << width) - 1
        if number >> (width - 1):
            number -= 1 << width
    return number
