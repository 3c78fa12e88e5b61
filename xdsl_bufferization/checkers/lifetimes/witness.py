"""Is a fault certain? It is if a path to it is definitely feasible.

The solver follows both branches of an unknown condition, so some of the paths that it
finds may be infeasible. This second pass searches the graph of the solver for a path
from an allocation to a fault on which each decision is possible:

- the known facts decide the condition, or it may be true or false (trace.py);
- a counted loop has as many iterations as its bounds state, or its bounds are free.

It prefers short paths, and gives up after a fixed number of steps.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.checkers.lifetimes.flow import Flow
from xdsl_bufferization.checkers.lifetimes.freedom import FreeValues
from xdsl_bufferization.checkers.lifetimes.iterations import (
    is_made_in_each_iteration,
)
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.checkers.lifetimes.state import Fault, Node, Step
from xdsl_bufferization.checkers.lifetimes.trace import Assumptions, Trace
from xdsl_bufferization.dialects import scf

_MOST_STEPS = 2000
"""That are tried for one fault, beside the shortest path."""


@dataclass(frozen=True)
class _Path:
    """A path that can be taken for sure: its last step, and the path before."""

    step: Step
    trace: Trace
    callers: tuple[Node, ...] = ()
    before: _Path | None = None
    length: int = 0

    def steps(self) -> Sequence[Step]:
        found: list[Step] = []
        path: _Path | None = self
        while path is not None:
            found.append(path.step)
            path = path.before
        return found[::-1]


class Witnesses:
    """Searches for paths to faults.

    Args:
        steps: all steps of the graph, except those to faults.
    """

    def __init__(
        self, numbering: Numbering, flow: Flow, free: FreeValues, steps: Sequence[Step]
    ) -> None:
        self._assumptions = Assumptions(numbering, flow, free)
        self._to: dict[Node, list[Step]] = {}
        for step in steps:
            assert step.target is not None
            self._to.setdefault(step.target, []).append(step)

    def find(self, fault: Fault) -> tuple[bool, Sequence[Step]]:
        """Return whether a fault is certain, and a path to it."""
        distances = self._distances(fault.step)
        starts = [step for step in distances if step.source is None]
        own = [step for step in starts if step.origin is fault.origin]
        found = self._search(own, fault.step, distances)
        if found is not None:
            return True, found
        step = min(own, key=distances.__getitem__)
        path = [step]
        while step is not fault.step:
            following = (after for after in _following(step) if after in distances)
            step = min(following, key=distances.__getitem__)
            path.append(step)
        return False, path

    def _distances(self, goal: Step) -> dict[Step, int]:
        """By step that leads to a goal, how many steps there are in between."""
        distances = {goal: 0}
        waiting = deque([goal])
        while waiting:
            step = waiting.popleft()
            source = step.through or step.source
            for before in () if source is None else self._to.get(source, ()):
                if before not in distances:
                    distances[before] = distances[step] + 1
                    waiting.append(before)
        return distances

    def _search(
        self, starts: Sequence[Step], goal: Step, distances: Mapping[Step, int]
    ) -> Sequence[Step] | None:
        """Return a path that can be taken for sure, the shortest ones first."""
        count = itertools.count()
        heap: list[tuple[int, int, _Path]] = []

        def add(path: _Path) -> None:
            heappush(heap, (path.length + distances[path.step], next(count), path))

        for start, first in itertools.product(starts, (True, False)):
            op, known = start.origin, start.outcome.state.known
            block = op.body.blocks.first if isinstance(op, FuncOp) else op.parent
            assert block is not None
            trace = self._assumptions.begin(op, block, known, first=first)
            if trace is not None:
                add(_Path(start, trace))
        while heap and next(count) < _MOST_STEPS:
            _, _, path = heappop(heap)
            if path.step is goal:
                return path.steps()
            for extended in self._extended(path, distances):
                add(extended)
        return None

    # The steps of a path.

    def _extended(self, path: _Path, distances: Mapping[Step, int]) -> Iterator[_Path]:
        """Yield the paths with one more step that can be taken for sure."""
        for step in _following(path.step):
            if step not in distances:
                continue
            callers = path.callers
            if step.through is not None:
                if not callers or callers[-1] is not step.source:
                    continue
                callers = callers[:-1]
            elif is_call(step):
                assert step.source is not None
                callers = (*callers, step.source)
            trace = self._take(path.trace, step)
            if trace is not None:
                yield _Path(step, trace, callers, path, path.length + 1)

    def _take(self, trace: Trace, step: Step) -> Trace | None:
        """Return what has happened after a step, or None if it is not certain that
        control may take it."""
        node, edge, choices = step.source, step.outcome.edge, step.outcome.choices
        assert node is not None
        if edge is not None and edge.is_choice:
            return None
        around = node.op.parent_op()
        is_while = isinstance(node.op, scf.ConditionOp)
        known = [known.number for known in node.state.known]
        for choice in choices:
            chosen = self._assumptions.choose(trace, choice, known)
            if chosen is None:
                return None
            trace = chosen
        if edge is None:
            if is_call(step):
                assert step.target is not None
                body = step.target.context.func.body.blocks[0]
                return self._assumptions.call(trace, node.op.operands, body)
            return trace
        loop = around if is_while else edge.loop
        begins = edge.block is not None
        if loop is not None:
            ended = trace.iterations.get(loop, 0) + 1
            if edge.loop is not None:
                counted = self._count(trace, step, loop, ended)
                if counted is None:
                    return None
                trace = counted
            trace = trace.iterate(loop, ended if begins else None, step.target)
        elif node.op.regions and begins:
            trace = trace.iterate(node.op, 0, step.target)
        return self._assumptions.forward(trace, node.op, edge)

    def _count(
        self, trace: Trace, step: Step, loop: Operation, ended: int
    ) -> Trace | None:
        """Decide, at the end of an iteration of a counted loop, whether it is the last.

        Args:
            ended: the iterations that have ended, as far as they are on the path.
        """
        node, edge = step.source, step.outcome.edge
        assert node is not None
        assert edge is not None
        trips = self._assumptions.trip_count(trace, loop)
        if trips is None:
            known = [known.number for known in node.state.known]
            assumed = self._assumptions.repeat(trace, loop, known)
            if assumed is None or edge.block is not None or trace.is_inside(loop):
                return assumed
            return self._assumptions.end(assumed, loop, ended)
        if edge.block is not None:
            return trace if ended < trips else None
        is_made = not trace.is_first and is_made_in_each_iteration(trace.origin, loop)
        begun = trace.begins.get(loop)
        # An iteration that begins as the one before may follow any number of times.
        repeats = (
            begun is not None
            and trace.may_repeat(loop)
            and any(
                again.target is begun
                and again.outcome.edge is not None
                and again.outcome.edge.loop is loop
                for again in node.steps
            )
        )
        is_last = ended == trips or (is_made and ended <= trips) or repeats
        return trace if is_last else None


def is_call(step: Step) -> bool:
    """Return whether a step enters a function."""
    target = step.target
    return target is not None and target.context.start is target


def _following(step: Step) -> Iterator[Step]:
    """Yield the steps that may follow another one."""
    node = step.target
    if node is None:
        return
    if node.is_exit and node.context.given is not None:
        for call in node.context.calls:
            yield from (after for after in call.steps if after.through is node)
        return
    yield from (after for after in node.steps if after.through is None)


# For people.


def described(numbering: Numbering, step: Step) -> str:
    """Return what was assumed for a step and done in it."""
    notes = [
        f"{_name(value)} is {str(numbering.condition(value) == choice).lower()}"
        for choice in step.outcome.choices
        for value in choice.number.members[:1]
    ]
    return ", ".join(filter(None, (*notes, step.outcome.note)))


def _name(value: SSAValue) -> str:
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, OpResult):
        return f"the result of {value.op.name}"
    return "an argument of a block"
