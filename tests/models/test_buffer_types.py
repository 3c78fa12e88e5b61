"""The types of views, as computed: those that programs rarely show."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    StridedLayoutAttr,
    f32,
)
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects.memref import has_identity_layout
from xdsl_bufferization.models.buffer_types import (
    collapsed_type,
    expanded_type,
    is_surely_castable,
    subview_type,
)

OP = AnyOp()
DYN = DYNAMIC_INDEX


def strided(
    shape: list[int], strides: list[int | None], offset: int | None = 0
) -> MemRefType:
    return MemRefType(f32, shape, StridedLayoutAttr(strides, offset))


def test_subview_at_zero_keeps_what_is_known() -> None:
    source = strided([DYN, 8], [None, 1], 3)
    view = subview_type(source, [2, 4], [0, 2], [2, 4], [1, 1], OP)
    assert view == strided([2, 4], [None, 1], 5)


def test_subview_at_a_dynamic_offset() -> None:
    view = subview_type(MemRefType(f32, [8, 8]), [4], [DYN, 0], [1, 4], [1, 2], OP)
    assert view == strided([4], [2], None)


def test_expanded_strides() -> None:
    source = strided([8, DYN], [32, 2], None)
    view = expanded_type(source, [2, 4, DYN, 3], [[0, 1], [2, 3]], OP)
    assert view == strided([2, 4, DYN, 3], [128, 32, 6, 2], None)


def test_expanding_a_dynamic_stride() -> None:
    view = expanded_type(strided([8], [None]), [2, 4], [[0, 1]], OP)
    assert view == strided([2, 4], [None, None])


def test_expanding_rank_0() -> None:
    view = expanded_type(strided([], [], 4), [1, 1], [], OP)
    assert view == strided([1, 1], [1, 1], 4)


@pytest.mark.parametrize(
    "shape, strides, expected",
    [
        ([4, 8], [8, 1], 1),
        ([4, 8], [16, 2], 2),
        ([1, 8], [7, 1], 1),
        ([4, 1], [5, 9], 5),
        ([4, 8], [16, 1], None),
        ([4, 8], [None, 1], None),
        ([4, DYN], [8, 1], None),
        ([DYN, 8], [8, 1], 1),
    ],
)
def test_collapsing_two_dimensions(
    shape: list[int], strides: list[int | None], expected: int | None
) -> None:
    size = DYN if DYN in shape else shape[0] * shape[1]
    view = collapsed_type(strided(shape, strides), [size], [[0, 1]], OP)
    assert view == (None if expected is None else strided([size], [expected]))


def test_identity_layouts() -> None:
    assert has_identity_layout(MemRefType(f32, [4, 4]))
    assert has_identity_layout(strided([4], [1]))
    assert has_identity_layout(
        MemRefType(f32, [4, 4], AffineMapAttr(AffineMap.identity(2)))
    )
    assert not has_identity_layout(strided([4, 4], [4, 1]))
    assert not has_identity_layout(strided([4], [1], 1))


def test_a_cast_must_hold_for_all_dynamic_values() -> None:
    contiguous = MemRefType(f32, [4])
    unknown = strided([4], [None], None)
    assert is_surely_castable(contiguous, unknown)
    assert not is_surely_castable(unknown, contiguous)
    assert is_surely_castable(strided([4], [1]), contiguous)
    assert not is_surely_castable(strided([4], [2]), contiguous)


def test_a_layout_that_is_not_strided_is_refused() -> None:
    tiled = AffineMap.from_callable(lambda i: (i // 4, i % 4))
    with pytest.raises(PassFailedException, match=r"test\.op.*not\s+strided"):
        subview_type(MemRefType(f32, [8], AffineMapAttr(tiled)), [4], [0], [4], [1], OP)
