"""What a condition is while one allocation is followed, as far as that decides it.

A *situation* is what is known there: which memrefs are in the allocation, and the values
of some conditions. `Conditions` evaluates a condition with that, without running the
program: boolean ops, comparisons of integers of which something is known, and comparisons
of aligned pointers, in which the allocation is equal to itself and to nothing else. What
remains unknown depends on a *leaf*, a condition that may be one or the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import OpResult, SSAValue

from xdsl_bufferization.checkers.lifetimes.freedom import FreeSources
from xdsl_bufferization.checkers.lifetimes.lists import Lists, Pointer
from xdsl_bufferization.checkers.lifetimes.numbers import (
    Condition,
    Intervals,
    Number,
    Numbering,
    Source,
    difference,
    intersection,
    is_independent,
)
from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE, get_view_base

Truth: TypeAlias = bool | None
"""None where it is not known."""

_EQUAL, _NOT_EQUAL = 0, 1


@dataclass
class Situation:
    """What is known at a point.

    Attributes:
        inside: the memrefs that are in the allocation.
        known: conditions whose truth is known.
    """

    inside: Set[SSAValue]
    known: Mapping[Number, bool]

    @cached_property
    def possible(self) -> Mapping[Number, Intervals]:
        """The integers that the subjects of known comparisons may still be."""
        found: dict[Number, Intervals] = {}
        for number, truth in self.known.items():
            if (subject := number.subject) is not None:
                before = found.get(subject, subject.domain)
                restrict = intersection if truth else difference
                found[subject] = restrict(before, number.inside)
        return found


class Conditions:
    """Evaluates conditions.

    Args:
        numbering: of the values of the program.
        callee: the function that an op calls, if it is known.
        sources: what is free.
    """

    def __init__(
        self,
        numbering: Numbering,
        callee: Callable[[CallOp], FuncOp | None],
        sources: FreeSources,
    ) -> None:
        self.lists = Lists(callee)
        self._sources = sources
        self.numbering = numbering
        self._last: _Evaluation | None = None

    def _evaluation(self, situation: Situation) -> _Evaluation:
        """What is known of this situation is kept as long as no other comes up."""
        if self._last is None or self._last.situation is not situation:
            self._last = _Evaluation(self, situation)
        return self._last

    def evaluate(self, value: SSAValue | Condition, situation: Situation) -> Truth:
        evaluation = self._evaluation(situation)
        if isinstance(value, Condition):
            return evaluation.holds(value)
        return evaluation.of(value)

    def leaf(self, condition: Condition, situation: Situation) -> Number:
        """What it depends on whether an unknown condition holds: a condition that is
        unknown, and computed from none that is."""
        return self._evaluation(situation).leaf(condition.number)

    def is_free_choice(
        self, leaf: Number, known: Iterable[Number], constrained: frozenset[Source]
    ) -> bool:
        """Whether a leaf may well be true or false, whatever else is the case; not so
        when it is a leaf only because too little is known here."""
        return is_independent(leaf, known, constrained, self._sources.is_free)


class _Evaluation:
    def __init__(self, conditions: Conditions, situation: Situation) -> None:
        self._conditions = conditions
        self._numbering = conditions.numbering
        self.situation = situation
        self._seen: dict[Number, Truth] = {}
        self._owners: dict[bufferization.DeallocOp, _Owners] = {}

    def of(self, value: SSAValue) -> Truth:
        return self.holds(self._numbering.condition(value))

    def holds(self, condition: Condition) -> Truth:
        number, truth = condition
        found = self.situation.known.get(number)
        if found is None:
            if number not in self._seen:
                self._seen[number] = None
                self._seen[number] = self._number(number)
            found = self._seen[number]
        return None if found is None else found == truth

    def _number(self, number: Number) -> Truth:
        if number.constant is not None:
            return bool(number.constant)
        if number.subject is not None:
            possible = self.situation.possible.get(number.subject)
            if possible is None:
                return None
            if not difference(possible, number.inside):
                return True
            return None if intersection(possible, number.inside) else False
        if not number.members:
            return None
        member = number.members[0]
        found = self._compute(member)
        return None if found is None else found == self._numbering.condition(member).truth

    def leaf(self, number: Number) -> Number:
        """The first unknown condition that has no unknown operand."""
        while True:
            parts = self._parts(number.members[0]) if number.members else []
            unknown = next((v for v in parts if self.of(v) is None), None)
            if unknown is None:
                return number
            number = self._numbering.condition(unknown).number

    def _pointer(self, value: SSAValue) -> Pointer | None:
        return pointer_of(value, self.situation)

    def _parts(self, value: SSAValue) -> list[SSAValue]:
        """What an i1 is computed from."""
        op = value.owner
        match op:
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp() | arith.SelectOp():
                return list(op.operands)
            case scf.IfOp() if isinstance(value, OpResult):
                return [op.operands[0]]
            case memref.LoadOp():
                return self._conditions.lists.conditions_behind(
                    op, self.situation, self.of, self._pointer
                )
            case _:
                return []

    def _compute(self, value: SSAValue) -> Truth:
        if not isinstance(value, OpResult):
            return None
        op = value.op
        match op:
            case arith.AndIOp() | arith.OrIOp():
                decisive = isinstance(op, arith.OrIOp)
                found: Truth = not decisive
                # What a comparison decides is then not computed from all the others.
                for operand in sorted(op.operands, key=_is_computed_at_length):
                    truth = self.of(operand)
                    if truth is decisive:
                        return decisive
                    if truth is None:
                        found = None
                return found
            case arith.XOrIOp():
                first, second = self.of(op.operands[0]), self.of(op.operands[1])
                return None if first is None or second is None else first != second
            case arith.SelectOp():
                condition, first, second = (self.of(operand) for operand in op.operands)
                if condition is None:
                    return first if first == second else None
                return first if condition else second
            case arith.CmpiOp():
                return self._compare(op)
            case scf.IfOp():
                return self._branch(op, value.index)
            case memref.LoadOp():
                return self._conditions.lists.element(
                    op, self.situation, self.of, self._pointer
                )
            case bufferization.DeallocOp():
                return self._ownership(op, value.index)
            case _:
                return None

    def _compare(self, op: arith.CmpiOp) -> Truth:
        predicate = op.predicate.value.data
        if predicate not in (_EQUAL, _NOT_EQUAL):
            return None
        pointers = [pointer_of(operand, self.situation) for operand in op.operands]
        same = same_pointer(*pointers)
        if same is None and op.operands[0].type == i1:
            first, second = self.of(op.operands[0]), self.of(op.operands[1])
            same = None if first is None or second is None else first == second
        return None if same is None else same == (predicate == _EQUAL)

    def _ownership(self, op: bufferization.DeallocOp, index: int) -> Truth:
        """Whether a retained memref, of other memory perhaps, was owned."""
        if op not in self._owners:
            self._owners[op] = _Owners(op, self.situation, self.of)
        return self._owners[op].owns(get_view_base(op.retained[index]))

    def _branch(self, op: scf.IfOp, index: int) -> Truth:
        condition = self.of(op.operands[0])
        values: list[Truth] = []
        for number, region in enumerate(op.regions):
            if condition is not None and number == int(condition):
                continue
            end = region.block.last_op if region.blocks.first is not None else None
            values.append(None if end is None else self.of(end.operands[index]))
        return values[0] if all(v == values[0] for v in values) else None


def _is_computed_at_length(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and not isinstance(value.op, arith.CmpiOp)


class _Owners:
    """Which memory a dealloc may own in a situation. Of the memory that is not followed,
    two allocations surely differ, and others may be the same."""

    def __init__(
        self,
        op: bufferization.DeallocOp,
        situation: Situation,
        truth: Callable[[SSAValue], Truth],
    ) -> None:
        self._inside = situation.inside
        self._of_it: list[Truth] = []
        self._of_base: dict[SSAValue, list[Truth]] = {}
        self._maybe_owned: set[SSAValue] = set()
        self._maybe_old = False
        for buffer, condition in zip(op.memrefs, op.conditions, strict=True):
            base, owned = get_view_base(buffer), truth(condition)
            self._of_base.setdefault(base, []).append(owned)
            if base in situation.inside:
                self._of_it.append(owned)
            elif owned is not False:
                self._maybe_owned.add(base)
                self._maybe_old |= not _is_new(base)

    def owns(self, base: SSAValue) -> Truth:
        """Return whether any of the owned memrefs is in the memory of a base."""
        of_base = self._of_base.get(base, ())
        if True in of_base:
            return True
        if base in self._inside:
            return None if any(owned is not False for owned in self._of_it) else False
        others = len(self._maybe_owned) - (base in self._maybe_owned)
        may_be_other = others > 0 and (self._maybe_old or not _is_new(base))
        if None in of_base or may_be_other:
            return None
        return False


def _is_new(value: SSAValue) -> bool:
    return isinstance(value.owner, memref.AllocOp | bufferization.CloneOp)


def pointer_of(value: SSAValue, situation: Situation) -> Pointer | None:
    """Which address an index is, if it is the aligned pointer of a memref.

    That freed memory may be allocated again is ignored.
    """
    op = value.owner
    if not isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        return None
    source = op.operands[0]
    while True:
        if source in situation.inside:
            return Pointer(None)
        if not isinstance(source, OpResult) or source.index != 0:
            return Pointer(source)
        model = VIEW_LIKE.lookup(source.op)
        if model is None:
            return Pointer(source)
        if model.may_move_pointer(source.op):
            return None
        source = model.get_view_source(source.op)


def same_pointer(first: Pointer | None, second: Pointer | None) -> Truth:
    if first is None or second is None:
        return None
    if first == second:
        return True
    # Different names of other memory may still be the same address.
    return False if None in (first.other, second.other) else None
