"""The owner of each buffer, determined statically.

An *owner* is a value that stands for an allocation and the obligation to free it: an
allocation, the result of a call, and an *owned input*. An input (block argument, region
argument or result of an op with regions) is owned if a buffer allocated in the region's
op, or in the region of the block, may flow into it. Inputs that receive the same
operand are owned together.

All other values *borrow*: a view, a select, or an input that is not owned refers to
buffers of the owners it comes from, which are live as long as the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.facts.equivalence_sets import EquivalenceSets
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.buffer_deallocation import get_defining_block
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    get_allocation,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)


@dataclass(frozen=True)
class Edge:
    """Values that leave an op for a successor, and the inputs they become."""

    op: Operation
    """Whose operands are sent: a branch, a terminator, or an op with regions."""
    first: int
    """The position of the first operand sent."""
    successors: Sequence[Sequence[SSAValue]]
    """The inputs of each successor that takes the operands, one for each operand."""


@dataclass
class StaticOwnership:
    """The owners of a function, and who borrows from them."""

    owners: set[SSAValue] = field(default_factory=set[SSAValue])
    edges: dict[Operation, list[Edge]] = field(
        default_factory=dict[Operation, list[Edge]]
    )

    def get_borrowers(self, owner: SSAValue) -> set[SSAValue]:
        """`owner` and everything that may stand for the same buffer."""
        found = {owner}
        stack = [owner]
        while stack:
            for value in self._get_next(stack.pop()):
                if value not in found and value not in self.owners:
                    found.add(value)
                    stack.append(value)
        return found

    def _get_next(self, value: SSAValue) -> Iterator[SSAValue]:
        for use in value.uses:
            op = use.operation
            edges = self.edges.get(op)
            if edges is not None:
                for edge in edges:
                    for inputs in edge.successors:
                        if 0 <= use.index - edge.first < len(inputs):
                            yield inputs[use.index - edge.first]
            elif CALL.lookup(op) is None:
                yield from (
                    result
                    for result in op.results
                    if is_memref(result) and get_allocation(result) is None
                )


def find_static_ownership(
    function: func.FuncOp, borrowed: set[SSAValue]
) -> StaticOwnership:
    """The owners in `function`.

    Args:
        borrowed: allocations and results of calls that the program frees itself.
    """
    result = StaticOwnership()
    origins = BufferOrigins(function)
    allocated: set[SSAValue] = set()
    for op in walk(function):
        for value in op.results:
            if is_memref(value) and value not in borrowed and _is_owned_source(value):
                allocated.add(value)
        edges = list(_get_edges(op))
        if edges:
            result.edges[op] = edges
    result.owners |= allocated

    tied = EquivalenceSets()
    inputs: dict[SSAValue, None] = {}
    for edges in result.edges.values():
        for edge in edges:
            for position in zip(*edge.successors, strict=True):
                for into in filter(is_memref, position):
                    tied.union(position[0], into)
                    inputs[into] = None
    for group in tied.groups(inputs):
        if any(_owns(into, allocated, origins) for into in group):
            result.owners.update(group)
    return result


def _is_owned_source(value: SSAValue) -> bool:
    op = value.owner
    assert isinstance(op, Operation)
    if "bufferization.manual_deallocation" in op.attributes:
        return False
    allocation = get_allocation(value)
    if allocation is None:
        return CALL.lookup(op) is not None
    return not allocation.automatic


def _owns(into: SSAValue, allocated: set[SSAValue], origins: BufferOrigins) -> bool:
    if isinstance(into, BlockArgument) and into.block.prev_block is not None:
        scope: Region | Operation | None = into.block.parent
    elif isinstance(into, BlockArgument):
        scope = into.block.parent_op()
    else:
        assert isinstance(into.owner, Operation)
        scope = into.owner
    return any(
        terminal in allocated and _is_inside(get_defining_block(terminal), scope)
        for terminal in origins.get_terminals(into)
    )


def _is_inside(block: Block | None, scope: Region | Operation | None) -> bool:
    while block is not None:
        region = block.parent
        if region is None:
            return False
        if region is scope or region.parent is scope:
            return True
        block = region.parent_block()
    return False


def _get_edges(op: Operation) -> Iterator[Edge]:
    branch = BRANCH.lookup(op)
    if branch is not None:
        for i, successor in enumerate(op.successors):
            positions = branch.get_successor_operand_range(op, i)
            yield Edge(op, positions.start, [successor.args])
        return
    control_flow = REGION_BRANCH.lookup(op)
    if control_flow is not None:
        entries = control_flow.get_successor_regions(op, None)
        inputs = [s.inputs for s in entries if s.inputs]
        if inputs:
            forwarded = control_flow.get_entry_successor_operands(op, entries[0].region)
            if forwarded:
                yield Edge(op, len(op.operands) - len(forwarded), inputs)
        return
    returns = REGION_BRANCH_TERMINATOR.lookup(op)
    around = op.parent_op()
    if returns is None or around is None or op.next_op is not None:
        return
    control_flow = REGION_BRANCH.lookup(around)
    if control_flow is not None:
        positions = returns.get_returned_operand_range(op, None)
        successors = control_flow.get_successor_regions(around, op.parent_region())
        inputs = [s.inputs for s in successors if len(s.inputs) == len(positions)]
        if inputs and len(positions):
            yield Edge(op, positions.start, inputs)
