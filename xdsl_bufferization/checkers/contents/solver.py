"""The fixpoint of a function, and the pass over it that reports errors (checker.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from heapq import heapify, heappop, heappush
from typing import cast

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.checkers.contents.arenas import Memory
from xdsl_bufferization.checkers.contents.flow import FlowGraph
from xdsl_bufferization.checkers.contents.graph import Edge, Loop, Stretch
from xdsl_bufferization.checkers.contents.memory import (
    Base,
    History,
    Race,
    Root,
    roots_since,
)
from xdsl_bufferization.checkers.contents.races import NOT_SHARED, ParallelLoop
from xdsl_bufferization.checkers.contents.report import WrongRead
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.visit import Findings, Program, Visit
from xdsl_bufferization.dialects import bufferization, memref

_MAX_GROWTH = 4
"""How often roots may grow along edges back to a stretch before they are widened."""


class Solver:
    """Computes the fixpoint of a function, and the errors there.

    Args:
        memory: that of places in arenas, and of arguments that overlap.
    """

    def __init__(self, program: Program, graph: FlowGraph, memory: Memory) -> None:
        self._program = program
        self._graph = graph
        self._memory = memory
        self._states: dict[int, State] = {}
        """What holds at the start of each stretch, by its number."""
        self._growth: dict[int, int] = {}
        self._racy: dict[Operation, Race] = {}
        self._widened: dict[SSAValue, frozenset[Root]] = {}
        """By memref, all the memory that may ever be forwarded to it."""

    def solve(self, valid: Mapping[int, bool]) -> Findings:
        """Return what is found.

        Args:
            valid: by number of an argument, whether it holds its tensor.
        """
        entry = self._states[0] = State(History(self._memory))
        entry.forwarded = valid
        findings = Findings()
        for group in self._graph.groups():
            if len(group) > 1 or any(edge.is_back for edge in group[0].edges):
                self._solve(group)
                self._report(group, findings)
            elif group[0].number in self._states:
                state = self._states.pop(group[0].number)
                for edge, after in self._visit(group[0], state, group[0].edges, findings):
                    self._arrive(edge, after)
        return findings

    def _solve(self, group: Sequence[Stretch]) -> None:
        """Find the fixed point of stretches that control may come back to."""
        first, last = group[0].number, group[-1].number
        worklist = [s.number for s in group if s.number in self._states]
        heapify(worklist)
        waiting = set(worklist)
        while worklist:
            number = heappop(worklist)
            waiting.remove(number)
            stretch = group[number - first]
            edges = [edge for edge in stretch.edges if edge.target.number <= last]
            state = self._states[number].copy()
            for edge, after in self._visit(stretch, state, edges, None):
                target = edge.target.number
                if self._arrive(edge, after) and target not in waiting:
                    waiting.add(target)
                    heappush(worklist, target)

    def _report(self, group: Sequence[Stretch], findings: Findings) -> None:
        """Visit stretches at their fixpoint. If they copy memory that another iteration
        may write, compute the fixpoint again with unknown copied contents."""
        last = group[-1].number
        loops = dict.fromkeys(loop for stretch in group for loop in stretch.parallel)
        while True:
            found = Findings()
            out: list[tuple[Edge, State]] = []
            for stretch in group:
                state = self._states.get(stretch.number)
                if state is not None:
                    edges = [edge for edge in stretch.edges if edge.target.number > last]
                    state = state.copy() if loops else state
                    out += self._visit(stretch, state, edges, found)
            racy = self._find_races(loops, found)
            if not racy:
                break
            self._racy |= racy
            self._solve(group)
        for edge, state in out:
            self._arrive(edge, state)
        for stretch in group:
            self._states.pop(stretch.number, None)
        findings.add(found)

    def _visit(
        self,
        stretch: Stretch,
        state: State,
        edges: Sequence[Edge],
        findings: Findings | None,
    ) -> list[tuple[Edge, State]]:
        """Interpret a stretch from a state, which is modified. Return the states that
        some of its edges pass to successors."""
        visit = Visit(self._program, self._graph, stretch, state, self._racy, findings)
        for op, transfer in stretch.steps:
            transfer(op, visit)
        valid = {
            key: visit.is_valid(tensor, view) for key, tensor, view in stretch.checks
        }
        state.forget(stretch.forgotten)
        if stretch.ends_block:
            state.written.pop(visit.notes, None)
        if stretch.entered is not None:
            state.enter_loop(stretch.entered.allocations, stretch.entered.depth)
        states = [*(state.copy() for _ in edges[1:]), state]
        for edge, after in zip(edges, states, strict=False):
            self._follow(edge, after, valid)
        return list(zip(edges, states, strict=False))

    def _follow(self, edge: Edge, state: State, valid: Mapping[int, bool]) -> None:
        """Update a state along an edge.

        Args:
            valid: by key, the results of the checks at the end of the stretch.
        """
        allocated = edge.loop.allocations if edge.loop and edge.is_back else ()
        for base in allocated:
            state.renew(base)
        flows = [(target, state.roots_of(source)) for target, source in edge.flows]
        if edge.around is not None:
            # Whatever was ever sent around may come out, or something new.
            sent = state.roots_of(edge.around).union(*map(state.roots_of, edge.sent))
            state.set_roots(edge.around, sent)
            flows = [(target, sent | {target}) for target, _ in flows]
        state.forget_bases(edge.left, edge.is_repeated)
        state.forget_bases(allocated, True)
        if edge.loop is not None and edge.is_back:
            # Otherwise the head would be visited again for each name made in the loop.
            state.forget_bases(self._remade(edge.loop, state.roots), True)
        for target, roots in flows:
            state.set_roots(target, roots)
        state.forwarded = (
            None
            if edge.forwarded is None
            else {number: valid[key] for number, key in edge.forwarded if key in valid}
        )

    def _remade(self, loop: Loop, bases: Iterable[Base]) -> list[SSAValue]:
        """Return the bases that each iteration of a loop makes again before anything in
        it can name them. An allocation and a global are excluded: what a view may turn
        out to be (Views.alternatives) names them wherever they are made."""
        values = [cast("SSAValue", base) for base in bases if isinstance(base, SSAValue)]
        return [
            value
            for value in values
            if self._graph.is_made_in(loop, value)
            and value not in self._program.views.memory
            and not isinstance(value.owner, memref.AllocOp | memref.GetGlobalOp)
        ]

    def _arrive(self, edge: Edge, state: State) -> bool:
        """Join a state into that of a successor. Return whether it has changed."""
        target = edge.target.number
        known = self._states.get(target)
        if known is None:
            self._states[target] = state
            return True
        varies = edge.loop and partial(self._graph.is_made_in, edge.loop)
        change = known.join(state, varies)
        if change.roots:
            self._growth[target] = self._growth.get(target, 0) + edge.is_back
            if self._growth[target] > _MAX_GROWTH:
                self._widen(known)
        return change.anything

    def _widen(self, state: State) -> None:
        """Let each memref that others are forwarded to be all that these may ever be."""
        sources = self._program.views.forwarded_bases
        forwarded = [
            cast("SSAValue", base) for base in state.roots if isinstance(base, SSAValue)
        ]
        bases = [b for b in forwarded if b not in self._widened and sources(b)]
        for component in strongly_connected(bases, sources):
            roots: set[Root] = set()
            for base in component:
                found = [self._widened[s] for s in sources(base) if s in self._widened]
                roots.update(*found)
                if not sources(base):
                    roots |= self._memory.get(base) or {*roots_since(base, 1)}
            self._widened.update(dict.fromkeys(component, frozenset(roots)))
        for base in forwarded:
            if base in self._widened and sources(base):
                known, widened = state.roots[base], self._widened[base]
                state.set_roots(base, widened if known <= widened else widened | known)

    def _find_races(
        self, loops: Iterable[Operation], findings: Findings
    ) -> dict[Operation, Race]:
        """Report the reads that may meet a write of another iteration. Return the copies
        among them, which are not reported."""
        copies: dict[Operation, Race] = {}
        for op in loops:
            first = self._graph.parallel[op]
            state = self._states.get(first.number, State())
            loop = ParallelLoop(op, findings.inserted.get(op, ()))
            for write, read in loop.find_races(findings.accesses.get(op, ()), state):
                if not isinstance(read.op, memref.CopyOp | bufferization.AllocTensorOp):
                    found = ["one that another iteration may write"]
                    wrong = WrongRead(read.op, [NOT_SHARED], found, [write.op])
                    findings.wrong.setdefault((read.op, (-2,)), (first.number, wrong))
                elif read.op not in self._racy:
                    copies[read.op] = Race(write.op, loop.part_of_others(read.view))
        return copies
