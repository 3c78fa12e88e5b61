"""Vectors that rearrange the elements of others: broadcasts, casts of shapes, transposes,
slices and elements.

The result of such an op is a strided view of its source, like a view of a NumPy array:
an offset and a stride for each dimension, 0 where elements repeat. Views compose: two
consecutive ops become one if a single op has the composed view. A constant is
rearranged by elements. Scalable vectors are not folded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product as combinations
from typing import Any, cast

from xdsl.dialects import arith, ub, vector
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects.dense_elements import common_element
from xdsl_bufferization.dialects.shapes import is_vector, product
from xdsl_bufferization.dialects.vector import (
    ExtractStridedSliceOp,
    ShapeCastOp,
    TransposeOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    Dense,
    constant_op,
    dense_constant,
    dense_of_bytes,
    element_at,
    element_bytes,
    poison,
    splat_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_MOST_ELEMENTS = 1 << 14
"""The size from which on a constant of different elements is left alone."""


@dataclass(frozen=True)
class View:
    """Elements of a source, by the linear index that they have in it."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    def normalized(self) -> View:
        """Return the view with stride 0 for dimensions of one element."""
        pairs = zip(self.shape, self.strides, strict=True)
        strides = tuple(0 if size == 1 else stride for size, stride in pairs)
        return View(self.shape, strides, self.offset)

    def positions(self) -> list[int]:
        """Return the linear indices in the source, in row-major order of the view."""
        ranges = (range(size) for size in self.shape)
        return [
            self.offset + sum(map(int.__mul__, index, self.strides))
            for index in combinations(*ranges)
        ]


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """Return the fixed shape of a vector, () for a scalar."""
    if not is_vector(type):
        return ()
    if any(flag.value.data for flag in type.scalable_dims):
        return None
    return type.get_shape()


UNIT = (1, False)
"""A dimension of one element, as `dimensions` has it."""


def vector_type(
    element_type: Attribute, sizes: Sequence[tuple[int, bool]]
) -> VectorType[Attribute]:
    """Return the vector type that has such `dimensions`."""
    flags = ArrayAttr([BoolAttr.from_bool(is_scalable) for _, is_scalable in sizes])
    return VectorType(element_type, [size for size, _ in sizes], flags)


def replace_value_of(op: Operation, value: SSAValue | None, worklist: Worklist) -> bool:
    """Replace the result of `op`, if there is something to replace it by."""
    if value is None:
        return False
    worklist.replace(op, [value])
    return True


def replace_by(op: Operation, new: Operation, worklist: Worklist) -> bool:
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def contiguous(shape: Sequence[int]) -> View:
    """Return the view of all elements, in order."""
    strides = [product(shape[number + 1 :]) for number in range(len(shape))]
    return View(tuple(shape), tuple(strides))


def integers(attribute: Attribute) -> list[int]:
    assert isinstance(attribute, ArrayAttr)
    values = cast("ArrayAttr[IntegerAttr]", attribute)
    return [value.value.data for value in values]


def _broadcast(op: Operation, source: View, shape: tuple[int, ...]) -> View | None:
    added = len(shape) - len(source.shape)
    if added < 0:
        return None
    strides = [0] * added
    for size, stride, result in zip(
        source.shape, source.strides, shape[added:], strict=True
    ):
        if size not in (1, result):
            return None
        strides.append(stride if size == result else 0)
    return View(shape, tuple(strides), source.offset)


def _transpose(op: Operation, source: View, shape: tuple[int, ...]) -> View | None:
    assert isinstance(op, TransposeOp)
    permutation = op.permutation.get_values()
    return View(shape, tuple(source.strides[dim] for dim in permutation), source.offset)


def _slice(op: Operation, source: View, shape: tuple[int, ...]) -> View | None:
    assert isinstance(op, ExtractStridedSliceOp)
    offset = source.offset
    for start, stride in zip(integers(op.offsets), source.strides, strict=False):
        offset += start * stride
    return View(shape, source.strides, offset)


