"""Values for results that are undefined in LLVM.

A shift by the width of its type or more, a float that is too large for an integer, an
addition marked `nsw` that overflows: the result is *poison*, for which LLVM may assume
a different value at each use. A check of such an index would prove nothing about the
access that follows. `convert-to-llvm` freezes these results on request: they become an
arbitrary number that is the same at every use.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.conversion.to_llvm.elementwise import width
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.dialects.llvm import FreezeOp

_SHIFTS = ("shli", "shrsi", "shrui", "shl", "shrs", "shru")
_CONVERSIONS = ("fptosi", "fptoui")
_WITH_FLAGS = ("addi", "subi", "muli")


def defined(lowering: Lowering) -> Lowering:
    """The lowering of an op of one result, frozen if that is asked for and may matter."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        lowering(op, to)
        if not to.module.options.freeze_poison or not _may_be_poison(op, to):
            return
        result = op.results[0]
        value = to.values[result]
        if isinstance(value, SSAValue):
            to.set(result, to.value(FreezeOp, (value,), value.type))

    return lower


def _may_be_poison(op: Operation, to: FunctionLowering) -> bool:
    if _has_flags(op):
        return True
    short = op.name.partition(".")[2]
    if short in _SHIFTS:
        count = constant_of(op.operands[1])
        return count is None or not 0 <= count < width(to.types(op.results[0].type))
    return short in _CONVERSIONS


def _has_flags(op: Operation) -> bool:
    overflow: Any = op.properties.get("overflowFlags")
    return bool(getattr(overflow, "data", ())) or "isExact" in op.properties


DEFINED: tuple[str, ...] = (
    *(f"arith.{name}" for name in (*_SHIFTS[:3], *_CONVERSIONS, *_WITH_FLAGS)),
    *(f"index.{name}" for name in _SHIFTS[3:]),
)
"""The ops whose results may be poison."""
