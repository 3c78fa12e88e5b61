"""The memory spaces in which ops may allocate, with what they call."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.strongly_connected import reachable
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    may_allocate,
)


def allocates(op: Operation) -> bool:
    """Whether an op allocates, and not on the stack."""
    return may_allocate(op) and any(
        effect.kind is EffectKind.ALLOCATE and not effect.automatic
        for effect in get_allocations_and_frees(op) or ()
    )


class AllocatedSpaces:
    """The memory spaces in which the ops of a module may allocate.

    A function without a body allocates in none.
    """

    def __init__(self, functions: FunctionTable) -> None:
        self._functions = functions
        self._own: dict[FuncOp, frozenset[Attribute] | None] = {}
        self._callees: dict[FuncOp, list[FuncOp]] = {}
        self._of_calls: dict[FuncOp, frozenset[Attribute] | None] = {}
        ordered, _ = functions.callees_first()
        for function in ordered:
            parts = [self._of_calls[each] for each in self._find_callees(function)]
            self._of_calls[function] = _union([self._own[function], *parts])

    def of(self, op: Operation) -> frozenset[Attribute] | None:
        """Return the memory spaces in which an op may allocate; None for any of them."""
        if CALL.lookup(op) is None:
            return _of_results(op)
        callee = self._functions.callee(op)
        if callee is None:
            return None
        if callee not in self._of_calls:
            called = reachable((callee,), self._find_callees)
            self._of_calls[callee] = _union([self._own[each] for each in called])
        return self._of_calls[callee]

    def _find_callees(self, function: FuncOp) -> list[FuncOp]:
        """Return what a function calls, and note where it allocates itself."""
        known = self._callees.get(function)
        if known is not None:
            return known
        spaces: frozenset[Attribute] | None = frozenset()
        callees: dict[FuncOp, None] = {}
        for op in walk(function):
            if CALL.lookup(op) is not None:
                callee = self._functions.callee(op)
                if callee is None:
                    spaces = None
                else:
                    callees[callee] = None
            elif allocates(op):
                spaces = _union([spaces, _of_results(op)])
        self._own[function] = spaces
        self._callees[function] = list(callees)
        return self._callees[function]


def _union(
    sets: Sequence[frozenset[Attribute] | None],
) -> frozenset[Attribute] | None:
    known = [each for each in sets if each is not None]
    return frozenset[Attribute]().union(*known) if len(known) == len(sets) else None


def _of_results(op: Operation) -> frozenset[Attribute] | None:
    spaces = [r.type.memory_space for r in op.results if is_memref(r.type)]
    return frozenset(spaces) if spaces else None