def _extract(op: Operation, source: View, shape: tuple[int, ...]) -> View | None:
    assert isinstance(op, vector.ExtractOp)
    offset = source.offset
    positions = op.static_position.get_values()
    source = source.normalized()
    for position, size, stride in zip(
        positions, source.shape, source.strides, strict=False
    ):
        # A position that is not known is of no interest where all elements are equal.
        if stride == 0:
            continue
        if not 0 <= position < size:
            return None
        offset += position * stride
    return View(shape, source.strides[len(positions) :], offset)


def _reshape(op: Operation, source: View, shape: tuple[int, ...]) -> View | None:
    """Split the dimensions of a view again, from the last to the first."""
    merged = _merged_dimensions(source)
    strides: list[int] = []
    size, stride = merged.pop() if merged else (1, 0)
    for wanted in reversed(shape):
        if wanted == 1:
            strides.append(0)
            continue
        if size == 1 and merged:
            size, stride = merged.pop()
        if size % wanted:
            return None
        strides.append(stride)
        size //= wanted
        stride *= wanted
    return View(shape, tuple(reversed(strides)), source.offset)


def _merged_dimensions(view: View) -> list[tuple[int, int]]:
    """Sizes and strides with neighbours merged where one stride leads through both."""
    merged: list[tuple[int, int]] = []
    for size, stride in zip(view.shape, view.strides, strict=True):
        if size == 1:
            continue
        if merged and merged[-1][1] == stride * size:
            size *= merged.pop()[0]
        merged.append((size, stride))
    return merged


_VIEWS: Mapping[
    type[Operation], Callable[[Operation, View, tuple[int, ...]], View | None]
] = {
    vector.BroadcastOp: _broadcast,
    vector.ExtractOp: _extract,
    ExtractStridedSliceOp: _slice,
    ShapeCastOp: _reshape,
    TransposeOp: _transpose,
}


def view_through(op: Operation, source: View) -> View | None:
    """Return the view that the result of an op is, if its operand is the view `source`.

    None if the op has no view, or one that is not known.
    """
    build = _VIEWS.get(type(op))
    shape = shape_of(op.results[0].type)
    if build is None or shape is None or shape_of(op.operands[0].type) is None:
        return None
    return build(op, source, shape)


def drop_identity(op: Operation, worklist: Worklist) -> bool:
    """An op that changes nothing."""
    source, result = op.operands[0], op.results[0]
    if source.type != result.type:
        return False
    shape = shape_of(source.type)
    if shape is None:
        is_identity = isinstance(op, vector.BroadcastOp | ShapeCastOp)
    else:
        all_of_it = contiguous(shape).normalized()
        view = view_through(op, all_of_it)
        is_identity = view is not None and view.normalized() == all_of_it
    if is_identity:
        worklist.replace(op, [source])
    return is_identity


def combine_views(op: Operation, worklist: Worklist) -> bool:
    """Two ops in a row that rearrange elements as one does, or none."""
    first = op.operands[0].owner
    if not isinstance(first, Operation) or type(first) not in _VIEWS:
        return False
    base, result = first.operands[0], op.results[0]
    shape = shape_of(base.type)
    if shape is None:
        return False
    inner = view_through(first, contiguous(shape))
    view = None if inner is None else view_through(op, inner)
    if view is None:
        return False
    view = view.normalized()
    if base.type == result.type and view == contiguous(shape).normalized():
        worklist.replace(op, [base])
        return True
    fitting: Operation | None = None
    for new in _candidates(op, first, base, view.offset, result.type):
        if fitting is None and _view_of_new(new, contiguous(shape)) == view:
            fitting = new
        else:
            # It must not count as a user of its operands.
            new.drop_all_references()
    if fitting is None:
        return False
    worklist.insert_before(op, fitting)
    worklist.replace(op, fitting.results)
    return True


def _view_of_new(op: Operation, source: View) -> View | None:
    view = view_through(op, source)
    return None if view is None else view.normalized()


