"""Constants of tensors and vectors: their elements, and ops that make constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects.shapes import product

Dense: TypeAlias = DenseIntOrFPElementsAttr[Any]
"""The elements of a constant tensor or vector."""


def dense_constant(value: SSAValue) -> Dense | None:
    """Return the elements of a tensor or vector that arith.constant defines."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(
        owner.value, DenseIntOrFPElementsAttr
    ):
        return cast(Dense, owner.value)
    return None


def splat_value(dense: Dense) -> Attribute | None:
    """Return the element that all elements are, as `element_at` does; None if they
    differ."""
    data = _splat_bytes(dense)
    return None if data is None else _decoded(dense.type.element_type, data)


def _splat_bytes(dense: Dense) -> bytes | None:
    data = dense.data.data
    size = dense.type.element_type.compile_time_size
    if not data or data[-size:] != data[:size] or data[size:] != data[:-size]:
        return None
    return data[:size]


def linear_index(shape: Sequence[int], indices: Sequence[int]) -> int | None:
    """Return the row-major position of an element; None if it is out of bounds."""
    position = 0
    for size, index in zip(shape, indices, strict=True):
        if not 0 <= index < size:
            return None
        position = position * size + index
    return position


def element_at(dense: Dense, indices: Sequence[int | None]) -> Attribute | None:
    """Return an element, an array of two for a complex number.

    Indices may be unknown (None) if all elements are equal. None if the element is not
    known or out of bounds.
    """
    type = dense.type.element_type
    size = type.compile_time_size
    position = None
    if all(index is not None for index in indices):
        position = linear_index(dense.get_shape(), cast("Sequence[int]", indices))
        if position is None:
            return None
    # One element may stand for all.
    stored = len(dense.data.data) // size
    if position is None or stored == 1:
        data = _splat_bytes(dense)
    else:
        data = dense.data.data[position * size : (position + 1) * size]
    return None if data is None else _decoded(type, data)


def _decoded(type: Any, data: bytes) -> Attribute:
    [number] = type.unpack(data, 1)
    if isinstance(type, ComplexType):
        parts = cast("tuple[Any, Any]", number)
        part_type = cast(Any, type).element_type
        return ArrayAttr([_scalar(part_type, part) for part in parts])
    return _scalar(type, number)


def _scalar(type: Any, number: Any) -> IntegerAttr | FloatAttr:
    if isinstance(type, IntegerType | IndexType):
        return IntegerAttr(number, cast("IntegerType | IndexType", type))
    return FloatAttr(number, type)


def constant_op(value: Attribute, type: Attribute) -> Operation:
    """Return a new op that makes a constant of the given type."""
    if isinstance(type, ComplexType):
        assert isinstance(value, ArrayAttr)
        return complex.ConstantOp(
            cast(Any, value), cast("ComplexType[IntegerType | AnyFloat]", type)
        )
    return arith.ConstantOp(cast(Any, value), type)


def dense(type: Attribute, values: Sequence[Attribute]) -> Dense | None:
    """Return a constant of some numbers, or of one in all places.

    None if the type has no static shape, or the values are no numbers.
    """
    if not isinstance(type, TensorType | VectorType) or not type.has_static_shape():
        return None
    numbers: list[int | float] = []
    for value in values:
        if not isinstance(value, IntegerAttr | FloatAttr):
            return None
        numbers.append(value.value.data)
    return DenseIntOrFPElementsAttr.from_list(cast(Any, type), cast(Any, numbers))


def scalar_constant(value: SSAValue) -> IntegerAttr | FloatAttr | None:
    """Return the number that arith.constant defines."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(
        owner.value, IntegerAttr | FloatAttr
    ):
        return owner.value
    return None


def with_type(dense: Dense, type: Attribute) -> Dense | None:
    """Return the same elements, in their order, as a constant of another static shape."""
    if not isinstance(type, TensorType | VectorType) or not type.has_static_shape():
        return None
    if product(type.get_shape()) != product(dense.get_shape()):
        return None
    return DenseIntOrFPElementsAttr(cast(Any, type), dense.data)
