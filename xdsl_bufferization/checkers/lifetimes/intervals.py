"""Sets of signed integers of a fixed width, as intervals, and comparisons as such sets.

cmpi slt, %x, 3 : i8      // %x is in [-128, 2]
cmpi ult, %x, -56 : i8    // %x is in [-128, -57] or [0, 127]
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

Intervals: TypeAlias = tuple[tuple[int, int], ...]
"""Disjoint closed intervals of signed integers, in order."""

EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE = range(10)
"""The predicates of arith.cmpi."""
NEGATED = {NE: EQ, SLE: SGT, SGE: SLT, ULE: UGT, UGE: ULT}
"""Predicates that are written as the negation of another."""
SWAPPED = {
    SLT: SGT,
    SLE: SGE,
    ULT: UGT,
    ULE: UGE,
    SGT: SLT,
    SGE: SLE,
    UGT: ULT,
    UGE: ULE,
}
"""Predicates that change when their operands are exchanged."""
UNSIGNED = {SLT: ULT, SLE: ULE, SGT: UGT, SGE: UGE}


def width_of(type_: Attribute) -> int:
    """The number of bits of an integer; an index has 64."""
    return type_.width.data if type(type_) is IntegerType else 64


def signed(data: int, width: int) -> int:
    """The signed integer that the low bits of an integer mean."""
    data &= (1 << width) - 1
    return data - (1 << width) if width and data >> (width - 1) else data


def all_integers(width: int) -> Intervals:
    half = 1 << max(width - 1, 0)
    return ((-half, half - 1),)


def satisfying(predicate: int, constant: int, width: int) -> Intervals:
    """The integers x for which `cmpi predicate, x, constant` is true."""
    everything = all_integers(width)
    if predicate in NEGATED:
        return difference(everything, satisfying(NEGATED[predicate], constant, width))
    least, greatest = everything[0]
    if predicate == EQ:
        return ((constant, constant),)
    if predicate == SLT:
        return _nonempty((least, constant - 1))
    if predicate == SGT:
        return _nonempty((constant + 1, greatest))
    # Unsigned: the negative integers come after the others.
    if predicate == ULT:
        if constant >= 0:
            return _nonempty((0, constant - 1))
        return _nonempty((least, constant - 1), (0, greatest))
    if constant >= 0:
        return _nonempty((least, -1), (constant + 1, greatest))
    return _nonempty((constant + 1, -1))


def _nonempty(*intervals: tuple[int, int]) -> Intervals:
    return tuple((low, high) for low, high in intervals if low <= high)


def contains(intervals: Intervals, integer: int) -> bool:
    return any(low <= integer <= high for low, high in intervals)


def intersection(first: Intervals, second: Intervals) -> Intervals:
    return _nonempty(*((max(a, c), min(b, d)) for a, b in first for c, d in second))


def difference(first: Intervals, second: Intervals) -> Intervals:
    for low, high in second:
        parts = (((a, min(b, low - 1)), (max(a, high + 1), b)) for a, b in first)
        first = _nonempty(*(part for pair in parts for part in pair))
    return first
