"""Code shared by the passes that move allocations or turn them into stack allocations.

    buffer-hoisting             up to a block that dominates all uses, out of branches
    buffer-loop-hoisting        out of loops
    promote-buffers-to-stack    from the heap to the stack

Each needs the uses of a buffer and its aliases (views, block arguments that it is
forwarded to): `Placement`, computed once for a module.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.one_shot.program_order import (
    BlockInfo,
    OpNode,
    ProgramOrder,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.loop_like import LOOP_LIKE
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.records import record


@record
class Fate:
    """The uses of a buffer through all its aliases.

    Attributes:
        dominator: the nearest block that dominates all definitions and uses.
        is_freed: whether some memref.dealloc may free it.
        is_stored: whether it is kept in memory.
        handed_out: the regions that an op at their end may hand it out of.
    """

    dominator: BlockInfo
    is_freed: bool = False
    is_stored: bool = False
    handed_out: frozenset[Region] = frozenset()


class Placement:
    """Where the ops of a program are, and where its buffers go."""

    def __init__(self, root: Operation):
        announce_models()
        self.order = ProgramOrder(root, lambda op: None)
        self.origins = BufferOrigins(root)
        self._fates = self._find_fates()

    def allocations(self, name: str) -> Iterator[OpNode]:
        """The ops of this name, in the order of the program, but for those freed in the
        program: an allocation cannot be moved away from its memref.dealloc."""
        for node in self.order.postorder:
            if node.op.name == name and not self.fate(node).is_freed:
                yield node

    def fate(self, node: OpNode) -> Fate:
        """What becomes of the buffer of an allocation."""
        return self._fates[node.op.results[0]]

    def block_of(self, node: OpNode) -> BlockInfo:
        """The block an op is in."""
        assert node.block is not None, "an allocation is inside a function"
        return node.block

    def _find_fates(self) -> dict[SSAValue, Fate]:
        """The fate of every allocation, and of all that may be one.

        A buffer shares the fate of its dependents, so each value is looked at once.
        """
        fates: dict[SSAValue, Fate] = {}
        buffers = [
            node.op.results[0]
            for node in self.order.postorder
            if isinstance(node.op, memref.AllocOp | memref.AllocaOp)
        ]
        for group in self.origins.dependents_first(buffers):
            fate: Fate | None = None
            for value in group:
                fate = self._merged(fate, self._own_fate(value))
                for dependent in self.origins.direct_dependents(value):
                    if dependent in fates:
                        fate = self._merged(fate, fates[dependent])
            assert fate is not None
            for value in group:
                fates[value] = fate
        return fates

    def _own_fate(self, value: SSAValue) -> Fate:
        order = self.order
        owner = value.owner
        if isinstance(owner, Operation):
            dominator = self.block_of(order.nodes[owner])
        else:
            dominator = order.blocks[owner]
        is_freed = is_stored = False
        handed_out: set[Region] = set()
        for use in value.uses:
            user = use.operation
            block = self.block_of(order.nodes[user])
            dominator = order.common_dominator(dominator, block)
            if user.name == memref.DeallocOp.name:
                is_freed = True
            elif user.name == memref.StoreOp.name and use.index == 0:
                is_stored = True
            elif (
                isinstance(user, ReturnOp)
                or REGION_BRANCH_TERMINATOR.lookup(user) is not None
            ):
                region = user.parent_region()
                assert region is not None
                handed_out.add(region)
        return Fate(dominator, is_freed, is_stored, frozenset(handed_out))

    def _merged(self, first: Fate | None, second: Fate) -> Fate:
        if first is None:
            return second
        handed_out = first.handed_out
        if not second.handed_out <= handed_out:
            handed_out |= second.handed_out
        return Fate(
            self.order.common_dominator(first.dominator, second.dominator),
            first.is_freed or second.is_freed,
            first.is_stored or second.is_stored,
            handed_out,
        )

    def block_of_sizes(self, node: OpNode) -> BlockInfo | None:
        """The innermost block that defines an operand of an allocation, which cannot be
        moved out of it."""
        order = self.order
        innermost: BlockInfo | None = None
        for size in node.op.operands:
            owner = size.owner
            if isinstance(owner, Operation):
                block = self.block_of(order.nodes[owner])
            else:
                block = order.blocks[owner]
            if innermost is None or order.dominates(innermost, block):
                innermost = block
        return innermost

    def move(self, node: OpNode, target: BlockInfo) -> None:
        """Move an allocation to a block that dominates its own: in front of the op there
        that it is inside, otherwise to the end of the block."""
        source = self.block_of(node)
        if target is source:
            return
        level: OpNode | None = node
        while level is not None and level.block is not target:
            level = level.parent
        before = target.block.last_op if level is None else level.op
        assert before is not None
        op = node.op
        op.detach()
        target.block.insert_op_before(op, before)


def is_loop(op: Operation) -> bool:
    """Whether an op may run one of its regions again and again."""
    if LOOP_LIKE.lookup(op) is not None:
        return True
    branch = REGION_BRANCH.lookup(op)
    if branch is None:
        return False
    for region in op.regions:
        reached = {region}
        worklist = [region]
        while worklist:
            for successor in branch.get_successor_regions(op, worklist.pop()):
                if successor.region is region:
                    return True
                if successor.region is not None and successor.region not in reached:
                    reached.add(successor.region)
                    worklist.append(successor.region)
    return False


def is_parallel(op: Operation) -> bool:
    """Whether iterations of a loop may run at the same time."""
    model = BUFFERIZABLE.lookup(op)
    return model is not None and any(
        model.is_parallel_region(op, index) for index in range(len(op.regions))
    )


def is_known_control_flow(op: Operation) -> bool:
    """Whether it is known how control flows between the regions of an op."""
    return LOOP_LIKE.lookup(op) is not None or REGION_BRANCH.lookup(op) is not None
