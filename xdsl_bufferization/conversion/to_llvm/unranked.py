"""Unranked memrefs: ranked descriptors in memory, whose rank may be known only at run
time.

A descriptor is on the stack. One of known size gets a slot in the entry block of the
function, which all executions of its op share, if no two are in use at once; otherwise,
each execution allocates. In a loop that adds up, unless the loop frees its stack memory:
convert-scf-to-cf sees to that where no iteration passes a descriptor to the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerType,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.loops import fold
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.types import pointer_in_space
from xdsl_bufferization.conversion.utils.unranked import one_descriptor_is_enough

_POINTER_BYTES = 8


class DescriptorInMemory:
    """The fields of a ranked descriptor: two pointers, the offset, the sizes and the
    strides.

    Args:
        pointer_type: that of the two pointers, in the memory space of the buffer.
    """

    def __init__(
        self,
        to: FunctionLowering,
        memref: UnrankedMemRef,
        pointer_type: llvm.LLVMPointerType,
    ) -> None:
        # The first size stands for all numbers, which follow without padding.
        self._head = llvm.LLVMStructType.from_type_list(
            (pointer_type, pointer_type, to.index_type, to.index_type)
        )
        self._to = to
        self._memref = memref
        self._pointer_type = pointer_type

    @property
    def allocated(self) -> SSAValue:
        return self._to.load(self._memref.descriptor, self._pointer_type)

    @property
    def aligned(self) -> SSAValue:
        return self._to.load(self._field(1), self._pointer_type)

    @property
    def offset(self) -> SSAValue:
        return self._to.load(self._field(2), self._to.index_type)

    def size(self, dim: Index) -> SSAValue:
        return self._to.load(self._number(dim), self._to.index_type)

    def stride(self, dim: Index) -> SSAValue:
        return self.size(self._to.add(dim, self._memref.rank))

    def write_head(self, allocated: SSAValue, aligned: SSAValue, offset: Index) -> None:
        """Store the fields that every rank has."""
        self._to.store(allocated, self._memref.descriptor)
        self._to.store(aligned, self._field(1))
        self._to.store(self._to.number(offset), self._field(2))

    def write_dimension(self, dim: Index, size: Index, stride: Index) -> None:
        """Store the size and the stride of a dimension."""
        to = self._to
        to.store(to.number(size), self._number(dim))
        to.store(to.number(stride), self._number(to.add(dim, self._memref.rank)))

    def _field(self, place: int) -> SSAValue:
        return self._to.gep(
            self._memref.descriptor, self._head, (0, place), inbounds=True
        )

    def _number(self, place: Index) -> SSAValue:
        to = self._to
        return to.gep(self._field(3), to.index_type, (place,), inbounds=True)


def in_memory(to: FunctionLowering, value: SSAValue) -> DescriptorInMemory:
    """The descriptor of an unranked memref."""
    pointer_type = _pointer_type(value.type)
    return DescriptorInMemory(to, cast(UnrankedMemRef, to.values[value]), pointer_type)


def _pointer_type(type_: Attribute) -> llvm.LLVMPointerType:
    memref = cast("UnrankedMemRefType[Attribute]", type_)
    return pointer_in_space(memref.memory_space)


def descriptor_bytes(to: FunctionLowering, rank: Index) -> Index:
    """The bytes of a ranked descriptor: two pointers, the offset, and twice the rank."""
    numbers = to.add(to.mul(rank, 2), 1)
    index_bytes = to.index_type.width.data // 8
    return to.add(to.mul(numbers, index_bytes), 2 * _POINTER_BYTES)


def allocate_descriptor(to: FunctionLowering, rank: Index) -> SSAValue:
    """Memory on the stack for a ranked descriptor, allocated in each execution."""
    size = descriptor_bytes(to, rank)
    return to.alloca(IntegerType(8), size, alignment=_POINTER_BYTES)


# From ranked memrefs


def to_unranked(
    to: FunctionLowering, source: MemRef, result: SSAValue | None = None
) -> UnrankedMemRef:
    """A ranked memref as an unranked one.

    Args:
        result: what it becomes; None if only the op being converted uses it.
    """
    type_ = source.info.descriptor
    shared = result is None or one_descriptor_is_enough(result)
    pointer = to.slot(type_) if shared else to.alloca(type_)
    to.store(descriptors.pack(to, source), pointer)
    return UnrankedMemRef(source.info.rank, pointer)


def reshaped(
    to: FunctionLowering,
    result: SSAValue,
    pointers: tuple[SSAValue, SSAValue],
    shape: MemRef,
) -> UnrankedMemRef:
    """A dense buffer as an unranked memref of the sizes that another buffer holds.

    Args:
        pointers: the allocated one, and that to the first element.
        shape: of rank 1; its size is the rank of the result.
    """
    rank = shape.sizes[0]
    if isinstance(rank, int):
        info = to.types.memref(_ranked(result.type, rank))
        sizes = tuple(size_in(to, shape, dim) for dim in range(rank))
        strides = descriptors.row_major(to, sizes)
        return to_unranked(to, MemRef(info, *pointers, 0, sizes, strides), result)
    memref = UnrankedMemRef(rank, allocate_descriptor(to, rank))
    descriptor = DescriptorInMemory(to, memref, _pointer_type(result.type))
    descriptor.write_head(*pointers, 0)
    last = to.sub(rank, 1)

    def write(step: SSAValue, strides: Sequence[SSAValue]) -> Sequence[Index]:
        (stride,) = strides
        dim = to.sub(last, step)
        size = size_in(to, shape, dim)
        descriptor.write_dimension(dim, size, stride)
        return (to.mul(stride, size),)

    fold(to, rank, (1,), write)
    return memref


def _ranked(type_: Attribute, rank: int) -> MemRefType[Attribute]:
    unranked = cast("UnrankedMemRefType[Attribute]", type_)
    sizes = [DYNAMIC_INDEX] * rank
    return MemRefType(unranked.element_type, sizes, NoneAttr(), unranked.memory_space)


def size_in(to: FunctionLowering, shape: MemRef, dim: Index) -> SSAValue:
    """A size of a result of memref.reshape, out of its shape operand."""
    type_ = cast(IntegerType, shape.info.element)
    value = to.load(descriptors.element_pointer(to, shape, (dim,)), type_)
    width, wanted = type_.width.data, to.index_type.width.data
    if width == wanted:
        return value
    cast_op = llvm.SExtOp if width < wanted else llvm.TruncOp
    return to.value(cast_op, (value,), to.index_type)
