"""The control flow edges that both checkers follow.

An edge leads from its *sender* (a branch, an op with regions, or the terminator of a
region) to the start of a block, or to the point after the op with regions. Ops declare
their edges through BranchOpInterface and RegionBranchOpInterface only.

    cf.br ^next(%x)                         // to ^next: operand 0 becomes its argument
    %r = scf.for ... iter_args(%a = %i) {   // to the body: operand 3 becomes %a
      scf.yield %y                          // to the body: operand 0 becomes %a;
    }                                       // to after the op: operand 0 becomes %r
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import Point, RegionGraph
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionSuccessor,
)


@dataclass(frozen=True)
class FlowEdge:
    """An edge of control flow.

    Attributes:
        region: where it goes, if it goes to the first block of a region; None for the
            next op after the one with regions.
        block: the block that it goes to, if any.
        targets: the values that it sets.
        positions: the operands of the sender that the targets become; None if that is
            not known.
    """

    region: Region | None
    block: Block | None
    targets: Sequence[SSAValue]
    positions: Sequence[int] | None


def edges_of_branch(branch: Operation) -> Sequence[FlowEdge]:
    """Return the edges from a branch to its successors, in their order."""
    model = BRANCH.lookup(branch)
    return [
        FlowEdge(
            block.parent,
            block,
            block.args,
            None if model is None else model.get_successor_operand_range(branch, number),
        )
        for number, block in enumerate(branch.successors)
    ]


def edges_between_regions(
    op: Operation, graph: RegionGraph, point: Point, sender: Operation | None
) -> Sequence[FlowEdge]:
    """Return the edges between an op and its regions that leave a point.

    Args:
        graph: of the op.
        sender: the op itself, or the last op of a block that ends the region; None if
            there is none.
    """
    edges: list[FlowEdge] = []
    is_entry = point is None
    for successor in graph.successors[point]:
        region = successor.region
        if is_entry and region is None and surely_runs(op):
            continue
        block = None if region is None else region.blocks.first
        if graph.is_known:
            targets, positions = successor.inputs, _positions(op, successor, sender)
        else:
            targets, positions = op.results if block is None else block.args, None
        edges.append(FlowEdge(region, block, targets, positions))
    return edges


def _positions(
    op: Operation, successor: RegionSuccessor, sender: Operation | None
) -> Sequence[int] | None:
    """Return the operands of a sender that become the inputs of a successor; None if the
    sender is a terminator that does not say."""
    if sender is op:
        model = REGION_BRANCH.lookup(op)
        assert model is not None
        sent = model.get_entry_successor_operands(op, successor.region)
        # Forwarded operands are the last ones.
        return range(len(op.operands) - len(sent), len(op.operands))
    returns = None if sender is None else REGION_BRANCH_TERMINATOR.lookup(sender)
    if sender is None or returns is None:
        return None if successor.inputs else ()
    return returns.get_returned_operand_range(sender, successor.region)
