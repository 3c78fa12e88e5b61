"""The integers that constant ops produce.

An integer constant stands for bits: `arith.constant 200 : i8` and
`arith.constant -56 : i8` are the same value. Who asks for its number says whether the
bits are read as a signed or as an unsigned integer.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import OpResult, SSAValue
from xdsl.traits import ConstantLike

_INDEX_WIDTH = 64


def constant_integer(value: SSAValue, *, unsigned: bool = False) -> int | None:
    """Return the integer or index that an op like arith.constant produces, or None."""
    if not isinstance(value, OpResult):
        return None
    if not value.op.has_trait(ConstantLike, value_if_unregistered=False):
        return None
    attribute = value.op.properties.get("value")
    if not isinstance(attribute, IntegerAttr):
        return None
    constant = cast("IntegerAttr[IntegerType | IndexType]", attribute)
    return read_integer(constant.value.data, constant.type, unsigned=unsigned)


def read_integer(
    number: int, type: IntegerType | IndexType, *, unsigned: bool = False
) -> int:
    """Return the number that the low bits of `number` are in an integer type."""
    width = type.width.data if isinstance(type, IntegerType) else _INDEX_WIDTH
    number &= (1 << width) - 1
    return number if unsigned or not number >> (width - 1) else number - (1 << width)
