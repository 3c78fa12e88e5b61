"""The conversion of types to the LLVM dialect, and the static facts of a memref
type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BFloat16Type,
    ComplexType,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.dialects.llvm import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.dialects.linear_forms import linearized

POINTER = LLVMPointerType()


def is_memref(type_: Attribute) -> TypeIs[MemRefType[Attribute]]:
    return isinstance(type_, MemRefType)


def is_vector(type_: Attribute) -> TypeIs[VectorType[Attribute]]:
    return isinstance(type_, VectorType)


def is_integer(type_: Attribute) -> TypeIs[IntegerType]:
    return isinstance(type_, IntegerType)


_FLOAT_BYTES: dict[type[Attribute], int] = {
    BFloat16Type: 2,
    Float16Type: 2,
    Float32Type: 4,
    Float64Type: 8,
}
_KEPT = (
    *(BFloat16Type, Float16Type, Float32Type, Float64Type, Float80Type, Float128Type),
    *(LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMStructType, LLVMVoidType),
)


class TypeNotConvertible(Exception):
    """A type has no counterpart in the LLVM dialect; the message says why."""


@dataclass(frozen=True, slots=True)
class MemRefInfo:
    """What a ranked memref type fixes. A dynamic size, stride or offset is None."""

    element: Attribute
    """The element's type in the LLVM dialect."""
    sizes: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    offset: int | None
    pointer: LLVMPointerType
    descriptor: LLVMStructType
    contiguous: bool
    """Whether the layout is row-major without gaps, whatever the dynamic sizes are."""

    @property
    def rank(self) -> int:
        return len(self.sizes)


class TypeConverter:
    """Converts types, each once."""

    index: IntegerType

    def __init__(self, index_bitwidth: int = 64) -> None:
        self.index = IntegerType(index_bitwidth)
        self.unranked_descriptor = LLVMStructType.from_type_list((self.index, POINTER))
        self._converted: dict[Attribute, Attribute] = {IndexType(): self.index}
        self._memrefs: dict[Attribute, MemRefInfo] = {}

    def __call__(self, type_: Attribute) -> Attribute:
        """The LLVM dialect's type for a type.

        Raises:
            TypeNotConvertible: when there is none.
        """
        converted = self._converted.get(type_)
        if converted is None:
            converted = self._convert(type_)
            self._converted[type_] = converted
        return converted

    def _convert(self, type_: Attribute) -> Attribute:
        if isinstance(type_, _KEPT):
            return type_
        if is_integer(type_):
            return IntegerType(type_.width.data)
        if is_memref(type_):
            return self.memref(type_).descriptor
        if isinstance(type_, UnrankedMemRefType):
            return self.unranked_descriptor
        if is_vector(type_):
            return self._vector(type_)
        if isinstance(type_, ComplexType):
            part = self(cast("ComplexType[Any]", type_).element_type)
            return LLVMStructType.from_type_list((part, part))
        if isinstance(type_, FunctionType):
            return POINTER
        if isinstance(type_, TupleType):
            return LLVMStructType.from_type_list([self(t) for t in type_.types])
        if isinstance(type_, TensorType | UnrankedTensorType):
            raise TypeNotConvertible(
                f"the type {type_} is a tensor; tensors must be buffers by now: "
                "run one-shot-bufferize first"
            )
        if (width := _small_float_width(type_)) is not None:
            return IntegerType(width)
        raise TypeNotConvertible(
            f"the type {type_} has no counterpart in the LLVM dialect"
        )

    def _vector(self, type_: VectorType[Attribute]) -> Attribute:
        """LLVM's vectors have one dimension: the outer ones become arrays."""
        shape = type_.get_shape() or (1,)
        scalable = [bool(s.value.data) for s in type_.scalable_dims] or [False]
        if any(scalable):
            raise TypeNotConvertible(
                f"the type {type_} is a scalable vector, which is not supported"
            )
        result: Attribute = VectorType(self(type_.element_type), shape[-1:])
        for size in reversed(shape[:-1]):
            result = LLVMArrayType(size, result)
        return result

    def memref(self, type_: Attribute) -> MemRefInfo:
        """What a ranked memref type fixes.

        Raises:
            TypeNotConvertible: when its layout is not strided, or its element or memory
                space has no counterpart.
        """
        info = self._memrefs.get(type_)
        if info is None:
            info = self._memref(cast("MemRefType[Attribute]", type_))
            self._memrefs[type_] = info
        return info

    def _memref(self, type_: MemRefType[Attribute]) -> MemRefInfo:
        shape = type_.get_shape()
        strides, offset = strides_and_offset(type_)
        pointer = pointer_in_space(type_.memory_space)
        fields: list[Attribute] = [pointer, pointer, self.index]
        if shape:
            numbers = LLVMArrayType(len(shape), self.index)
            fields += [numbers, numbers]
        return MemRefInfo(
            self(type_.element_type),
            tuple(None if size == DYNAMIC_INDEX else size for size in shape),
            strides,
            offset,
            pointer,
            LLVMStructType.from_type_list(fields),
            isinstance(type_.layout, NoneAttr)
            or (None not in strides and strides == row_major_strides(shape)),
        )

    def pack(self, types: Sequence[Attribute]) -> Attribute:
        """The single result type of a function that has these results."""
        if not types:
            return LLVMVoidType()
        if len(types) == 1:
            return self(types[0])
        return LLVMStructType.from_type_list([self(t) for t in types])


