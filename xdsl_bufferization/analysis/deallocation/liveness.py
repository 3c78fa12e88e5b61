"""Which memrefs are live on the edges between blocks.

A memref is live at the start of a block if the block, or a block reachable from it,
uses it, possibly in a nested region, before it is redefined. Only regions with several
blocks matter: in a single block, all live ranges end with the block.

Each use is followed backwards through the predecessors to the definition, so the cost
is one walk of the region plus the size of the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import is_memref

LiveIn = dict[Block, list[SSAValue]]


def compute_live_in(operation: Operation, ops: Iterable[Operation]) -> LiveIn:
    """The memrefs live at the start of each block of each multi-block region inside.

    Args:
        ops: all ops inside `operation`.

    They are ordered as MLIR orders them: block arguments before results, by their number;
    results by the position of their op in its block; outer regions before inner ones.
    """
    live_in: LiveIn = {}
    for region in _multi_block_regions(operation, ops):
        _compute_region(region, live_in)
    return live_in


def get_predecessors(region: Region) -> dict[Block, list[Block]]:
    """The blocks that branch to each block of `region`, once each."""
    predecessors: dict[Block, list[Block]] = {block: [] for block in region.blocks}
    for block in region.blocks:
        if block.last_op is not None:
            for successor in dict.fromkeys(block.last_op.successors):
                predecessors[successor].append(block)
    return predecessors


def _multi_block_regions(
    operation: Operation, ops: Iterable[Operation]
) -> Iterator[Region]:
    for op in (operation, *ops):
        for region in op.regions:
            if region.first_block is not region.last_block:
                yield region


def _compute_region(region: Region, result: LiveIn) -> None:
    predecessors = get_predecessors(region)
    enclosing: set[Block] = set()
    depth: dict[Region, int] = {region: 0}
    block = region.parent_block()
    while block is not None:
        enclosing.add(block)
        if block.parent is not None:
            depth[block.parent] = -len(enclosing)
        block = block.parent_block()

    live_in: dict[Block, dict[SSAValue, None]] = {block: {} for block in region.blocks}
    position: dict[Operation, int] = {}
    for block in region.blocks:
        for index, top_level in enumerate(block.ops):
            position[top_level] = index
            for op in walk(top_level):
                for value in op.operands:
                    if not is_memref(value):
                        continue
                    owner = value.owner
                    defining = owner if isinstance(owner, Block) else owner.parent
                    assert defining is not None
                    if defining is not block and (
                        defining.parent is region or defining in enclosing
                    ):
                        mark_live(value, block, defining, predecessors, live_in)

    def order(value: SSAValue) -> tuple[int, ...]:
        if isinstance(value, OpResult):
            op = value.op
            parent = op.parent_region()
            at = position.get(op)
            if at is None:
                assert op.parent is not None
                position.update((other, i) for i, other in enumerate(op.parent.ops))
                at = position[op]
            return (1, depth[parent] if parent else 0, at, value.index)
        assert isinstance(value, BlockArgument)
        parent = value.block.parent
        return (0, value.index, depth[parent] if parent else 0)

    for block, values in live_in.items():
        if values:
            result[block] = sorted(values, key=order)


def mark_live(
    value: SSAValue,
    block: Block,
    defining: Block,
    predecessors: dict[Block, list[Block]],
    live_in: dict[Block, dict[SSAValue, None]],
) -> None:
    """Follow a use of `value` in `block` back to the block that defines it."""
    stack = [block]
    while stack:
        block = stack.pop()
        if block is defining or value in live_in[block]:
            continue
        live_in[block][value] = None
        stack += predecessors[block]
