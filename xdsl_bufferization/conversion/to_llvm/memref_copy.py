"""memref.copy: a memcpy where both buffers are contiguous, otherwise loops over the outer
dimensions around a memcpy of what is, or around a load and a store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.types import byte_size
from xdsl_bufferization.dialects.llvm import MemcpyOp

_NOT_VOLATILE = {"isVolatile": IntegerAttr(0, i1)}


def lower_copy(op: Operation, to: FunctionLowering) -> None:
    """Converts a memref.copy."""
    lowered = [to.values[value] for value in op.operands]
    if any(isinstance(value, UnrankedMemRef) for value in lowered):
        to.refuse(op, "its operands are unranked; copy ranked memrefs")
    source, target = cast(MemRef, lowered[0]), cast(MemRef, lowered[1])
    copy(to, source, target)


def copy(to: FunctionLowering, source: MemRef, target: MemRef) -> None:
    """Copies the elements of a memref to another of the same shape."""
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
    from xdsl_bufferization.conversion.to_llvm.memref import size_of

    size = byte_size(buffer.info.element)
    if size is None:
        return size_of(to, buffer.info.element, count)
    return to.mul(count, size)


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
    """A loop from 0 to `end`; appending continues behind it."""
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
