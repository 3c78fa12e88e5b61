"""Evaluation of conditions while one allocation is followed.

A *situation* consists of the known facts: which memrefs are in the allocation, and the
values of some conditions. `Conditions` evaluates a condition statically from these:
boolean ops, comparisons of integers with known facts, and comparisons of aligned
pointers, in which the allocation is equal only to itself. A condition that remains
unknown depends on a *leaf*, a condition that may be true or false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.checkers.lifetimes.helper import (
    Dealloc,
    Deallocs,
    Element,
)
from xdsl_bufferization.checkers.lifetimes.intervals import (
    EQ,
    NE,
    Intervals,
    difference,
    intersection,
)
from xdsl_bufferization.checkers.lifetimes.number import Condition, Number
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.checkers.lifetimes.owners import (
    Lists,
    Memory,
    Names,
    Owners,
    Truth,
    names_of,
    same,
)
from xdsl_bufferization.dialects import bufferization, memref, scf


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
    """

    def __init__(
        self, numbering: Numbering, callee: Callable[[CallOp], FuncOp | None]
    ) -> None:
        self.numbering = numbering
        self.deallocs = Deallocs(callee)
        self._last: _Evaluation | None = None
        self._names: dict[SSAValue, Names] = {}
        self._lists: dict[Dealloc, Lists] = {}
        self._computations: dict[Number, Sequence[OpResult]] = {}

    def names(self, value: SSAValue) -> Names:
        """Return the names of the memory of a memref or an aligned pointer."""
        known = self._names.get(value)
        if known is None:
            known = self._names[value] = names_of(value)
        return known

    def lists(self, dealloc: Dealloc) -> Lists:
        """Return the lists of a dealloc."""
        known = self._lists.get(dealloc)
        if known is None:
            known = self._lists[dealloc] = Lists.of(dealloc, self.names)
        return known

    def computations(self, number: Number) -> Sequence[OpResult]:
        """Return what computes a condition: of equal values the first one, and the
        comparisons of other values, since equal pointers may be known by other names."""
        known = self._computations.get(number)
        if known is None:
            found: dict[tuple[SSAValue, ...], OpResult] = {}
            for position, member in enumerate(number.members):
                if isinstance(member, OpResult) and (
                    position == 0 or isinstance(member.op, arith.CmpiOp)
                ):
                    found.setdefault(tuple(member.op.operands), member)
            known = self._computations[number] = tuple(found.values())
        return known

    def _evaluation(self, situation: Situation) -> _Evaluation:
        """What is known of this situation is kept as long as no other comes up."""
        if self._last is None or self._last.situation is not situation:
            self._last = _Evaluation(self, situation)
        return self._last

    def evaluate(self, value: SSAValue | Condition, situation: Situation) -> Truth:
        """Return whether a condition holds, None if it is not known."""
        if isinstance(value, SSAValue):
            value = self.numbering.condition(value)
        return self._evaluation(situation).holds(value)

    def leaf(self, condition: Condition, situation: Situation) -> Number:
        """Return the leaf that an unknown condition depends on: an unknown condition
        that is computed from no other unknown one."""
        return self._evaluation(situation).leaf(condition.number)


class _Evaluation:
    """The conditions in one situation."""

    def __init__(self, conditions: Conditions, situation: Situation) -> None:
        self._conditions = conditions
        self._numbering = conditions.numbering
        self._deallocs = conditions.deallocs
        self.situation = situation
        self._seen: dict[Number, Truth] = {}
        self._owners: dict[Dealloc, Owners] = {}

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

    def leaf(self, number: Number) -> Number:
        while True:
            parts = self._parts(number.members[0]) if number.members else ()
            unknown = next((v for v in parts if self.of(v) is None), None)
            if unknown is None:
                return number
            number = self._numbering.condition(unknown).number

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
        for member in self._conditions.computations(number):
            found = self._compute(member.op, member.index)
            if found is not None:
                return found == self._numbering.condition(member).truth
        return None

    def _parts(self, value: SSAValue) -> Sequence[SSAValue]:
        """What an i1 is computed from."""
        op = value.owner
        match op:
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp() | arith.SelectOp():
                return op.operands
            case scf.IfOp():
                return op.operands[:1]
            case memref.LoadOp():
                dealloc = self._deallocs.of_list(op.operands[0])
                if dealloc is None:
                    return ()
                # What is owned, of the allocation that is followed.
                followed = self._owners_of(dealloc).followed
                return [dealloc.conditions[index] for index in followed]
            case _:
                return ()

    def _compute(self, op: Operation, index: int) -> Truth:
        """Return a result of an op."""
        match op:
            case memref.LoadOp():
                element = self._deallocs.element_of(op)
                return None if element is None else self._element(element)
            case arith.AndIOp() | arith.OrIOp():
                return self._connective(op.operands, isinstance(op, arith.OrIOp))
            case arith.XOrIOp():
                first, second = self.of(op.operands[0]), self.of(op.operands[1])
                return None if first is None or second is None else first != second
            case arith.SelectOp():
                condition, first, second = (self.of(operand) for operand in op.operands)
                return self._choice(condition, [first, second])
            case scf.IfOp():
                ends = [r.block.last_op if r.blocks.first else None for r in op.regions]
                values = [e and self.of(e.operands[index]) for e in ends]
                return self._choice(self.of(op.operands[0]), values)
            case arith.CmpiOp():
                return self._compare(op)
            case bufferization.DeallocOp():
                return self._owners_of(self._deallocs.of_op(op)).owns(index)
            case _:
                return None

    def _choice(self, condition: Truth, values: Sequence[Truth]) -> Truth:
        if condition is not None:
            return values[0 if condition else 1]
        return values[0] if values[0] == values[1] else None

    def _connective(self, operands: Sequence[SSAValue], decisive: bool) -> Truth:
        found: Truth = not decisive
        # What a comparison decides is then not computed from all the others.
        for operand in sorted(operands, key=_is_computed_at_length):
            truth = self.of(operand)
            if truth is decisive:
                return decisive
            if truth is None:
                found = None
        return found

    def _compare(self, op: arith.CmpiOp) -> Truth:
        predicate = op.predicate.value.data
        if predicate not in (EQ, NE):
            return None
        first, second = op.operands
        equal = same(self._memory(first), self._memory(second))
        if equal is None and first.type == i1:
            truths = self.of(first), self.of(second)
            equal = None if None in truths else truths[0] == truths[1]
        return None if equal is None else equal == (predicate == EQ)

    # Deallocs.

    def _element(self, element: Element) -> Truth:
        """What is read from a list that a helper has filled."""
        owners = self._owners_of(element.dealloc)
        if element.is_freed:
            return owners.frees(element.index)
        return owners.owns(element.index)

    def _owners_of(self, dealloc: Dealloc) -> Owners:
        known = self._owners.get(dealloc)
        if known is None:
            known = self._owners[dealloc] = Owners(
                self._conditions.lists(dealloc),
                self.situation.inside,
                lambda index: self.of(dealloc.conditions[index]),
            )
        return known

    def _memory(self, value: SSAValue) -> Memory:
        """Which memory a memref, or an aligned pointer, is of."""
        return self._conditions.names(value).memory(self.situation.inside)


def _is_computed_at_length(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and not isinstance(value.op, arith.CmpiOp)
