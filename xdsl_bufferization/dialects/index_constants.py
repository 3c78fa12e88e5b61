"""Building constants of type index."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr


def index_constant(value: int) -> arith.ConstantOp:
    """Build the arith.constant of an index."""
    return arith.ConstantOp(IntegerAttr(value, IndexType()))
