"""Whether one buffer can take the place of another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.constants import constant_integer

Size: TypeAlias = "SSAValue | int | tuple[SSAValue, int]"
"""A value, a known size, or a dimension of a memref that is not allocated here."""


EqualKind: TypeAlias = "tuple[Attribute, tuple[Size, ...], Attribute | None]"
"""The type of an allocation, what is equal for equal sizes, and its alignment."""


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
        self._kinds: dict[Operation, EqualKind] = {}
        self._of_terminals: dict[tuple[SSAValue, int], Size] = {}

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
        return isinstance(op, memref.AllocOp) and self.kind_of(op) == self.kind_of(
            allocation
        )

    def kind_of(self, op: memref.AllocOp) -> EqualKind:
        """Return what an allocation has in common with those that are alike."""
        kind = self._kinds.get(op)
        if kind is None:
            sizes = op.operands if op.symbol_operands else self.of(op)
            kind = self._kinds[op] = op.results[0].type, tuple(sizes), op.alignment
        return kind

    def is_current(self, size: Size, values: Iterable[SSAValue]) -> bool:
        """Whether values whose sizes have been found equal to a size have its current
        value: a loop may carry a buffer into an iteration that computes the size again.

            scf.for %n = ... iter_args(%old = %a) {
              %new = memref.alloc(%n)       // %old has another %n
              scf.yield %new
            }

        Args:
            values: memrefs and indices, the sizes of which have been compared.
        """
        if isinstance(size, int):
            return True
        defined = size[0] if isinstance(size, tuple) else size
        if _is_computed_once(defined):
            return True
        seen: set[SSAValue] = set()
        work = [*values]
        while work:
            value = work.pop()
            if value is defined or value in seen:
                continue
            if len(seen) > MOST_VALUES:
                return False
            seen.add(value)
            is_memref = isinstance(value.type, MemRefType)
            if not is_memref and self.get(value) != size:
                continue  # In another dimension.
            if not _is_in_scope(value, defined):
                # It is what it was before the size was computed.
                if not is_memref or any(
                    isinstance(terminal.owner, memref.AllocOp) or terminal is defined
                    for terminal in self._origins.get_terminals(value)
                ):
                    return False
                continue
            work += self._origins.direct_sources(value)
            if isinstance(value.owner, memref.AllocOp):
                work += value.owner.dynamic_sizes
            elif isinstance(value.owner, memref.DimOp):
                work.append(value.owner.operands[0])
        return True

    def _find(self, value: SSAValue, found: set[Size], seen: set[SSAValue]) -> bool:
        """Collect the sizes that a value may be; return False if they are too many."""
        work = [value]
        while work:
            value = work.pop()
            if value in seen:
                continue
            seen.add(value)
            known = self._known.get(value)
            if known is not None:
                found.add(known)
                if len(found) > 1:
                    return False
                continue
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
                    size = self._of_terminals.get((terminal, index))
                    if size is None:
                        size = _size_of(terminal, index)
                        self._of_terminals[terminal, index] = size
                    if isinstance(size, SSAValue):
                        work.append(size)
                    else:
                        found.add(size)
            if len(found) > 1 or len(seen) > MOST_VALUES:
                return False
        return True


MOST_VALUES = 100
"""A size that depends on more values than this is only equal to itself."""


def _is_computed_once(value: SSAValue) -> bool:
    """Whether a call of the function certainly does not compute a value twice."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    while block is not None:
        region = block.parent
        around = block.parent_op()
        if around is None or region is None or region.blocks.first is not block:
            return False
        if isinstance(around, FuncOp):
            return True
        if not isinstance(around, scf.IfOp | scf.IndexSwitchOp | scf.ExecuteRegionOp):
            return False
        block = around.parent
    return False


def _is_in_scope(value: SSAValue, other: SSAValue) -> bool:
    """Whether a value is computed again after another one is: it is defined in the same
    block, or in a region there."""
    scope = other.owner if isinstance(other.owner, Block) else other.owner.parent
    owner = value.owner
    if scope is None or owner is scope:
        return False
    place = owner.parent_op() if isinstance(owner, Block) else owner
    return place is not None and scope.find_ancestor_op_in_block(place) is not None


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


AllocationKind: TypeAlias = "tuple[Attribute, tuple[SSAValue, ...], Attribute | None]"
"""The type of an allocation, its dynamic sizes and its alignment."""


def kind_of(op: Operation | Block) -> AllocationKind | None:
    """What an allocation has in common with others that it can replace; None if an op is
    no memref.alloc."""
    if not isinstance(op, memref.AllocOp):
        return None
    return op.results[0].type, tuple(op.operands), op.alignment


def are_alike(op: Operation | Block, allocation: memref.AllocOp) -> bool:
    """Whether an op is an allocation of the same type, size and alignment as another."""
    return kind_of(op) == kind_of(allocation)


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in a region of an op, or is a result of it."""
    place = value.owner
    while place is not None:
        if place is op:
            return True
        place = place.parent
    return False
