"""The memref types of views: what MLIR infers for subview, expand_shape, collapse_shape.

A strided layout gives the position of an element: an offset plus the sum of index times
stride. A dynamic stride or offset is None, a dynamic dimension is DYNAMIC_INDEX. A type
without layout is contiguous and row-major; views keep this form if they can.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import (
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects.memref import (
    cast_compatible,
    has_identity_layout,
    strides_and_offset_of,
    subview_strides_and_offset,
)
from xdsl_bufferization.dialects.shapes import dropped_dimensions
from xdsl_bufferization.dialects.strides import collapsed_strides, expanded_strides
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import BufferType


def identity_type(type_: MemRefType) -> MemRefType:
    """The contiguous type of the same shape, elements and memory space."""
    if isinstance(type_.layout, NoneAttr):
        return type_
    return MemRefType(type_.element_type, type_.shape, NoneAttr(), type_.memory_space)


def with_shape(
    type_: MemRefType,
    shape: Sequence[int],
    layout: tuple[Sequence[int | None], int | None] | None = None,
) -> MemRefType:
    """A memref of the same elements and memory space, with these strides and offset, or
    contiguous."""
    known = None if layout is None else (tuple(layout[0]), layout[1])
    return _memref_type(type_.element_type, tuple(shape), known, type_.memory_space)


@lru_cache(maxsize=4096)
def _memref_type(
    element_type: Attribute,
    shape: tuple[int, ...],
    layout: tuple[tuple[int | None, ...], int | None] | None,
    memory_space: Attribute,
) -> MemRefType:
    """Types are slow to build, and programs have few different ones."""
    return MemRefType(
        element_type,
        shape,
        NoneAttr() if layout is None else StridedLayoutAttr(*layout),
        memory_space,
    )


def ranked_strided(
    type_: BufferType, op: Operation
) -> tuple[MemRefType, tuple[Sequence[int | None], int | None]]:
    """The type of a buffer of which `op` makes a view, with its strides and offset.

    Raises:
        PassFailedException: when its layout is no strided one.
    """
    layout = None if not isinstance(type_, MemRefType) else strides_and_offset_of(type_)
    if layout is None:
        raise PassFailedException(
            f"{op.name}: cannot take a view of a buffer of type {type_}, whose layout is "
            "not strided. Copy the tensor first with bufferization.alloc_tensor."
            f"{describe(op)}"
        )
    return cast(MemRefType, type_), layout


def subview_type(
    source: BufferType,
    shape: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    op: Operation,
) -> MemRefType:
    """The type of a slice of `source`; `shape` is `sizes`, unit dimensions possibly left
    out."""
    type_, layout = ranked_strided(source, op)
    new_strides, new_offset = subview_strides_and_offset(layout, offsets, strides)
    if len(shape) != len(sizes):
        dropped = dropped_dimensions(sizes, shape)
        assert dropped is not None, "verified"
        new_strides = [stride for i, stride in enumerate(new_strides) if i not in dropped]
    return with_shape(type_, shape, (new_strides, new_offset))


def expanded_type(
    source: BufferType,
    shape: Sequence[int],
    groups: Sequence[Sequence[int]],
    op: Operation,
) -> MemRefType:
    """The type of `source` with each dimension split into its group of dimensions."""
    type_, (strides, offset) = ranked_strided(source, op)
    if has_identity_layout(type_):
        return with_shape(type_, shape)
    return with_shape(type_, shape, (expanded_strides(strides, shape, groups), offset))


def collapsed_type(
    source: BufferType,
    shape: Sequence[int],
    groups: Sequence[Sequence[int]],
    op: Operation,
) -> MemRefType | None:
    """The type of `source` with each group of dimensions joined into one; None when the
    elements of a group might not lie evenly spaced, so that they have to be copied."""
    type_, (strides, offset) = ranked_strided(source, op)
    if has_identity_layout(type_):
        return with_shape(type_, shape)
    joined = collapsed_strides(strides, type_.get_shape(), groups, certainly=True)
    return None if joined is None else with_shape(type_, shape, (joined, offset))


def is_surely_castable(source: MemRefType, target: MemRefType) -> bool:
    """Whether memref.cast from one type to the other holds whatever the dynamic strides
    and offset turn out to be."""
    if source == target:
        return True
    if not cast_compatible(source, target):
        return False
    before, after = strides_and_offset_of(source), strides_and_offset_of(target)
    if before is None or after is None:
        return False
    return all(
        have is not None or want is None
        for have, want in zip((*before[0], before[1]), (*after[0], after[1]), strict=True)
    )