def _candidates(
    op: Operation, first: Operation, base: SSAValue, offset: int, result: Attribute
) -> list[Operation]:
    """Ops that may do at once what `first` and then `op` do."""
    found: list[Operation] = []
    if is_vector(result):
        found.append(vector.BroadcastOp.create(operands=[base], result_types=[result]))
        if is_vector(base.type) and product(base.type.get_shape()) == product(
            result.get_shape()
        ):
            found.append(ShapeCastOp.create(operands=[base], result_types=[result]))
    if isinstance(op, TransposeOp) and isinstance(first, TransposeOp):
        inner = first.permutation.get_values()
        outer = op.permutation.get_values()
        found.append(_transposed(base, [inner[dim] for dim in outer], result))
    if isinstance(op, vector.ExtractOp | ShapeCastOp) and is_vector(base.type):
        sizes = base.type.get_shape()
        shape = shape_of(result) or ()
        leading = len(sizes) - len(shape)
        if leading >= 0 and sizes[leading:] == shape:
            position = _index_of(offset, sizes)[:leading]
            found.append(vector.ExtractOp(base, position, cast(Any, result)))
    if isinstance(op, ExtractStridedSliceOp) and isinstance(first, ExtractStridedSliceOp):
        found.extend(_combined_slices(op, first, base, result))
    return found


def _index_of(position: int, sizes: Sequence[int]) -> list[int]:
    """The index of an element by its linear index."""
    index: list[int] = []
    for size in reversed(sizes):
        position, digit = divmod(position, size)
        index.append(digit)
    return index[::-1]


def _transposed(
    base: SSAValue, permutation: Sequence[int], result: Attribute
) -> Operation:
    return TransposeOp.create(
        operands=[base],
        result_types=[result],
        properties={"permutation": DenseArrayBase.from_list(i64, list(permutation))},
    )


def _combined_slices(
    op: ExtractStridedSliceOp,
    first: ExtractStridedSliceOp,
    base: SSAValue,
    result: Attribute,
) -> list[Operation]:
    outer, inner = integers(op.offsets), integers(first.offsets)
    rank = max(len(outer), len(inner))
    outer += [0] * (rank - len(outer))
    inner += [0] * (rank - len(inner))
    shape = shape_of(result)
    if shape is None:
        return []

    def numbers(values: Sequence[int]) -> ArrayAttr[Any]:
        return ArrayAttr([IntegerAttr(value, 64) for value in values])

    return [
        ExtractStridedSliceOp.create(
            operands=[base],
            result_types=[result],
            properties={
                "offsets": numbers([a + b for a, b in zip(outer, inner, strict=True)]),
                "sizes": numbers(shape[:rank]),
                "strides": numbers([1] * rank),
            },
        )
    ]


def rearrange_constant(op: Operation, worklist: Worklist) -> bool:
    """Rearranged elements of a constant, or of poison."""
    source, result = op.operands[0], op.results[0]
    if isinstance(source.owner, ub.PoisonOp):
        worklist.replace(op, [worklist.constants.build(poison(result.type))])
        return True
    constant = _rearranged(op, source, result.type)
    if constant is None:
        return False
    worklist.replace(op, [worklist.constants.build(constant)])
    return True


def _rearranged(op: Operation, source: SSAValue, result: Attribute) -> Operation | None:
    if not isinstance(source.owner, arith.ConstantOp):
        return None
    dense = dense_constant(source)
    value = source.owner.value if dense is None else splat_value(dense)
    if dense is not None and value is None:
        return _rearranged_elements(op, dense, result)
    if not is_vector(result):
        return constant_op(cast(Attribute, value), result)
    element = element_bytes(source) if dense is None else common_element(dense)
    return None if element is None else dense_of_bytes(result, element)


def _rearranged_elements(
    op: Operation, dense: Dense, result: Attribute
) -> Operation | None:
    shape = shape_of(result)
    if shape is None or len(dense) > _MOST_ELEMENTS or product(shape) > _MOST_ELEMENTS:
        return None
    view = view_through(op, contiguous(dense.get_shape()))
    if view is None:
        return None
    if not is_vector(result):
        [position] = view.positions()
        value = element_at(dense, _index_of(position, dense.get_shape()))
        return None if value is None else constant_op(value, result)
    size = dense.type.element_type.compile_time_size
    data = dense.data.data
    picked = b"".join(data[p * size : (p + 1) * size] for p in view.positions())
    return dense_of_bytes(result, picked)
