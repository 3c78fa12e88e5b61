"""Strides of buffers whose dimensions are split or joined.

The stride of a dimension is None when it is known only at run time, a size DYNAMIC_INDEX.
A group holds the numbers of the dimensions that one dimension is split into, or that are
joined into one.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX

Strides = Sequence[int | None]
Groups = Sequence[Sequence[int]]


def expanded_strides(
    strides: Strides, shape: Sequence[int], groups: Groups
) -> list[int | None]:
    """Return the strides of a buffer once each dimension is split into its group; `shape`
    is the new one."""
    result: list[int | None] = []
    for group, stride in zip(groups, strides, strict=True):
        inner_to_outer: list[int | None] = []
        for dimension in reversed(group):
            inner_to_outer.append(stride)
            stride = stride_times(stride, shape[dimension])
        result.extend(reversed(inner_to_outer))
    # A rank-0 buffer expands to unit dimensions, whose strides do not matter.
    return result + [1] * (len(shape) - len(result))


def collapsed_strides(
    strides: Strides, shape: Sequence[int], groups: Groups, *, certainly: bool
) -> list[int | None] | None:
    """Return the strides of a buffer once each group of its dimensions is joined. `shape`
    is the one before.

    Return None when the elements of a group are not evenly spaced: where that depends on
    dynamic strides and sizes, when they are not `certainly` so.
    """
    result: list[int | None] = []
    for group in groups:
        stride = _innermost_stride(group, shape, strides)
        if not _is_evenly_spaced(group, shape, strides, stride, certainly):
            return None
        result.append(stride)
    return result


def _innermost_stride(
    group: Sequence[int], shape: Sequence[int], strides: Strides
) -> int | None:
    """Return the stride of the innermost dimension of a group that is not a unit
    dimension: the stride of a unit dimension means nothing."""
    last = len(group) - 1
    while last > 0 and shape[group[last]] == 1:
        last -= 1
    dimension = group[last]
    if last > 0 and shape[dimension] == DYNAMIC_INDEX:
        # It may turn out to be a unit dimension.
        return None
    return strides[dimension]


def _is_evenly_spaced(
    group: Sequence[int],
    shape: Sequence[int],
    strides: Strides,
    stride: int | None,
    certainly: bool,
) -> bool:
    for outer, inner in zip(reversed(group[:-1]), reversed(group[1:]), strict=True):
        stride = stride_times(stride, shape[inner])
        if shape[outer] == 1:
            continue
        if stride is None or strides[outer] is None:
            if certainly:
                return False
        elif stride != strides[outer]:
            return False
    return True


def stride_times(stride: int | None, size: int) -> int | None:
    """Return the distance of `size` elements that are a stride apart."""
    if stride == 0 or size == 0:
        return 0
    return None if stride is None or size == DYNAMIC_INDEX else stride * size
