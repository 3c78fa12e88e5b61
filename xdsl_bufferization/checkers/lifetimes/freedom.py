"""Which values are unconstrained by the program.

The deallocation checker follows both branches of an unknown condition. A fault on one
of them is certain only if the condition can have this value: if it depends on *free*
values, and on none that an earlier decision has restricted.

    func.func @f(%n: index) {                    // %n is free
      scf.while (%x = %c0) : (index) -> () {     // %x is not: it begins with 0

Free values are the arguments of functions with unknown callers, loaded values, and
block arguments that receive no constant. Loop counters and results of calls are not
free. What is computed from free values may be anything, or anything in some range:

    %r = arith.remui %n, %c4 : index             // %r may be anything in [0, 3]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.checkers.lifetimes.flow import Flow
from xdsl_bufferization.checkers.lifetimes.intervals import (
    Intervals,
    difference,
    intersection,
)
from xdsl_bufferization.checkers.lifetimes.number import Number
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.view_like import get_view_base

_ONTO = (
    *("arith.addi", "arith.subi", "arith.xori"),
    *("arith.trunci", "arith.index_cast", "arith.index_castui"),
)
"""Ops whose result is anything if one of the operands is."""
_ONTO_TOGETHER = frozenset(
    f"arith.{name}i"
    for name in (
        *("mul", "and", "or", "maxs", "maxu", "mins", "minu", "shl", "shrs", "shru"),
        *("ceildivs", "ceildivu", "divs", "divu", "floordivs"),
    )
)
"""Ops whose result is anything if both operands are, as some value of the second operand
makes the result equal to the first one."""
_RANGES: Mapping[str, Callable[[int, int], Intervals]] = {
    "arith.andi": lambda mask, _: ((0, mask),) if mask & (mask + 1) == 0 else (),
    "arith.divsi": lambda by, top: ((-((top + 1) // by), top // by),),
    "arith.divui": lambda by, top: ((0, (2 * top + 1) // by),) if by > 1 else (),
    "arith.maxsi": lambda least, top: ((least, top),),
    "arith.minsi": lambda most, top: ((-top - 1, most),),
    "arith.remsi": lambda by, _: ((1 - by, by - 1),),
    "arith.remui": lambda by, _: ((0, by - 1),),
    "arith.shrui": lambda by, top: ((0, (2 * top + 1) >> by),),
}
"""What an op of anything and a positive constant may be, by the constant and the greatest
integer."""


class FreeValues:
    """Determine which values are free.

    Args:
        internal: for each function of which every call is known, the calls.
    """

    def __init__(
        self,
        numbering: Numbering,
        flow: Flow,
        internal: Mapping[FuncOp, Sequence[CallOp]],
    ) -> None:
        self._numbering = numbering
        self._flow = flow
        self._internal = internal
        self._forwarded = ForwardedValues()
        self._known: dict[SSAValue, bool] = {}

    def may_be_either(
        self, number: Number, evaluate: Callable[[Number], int | None]
    ) -> bool:
        """Return whether a condition depends on free values only.

        Args:
            evaluate: returns the integer that a number is, if that is known.
        """
        if number.subject is not None:
            possible = self._range(number.subject)
            return bool(
                intersection(possible, number.inside)
                and difference(possible, number.inside)
            )
        operands = [operand.number for operand in number.operands] or [number]
        parts = [part for part in operands if evaluate(part) is None]
        if any(part.leaf is None for part in parts):
            sources = [source for part in parts for source in part.sources]
            if len(set(sources)) < len(sources):
                return False
        return bool(parts) and all(map(self.may_be_anything, parts))

    def may_be_anything(self, number: Number) -> bool:
        """Return whether a number may have all values of its type, or, as a size, all
        that are not negative."""
        return self._range(number) == possible_values(number)

    def _range(self, number: Number) -> Intervals:
        """Return the integers that a number may be, as far as it is sure."""
        domain = possible_values(number)
        if number.extended is not None:
            is_whole = self.may_be_anything(number.extended.source)
            return domain if is_whole else ()
        if number.leaf is not None:
            return domain if self.is_free(number.leaf) else ()
        if not number.sources:
            return domain
        # Operands that depend on the same value may exclude each other.
        parts = [operand.number for operand in number.operands]
        sources = [source for part in parts for source in part.sources]
        if number.is_complex or len(set(sources)) < len(sources):
            return ()
        are_whole = [self.may_be_anything(part) for part in parts if part.sources]
        if number.name in _ONTO:
            return domain if any(are_whole) else ()
        if not all(are_whole) or number.type == i1 or len(parts) != 2:
            return ()
        if len(are_whole) == 2:
            if number.name in _ONTO_TOGETHER:
                return domain
            # A remainder is not the greatest integer.
            is_remainder = number.name in ("arith.remsi", "arith.remui")
            return ((0, domain[-1][1] - 1),) if is_remainder else ()
        first, second = parts
        range_, constant = _RANGES.get(str(number.name)), second.constant
        if range_ is None or first.constant is not None or constant is None:
            return ()
        top = domain[-1][1]
        return intersection(domain, range_(constant, top)) if constant > 0 else ()

    def is_free(self, value: SSAValue) -> bool:
        """Return whether a value may be anything."""
        if value not in self._known:
            # A value that a loop carries depends on what it begins with.
            self._known[value] = True
            self._known[value] = self._compute(value)
        return self._known[value]

    def _compute(self, value: SSAValue) -> bool:
        if isinstance(value, BlockArgument):
            around = value.block.parent_op()
            if isinstance(around, FuncOp) and value.block.prev_block is None:
                calls = self._internal.get(around)
                return calls is None or any(
                    self._passes_free(call, value.index) for call in calls
                )
            # The conditions that a loop carries tell what has happened in it.
            return value.type != i1 and self._receives_free(value)
        assert isinstance(value, OpResult)
        op = value.op
        if op.regions or isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            return False
        if value.type != i1:
            return True
        if isinstance(op, memref.LoadOp):
            # The lists of a lowered dealloc hold what was computed before.
            base = get_view_base(op.operands[0])
            return not isinstance(base.owner, memref.AllocOp | memref.AllocaOp)
        return not isinstance(op, bufferization.DeallocOp | CallOp)

    def _receives_free(self, argument: BlockArgument) -> bool:
        received = self._forwarded.sources(argument)
        return bool(received) and not any(
            number.constant is not None
            or (number.leaf is not None and not self.is_free(number.leaf))
            for number in map(self._numbering.number, received)
        )

    def _passes_free(self, call: CallOp, index: int) -> bool:
        """Whether an operand of a call is free, whatever the other operands are."""
        block = call.parent
        number = self._numbering.number(call.operands[index])
        around = None if block is None else self._flow.conditions_around(block)
        if around is None or number.leaf is None or not self.is_free(number.leaf):
            return False
        others = [
            self._numbering.number(operand)
            for position, operand in enumerate(call.operands)
            if position != index
        ]
        return not any(other.sources & number.sources for other in (*others, *around))


def possible_values(number: Number) -> Intervals:
    """Return the values that a number can have, as far as its type says, and whether it
    is a size."""
    is_size = number.leaf is not None and isinstance(number.leaf.owner, memref.DimOp)
    if not is_size:
        return number.domain
    return intersection(number.domain, ((0, 1 << 64),))
