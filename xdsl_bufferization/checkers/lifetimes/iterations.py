"""The loops around an allocation: which iterations allocate it, and which one is the
last.

If a loop ends, it has a last iteration. If each iteration makes the allocation, so does
the last one. The current iteration may therefore be the last one, whatever the
condition of the loop depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.analysis.facts.block_graph import (
    Dominance,
    reaches_itself,
    successors,
)
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.checkers.lifetimes.flow import Flow
from xdsl_bufferization.checkers.lifetimes.number import Condition
from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP


def blocks_to(block: Block) -> Sequence[Block]:
    """Return the blocks that control comes through to a block when no loop has been
    repeated, from the first one of the function."""
    found = [block]
    while True:
        around, region = block.parent_op(), block.parent
        if around is None or region is None:
            break
        if block.prev_block is not None:
            before = set(block.predecessors())
            previous = next((b for b in region.blocks if b in before), None)
        elif isinstance(around, scf.WhileOp) and region is around.regions[1]:
            previous = around.regions[0].blocks.first
        else:
            previous = None if isinstance(around, FuncOp) else around.parent
        if previous is None or previous in found:
            break
        found.append(previous)
        block = previous
    return found[::-1]


def ends_of_loops(allocation: Operation, flow: Flow) -> Iterator[Condition]:
    """Yield the exit conditions of the loops, other than counted ones, each iteration
    of which makes an allocation."""
    op = allocation
    while (block := op.parent) is not None and (around := op.parent_op()) is not None:
        if isinstance(around, scf.WhileOp):
            if is_made_in_each_iteration(allocation, around):
                end = around.regions[0].blocks[0].last_op
                edges = () if end is None else flow.edges(end)
                yield from _only(edge.conditions for edge in edges if edge.block is None)
        elif block is _block_that_makes(allocation, block.parent):
            yield from _end_of_cycle(block, flow)
        op = around


def _end_of_cycle(block: Block, flow: Flow) -> Sequence[Condition]:
    """The condition under which control leaves the blocks that it comes back to a block
    from, if that is in one place, after this block."""
    # The last component is that of the block.
    inside = set(strongly_connected([block], successors)[-1])
    exits = [
        (b, target) for b in inside for target in successors(b) if target not in inside
    ]
    if not reaches_itself(block) or len(exits) != 1:
        return ()
    if not Dominance().holds(block, exits[0][0]):
        return ()
    end = exits[0][0].last_op
    edges = () if end is None else flow.edges(end)
    return _only(edge.conditions for edge in edges if edge.block is exits[0][1])


def _only(conditions: Iterator[Sequence[Condition]]) -> Sequence[Condition]:
    """The conditions of the only edge of some, if it has one condition."""
    found = list(conditions)
    return found[0] if len(found) == 1 and len(found[0]) == 1 else ()


def is_made_in_each_iteration(allocation: Operation, loop: Operation) -> bool:
    """Return whether each iteration of a loop makes an allocation."""
    for region in loop.regions:
        block = _block_that_makes(allocation, region)
        if block is not None:
            return block is region.blocks.first
    return False


def _block_that_makes(allocation: Operation, region: Region | None) -> Block | None:
    """Return the block of a region that makes an allocation whenever the region runs,
    except in inner loops without an iteration."""
    op = allocation
    while True:
        block, around = op.parent, op.parent_op()
        if block is None or around is None:
            return None
        if block.parent is region:
            return block
        if block.prev_block is not None or COUNTED_LOOP.lookup(around) is None:
            return None
        op = around
