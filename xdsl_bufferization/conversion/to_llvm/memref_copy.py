"""memref.copy: a memcpy if both buffers are contiguous, otherwise loops over the outer
dimensions around a memcpy of the contiguous part, or around a load and a store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, UnrankedMemRefType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowered
from xdsl_bufferization.conversion.to_llvm.sizes import size_of
from xdsl_bufferization.conversion.to_llvm.types import POINTER
from xdsl_bufferization.dialects.llvm import MemcpyOp

_NOT_VOLATILE = {"isVolatile": IntegerAttr(0, i1)}


def lower_copy(op: Operation, to: FunctionLowering) -> None:
    """Convert a memref.copy."""
    source, target = (to.values[value] for value in op.operands)
    if isinstance(source, MemRef) and isinstance(target, MemRef):
        copy(to, source, target)
        return
    element = cast("UnrankedMemRefType[Attribute]", op.operands[0].type).element_type
    _copy_unranked(to, _unranked(to, source), _unranked(to, target), to.types(element))


def _unranked(to: FunctionLowering, lowered: Lowered) -> UnrankedMemRef:
    if isinstance(lowered, MemRef):
        return to_unranked(to, lowered)
    return cast(UnrankedMemRef, lowered)


def to_unranked(to: FunctionLowering, source: MemRef) -> UnrankedMemRef:
    """A ranked memref as an unranked one: its descriptor goes to the stack."""
    slot = to.alloca(source.info.descriptor)
    to.store(descriptors.pack(to, source), slot)
    return UnrankedMemRef(source.info.rank, slot)


def copy(to: FunctionLowering, source: MemRef, target: MemRef) -> None:
    """Copy the elements of a memref to another of the same shape."""
    sizes = tuple(
        a if isinstance(a, int) else b
        for a, b in zip(source.sizes, target.sizes, strict=True)
    )
    dims = [dim for dim, size in enumerate(sizes) if size != 1]
    inner = _contiguous_suffix(source, target, sizes, dims)
    outer = dims[: len(dims) - inner]

    def copy_inner(from_: SSAValue, into: SSAValue) -> None:
        if inner == 0:
            to.store(to.load(from_, source.info.element), into)
            return
        count = descriptors.element_count(to, [sizes[dim] for dim in dims[-inner:]])
        copy_bytes(to, from_, into, _byte_count(to, source, count))

    start = (descriptors.data_pointer(to, source), descriptors.data_pointer(to, target))
    _loops(to, source, target, sizes, outer, start, copy_inner)


def _contiguous_suffix(
    source: MemRef, target: MemRef, sizes: tuple[Index, ...], dims: list[int]
) -> int:
    """How many of the innermost dimensions form one run of memory in both buffers."""
    if source.info.contiguous and target.info.contiguous:
        return len(dims)
    count = 0
    expected: int | None = 1
    for dim in reversed(dims):
        if expected is None or not (
            source.strides[dim] == expected == target.strides[dim]
        ):
            break
        count += 1
        size = sizes[dim]
        expected = expected * size if isinstance(size, int) else None
    return count


def _byte_count(to: FunctionLowering, buffer: MemRef, count: Index) -> Index:
    return size_of(to, buffer.info.element, count)


def copy_bytes(
    to: FunctionLowering, source: SSAValue, target: SSAValue, count: Index
) -> None:
    if count != 0:
        to.emit(MemcpyOp, (target, source, to.number(count)), (), _NOT_VOLATILE)


def _loops(
    to: FunctionLowering,
    source: MemRef,
    target: MemRef,
    sizes: tuple[Index, ...],
    dims: list[int],
    pointers: tuple[SSAValue, SSAValue],
    body: Callable[[SSAValue, SSAValue], None],
) -> None:
    """A loop over each dimension, moving both pointers."""
    if not dims:
        body(*pointers)
        return
    dim, *rest = dims

    def step(index: SSAValue) -> None:
        def move(pointer: SSAValue, buffer: MemRef) -> SSAValue:
            distance = to.mul(index, buffer.strides[dim], no_wrap=True)
            return to.gep(pointer, buffer.info.element, (distance,), inbounds=True)

        moved = (move(pointers[0], source), move(pointers[1], target))
        _loops(to, source, target, sizes, rest, moved, body)

    loop(to, sizes[dim], step)


def loop(to: FunctionLowering, end: Index, body: Callable[[SSAValue], None]) -> None:
    """A loop from 0 to `end`; appending continues after it."""
    head = to.new_block((to.index_type,))
    to.branch(head, (to.integer(0),))
    to.block = head
    index = head.args[0]
    inside = to.new_block()
    to.block = inside
    body(index)
    to.branch(head, (to.number(to.add(index, 1, no_wrap=True)),))
    after = to.new_block()
    to.block = head
    goes_on = to.compare("slt", index, to.number(end))
    to.branch_if(goes_on, (inside, ()), (after, ()))
    to.block = after


# Unranked


class _DescriptorInMemory:
    """The numbers of a ranked descriptor whose rank is known at run time: two pointers,
    the offset, the sizes and the strides.
    """

    def __init__(self, to: FunctionLowering, memref: UnrankedMemRef) -> None:
        head = llvm.LLVMStructType.from_type_list((POINTER, POINTER, to.index_type))
        self._to = to
        self._rank = to.number(memref.rank)
        self._numbers = to.gep(memref.descriptor, head, (1,), inbounds=True)
        aligned = to.gep(memref.descriptor, head, (0, 1), inbounds=True)
        self.aligned = to.load(aligned, POINTER)
        offset = to.gep(memref.descriptor, head, (0, 2), inbounds=True)
        self.offset = to.load(offset, to.index_type)

    def size(self, dim: Index) -> SSAValue:
        return self._number(dim)

    def stride(self, dim: Index) -> SSAValue:
        return self._number(self._to.add(dim, self._rank))

    def _number(self, at: Index) -> SSAValue:
        to = self._to
        pointer = to.gep(self._numbers, to.index_type, (at,), inbounds=True)
        return to.load(pointer, to.index_type)


def _copy_unranked(
    to: FunctionLowering,
    source: UnrankedMemRef,
    target: UnrankedMemRef,
    element: Attribute,
) -> None:
    """Copy element by element: the place of the n-th one is found by division by the
    sizes, innermost first.
    """
    rank = to.number(source.rank)
    from_, into = _DescriptorInMemory(to, source), _DescriptorInMemory(to, target)
    state = [to.alloca(to.index_type) for _ in range(3)]
    count, from_at, into_at = state

    def read(slot: SSAValue) -> SSAValue:
        return to.load(slot, to.index_type)

    to.store(to.integer(1), count)
    loop(
        to,
        rank,
        lambda dim: to.store(to.number(to.mul(read(count), from_.size(dim))), count),
    )
    total = read(count)

    def copy_element(position: SSAValue) -> None:
        to.store(position, count)
        to.store(from_.offset, from_at)
        to.store(into.offset, into_at)

        def advance(step: SSAValue) -> None:
            dim = to.sub(to.sub(rank, step), 1)
            size, rest = from_.size(dim), read(count)
            index = to.binary(llvm.URemOp, rest, size)
            to.store(to.binary(llvm.UDivOp, rest, size), count)
            for buffer, slot in ((from_, from_at), (into, into_at)):
                distance = to.mul(index, buffer.stride(dim))
                to.store(to.number(to.add(read(slot), distance)), slot)

        loop(to, rank, advance)
        value = to.load(to.gep(from_.aligned, element, (read(from_at),)), element)
        to.store(value, to.gep(into.aligned, element, (read(into_at),)))

    loop(to, total, copy_element)
