"""Memref values: separate fields, packed into MLIR's descriptor on demand.

A ranked memref is (allocated pointer, aligned pointer, offset, sizes, strides); an
unranked one (rank, pointer to such a descriptor). As a single value, this is an
`llvm.struct`; here, the fields stay separate SSA values, or ints if the type determines
them, so that a load needs no extractvalue and a branch forwards only fields that can
vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.conversion.to_llvm.builder import Builder, Index
from xdsl_bufferization.conversion.to_llvm.types import (
    MemRefInfo,
    TypeConverter,
)


@dataclass(frozen=True, slots=True)
class MemRef:
    """A ranked memref's fields."""

    info: MemRefInfo
    allocated: SSAValue
    aligned: SSAValue
    offset: Index
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class UnrankedMemRef:
    """An unranked memref's fields."""

    rank: Index
    descriptor: SSAValue
    """A pointer to the ranked descriptor."""


# As one value


def pack(builder: Builder, memref: MemRef) -> SSAValue:
    """The descriptor of a memref."""
    struct = builder.struct(
        memref.info.descriptor,
        (memref.allocated, memref.aligned, builder.number(memref.offset)),
    )
    for field, numbers in ((3, memref.sizes), (4, memref.strides)):
        for dim, number in enumerate(numbers):
            struct = builder.insert(struct, builder.number(number), field, dim)
    return struct


def unpack(builder: Builder, info: MemRefInfo, struct: SSAValue) -> MemRef:
    """The fields of a descriptor; those the type fixes are not read."""
    return MemRef(
        info,
        builder.extract(struct, 0),
        builder.extract(struct, 1),
        _known(info.offset, lambda: builder.extract(struct, 2)),
        tuple(
            _known(size, lambda d=dim: builder.extract(struct, 3, d))
            for dim, size in enumerate(info.sizes)
        ),
        tuple(
            _known(stride, lambda d=dim: builder.extract(struct, 4, d))
            for dim, stride in enumerate(info.strides)
        ),
    )


def pack_unranked(
    builder: Builder, types: TypeConverter, memref: UnrankedMemRef
) -> SSAValue:
    return builder.struct(
        types.unranked_descriptor, (builder.number(memref.rank), memref.descriptor)
    )


def unpack_unranked(builder: Builder, struct: SSAValue) -> UnrankedMemRef:
    return UnrankedMemRef(builder.extract(struct, 0), builder.extract(struct, 1))


# As function arguments: every field, whether the type fixes it or not


def argument_types(types: TypeConverter, info: MemRefInfo) -> list[Attribute]:
    """The types of the arguments a memref argument becomes."""
    return [info.pointer, info.pointer, *[types.index] * (1 + 2 * info.rank)]


def from_arguments(info: MemRefInfo, arguments: Sequence[SSAValue]) -> MemRef:
    rank = info.rank
    return MemRef(
        info,
        arguments[0],
        arguments[1],
        _or(info.offset, arguments[2]),
        tuple(map(_or, info.sizes, arguments[3 : 3 + rank])),
        tuple(map(_or, info.strides, arguments[3 + rank :])),
    )


def to_arguments(builder: Builder, memref: MemRef) -> list[SSAValue]:
    numbers = (memref.offset, *memref.sizes, *memref.strides)
    return [memref.allocated, memref.aligned, *map(builder.number, numbers)]


# As block arguments: only the fields that can differ between two memrefs of the type


def block_argument_types(types: TypeConverter, info: MemRefInfo) -> list[Attribute]:
    dynamic = sum(known is None for known in (info.offset, *info.sizes, *info.strides))
    return [info.pointer, info.pointer, *[types.index] * dynamic]


def from_block_arguments(info: MemRefInfo, arguments: Iterator[SSAValue]) -> MemRef:
    """Take the arguments a memref needs from the iterator."""
    allocated, aligned = next(arguments), next(arguments)

    def pick(known: int | None) -> Index:
        return next(arguments) if known is None else known

    offset = pick(info.offset)
    sizes = tuple(map(pick, info.sizes))
    return MemRef(info, allocated, aligned, offset, sizes, tuple(map(pick, info.strides)))


def to_block_arguments(
    builder: Builder, info: MemRefInfo, memref: MemRef
) -> Iterator[SSAValue]:
    """The fields of a memref that its type (`info`, the block argument's) leaves open."""
    yield memref.allocated
    yield memref.aligned
    for known, number in zip(
        (info.offset, *info.sizes, *info.strides),
        (memref.offset, *memref.sizes, *memref.strides),
        strict=True,
    ):
        if known is None:
            yield builder.number(number)


# Addresses


def data_pointer(builder: Builder, memref: MemRef) -> SSAValue:
    """The address of a memref's first element."""
    return builder.gep(memref.aligned, memref.info.element, (memref.offset,))


def element_pointer(
    builder: Builder, memref: MemRef, indices: Sequence[Index]
) -> SSAValue:
    """The address of an element, in bounds by the semantics of the access."""
    position: Index = 0
    for index, stride in zip(indices, memref.strides, strict=True):
        position = builder.add(
            position, builder.mul(index, stride, no_wrap=True), no_wrap=True
        )
    if isinstance(memref.offset, int) and isinstance(position, int):
        position += memref.offset
        base = memref.aligned
    else:
        base = data_pointer(builder, memref)
    return builder.gep(base, memref.info.element, (position,), inbounds=True)


def element_count(builder: Builder, sizes: Sequence[Index]) -> Index:
    count: Index = 1
    for size in sizes:
        count = builder.mul(count, size)
    return count


def row_major(builder: Builder, sizes: Sequence[Index]) -> tuple[Index, ...]:
    """The strides of a dense row-major array of these sizes."""
    strides: list[Index] = []
    stride: Index = 1
    for position, size in enumerate(reversed(sizes)):
        strides.append(stride)
        if position + 1 < len(sizes):
            stride = builder.mul(stride, size)
    return tuple(reversed(strides))


def static_or(known: Sequence[int | None], given: Sequence[Index]) -> tuple[Index, ...]:
    """Numbers, with those a type fixes put in as ints."""
    return tuple(map(_or, known, given))


def _or(known: int | None, given: Index) -> Index:
    return given if known is None else known


def _known(known: int | None, make: Callable[[], Index]) -> Index:
    if known is not None:
        return known
    return make()