def pointer_in_space(memory_space: Attribute) -> LLVMPointerType:
    """The pointer type of a memref's memory space, which must be a number."""
    if isinstance(memory_space, NoneAttr):
        return POINTER
    if isinstance(memory_space, IntegerAttr):
        space = memory_space.value.data
        return LLVMPointerType(IntAttr(space)) if space else POINTER
    raise TypeNotConvertible(
        f"the memory space {memory_space} is not an integer; replace it by the number of "
        "an LLVM address space"
    )


def byte_size(type_: Attribute) -> int | None:
    """The distance in bytes of two neighbours in memory, where no target disagrees on it
    (None for pointers, structs, wide integers).
    """
    if is_integer(type_):
        size = 1
        while size * 8 < type_.width.data:
            size *= 2
        return size if size <= 8 else None
    return _FLOAT_BYTES.get(type(type_))


def bytes_at_most(type_: Attribute) -> int:
    """How many bytes a value of a type takes, or more."""
    match type_:
        case LLVMStructType():
            return sum(bytes_at_most(field) + _PADDING for field in type_.types)
        case LLVMArrayType():
            return type_.size.data * bytes_at_most(type_.type)
        case _ if is_vector(type_):
            elements = type_.get_shape()[0] * bytes_at_most(type_.element_type)
            return max(elements, 1 << (elements - 1).bit_length())
        case IntegerType():
            return byte_size(type_) or type_.width.data
        case _:
            return byte_size(type_) or _PADDING


_PADDING = 16


def _small_float_width(type_: Attribute) -> int | None:
    """The width of a float that LLVM has no type for; such are stored as integers."""
    width = getattr(type_, "bitwidth", None)
    if isinstance(width, int) and width <= 8 and type_.name.startswith("f"):
        return width
    return None


# Layouts


def strides_and_offset(
    type_: MemRefType[Attribute],
) -> tuple[tuple[int | None, ...], int | None]:
    """A memref's strides and offset in elements; None where dynamic.

    Raises:
        TypeNotConvertible: when the layout is an affine map that is not strided.
    """
    layout = type_.layout
    if isinstance(layout, NoneAttr):
        return row_major_strides(type_.get_shape()), 0
    if isinstance(layout, StridedLayoutAttr):
        return (
            tuple(s.data if isinstance(s, IntAttr) else None for s in layout.strides),
            layout.offset.data if isinstance(layout.offset, IntAttr) else None,
        )
    if isinstance(layout, AffineMapAttr):
        strides = _strides_of_map(layout.data, type_.get_shape())
        if strides is not None:
            return strides
    raise TypeNotConvertible(
        f"the layout of {type_} is not strided; copy it into a memref with a strided "
        "layout"
    )


def row_major_strides(shape: Sequence[int]) -> tuple[int | None, ...]:
    """The strides of a dense row-major array; None where a dynamic size enters."""
    strides: list[int | None] = []
    stride: int | None = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = None if stride is None or size == DYNAMIC_INDEX else stride * size
    return tuple(reversed(strides))


def _strides_of_map(
    map_: AffineMap, shape: Sequence[int]
) -> tuple[tuple[int | None, ...], int | None] | None:
    """The strides of an affine layout; a symbol counts as unknown. None if not linear."""
    if len(map_.results) == 1:
        weights: tuple[int | None, ...] = (1,)
    elif len(map_.results) == len(shape):
        weights = row_major_strides(shape)
    else:
        return None
    form = linearized(map_.results, weights, len(shape), symbolic_quotients=True)
    return None if form is None else (tuple(form[0]), form[1])
