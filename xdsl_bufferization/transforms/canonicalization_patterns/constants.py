"""Constants of tensors and vectors: their elements, and ops that create constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, complex, ub
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
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import dense_elements
from xdsl_bufferization.dialects.dense_elements import (
    common_element,
    constant_of_bytes,
    has_dense_form,
    repeated_element,
)
from xdsl_bufferization.dialects.shapes import is_vector, product

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
    data = common_element(dense)
    return None if data is None else _decoded(dense.type.element_type, data)


def has_nan(dense: Dense) -> bool:
    """Return whether an element is NaN, of which a Python float may not keep the bits."""
    if not isinstance(dense.type.element_type, AnyFloat):
        return False
    values = (repeated_element(dense) or dense).iter_values()
    return any(value != value for value in values)


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
    position = None
    if all(index is not None for index in indices):
        position = linear_index(dense.get_shape(), cast("Sequence[int]", indices))
        if position is None:
            return None
    if position is None:
        return splat_value(dense)
    data = dense_elements.element_at(dense, position)
    return _decoded(dense.type.element_type, data)


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

    None if the type has no static shape or no dense form, or the values are no numbers.
    """
    if not isinstance(type, TensorType | VectorType) or not type.has_static_shape():
        return None
    if not has_dense_form(cast(Attribute, type.element_type)):
        return None
    numbers = [_number(value) for value in values]
    if None in numbers:
        return None
    return DenseIntOrFPElementsAttr.from_list(cast(Any, type), cast(Any, numbers))


def _number(value: Attribute) -> int | float | tuple[Any, Any] | None:
    """The number of an attribute; of an array of two, a complex one."""
    if isinstance(value, IntegerAttr | FloatAttr):
        return value.value.data
    if isinstance(value, ArrayAttr):
        real, imaginary = cast("ArrayAttr[IntegerAttr | FloatAttr]", value)
        return real.value.data, imaginary.value.data
    return None


def complex_constant(value: SSAValue) -> ArrayAttr[Any] | None:
    """Return the two parts of the number that complex.constant defines."""
    owner = value.owner
    return owner.value if isinstance(owner, complex.ConstantOp) else None


def scalar_constant(value: SSAValue) -> IntegerAttr | FloatAttr | None:
    """Return the number that arith.constant defines."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(
        owner.value, IntegerAttr | FloatAttr
    ):
        return owner.value
    return None


def are_equal_scalars(a: SSAValue, b: SSAValue) -> bool:
    """Return whether two scalars are one value or the same constant."""
    known = scalar_constant(a)
    return a is b or (known is not None and known == scalar_constant(b))


def with_type(dense: Dense, type: Attribute) -> Dense | None:
    """Return the same elements, in their order, as a constant of another static shape."""
    if not isinstance(type, TensorType | VectorType) or not type.has_static_shape():
        return None
    if product(type.get_shape()) != product(dense.get_shape()):
        return None
    return DenseIntOrFPElementsAttr(cast(Any, type), dense.data)


_MOST_COPIED = 256
"""The size from which on the elements of a constant are not copied into another one: many
insertions would copy it."""


def element_bytes(value: SSAValue) -> bytes | None:
    """Return the elements of a small constant of fixed shape, or of a constant scalar."""
    scalar = scalar_constant(value)
    if scalar is not None and not isinstance(value.type, TensorType | VectorType):
        if not has_dense_form(value.type):
            return None
        return cast(Any, value.type).pack([scalar.value.data])
    elements = dense_constant(value)
    if elements is None or len(elements) > _MOST_COPIED or is_scalable(elements.type):
        return None
    return elements.data.data


def is_scalable(type: Attribute) -> bool:
    return is_vector(type) and any(flag.value.data for flag in type.scalable_dims)


def dense_of_bytes(type: Attribute, data: bytes) -> Operation:
    """Return a new op that makes a constant of the given elements, all or one for all."""
    return arith.ConstantOp(cast(Any, constant_of_bytes(type, data)), type)


def poison(type: Attribute) -> Operation:
    return ub.PoisonOp.create(properties={"value": ub.PoisonAttr()}, result_types=[type])


class PartOfSplatConstant(RewritePattern):
    """What is taken out of a constant with equal elements is such a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        whole, type = dense_constant(op.operands[0]), op.results[0].type
        value = None if whole is None else splat_value(whole)
        constant = None if value is None else dense(type, [value])
        if constant is not None:
            rewriter.replace(op, arith.ConstantOp(constant, type))
