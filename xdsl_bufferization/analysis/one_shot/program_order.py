"""Program order: numbers that answer "does this happen before that?" in constant time.

Every op under a root gets an interval [enter, exit] of positions, numbered in one walk:
the interval of an op spans those of the ops in its regions. The blocks of a region are
numbered in preorder of their dominator tree, so that the positions of all blocks a block
dominates are one interval too. Then

- a is inside b            iff  enter(b) < enter(a) <= exit(b);
- a happens before b       iff  exit(a) < enter(b), and no control flow separates them:
  at their nearest common ancestor, they are in the same block, or the block of a
  dominates that of b (MLIR's "a or one of its ancestors properly dominates b and b is
  not inside a").

Two regions of one op are mutually exclusive when neither can be reached from the other
(scf.if). A region is repetitive if it may run more than once per execution of its op;
an op without a model is assumed to repeat its regions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.analysis.facts.block_graph import (
    cycles,
    dominator_tree,
    preorder,
    reachability,
    successors,
)
from xdsl_bufferization.interfaces.bufferizable import (
    BUFFERIZABLE,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH


class RegionInfo:
    """What the order knows of a region. `start` and `end` are the positions it spans.
    `exclusive` is the innermost region, this one or around it, that excludes the other
    regions of its op."""

    __slots__ = (
        "end",
        "exclusive",
        "has_blocks",
        "in_parallel",
        "index",
        "node",
        "repetitive",
        "start",
    )

    def __init__(self, node: OpNode, index: int, has_blocks: bool):
        self.node = node
        self.index = index
        self.has_blocks = has_blocks
        self.repetitive = False
        self.in_parallel: RegionInfo | None = None
        self.exclusive: RegionInfo | None = node.exclusive
        self.start = 0
        self.end = 0


class BlockInfo:
    """What the order knows of a block.

    Attributes:
        start: position of its first op.
        dominated_end: last position of any block it dominates.
        earlier_unordered: first position before it that it is not ordered with, or None.
        component: number of its strongly connected component; None when not on a cycle.
        dominator: its immediate dominator; of the first block of a region, the block
            around the op that the region belongs to.
    """

    __slots__ = (
        "block",
        "component",
        "dominated_end",
        "dominator",
        "earlier_unordered",
        "region",
        "start",
    )

    def __init__(self, block: Block, region: RegionInfo):
        self.block = block
        self.region = region
        self.start = 0
        self.dominated_end = 0
        self.earlier_unordered: int | None = None
        self.component: int | None = None
        self.dominator: BlockInfo | None = region.node.block


class OpNode:
    """An op with its place in the program."""

    __slots__ = (
        "block",
        "depth",
        "enter",
        "exclusive",
        "exit",
        "model",
        "op",
        "parent",
        "unordered",
    )

    def __init__(
        self,
        op: Operation,
        parent: OpNode | None,
        block: BlockInfo | None,
        model: BufferizableOpInterface | None,
    ):
        self.op = op
        self.parent = parent
        self.block = block
        self.model = model
        self.depth = 0 if parent is None else parent.depth + 1
        self.enter = 0
        self.exit = 0
        self.exclusive: RegionInfo | None = (
            None if block is None else block.region.exclusive
        )
        """The innermost region around it that excludes the other regions of its op."""
        self.unordered: OpNode | None = None
        """The outermost op around this one that has several regions which are not
        mutually exclusive: everything in it is unordered with what is in other regions
        of it."""


class ProgramOrder:
    """The order of all ops under `root`.

    Args:
        root: an op whose regions are numbered, such as func.func or builtin.module.
        model: finds the bufferization model of an op.
        left_out: classes of ops directly in `root` that are not part of it.
    """

    def __init__(
        self,
        root: Operation,
        model: Callable[[Operation], BufferizableOpInterface | None],
        left_out: tuple[type[Operation], ...] = (),
    ):
        self._model = model
        self._left_out = left_out
        self._position = 0
        self._exclusive: dict[OpNode, bool] = {}
        self._avoiding: dict[Block, dict[Block, int]] = {}
        self._on_cycles: dict[Region, dict[int, list[Block]]] = {}
        self._reached: dict[Region, tuple[dict[Block, int], dict[Block, int]]] = {}
        self.nodes: dict[Operation, OpNode] = {}
        self.blocks: dict[Block, BlockInfo] = {}
        self.postorder: list[OpNode] = []
        """All nodes in the order of the text, nested ones before the op around them."""
        self.is_unstructured = False
        """Whether any region has several blocks."""
        self.has_parallel_regions = False
        self._number(root)
        if self.is_unstructured:
            self._sort_postorder(root)
        self.last = self._position - 1
        """The last position."""

    # Numbering.

    def _number(self, root: Operation) -> None:
        """Number everything, with an explicit stack: nesting may be deep."""
        root_node = self._enter(root, None, None)
        stack: list[tuple[OpNode, Iterator[OpNode]]] = [
            (root_node, self._children(root_node))
        ]
        postorder = self.postorder
        while stack:
            node, children = stack[-1]
            child = next(children, None)
            if child is None:
                node.exit = self._position - 1
                postorder.append(node)
                stack.pop()
            elif child.op.regions:
                stack.append((child, self._children(child)))
            else:
                child.exit = child.enter
                postorder.append(child)

    def _sort_postorder(self, root: Operation) -> None:
        """Undo that blocks were visited in dominator order: decisions are greedy, and
        which of two branches comes first is for the program to say, as in MLIR."""
        self.postorder.clear()
        stack: list[tuple[Operation, Iterator[Operation]]] = [(root, _ops_inside(root))]
        while stack:
            op, inside = stack[-1]
            child = next(inside, None)
            if child is None:
                self.postorder.append(self.nodes[op])
                stack.pop()
            elif child in self.nodes:
                stack.append((child, _ops_inside(child)))

    def _enter(
        self, op: Operation, parent: OpNode | None, block: BlockInfo | None
    ) -> OpNode:
        node = OpNode(op, parent, block, self._model(op))
        if parent is not None:
            node.unordered = parent.unordered
        if (
            node.unordered is None
            and len(op.regions) > 1
            and not self._are_exclusive(node)
        ):
            node.unordered = node
        node.enter = self._position
        self._position += 1
        self.nodes[op] = node
        return node

    def _children(self, node: OpNode) -> Iterator[OpNode]:
        for index, region in enumerate(node.op.regions):
            first = region.blocks.first
            if first is None:
                continue
            has_blocks = first.next_block is not None
            info = RegionInfo(node, index, has_blocks)
            info.repetitive = self._is_repetitive(node, index)
            outer = None if node.block is None else node.block.region.in_parallel
            # Iterations of a loop that stays on tensors in this run race all the same.
            model = BUFFERIZABLE.lookup(node.op) if node.model is None else node.model
            is_parallel = model is not None and model.is_parallel_region(node.op, index)
            info.in_parallel = info if is_parallel else outer
            if len(node.op.regions) > 1 and self._are_exclusive(node):
                info.exclusive = info
            self.has_parallel_regions |= is_parallel
            self.is_unstructured |= has_blocks
            info.start = self._position
            if has_blocks:
                yield from self._children_of_blocks(node, region, info)
            else:
                block_info = BlockInfo(first, info)
                self.blocks[first] = block_info
                block_info.start = self._position
                for op in first.ops:
                    if node.parent is not None or not isinstance(op, self._left_out):
                        yield self._enter(op, node, block_info)
                block_info.dominated_end = self._position - 1
            info.end = self._position - 1

    def _children_of_blocks(
        self, node: OpNode, region: Region, info: RegionInfo
    ) -> Iterator[OpNode]:
        tree = dominator_tree(region)
        components = cycles(region.blocks, None)
        infos: dict[Block, BlockInfo] = {}
        open_blocks: list[Block] = []
        parents = {child: block for block, children in tree.items() for child in children}
        for block in preorder(region, tree):
            parent = parents.get(block)
            while open_blocks and open_blocks[-1] is not parent:
                infos[open_blocks.pop()].dominated_end = self._position - 1
            open_blocks.append(block)
            block_info = BlockInfo(block, info)
            infos[block] = self.blocks[block] = block_info
            block_info.component = components.get(block)
            block_info.start = self._position
            if parent is None:
                if block is not region.blocks.first:
                    block_info.earlier_unordered = info.start
            else:
                block_info.dominator = infos[parent]
                earlier = infos[parent].earlier_unordered
                elder = tree[parent][0]
                if earlier is None and elder is not block:
                    earlier = infos[elder].start
                block_info.earlier_unordered = earlier
            for op in block.ops:
                yield self._enter(op, node, block_info)
        while open_blocks:
            infos[open_blocks.pop()].dominated_end = self._position - 1

    def _is_repetitive(self, node: OpNode, index: int) -> bool:
        if node.model is not None:
            return node.model.is_repetitive_region(node.op, index)
        is_isolated = node.op.has_trait(IsolatedFromAbove, value_if_unregistered=False)
        if node.parent is None or is_isolated:
            return False
        branch = REGION_BRANCH.lookup(node.op)
        if branch is None:
            return True
        region = node.op.regions[index]
        return region in self._reachable_regions(node, region)

    # Questions.

    def position(self, value: SSAValue) -> int:
        """Where a value is defined: of an argument, where its block begins."""
        owner = value.owner
        if isinstance(owner, Block):
            return self.blocks[owner].start
        return self.nodes[owner].enter

    def is_before(self, value: SSAValue, position: int) -> bool:
        """Whether a value and all that leads to it is from before a position."""
        owner = value.owner
        if isinstance(owner, Block):
            block = self.blocks[owner]
            return block.start < position and block.component is None
        node = self.nodes[owner]
        return node.exit < position and (
            node.block is None or node.block.component is None
        )

    def happens_before(self, first: OpNode, second: OpNode) -> bool:
        """Whether `first` is over before `second` begins, whenever both run once."""
        if first.exit >= second.enter:
            return False
        if first.block is second.block:
            return True
        first, second = self.common_level(first, second)
        if first is second:
            return False
        first_block, second_block = first.block, second.block
        if first_block is second_block:
            return True
        if (
            first_block is None
            or second_block is None
            or first_block.region is not second_block.region
        ):
            return False
        return self.dominates(first_block, second_block)

    def properly_dominates(self, first: OpNode, second: OpNode) -> bool:
        """Return whether `first` has ended whenever control reaches `second`, which is
        after it or inside an op after it."""
        level: OpNode | None = second
        block = first.block
        while level is not None and level.depth > first.depth:
            level = level.parent
        if level is None or block is None or level.block is None:
            return False
        if level.block is block:
            return first.enter < level.enter
        return level.block.region is block.region and self.dominates(block, level.block)

    def common_level(self, first: OpNode, second: OpNode) -> tuple[OpNode, OpNode]:
        """The ancestors of both (or they themselves) that are in one region; the same op
        twice when they are in different regions of one op or one is inside the other."""
        while first.depth > second.depth:
            assert first.parent is not None
            first = first.parent
        while second.depth > first.depth:
            assert second.parent is not None
            second = second.parent
        while first is not second:
            if (
                first.block is not None
                and second.block is not None
                and first.block.region is second.block.region
            ):
                break
            assert first.parent is not None and second.parent is not None
            first, second = first.parent, second.parent
        return first, second

    def dominates(self, first: BlockInfo, second: BlockInfo) -> bool:
        """Whether block `first` dominates block `second`, or a block around it."""
        return first.start <= second.start <= first.dominated_end

    def common_dominator(self, first: BlockInfo, second: BlockInfo) -> BlockInfo:
        """The nearest block that dominates both, or blocks around them."""
        while not self.dominates(first, second):
            assert first.dominator is not None, "both are under one root"
            first = first.dominator
        return first

    def is_inside(self, inner: OpNode, outer: OpNode) -> bool:
        """Whether `inner` is in a region of `outer`."""
        return outer.enter < inner.enter <= outer.exit

    def are_mutually_exclusive(self, first: OpNode, second: OpNode) -> bool:
        """Return whether the two are in mutually exclusive regions of one op."""
        if self.is_inside(first, second) or self.is_inside(second, first):
            return False
        first, second = self.common_level(first, second)
        return first is second and self._are_exclusive(first)

    def from_op_on(self, node: OpNode) -> Iterator[tuple[int, int, bool]]:
        """Iterate over the positions from an op on, in ranges. The third item tells
        whether all ops that end in the range are in regions that exclude the op."""
        low = node.enter
        region = node.exclusive
        while region is not None:
            around = region.node
            if region.end < around.exit:
                yield low, region.end, False
                # Where it ends, ops around it end as well.
                yield region.end + 1, around.exit - 1, True
                low = around.exit
            region = around.exclusive
        yield low, self.last, False

    def before_end(self, node: OpNode, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Iterate over the positions between two, in ranges from the last one to the
        first, without those before an op that are in regions that exclude it."""
        region = node.exclusive
        while region is not None and low < region.start:
            around = region.node
            if around.enter + 1 < region.start:
                yield region.start, high
                high = around.enter
            region = around.exclusive
        yield low, high

    def _are_exclusive(self, node: OpNode) -> bool:
        """Whether no two regions of an op can both run each time the op runs."""
        known = self._exclusive.get(node)
        if known is None:
            regions = node.op.regions
            known = REGION_BRANCH.lookup(node.op) is not None and all(
                self._reachable_regions(node, region) <= {region} for region in regions
            )
            self._exclusive[node] = known
        return known

    def _reachable_regions(self, node: OpNode, region: Region) -> set[Region]:
        branch = REGION_BRANCH.lookup(node.op)
        assert branch is not None
        reached: set[Region] = set()
        worklist = [region]
        while worklist:
            for successor in branch.get_successor_regions(node.op, worklist.pop()):
                if successor.region is not None and successor.region not in reached:
                    reached.add(successor.region)
                    worklist.append(successor.region)
        return reached

    def enclosing_repetitive_region(self, block: BlockInfo | None) -> RegionInfo | None:
        """The nearest repetitive region around a block, or None."""
        while block is not None:
            if block.region.repetitive:
                return block.region
            block = block.region.node.block
        return None

    def is_reachable(self, first: Block, second: Block, avoiding: Block) -> bool:
        """Return whether block `second` is reachable after leaving block `first` of the
        same region, without passing the block `avoiding`, which dominates both."""
        region = first.parent
        assert region is not None
        head = self.blocks[avoiding]
        if head.component is None:
            # What has left `avoiding` does not come back to it.
            known = self._reached.get(region)
            if known is None:
                known = self._reached[region] = reachability(region)
            bits, reached = known
            return bool(reached[first] & bits[second])
        # Every way to `second` that avoids its dominator stays among what that dominates.
        seen: set[Block] = set()
        worklist = [first]
        while worklist:
            for target in successors(worklist.pop()):
                if target is avoiding or target in seen:
                    continue
                if target is second:
                    return True
                if self.dominates(head, self.blocks[target]):
                    seen.add(target)
                    worklist.append(target)
        return False

    def share_cycle(self, first: Block, second: Block, avoiding: Block | None) -> bool:
        """Whether control can go from one block of a region to the other and back (at
        least one step) without passing through the block `avoiding`."""
        component = self.blocks[first].component
        if component is None or component != self.blocks[second].component:
            return False
        if avoiding is None or self.blocks[avoiding].component != component:
            return True
        found = self._avoiding.get(avoiding)
        if found is None:
            # Of the other cycles, none passes through it.
            members = self._blocks_on_cycles(first)[component]
            found = self._avoiding[avoiding] = cycles(members, avoiding)
        number = found.get(first)
        return number is not None and number == found.get(second)

    def _blocks_on_cycles(self, block: Block) -> dict[int, list[Block]]:
        """The blocks of a region that are on cycles, by the number of the component."""
        region = block.parent
        assert region is not None
        found = self._on_cycles.get(region)
        if found is None:
            found = self._on_cycles[region] = {}
            for other in region.blocks:
                component = self.blocks[other].component
                if component is not None:
                    found.setdefault(component, []).append(other)
        return found


def _ops_inside(op: Operation) -> Iterator[Operation]:
    """The ops directly in the regions of an op."""
    for region in op.regions:
        for block in region.blocks:
            yield from block.ops
