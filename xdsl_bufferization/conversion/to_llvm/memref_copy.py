"""memref.copy: a memcpy if both buffers are contiguous, otherwise loops over the outer
dimensions around a memcpy of the contiguous part, or around a load and a store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, UnrankedMemRefType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.alignments import copy_properties
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.loops import fold, loop
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.sizes import size_of
from xdsl_bufferization.conversion.to_llvm.unranked import (
    DescriptorInMemory,
    in_memory,
    to_unranked,
)
from xdsl_bufferization.dialects.llvm import MemcpyOp

_NOT_VOLATILE = {"isVolatile": IntegerAttr(0, i1)}


def lower_copy(op: Operation, to: FunctionLowering) -> None:
    """Convert a memref.copy."""
    source, target = (to.values[value] for value in op.operands)
    if isinstance(source, MemRef) and isinstance(target, MemRef):
        copy(to, source, target)
        return
    rank, from_ = _unranked(to, op.operands[0])
    _, into = _unranked(to, op.operands[1])
    element = cast("UnrankedMemRefType[Attribute]", op.operands[0].type).element_type
    _copy_unranked(to, rank, from_, into, to.types(element))


def _unranked(to: FunctionLowering, buffer: SSAValue) -> tuple[Index, DescriptorInMemory]:
    """The rank and the descriptor of a ranked or unranked buffer."""
    lowered = to.values[buffer]
    if isinstance(lowered, MemRef):
        pointer_type = lowered.info.pointer
        lowered = to_unranked(to, lowered)
        return lowered.rank, DescriptorInMemory(to, lowered, pointer_type)
    return cast(UnrankedMemRef, lowered).rank, in_memory(to, buffer)


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
            element = source.info.element
            properties = copy_properties(element)
            to.store(to.load(from_, element, properties), into, properties)
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


# Unranked


def _copy_unranked(
    to: FunctionLowering,
    rank: Index,
    from_: DescriptorInMemory,
    into: DescriptorInMemory,
    element: Attribute,
) -> None:
    """Copy element by element: the place of the n-th one is found by division by the
    sizes, innermost first.
    """
    source, target = from_.aligned, into.aligned
    properties = copy_properties(element)
    offsets = (from_.offset, into.offset)
    (total,) = fold(
        to, rank, (1,), lambda dim, count: (to.mul(count[0], from_.size(dim)),)
    )

    def advance(step: SSAValue, state: Sequence[SSAValue]) -> Sequence[Index]:
        rest, *places = state
        dim = to.sub(to.sub(rank, step), 1)
        size = from_.size(dim)
        index = to.binary(llvm.URemOp, rest, size)
        return (
            to.binary(llvm.UDivOp, rest, size),
            *(
                to.add(place, to.mul(index, buffer.stride(dim)))
                for place, buffer in zip(places, (from_, into), strict=True)
            ),
        )

    def copy_element(position: SSAValue) -> None:
        _, from_at, into_at = fold(to, rank, (position, *offsets), advance)
        value = to.load(to.gep(source, element, (from_at,)), element, properties)
        to.store(value, to.gep(target, element, (into_at,)), properties)

    loop(to, total, copy_element)
