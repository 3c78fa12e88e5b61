"""Whether one buffer can take the place of another one."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.constants import constant_integer

Size: TypeAlias = "SSAValue | int | tuple[SSAValue, int]"
"""A value, a known size, or a dimension of a memref that is not allocated here."""


class AllocationSizes:
    """The sizes of the allocations of a function, as long as it does not change.

    The size of a copy is that of the copied buffer, which may be one of several:

        scf.for ... iter_args(%old = %a) {
          %0 = memref.dim %old, %c0       // that of %a
          %new = memref.alloc(%0)
          scf.yield %new
        }

    Args:
        origins: where its memrefs come from that are all of a buffer.
    """

    def __init__(self, origins: BufferOrigins) -> None:
        self._origins = origins
        self._known: dict[SSAValue, Size] = {}

    def get(self, value: SSAValue) -> Size:
        """Return what is equal for equal sizes."""
        if value not in self._known:
            found: set[Size] = set()
            if self._find(value, found, set()) and len(found) == 1:
                self._known[value] = found.pop()
            else:
                self._known[value] = value
        return self._known[value]

    def of(self, allocation: memref.AllocOp) -> list[Size]:
        return [self.get(size) for size in allocation.dynamic_sizes]

    def are_alike(self, op: Operation | Block, allocation: memref.AllocOp) -> bool:
        """Whether an op is an allocation of the same type, size and alignment as
        another."""
        return are_alike(op, allocation) or (
            isinstance(op, memref.AllocOp)
            and op.results[0].type == allocation.results[0].type
            and op.alignment == allocation.alignment
            and not op.symbol_operands
            and not allocation.symbol_operands
            and self.of(op) == self.of(allocation)
        )

    def _find(self, value: SSAValue, found: set[Size], seen: set[SSAValue]) -> bool:
        """Collect the sizes that a value may be; return False if they are too many."""
        work = [value]
        while work:
            value = work.pop()
            if value in seen:
                continue
            seen.add(value)
            dim = value.owner
            index = (
                constant_integer(dim.operands[1])
                if isinstance(dim, memref.DimOp)
                else None
            )
            if not isinstance(dim, memref.DimOp) or index is None:
                found.add(value)
            else:
                for terminal in self._origins.get_terminals(dim.operands[0]):
                    size = _size_of(terminal, index)
                    if isinstance(size, SSAValue):
                        work.append(size)
                    else:
                        found.add(size)
            if len(found) > 1 or len(seen) > MOST_VALUES:
                return False
        return True


MOST_VALUES = 100
"""After this many values a size is compared with itself only."""


def _size_of(terminal: SSAValue, index: int) -> Size:
    """The size of all of a buffer in a dimension."""
    type_ = terminal.type
    assert isinstance(type_, MemRefType)
    shape = type_.get_shape()
    if shape[index] >= 0:
        return shape[index]
    if isinstance(terminal.owner, memref.AllocOp):
        number = sum(size < 0 for size in shape[:index])
        return terminal.owner.dynamic_sizes[number]
    return (terminal, index)


def are_alike(op: Operation | Block, allocation: memref.AllocOp) -> bool:
    """Whether an op is an allocation of the same type, size and alignment as another."""
    return (
        isinstance(op, memref.AllocOp)
        and op.results[0].type == allocation.results[0].type
        and tuple(op.operands) == tuple(allocation.operands)
        and op.alignment == allocation.alignment
    )


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in a region of an op, or is a result of it."""
    place = value.owner
    while place is not None:
        if place is op:
            return True
        place = place.parent
    return False
