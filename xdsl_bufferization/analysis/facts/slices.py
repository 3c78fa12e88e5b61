"""Slices of tensors: whether two are definitely equal, disjoint or overlapping.

Offsets, sizes and strides are compared by what value_bounds.py knows of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from xdsl_bufferization.analysis.facts.value_bounds import (
    Index,
    Linear,
    constant_of,
    is_negative,
    is_same,
    linear,
    static_list,
)
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.records import record


@record
class Slice:
    """A part of a tensor: an offset, a size and a stride for each dimension."""

    offsets: Sequence[Index]
    sizes: Sequence[Index]
    strides: Sequence[Index]


def are_equal(first: Slice, second: Slice) -> bool:
    """Return whether both slices definitely are the same elements in the same order."""
    return (
        len(first.offsets) == len(second.offsets)
        and all(map(is_same, first.offsets, second.offsets))
        and all(map(is_same, first.sizes, second.sizes))
        and all(map(is_same, first.strides, second.strides))
    )


def are_disjoint(first: Slice, second: Slice) -> bool:
    """Return whether the slices definitely share no element: in some dimension, one
    ends before the other begins, or their strides interleave, as with even and odd
    indices."""
    if len(first.offsets) != len(second.offsets):
        return False
    return any(
        _ends_before(first, second, dimension)
        or _ends_before(second, first, dimension)
        or _are_interleaved(first, second, dimension)
        for dimension in range(len(first.offsets))
    )


def are_equal_or_disjoint(first: Slice, second: Slice) -> bool:
    """Return whether the slices definitely are the same elements in the same order, or
    share no element: wherever they may begin at different indices, both have only one."""
    return (
        len(first.offsets) == len(second.offsets)
        and all(map(is_same, first.sizes, second.sizes))
        and all(
            constant_of(first.sizes[dimension]) == 1
            or (
                is_same(first.offsets[dimension], second.offsets[dimension])
                and is_same(first.strides[dimension], second.strides[dimension])
            )
            for dimension in range(len(first.offsets))
        )
    )


def are_overlapping(first: Slice, second: Slice) -> bool:
    """Return whether the slices definitely share an element: in every dimension, they
    begin at the same index, or each begins before the other one, which has no gaps,
    ends."""
    return len(first.offsets) == len(second.offsets) and all(
        _is_positive(first.sizes[dimension])
        and _is_positive(second.sizes[dimension])
        and (
            is_same(first.offsets[dimension], second.offsets[dimension])
            or (
                _begins_inside(first, second, dimension)
                and _begins_inside(second, first, dimension)
            )
        )
        for dimension in range(len(first.offsets))
    )


def is_contained(first: Slice, second: Slice, extents: Sequence[Index]) -> bool:
    """Return whether all elements of the first slice definitely are in the second one.

    Args:
        extents: the sizes of what both are slices of.
    """
    return len(first.offsets) == len(second.offsets) == len(extents) and all(
        constant_of(second.strides[dimension]) == 1
        and (
            _is_whole(second, dimension, extent)
            or _reaches_inside(first, second, dimension)
        )
        for dimension, extent in enumerate(extents)
    )


def has_elements(slice_: Slice) -> bool:
    """Return whether a slice definitely has elements."""
    return all(map(_is_positive, slice_.sizes))


def _is_whole(slice_: Slice, dimension: int, extent: Index) -> bool:
    return constant_of(slice_.offsets[dimension]) == 0 and is_same(
        slice_.sizes[dimension], extent
    )


def _reaches_inside(first: Slice, second: Slice, dimension: int) -> bool:
    """Return whether a slice begins and ends in another one, which has no gaps."""
    distance = linear(first.offsets[dimension]) - linear(second.offsets[dimension])
    stride = linear(first.strides[dimension])
    extent = (linear(first.sizes[dimension]) - Linear(1)).times(stride)
    return (
        (stride.constant_value() or -1) > 0
        and extent is not None
        and is_negative(Linear(-1) - distance)
        and is_negative(distance + extent - linear(second.sizes[dimension]))
    )


def _begins_inside(first: Slice, second: Slice, dimension: int) -> bool:
    """Return whether a slice definitely begins before the end of another one without
    gaps."""
    distance = linear(first.offsets[dimension]) - linear(second.offsets[dimension])
    return constant_of(second.strides[dimension]) == 1 and is_negative(
        distance - linear(second.sizes[dimension])
    )


def _is_positive(index: Index) -> bool:
    return is_negative(Linear(0) - linear(index))


def _ends_before(first: Slice, second: Slice, dimension: int) -> bool:
    """Whether the last index of `first` is less than the first index of `second`."""
    strides = linear(first.strides[dimension]), linear(second.strides[dimension])
    if any((stride.constant_value() or 0) < 0 for stride in strides):
        return False
    extent = (linear(first.sizes[dimension]) + Linear(-1)).times(strides[0])
    if extent is None:
        return False
    begin, other = linear(first.offsets[dimension]), linear(second.offsets[dimension])
    distance = begin + extent - other
    sizes = (first.sizes[dimension], second.sizes[dimension])
    return is_negative(distance) or is_negative(_without_sizes(distance, sizes))


def _without_sizes(expression: Linear, sizes: Sequence[Index]) -> Linear:
    """Return an upper bound of an expression from which sizes of slices are subtracted:
    none of them is negative."""
    for size in sizes:
        atoms = linear(size)
        if len(atoms.factors) == 1 and atoms.constant == 0:
            ((atom, factor),) = atoms.factors.items()
            subtracted = expression.factors.get(atom, 0)
            if factor == 1 and subtracted < 0:
                expression += atoms.scaled(-subtracted)
    return expression


def _are_interleaved(first: Slice, second: Slice, dimension: int) -> bool:
    """Whether the first indices of both differ by a number that is no sum of multiples of
    their strides. Where factors may wrap around, this is known for powers of two only."""
    stride = constant_of(first.strides[dimension])
    other = constant_of(second.strides[dimension])
    if stride is None or other is None:
        return False
    period = gcd(stride, other)
    if period < 2:
        return False
    distance = linear(first.offsets[dimension]) - linear(second.offsets[dimension])
    if distance.factors and period & (period - 1):
        return False
    return distance.constant % period != 0 and all(
        factor % period == 0 for factor in distance.factors.values()
    )


def begins_with_source(op: Operation) -> bool:
    """Whether an op is a tensor.extract_slice of what comes first in its source in all
    dimensions: equal indices mean the same element."""
    if not isinstance(op, tensor.ExtractSliceOp):
        return False
    source, result = (shape_of(v.type) or () for v in (op.operands[0], op.results[0]))
    offsets, strides = iter(op.offsets), iter(op.strides)
    return (
        all(
            (constant_of(next(offsets)) if number == DYNAMIC_INDEX else number) == 0
            for number in static_list(op, "static_offsets")
        )
        and all(
            (constant_of(next(strides)) if number == DYNAMIC_INDEX else number) == 1
            for number in static_list(op, "static_strides")
        )
        and len(source) == len(result)
    )
