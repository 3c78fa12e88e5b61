"""Which values are unconstrained by the program.

The deallocation checker follows both branches of an unknown condition. A fault on one
of them is certain only if the condition can have this value: if it depends on *free*
values, and on none that an earlier decision has restricted.

    func.func @f(%n: index) {                    // %n is free
      scf.while (%x = %c0) : (index) -> () {     // %x is not: it begins with 0

Free values are the arguments of functions with unknown callers, loaded values, and
block arguments that receive no constant. Loop counters and results of calls are not
free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.checkers.lifetimes.flow import Flow
from xdsl_bufferization.checkers.lifetimes.number import Number
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.view_like import get_view_base

_ONTO = (
    *("arith.addi", "arith.subi", "arith.xori"),
    *("arith.trunci", "arith.index_cast", "arith.index_castui"),
)
"""Ops whose result is anything if one of the operands is."""


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
            return self._is_free_part(number.subject)
        operands = [operand.number for operand in number.operands] or [number]
        parts = [part for part in operands if evaluate(part) is None]
        if any(part.leaf is None for part in parts):
            sources = [source for part in parts for source in part.sources]
            if len(set(sources)) < len(sources):
                return False
        return bool(parts) and all(map(self._is_free_part, parts))

    def _is_free_part(self, number: Number) -> bool:
        while number.extended is not None:
            number = number.extended.source
        if number.leaf is not None:
            return self.is_free(number.leaf)
        if number.name not in _ONTO:
            return not number.sources
        # Whatever the others are, one operand makes the result anything.
        parts = [operand.number for operand in number.operands]
        sources = [source for part in parts for source in part.sources]
        is_apart = not number.is_complex and len(set(sources)) == len(sources)
        return is_apart and any(
            self._is_free_part(part) for part in parts if part.sources
        )

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
