"""From the allocation of a buffer to its deallocation, within one block."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Block, Operation, Use

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.dialects import memref


@dataclass(frozen=True)
class Lifetime:
    """An allocation, and the deallocation in the same block."""

    allocation: memref.AllocOp
    deallocation: Operation

    @property
    def block(self) -> Block:
        block = self.allocation.parent
        assert block is not None
        return block


def find_deallocation(
    allocation: memref.AllocOp, origins: BufferOrigins, positions: dict[Operation, int]
) -> Operation | None:
    """The op that frees an allocation in its block, if no name of it is used after."""
    block = allocation.parent
    assert block is not None
    buffer = allocation.results[0]
    frees = [
        u.operation for u in buffer.uses if u.operation.name == memref.DeallocOp.name
    ]
    if len(frees) != 1 or frees[0] not in positions:
        return None
    end = positions[frees[0]]
    for dependent in origins.get_dependents(buffer):
        for use in dependent.uses:
            user = block.find_ancestor_op_in_block(use.operation)
            if user is None or positions[user] > end:
                return None
            if user is not frees[0] and _frees_or_keeps(use):
                return None
    return frees[0]


def _frees_or_keeps(use: Use) -> bool:
    """Whether an op frees a buffer, or stores the buffer itself in memory."""
    name = use.operation.name
    return name == memref.DeallocOp.name or (
        name == memref.StoreOp.name and use.index == 0
    )
