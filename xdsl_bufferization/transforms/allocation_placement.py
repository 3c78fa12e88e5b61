"""What the passes share that move allocations, or make them stack allocations.

    buffer-hoisting             up to a block that dominates all uses, out of branches
    buffer-loop-hoisting        out of loops
    promote-buffers-to-stack    from the heap to the stack

Each asks where a buffer, or anything that may be it (a view, a block argument that it is
forwarded to), is used: `Placement`, computed once for a module.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.program_order import BlockInfo, OpNode, ProgramOrder
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.loop_like import LOOP_LIKE
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.models import announce_models


class Placement:
    """Where the ops of a program are, and where its buffers go."""

    def __init__(self, root: Operation):
        announce_models()
        self.order = ProgramOrder(root, lambda op: None)
        self.origins = BufferOrigins(root)

    def allocations(self, name: str) -> Iterator[OpNode]:
        """The ops of this name, in the order of the program, but for those freed in the
        program: an allocation cannot be moved away from its memref.dealloc."""
        for node in self.order.postorder:
            if node.op.name == name and not self._is_freed(node.op.results[0]):
                yield node

    def aliases(self, buffer: SSAValue) -> set[SSAValue]:
        """All that may be the buffer."""
        return self.origins.get_dependents(buffer)

    def _is_freed(self, buffer: SSAValue) -> bool:
        return any(
            use.operation.name == memref.DeallocOp.name
            for alias in self.aliases(buffer)
            for use in alias.uses
        )

    def block_of(self, node: OpNode) -> BlockInfo:
        """The block an op is in."""
        assert node.block is not None, "an allocation is inside a function"
        return node.block

    def dominator_of_uses(self, node: OpNode) -> BlockInfo:
        """The nearest block that dominates an allocation and all uses of its buffer."""
        order = self.order
        block = self.block_of(node)
        for alias in self.aliases(node.op.results[0]):
            owner = alias.owner
            if isinstance(owner, Operation):
                block = order.common_dominator(block, self.block_of(order.nodes[owner]))
            else:
                block = order.common_dominator(block, order.blocks[owner])
            for use in alias.uses:
                user = order.nodes[use.operation]
                block = order.common_dominator(block, self.block_of(user))
        return block

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
    """Whether it is known how control goes through the regions of an op."""
    return LOOP_LIKE.lookup(op) is not None or REGION_BRANCH.lookup(op) is not None
