"""The graph of the blocks of a region: dominators, cycles, reachability.

It is computed without recursion, since a function may have many thousands of blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.strongly_connected import (
    reachable,
    strongly_connected,
)


def block_of(value: SSAValue) -> Block:
    """Return the block that defines a value, or that it is an argument of."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    assert block is not None
    return block


def reaches_itself(block: Block) -> bool:
    """Whether control may come back to a block, so that its ops may run again."""
    return block in reachable(successors(block), successors)


def successors(block: Block) -> tuple[Block, ...]:
    """The blocks that control may go to at the end of a block."""
    last = block.last_op
    return () if last is None else tuple(last.successors)


def preorder(region: Region, tree: dict[Block, list[Block]]) -> Iterator[Block]:
    """The blocks in preorder of the dominator tree, then those never reached."""
    seen: set[Block] = set()
    first = region.blocks.first
    assert first is not None
    stack = [first]
    while stack:
        block = stack.pop()
        seen.add(block)
        yield block
        stack.extend(reversed(tree.get(block, ())))
    for block in region.blocks:
        if block not in seen:
            yield block


def reachable_blocks(region: Region) -> list[Block]:
    """The blocks that control reaches from the first, in reverse postorder: each after
    its dominators, and where a block has several successors, the first before the others.
    """
    entry = region.blocks.first
    if entry is None:
        return []
    postorder: list[Block] = []
    seen = {entry}
    stack = [(entry, reversed(successors(entry)))]
    while stack:
        block, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, reversed(successors(target))))
                break
        else:
            postorder.append(block)
            stack.pop()
    postorder.reverse()
    return postorder


def reachable_ops(root: Operation, ops: Sequence[Operation]) -> Sequence[Operation]:
    """Return those of the ops inside of another one that are in no block that control
    never gets to, as nothing branches to it.

    Args:
        ops: all of them, each before those in its regions.
    """
    dead: set[Block] = set()
    for op in (root, *ops):
        for region in op.regions:
            if region.first_block is not region.last_block:
                dead.update(set(region.blocks).difference(reachable_blocks(region)))
    if not dead:
        return ops
    found: list[Operation] = []
    for op in ops:
        if op.parent in dead:
            dead.update(block for region in op.regions for block in region.blocks)
        else:
            found.append(op)
    return found


def dominator_tree(region: Region) -> dict[Block, list[Block]]:
    """The children of each reachable block in the dominator tree, in reverse postorder.

    Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
    """
    order = reachable_blocks(region)
    number = {block: index for index, block in enumerate(order)}
    predecessors: list[list[int]] = [[] for _ in order]
    for index, block in enumerate(order):
        for target in successors(block):
            predecessors[number[target]].append(index)
    unknown = -1
    idom = [unknown] * len(order)
    idom[0] = 0
    changed = True
    while changed:
        changed = False
        for index in range(1, len(order)):
            new = unknown
            for predecessor in predecessors[index]:
                if idom[predecessor] == unknown:
                    continue
                if new == unknown:
                    new = predecessor
                    continue
                other = predecessor
                while new != other:
                    while other > new:
                        other = idom[other]
                    while new > other:
                        new = idom[new]
            if idom[index] != new:
                idom[index] = new
                changed = True
    tree: dict[Block, list[Block]] = {block: [] for block in order}
    for index in range(1, len(order)):
        tree[order[idom[index]]].append(order[index])
    return tree


class Dominance:
    """Which blocks dominate which, by region, as far as anyone has asked."""

    def __init__(self) -> None:
        self._intervals: dict[Block, tuple[int, int]] = {}
        """Position in preorder of the dominator tree, and of the last block below."""

    def holds(self, first: Block | None, second: Block | None) -> bool:
        """Return whether control reaches `second` only through `first`, or an op inside
        it."""
        while second is not None and first is not None:
            if first is second:
                return True
            if first.parent is second.parent:
                break
            op = second.parent_op()
            second = None if op is None else op.parent
        if first is None or second is None or first.parent is None:
            return False
        start, end = self._interval(first)
        return start <= self._interval(second)[0] <= end

    def _interval(self, block: Block) -> tuple[int, int]:
        known = self._intervals.get(block)
        if known is None:
            assert block.parent is not None
            # Nothing holds of blocks that control never reaches.
            self._intervals.update(dict.fromkeys(block.parent.blocks, (-1, -2)))
            tree = dominator_tree(block.parent)
            order: dict[Block, int] = {}
            stack = [reachable_blocks(block.parent)[0]]
            while stack:
                current = stack.pop()
                order[current] = len(order)
                stack += reversed(tree[current])
            last = dict(order)
            for current in reversed(order):
                for child in tree[current]:
                    last[current] = max(last[current], last[child])
            self._intervals.update({b: (order[b], last[b]) for b in order})
            known = self._intervals[block]
        return known


def cycles(blocks: Iterable[Block], avoiding: Block | None) -> dict[Block, int]:
    """A component number for each block on a cycle among the blocks that does not pass
    `avoiding`."""
    return {
        block: number
        for number, component in enumerate(components(blocks, avoiding))
        if len(component) > 1 or component[0] in successors(component[0])
        for block in component
    }


def components(blocks: Iterable[Block], avoiding: Block | None) -> list[list[Block]]:
    """The strongly connected components of the blocks, each after those that it can
    reach."""
    kept = dict.fromkeys(block for block in blocks if block is not avoiding)
    return strongly_connected(
        kept, lambda block: [t for t in successors(block) if t in kept]
    )


def reachability(region: Region) -> tuple[dict[Block, int], dict[Block, int]]:
    """Return for each block its bit, and the bits of the blocks reachable after leaving
    it. Takes quadratic space in bits: 3 MB for 5,000 blocks."""
    bits = {block: 1 << number for number, block in enumerate(region.blocks)}
    reached: dict[Block, int] = {}
    for component in components(region.blocks, None):
        union = 0
        for block in component:
            for target in successors(block):
                union |= bits[target] | reached.get(target, 0)
        for block in component:
            reached[block] = union
    return bits, reached
