"""The known facts on a path, and the assumptions that are definitely possible there.

A trace tracks integers: constants, and values that they are forwarded to or computed
into, such as loop counters. A condition on one unconstrained value restricts it to some
integers. Other conditions must depend on free values (freedom.py), and on none that was
restricted before, until control reaches the block that defines them again.

    scf.while (%i = %c0) : (index) -> () {     // %i is 0, then 1
      %go = arith.cmpi slt, %i, %n : index     // true: %n is at least 1
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.block_graph import block_of
from xdsl_bufferization.checkers.lifetimes import intervals
from xdsl_bufferization.checkers.lifetimes.flow import Edge, Flow
from xdsl_bufferization.checkers.lifetimes.freedom import FreeValues, possible_values
from xdsl_bufferization.checkers.lifetimes.intervals import Intervals
from xdsl_bufferization.checkers.lifetimes.iterations import blocks_to, ends_of_loops
from xdsl_bufferization.checkers.lifetimes.number import (
    Condition,
    Number,
    Source,
    evaluate,
)
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.checkers.lifetimes.state import Node
from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.loop_like import (
    COUNTED_LOOP,
    Bound,
    static_trip_count,
)

_Bounds: TypeAlias = tuple[Number | int | None, ...]


@dataclass(frozen=True)
class Trace:
    """What has happened on a path.

    Attributes:
        origin: the op that has made the allocation.
        is_first: whether it was made in the first iteration of all loops around it,
            rather than in any.
        decided: the conditions decided, as long as their values are the same.
        restricted: by value, the conditions decided that depend on it; or the value
            itself, if `possible` says all of that.
        integers: values that are known.
        possible: what free values are, if not anything.
        ends: conditions that may hold, because they do in the last iteration of a loop.
        trips: by bounds, how many iterations loops with these are assumed to have.
        iterations: by loop that control is in, how many iterations have ended.
        begins: likewise, where the current one has begun, unless it began before.
        computed: the blocks of values that some decision was computed from.
    """

    origin: Operation
    is_first: bool = False
    decided: Mapping[Number, bool] = field(default_factory=dict[Number, bool])
    restricted: Mapping[Source, frozenset[Number]] = field(
        default_factory=dict[Source, frozenset[Number]]
    )
    integers: Mapping[Number, int] = field(default_factory=dict[Number, int])
    possible: Mapping[Number, Intervals] = field(default_factory=dict[Number, Intervals])
    ends: frozenset[Condition] = frozenset()
    trips: Mapping[_Bounds, int] = field(default_factory=dict[_Bounds, int])
    iterations: Mapping[Operation, int] = field(default_factory=dict[Operation, int])
    begins: Mapping[Operation, Node | None] = field(
        default_factory=dict[Operation, "Node | None"]
    )
    computed: frozenset[Block] = frozenset()

    def decide(self, conditions: Iterable[Condition]) -> Trace:
        decided, restricted = dict(self.decided), dict(self.restricted)
        for number, truth in conditions:
            decided[number] = truth
            for source in number.sources:
                restricted[source] = restricted.get(source, frozenset()) | {number}
        return replace(self, decided=decided, restricted=restricted)

    def enter(self, block: Block) -> Trace:
        """Forget the values of a block, since it begins again."""
        return replace(
            self,
            decided={n: t for n, t in self.decided.items() if block not in n.homes},
            restricted={
                source: numbers
                for source, numbers in self.restricted.items()
                if not isinstance(source, SSAValue) or block_of(source) is not block
            },
            integers={n: i for n, i in self.integers.items() if block not in n.homes},
            possible={n: p for n, p in self.possible.items() if block not in n.homes},
            ends=frozenset(c for c in self.ends if block not in c.number.homes),
            trips={
                bounds: count
                for bounds, count in self.trips.items()
                if not any(block in b.homes for b in bounds if isinstance(b, Number))
            },
        )

    def iterate(self, loop: Operation, ended: int | None, begin: Node | None) -> Trace:
        """Begin an iteration of a loop, or leave it if `ended` is None."""
        iterations, begins = dict(self.iterations), dict(self.begins)
        computed = frozenset(b for b in self.computed if b.parent_op() is not loop)
        if ended is None:
            iterations.pop(loop, None)
            begins.pop(loop, None)
        else:
            iterations[loop], begins[loop] = ended, begin
        return replace(self, iterations=iterations, begins=begins, computed=computed)

    def may_repeat(self, loop: Operation) -> bool:
        """Return whether what was decided in the current iteration of a loop may be
        decided again: it was not computed from the counter, or what else differs."""
        return not any(block.parent_op() is loop for block in self.computed)

    def is_inside(self, loop: Operation) -> bool:
        """Return whether the path begins in an iteration of a loop that may be any."""
        return not self.is_first and loop.is_ancestor(self.origin)

    def evaluate(self, number: Number) -> int | None:
        """Return an integer, or whether a condition holds, if that is known."""
        return evaluate(number, self.integers, {})


class Assumptions:
    """Extends traces by what may be assumed."""

    def __init__(self, numbering: Numbering, flow: Flow, free: FreeValues) -> None:
        self._numbering = numbering
        self._flow = flow
        self._free = free

    def begin(
        self, origin: Operation, block: Block, known: Iterable[Condition], *, first: bool
    ) -> Trace | None:
        """Return the facts at an allocation: some conditions, and, if it is in the
        `first` iteration of all loops, the initial values."""
        trace = Trace(origin, first)
        if not first:
            ends = frozenset(ends_of_loops(origin, self._flow))
            return replace(trace, ends=ends).decide(known)
        blocks = blocks_to(block)
        for before, after in itertools.pairwise(blocks):
            around = after.parent_op()
            is_entered = around is not None and around.parent is before
            end = around if is_entered else before.last_op
            for edge in () if end is None else self._flow.edges(end):
                if edge.block is after:
                    assert end is not None
                    trace = self.forward(trace, end, edge)
                    break
        for condition in known:
            assumed = self._restrict(trace, condition, ())
            if assumed is None and trace.evaluate(condition.number) is not None:
                return None
            trace = assumed or trace.decide([condition])
        return trace

    def forward(self, trace: Trace, op: Operation, edge: Edge) -> Trace:
        """Follow an edge: to some values others are forwarded."""
        numbers = [self._numbering.number(target) for target in edge.targets]
        values = [trace.evaluate(self._numbering.number(s)) for s in edge.sources]
        loop = edge.loop or op
        if isinstance(loop, scf.ForOp) and edge.block is not None:
            counter = self._numbering.number(edge.block.args[0])
            numbers.append(counter)
            values.append(self._count(trace, loop, counter, is_again=loop is not op))
        entered = trace if edge.block is None else trace.enter(edge.block)
        integers = dict(entered.integers)
        for number, value in zip(numbers, values, strict=True):
            integers.pop(number, None)
            if value is not None:
                integers[number] = value
        return replace(entered, integers=integers)

    def _count(
        self, trace: Trace, loop: scf.ForOp, counter: Number, *, is_again: bool
    ) -> int | None:
        """The counter of the next iteration."""
        lower, step = (self._integer(trace, bound) for bound in (loop.lb, loop.step))
        before = trace.integers.get(counter)
        if not is_again:
            return lower
        if before is None or step is None:
            return None
        return intervals.signed(before + step, intervals.width_of(counter.type))

    def _integer(self, trace: Trace, bound: Bound) -> int | None:
        if isinstance(bound, SSAValue):
            return trace.evaluate(self._numbering.number(bound))
        return bound

    def call(self, trace: Trace, operands: Sequence[SSAValue], body: Block) -> Trace:
        """Enter a function: the facts about operands hold for its arguments."""
        entered = trace.enter(body)
        integers, possible = dict(entered.integers), dict(entered.possible)
        restricted = dict(entered.restricted)
        for operand, argument in zip(operands, body.args, strict=True):
            source, target = map(self._numbering.number, (operand, argument))
            value = trace.evaluate(source)
            if value is not None:
                integers[target] = value
            if source in trace.possible:
                possible[target] = trace.possible[source]
            others = (trace.restricted.get(s, frozenset()) for s in source.sources)
            numbers = frozenset[Number]().union(*others)
            if numbers:
                is_said = source in trace.possible and numbers == frozenset((source,))
                restricted[argument] = frozenset((target,)) if is_said else numbers
        return replace(
            entered, integers=integers, possible=possible, restricted=restricted
        )

    def trip_count(self, trace: Trace, loop: Operation) -> int | None:
        """Return the number of iterations of a counted loop, if it is known."""
        static = static_trip_count(loop)
        model = COUNTED_LOOP.lookup(loop)
        if static is not None or model is None:
            return static
        assumed = trace.trips.get(self._bounds(loop))
        if assumed is not None:
            return assumed
        count = 1
        for range_ in model.get_ranges(loop):
            bounds = (range_.lower, range_.upper, range_.step)
            lower, upper, step = (self._integer(trace, bound) for bound in bounds)
            if lower is None or upper is None or step is None:
                return None
            if range_.unsigned or step <= 0:
                return None
            count *= max(0, -((lower - upper) // step))
        return count

    def _bounds(self, loop: Operation) -> _Bounds:
        """What the number of iterations of a counted loop depends on."""
        model = COUNTED_LOOP.lookup(loop)
        found: list[Number | int | None] = []
        for range_ in () if model is None else model.get_ranges(loop):
            for bound in (range_.lower, range_.upper, range_.step, int(range_.unsigned)):
                is_value = isinstance(bound, SSAValue)
                found.append(self._numbering.number(bound) if is_value else bound)
        return tuple(found)

    def end(self, trace: Trace, loop: Operation, ended: int) -> Trace:
        """Leave a loop after some iterations: all with these bounds have as many."""
        bounds = self._bounds(loop)
        if None in bounds:
            return trace
        return replace(trace, trips={**trace.trips, bounds: ended})

    def repeat(
        self, trace: Trace, loop: Operation, known: Iterable[Number]
    ) -> Trace | None:
        """Assume any number of iterations of a loop, from one, or return None if that is
        not sure to be possible."""
        again = self._flow.again(loop)
        if again in trace.decided:
            return trace
        # That there is an iteration does not matter.
        excepted = [again]
        for number, truth in self._flow.runs(loop) or ():
            excepted.append(number)
            value = number.subject
            if value is not None and value in trace.possible:
                rest = intervals.difference(value.domain, number.inside)
                runs = intervals.intersection(
                    possible_values(value), number.inside if truth else rest
                )
                if trace.possible[value] == runs:
                    excepted.append(value)
        restricted = {s: n.difference(excepted) for s, n in trace.restricted.items()}
        unrestricted = replace(trace, restricted=restricted)
        known = [number for number in known if number not in excepted]
        is_possible = self.is_free(unrestricted, again, known)
        return trace.decide([Condition(again, True)]) if is_possible else None

    def choose(
        self, trace: Trace, condition: Condition, known: Iterable[Number]
    ) -> Trace | None:
        """Assume that a condition holds, or return None if that is not sure to be
        possible.

        Args:
            known: what else is known there.
        """
        number, truth = condition
        if number in trace.decided:
            return trace if trace.decided[number] is truth else None
        value = trace.evaluate(number)
        if value is not None:
            if bool(value) != truth:
                return None
            return replace(trace, computed=trace.computed | number.homes)
        restricted = self._restrict(trace, condition, known)
        if restricted is not None:
            return restricted
        is_possible = condition in trace.ends or self.is_free(trace, number, known)
        return trace.decide([condition]) if is_possible else None

    def _restrict(
        self, trace: Trace, condition: Condition, known: Iterable[Number]
    ) -> Trace | None:
        """Assume that a condition on one free value holds."""
        value, inside = _condition_on_one(trace, condition.number)
        if value is None or value.leaf is None or not self._free.is_free(value.leaf):
            return None
        if not condition.truth:
            inside = intervals.difference(value.domain, inside)
        possible = intervals.intersection(
            trace.possible.get(value, possible_values(value)), inside
        )
        others = {
            other
            for source in value.sources
            for other in trace.restricted.get(source, ())
            if other is not value
        }
        others |= {
            other
            for other in known
            if other.sources & value.sources
            and other not in trace.decided
            and other.subject is not value
            and trace.evaluate(other) is None
        }
        if not possible or others:
            return None
        restricted = dict(trace.restricted)
        for source in value.sources:
            restricted[source] = frozenset((value,))
        return replace(
            trace,
            decided={**trace.decided, condition.number: condition.truth},
            restricted=restricted,
            possible={**trace.possible, value: possible},
        )

    def is_free(self, trace: Trace, number: Number, known: Iterable[Number]) -> bool:
        """Return whether a condition may be true and may be false, whatever is the case
        with those that are known and with those that were decided before."""
        if number.is_complex:
            return False
        values = {
            source
            for source in number.sources
            if not isinstance(source, SSAValue)
            or self._numbering.number(source) not in trace.integers
        }

        def are_unrestricted(values: Set[Source]) -> bool:
            restricting = (trace.restricted.get(source, ()) for source in values)
            return all(
                other is number
                or not other.sources & values
                or (other.subject is not None and other.subject is number.subject)
                for other in itertools.chain(known, *restricting)
            )

        if self._free.may_be_either(number, trace.evaluate) and are_unrestricted(values):
            return True
        return any(
            part.sources.isdisjoint(other.sources)
            and are_unrestricted(part.sources)
            and self._free.may_be_anything(part)
            and _leaves_open(predicate, part, trace.possible.get(other))
            for predicate, part, other in _compared(number)
        )


def _condition_on_one(trace: Trace, number: Number) -> tuple[Number | None, Intervals]:
    """The value that a comparison depends on, if the other one is known, and where it is
    if that holds."""
    if number.subject is not None:
        return number.subject, number.inside
    if not isinstance(number.name, int) or len(number.operands) != 2:
        return None, ()
    (first, _), (second, _) = number.operands
    values = trace.evaluate(first), trace.evaluate(second)
    width = intervals.width_of(first.type)
    if width == 1 or None not in values:
        return None, ()
    if values[1] is not None:
        return first, intervals.satisfying(number.name, values[1], width)
    if values[0] is not None:
        predicate = intervals.SWAPPED.get(number.name, number.name)
        return second, intervals.satisfying(predicate, values[0], width)
    return None, ()


def _compared(number: Number) -> Sequence[tuple[int, Number, Number]]:
    """Return the predicate and operands of a comparison of integers, in both orders."""
    if not isinstance(number.name, int) or number.subject is not None:
        return ()
    first, second = (operand.number for operand in number.operands)
    if first.type == i1:
        return ()
    swapped = intervals.SWAPPED.get(number.name, number.name)
    return (number.name, first, second), (swapped, second, first)


def _leaves_open(predicate: int, part: Number, other: Intervals | None) -> bool:
    """Return whether a comparison of anything with another value may hold, and may not:
    it cannot if that is known to be the least or the greatest one."""
    values, width = possible_values(part), intervals.width_of(part.type)
    for integer in itertools.chain(*(other or ())):
        inside = intervals.satisfying(predicate, integer, width)
        if intervals.intersection(values, inside) and intervals.difference(
            values, inside
        ):
            return True
    return other is None
