"""The control flow edges between the regions of an op, and the values that they
forward.

Ops declare them through RegionBranchOpInterface and BranchOpInterface. An op with
regions that implements neither may run its regions in any order, any number of times,
possibly never, with unknown block arguments and results.

    %r = scf.for ... iter_args(%a = %init) { ... scf.yield %x }  // %a may be %init or %x
    "my.op"() ({ ^bb0(%a: memref<4xf32>): ... })                 // %a may be anything
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from xdsl.ir import BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.traits import IsTerminator, SymbolOpInterface

from xdsl_bufferization.analysis.facts.strongly_connected import reachable
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionBranchOpInterface,
    RegionSuccessor,
    get_forwarded_values,
)

Point: TypeAlias = Region | None
"""A point of an op: the end of one of its regions, or the op itself (None)."""


@dataclass(frozen=True)
class RegionGraph:
    """The control flow between an op and its regions.

    Attributes:
        successors: by point, its possible successors.
        repetitive: the regions that may run more than once.
        is_known: whether the op implements RegionBranchOpInterface.
    """

    successors: Mapping[Point, Sequence[RegionSuccessor]]
    repetitive: frozenset[Region]
    is_known: bool

    @staticmethod
    def of(op: Operation) -> RegionGraph:
        model = REGION_BRANCH.lookup(op)
        regions = [region for region in op.regions if region.blocks.first is not None]
        points: list[Point] = [None, *regions]
        if model is None:
            anywhere = [RegionSuccessor(point, ()) for point in points]
            return RegionGraph(dict.fromkeys(points, anywhere), frozenset(regions), False)
        successors = {point: model.get_successor_regions(op, point) for point in points}
        repetitive = frozenset(r for r in regions if _reaches_itself(r, successors))
        return RegionGraph(successors, repetitive, True)

    @cached_property
    def predecessors(self) -> Mapping[Region, Sequence[Point]]:
        """The points from which control may come to each region."""
        found: dict[Region, list[Point]] = {}
        for point, successors in self.successors.items():
            for region in dict.fromkeys(each.region for each in successors):
                if region is not None:
                    found.setdefault(region, []).append(point)
        return found


def _reaches_itself(
    region: Region, successors: Mapping[Point, Sequence[RegionSuccessor]]
) -> bool:
    def following(point: Point) -> Iterator[Region]:
        return (s.region for s in successors[point] if s.region is not None)

    return region in reachable(following(region), following)


class ForwardedValues:
    """The values that block arguments, and results of ops with regions, may be."""

    def __init__(self) -> None:
        self._sources_in: dict[Operation, dict[SSAValue, list[SSAValue]]] = {}
        self._graphs: dict[Operation, RegionGraph] = {}

    def graph(self, op: Operation) -> RegionGraph:
        """Where control goes between an op and its regions."""
        known = self._graphs.get(op)
        if known is None:
            known = self._graphs[op] = RegionGraph.of(op)
        return known

    def sources(self, value: SSAValue) -> Sequence[SSAValue]:
        """The values that are forwarded to a value; none if that is not known, or if it
        is not one that values are forwarded to."""
        if isinstance(value, BlockArgument):
            if value.block.prev_block is not None:
                return _sent_by_branches(value)
            op = value.block.parent_op()
        else:
            assert isinstance(value, OpResult)
            op = value.op
        if op is None or not op.regions:
            return ()
        known = self._sources_in.get(op)
        if known is None:
            model = REGION_BRANCH.lookup(op)
            known = {} if model is None else self._find_sources(op, model)
            self._sources_in[op] = known
        return known.get(value, ())

    def _find_sources(
        self, op: Operation, model: RegionBranchOpInterface
    ) -> dict[SSAValue, list[SSAValue]]:
        found: dict[SSAValue, list[SSAValue]] = {}
        unknown: set[SSAValue] = set()
        for point, successors in self.graph(op).successors.items():
            if point is not None and not _ends_are_known(point):
                unknown.update(*(successor.inputs for successor in successors))
            for sent, received in get_forwarded_values(model, op, point):
                for source, target in zip(sent, received, strict=True):
                    found.setdefault(target, []).append(source)
        return {target: s for target, s in found.items() if target not in unknown}


def forwarded_targets(operand: Use) -> Sequence[SSAValue] | None:
    """Return the block arguments and results that an operand becomes, of a branch, a
    terminator, or an op with regions. Return None if that is not known, or if the
    operand is not forwarded."""
    op = operand.operation
    if op.successors:
        targets = _targets_in_blocks(operand)
    elif op.has_trait(IsTerminator):
        targets = _targets_after_region(operand)
    else:
        targets = _targets_in_regions(operand)
    return targets or None


def may_become(operand: Use, state: AnalysisState) -> Iterator[SSAValue]:
    """Iterate over the values that may have the buffer of an operand, or a part of it.
    Also where a loop forwards it to an iter_arg, from which it may come to other results
    than its own: they are no aliases of the operand for the model of the loop."""
    for alias in state.aliasing_values(operand):
        yield alias.value
    yield from forwarded_targets(operand) or ()


def values_after_unknown_region(op: Operation) -> Sequence[SSAValue]:
    """Return what the operands of an op may become if it ends a region of an op that does
    not say where control goes: results of that op, and arguments of its regions. None of
    any other op; what a function returns, its callers get."""
    around = op.parent_op()
    if (
        around is None
        or op.next_op is not None
        or op.successors
        or (REGION_BRANCH.lookup(around) and REGION_BRANCH_TERMINATOR.lookup(op))
        or around.has_trait(SymbolOpInterface, value_if_unregistered=False)
    ):
        return ()
    return (*around.results, *entry_arguments(around))


def entry_arguments(op: Operation) -> Iterator[BlockArgument]:
    """Iterate over the arguments of the first blocks of the regions of an op."""
    for region in op.regions:
        if region.blocks.first is not None:
            yield from region.blocks.first.args


def _targets_in_blocks(operand: Use) -> list[SSAValue]:
    branch = operand.operation
    model = BRANCH.lookup(branch)
    if model is None:
        return []
    targets: list[SSAValue] = []
    for number, successor in enumerate(branch.successors):
        sent = model.get_successor_operand_range(branch, number)
        if operand.index in sent:
            targets.append(successor.args[operand.index - sent.start])
    return targets


def _targets_after_region(operand: Use) -> list[SSAValue]:
    terminator = operand.operation
    region, parent = terminator.parent_region(), terminator.parent_op()
    model = None if parent is None else REGION_BRANCH.lookup(parent)
    returns = REGION_BRANCH_TERMINATOR.lookup(terminator)
    if parent is None or model is None or returns is None:
        return []
    targets: list[SSAValue] = []
    for successor in model.get_successor_regions(parent, region):
        sent = returns.get_returned_operand_range(terminator, successor.region)
        if operand.index in sent:
            targets.append(successor.inputs[operand.index - sent.start])
    return targets


def _targets_in_regions(operand: Use) -> list[SSAValue]:
    op = operand.operation
    model = REGION_BRANCH.lookup(op)
    if model is None:
        return []
    value = op.operands[operand.index]
    return [
        target
        for successor in model.get_successor_regions(op, None)
        for source, target in zip(
            model.get_entry_successor_operands(op, successor.region),
            successor.inputs,
            strict=True,
        )
        if source is value
    ]


def _ends_are_known(region: Region) -> bool:
    """Return whether each block that leaves a region declares the values that it
    forwards."""
    return all(
        block.last_op is not None
        and (
            bool(block.last_op.successors)
            or REGION_BRANCH_TERMINATOR.lookup(block.last_op) is not None
        )
        for block in region.blocks
    )


def _sent_by_branches(argument: BlockArgument) -> list[SSAValue]:
    found: list[SSAValue] = []
    for edge in argument.block.uses:
        branch = edge.operation
        model = BRANCH.lookup(branch)
        if model is None:
            return []
        positions = model.get_successor_operand_range(branch, edge.index)
        found.append(branch.operands[positions[argument.index]])
    return found
