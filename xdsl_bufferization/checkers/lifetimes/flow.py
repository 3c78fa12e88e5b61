"""The control flow edges of bufferized IR, and their conditions.

Edges come from the interfaces for regions and branches; their conditions come from
counted loops and from the conditional ops of scf and cf.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.checkers.edges import (
    FlowEdge,
    edges_between_regions,
    edges_of_branch,
)
from xdsl_bufferization.checkers.lifetimes.intervals import EQ, SLT, ULT
from xdsl_bufferization.checkers.lifetimes.number import Condition, Number
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.dialects import cf, scf
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP, static_trip_count
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH


@dataclass(eq=False)
class Edge:
    """A path that control may take.

    Attributes:
        block: where to; None for after the op around the region.
        targets, sources: values that take over from others.
        conditions: it is taken when all of these hold,
        excluded: and not all of these.
        is_choice: whether it is not known what else it depends on.
        loop: the counted loop whose number of iterations decides whether it is taken.
        note: for people.
    """

    block: Block | None
    targets: Sequence[SSAValue] = ()
    sources: Sequence[SSAValue] = ()
    conditions: Sequence[Condition] = ()
    excluded: Sequence[Condition] = ()
    is_choice: bool = False
    loop: Operation | None = None
    note: str = ""


class Flow:
    """The edges of control flow of a program."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self.graph = ForwardedValues().graph

    def add(self, op: Operation) -> None:
        """Take the conditions into account that an op depends on without computing them
        as values."""
        if isinstance(op, scf.IndexSwitchOp | cf.SwitchOp):
            conditions = self._cases(op)
        else:
            conditions = self.runs(op) or ()
        for condition in conditions:
            condition.number.users.append(op)

    def edges(self, op: Operation) -> Sequence[Edge]:
        """Return the edges that leave an op: a branch, the end of a region, or an op with
        regions. There are none if the control flow is unknown."""
        if op.successors:
            return self._between_blocks(op)
        around = op if has_known_flow(op) else op.parent_op()
        if around is None or not has_known_flow(around):
            return ()
        return self._between_regions(around, op)

    def _between_regions(self, op: Operation, sender: Operation) -> Sequence[Edge]:
        """Return the edges that leave an op for its regions, or the end of one of them
        for another one or the next op."""
        point = None if sender is op else sender.parent_region()
        sent = edges_between_regions(op, self.graph(op), point, sender)
        is_counted = point is not None and COUNTED_LOOP.lookup(op) is not None
        if is_counted and static_trip_count(op) == 1:
            is_counted = False
            sent = [flow for flow in sent if flow.region is None]
        edges: list[Edge] = []
        for flow in sent:
            if flow.positions is None:
                return ()
            edge = _edge(flow, sender, is_choice=len(sent) > 1)
            if point is None:
                self._restrict_entry(edge, op, flow.region)
            elif isinstance(sender, scf.ConditionOp):
                holds = self._numbering.condition(sender.operands[0])
                edge.conditions = [holds if flow.region is not None else holds.negated()]
                edge.is_choice = False
            elif is_counted:
                edge.loop, edge.is_choice = op, False
            if point is not None and edge.block is not None and not edge.conditions:
                edge.note = "next iteration"
            edges.append(edge)
        # Where a region begins comes before where it does not.
        return sorted(edges, key=lambda edge: edge.block is None)

    def _between_blocks(self, end: Operation) -> Sequence[Edge]:
        edges: list[Edge] = []
        for number, flow in enumerate(edges_of_branch(end)):
            if flow.positions is None:
                return ()
            edge = _edge(flow, end, is_choice=False)
            if isinstance(end, cf.ConditionalBranchOp):
                holds = self._numbering.condition(end.operands[0])
                edge.conditions = [holds if number == 0 else holds.negated()]
            elif isinstance(end, cf.SwitchOp):
                edge.note = f"path {number}"
                # The default comes first.
                edge.conditions = _case(self._cases(end), number - 1)
            else:
                edge.is_choice = len(end.successors) > 1
            edges.append(edge)
        return edges

    def conditions_around(self, block: Block) -> dict[Number, bool] | None:
        """Return the conditions under which a block is reached; None if they exclude
        each other, so that it is unreachable."""
        known: dict[Number, bool] = {}
        inner: Block | None = block
        while inner is not None and (op := inner.parent_op()) is not None:
            edge = Edge(inner)
            if inner.parent is not None and inner.parent.blocks.first is inner:
                self._restrict_entry(edge, op, inner.parent)
            for number, truth in (*edge.conditions, *self._branches_before(inner)):
                always = known.get(number, truth)
                if number.constant is not None:
                    always = bool(number.constant)
                else:
                    known[number] = truth
                if always != truth:
                    return None
            inner = op.parent
        return known

    def _branches_before(self, block: Block) -> Sequence[Condition]:
        """The conditions of branches through which each path leads to a block."""
        found: list[Condition] = []
        seen = {block}
        while block.prev_block is not None:
            before = block.predecessors()
            if len(before) != 1:
                break
            end = before[0].last_op
            if end is None or before[0] in seen:
                break
            edges = [e for e in self._between_blocks(end) if e.block is block]
            if len(edges) == 1:
                found += edges[0].conditions
            block = before[0]
            seen.add(block)
        return found

    # Conditions.

    def _restrict_entry(self, edge: Edge, op: Operation, region: Region | None) -> None:
        """Set the conditions under which an op enters one of its regions, or none."""
        if isinstance(op, scf.IfOp):
            holds = self._numbering.condition(op.operands[0])
            edge.conditions = [holds if region is op.regions[0] else holds.negated()]
        elif isinstance(op, scf.IndexSwitchOp):
            number = next(n for n, r in enumerate(op.regions) if r is region)
            edge.note = f"region {number}"
            edge.conditions = _case(self._cases(op), number - 1)
        elif (runs := self.runs(op)) is None:
            return
        elif region is None:
            edge.excluded, edge.note = runs, "no iteration"
        else:
            edge.conditions = runs
        edge.is_choice = False

    def _cases(self, op: scf.IndexSwitchOp | cf.SwitchOp) -> list[Condition]:
        """When the flag of a switch is in each of its cases."""
        if isinstance(op, scf.IndexSwitchOp):
            cases: Sequence[int] = op.cases.get_values()
        else:
            cases = () if op.case_values is None else list(op.case_values.get_values())
        return [self._numbering.compare(EQ, op.operands[0], case) for case in cases]

    def runs(self, op: Operation) -> list[Condition] | None:
        """When a counted loop has any iteration, if that is known: when all of these
        hold."""
        model = COUNTED_LOOP.lookup(op)
        if model is None:
            return None
        found: list[Condition] = []
        for range_ in model.get_ranges(op):
            if range_.lower is None or range_.upper is None:
                return None
            less = ULT if range_.unsigned else SLT
            found.append(self._numbering.compare(less, range_.lower, range_.upper))
        return found

    def again(self, loop: Operation) -> Number:
        """What decides how often a counted loop is repeated."""
        model = COUNTED_LOOP.lookup(loop)
        bounds = [
            bound
            for range_ in (() if model is None else model.get_ranges(loop))
            for bound in (range_.lower, range_.upper, range_.step)
            if isinstance(bound, SSAValue)
        ]
        return self._numbering.depending_on(loop, bounds)


def _edge(flow: FlowEdge, sender: Operation, *, is_choice: bool) -> Edge:
    sources = [sender.operands[position] for position in flow.positions or ()]
    return Edge(flow.block, flow.targets, sources, is_choice=is_choice)


def has_known_flow(op: Operation) -> bool:
    return bool(op.regions) and REGION_BRANCH.lookup(op) is not None


def is_end(op: Operation) -> bool:
    """Whether control leaves a block with an op."""
    return op.parent is not None and op is op.parent.last_op and not has_known_flow(op)


def _case(cases: Sequence[Condition], number: int) -> Sequence[Condition]:
    """When a switch is in one case, or in none if that is -1."""
    return [cases[number]] if number >= 0 else [case.negated() for case in cases]
