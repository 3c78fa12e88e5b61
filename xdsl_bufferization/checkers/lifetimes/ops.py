"""What single ops do to the allocation that is followed.

`Ops.outcomes` says, for what is known before an op, what may be known after it, or
what is wrong. Control flow and calls are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.checkers.lifetimes.conditions import (
    Conditions,
    Situation,
)
from xdsl_bufferization.checkers.lifetimes.flow import Concern, concern, is_opaque
from xdsl_bufferization.checkers.lifetimes.numbers import Condition, Source
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
)
from xdsl_bufferization.interfaces.view_like import get_renamed

USED_AFTER_FREE = "uses an allocation that has been freed"
FREED_TWICE = "frees an allocation that has been freed"
NOT_OURS = "frees memory that is not ours to free"


@dataclass(frozen=True)
class State:
    """What is known of the allocation that is followed.

    Attributes:
        inside: the memrefs that are in it and are still needed.
        known: the conditions whose truth is known.
        constrained: what earlier decisions depended on that is not known any more.
        ours: whether it has to be freed, rather than must not be.
        freed: whether it has been freed.
        doubtful: whether the way here may be impossible.
    """

    inside: frozenset[SSAValue]
    known: frozenset[Condition] = frozenset()
    constrained: frozenset[Source] = frozenset()
    ours: bool = True
    freed: bool = False
    doubtful: bool = False

    @cached_property
    def situation(self) -> Situation:
        return Situation(self.inside, dict(self.known))


@dataclass(frozen=True)
class Outcome:
    """What may be the case after an op.

    Attributes:
        state: what is known then.
        note: what was assumed or done, for people.
        wrong: what is wrong with the op, if anything is; it does not go on then.
        hidden: whether the allocation cannot be followed any further.
    """

    state: State
    note: str = ""
    wrong: str | None = None
    hidden: bool = False


class Ops:
    """The effects of ops, and decisions."""

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions

    def outcomes(self, op: Operation, state: State) -> Iterator[Outcome]:
        if isinstance(op, bufferization.DeallocOp):
            return self._dealloc(op, state)
        if isinstance(op, arith.SelectOp):
            return self._select(op, state)
        return iter((self._simple(op, state),))

    def _simple(self, op: Operation, state: State) -> Outcome:
        renamed = get_renamed(op)
        if renamed is not None:
            if renamed in state.inside:
                state = replace(state, inside=state.inside | {op.results[0]})
            return Outcome(state)
        effects = get_allocations_and_frees(op) or ()
        if any(e.kind is EffectKind.FREE and e.value in state.inside for e in effects):
            return _free(op, state)
        if not _is_used(op, state):
            return Outcome(state)
        if op.regions and _controls_inside(op, state):
            return Outcome(state, hidden=True)
        if state.freed and concern(op) is not Concern.NONE:
            return Outcome(state, wrong=USED_AFTER_FREE)
        made = {e.value for e in effects if e.kind is EffectKind.ALLOCATE}
        if any(is_opaque(result.type) for result in op.results if result not in made):
            return Outcome(state, hidden=True)
        is_stored = isinstance(op, memref.StoreOp) and op.operands[0] in state.inside
        return Outcome(state, hidden=is_stored)

    def _select(self, op: arith.SelectOp, state: State) -> Iterator[Outcome]:
        first, second = (operand in state.inside for operand in op.operands[1:])
        for truth, way, note in self.decide(state, op.operands[0]):
            if first if truth else second:
                way = replace(way, inside=way.inside | {op.results[0]})
            yield Outcome(way, note)

    def _dealloc(self, op: bufferization.DeallocOp, state: State) -> Iterator[Outcome]:
        """By its definition: what is owned and not retained is freed, and a result says
        for what is retained whether it was owned."""
        of_it = [
            condition
            for buffer, condition in zip(op.memrefs, op.conditions, strict=True)
            if buffer in state.inside
        ]
        retained = [value in state.inside for value in op.retained]
        for owned, way, note in self._decide_any(state, of_it):
            known = {
                self._condition(result, owned)
                for result, is_inside in zip(op.results, retained, strict=True)
                if is_inside
            }
            following = replace(way, known=way.known | known)
            if not owned or any(retained):
                yield Outcome(following, note)
                continue
            freed = _free(op, following)
            yield replace(freed, note=_both(note, freed.note))

    # Decisions.

    def decide(
        self, state: State, condition: SSAValue | Condition
    ) -> Iterator[tuple[bool, State, str]]:
        """What a condition may be, and what is known in each case."""
        if isinstance(condition, SSAValue):
            condition = self._conditions.numbering.condition(condition)
        truth = self._conditions.evaluate(condition, state.situation)
        if truth is not None:
            yield truth, state, ""
            return
        leaf = self._conditions.leaf(condition, state.situation)
        doubtful = state.doubtful or not self._conditions.is_free_choice(
            leaf, state.situation.known, state.constrained
        )
        # For people, the value that was computed first is true, and then false.
        value = leaf.members[0] if leaf.members else None
        first = True if value is None else self._condition(value, True).truth
        for assumed in (first, not first):
            known = state.known | {Condition(leaf, assumed)}
            following = replace(state, known=known, doubtful=doubtful)
            note = ""
            if value is not None:
                note = f"{_name(value)} is {str(assumed == first).lower()}"
            for result, way, more in self.decide(following, condition):
                yield result, way, _both(note, more)

    def decide_all(
        self, state: State, conditions: Sequence[Condition]
    ) -> Iterator[tuple[bool, State, str]]:
        """Whether all of some conditions hold."""
        for result, way, note in self._decide_any(
            state, [condition.negated() for condition in conditions]
        ):
            yield not result, way, note

    def _condition(self, value: SSAValue, truth: bool) -> Condition:
        condition = self._conditions.numbering.condition(value)
        return condition if truth else condition.negated()

    def _decide_any(
        self, state: State, conditions: Sequence[SSAValue | Condition]
    ) -> Iterator[tuple[bool, State, str]]:
        """Whether any of some conditions holds."""
        if not conditions:
            yield False, state, ""
            return
        for truth, way, note in self.decide(state, conditions[0]):
            if truth:
                yield True, way, note
                continue
            for others, further, more in self._decide_any(way, conditions[1:]):
                yield others, further, _both(note, more)


def _free(op: Operation, state: State) -> Outcome:
    if not state.ours:
        return Outcome(state, wrong=NOT_OURS)
    if state.freed:
        return Outcome(state, wrong=FREED_TWICE)
    return Outcome(replace(state, freed=True), f"freed by {op.name}")


def _is_used(op: Operation, state: State) -> bool:
    """Whether an op, or one inside it, uses the allocation."""
    if any(operand in state.inside for operand in op.operands):
        return True
    return bool(op.regions) and any(
        operand in state.inside for inner in walk(op) for operand in inner.operands
    )


def _controls_inside(op: Operation, state: State) -> bool:
    """Whether an op inside one whose control flow is not known frees, renames or forwards
    the allocation."""
    return any(
        concern(inner) is Concern.CONTROL
        for inner in walk(op)
        if inner is not op and any(operand in state.inside for operand in inner.operands)
    )


def _both(first: str, second: str) -> str:
    return f"{first}, {second}" if first and second else first or second


def _name(value: SSAValue) -> str:
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, OpResult):
        return f"the result of {value.op.name}"
    assert isinstance(value, BlockArgument)
    return "an argument of a block"
