"""Folding of ops on constants, element by element.

The elements of a constant are numbers: integers, interpreted as signed, or floats,
which Python's 64-bit floats represent exactly. A scalar has one element, and one number
may stand for all elements of a vector or tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from typing_extensions import TypeIs
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects.arith import element_or_self
from xdsl_bufferization.dialects.constants import read_integer
from xdsl_bufferization.dialects.dense_elements import has_dense_form
from xdsl_bufferization.dialects.shapes import is_tensor, is_vector
from xdsl_bufferization.transforms.canonicalization_patterns.constant_pool import (
    value_of_constant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import Dense
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
)

Number: TypeAlias = int | float

Evaluate: TypeAlias = Callable[[Operation, Sequence[Any]], Sequence[Number] | None]
"""The results of an op for one element of each operand; None if there is no result."""

_MOST_ELEMENTS = 1 << 14
"""The size from which on a constant of different elements is left alone: elements are
evaluated one by one."""

_FLOATS = (Float16Type, BFloat16Type, Float32Type, Float64Type)
"""The floats that constants are computed in."""


def constant_elements(value: SSAValue) -> tuple[Number, ...] | None:
    """Return the numbers in a constant: one if all are equal. None if it is no constant
    of few integers or floats."""
    attribute = value_of_constant(value)
    type = element_or_self(value.type)
    if _is_integral(type):
        numbers = _stored_numbers(attribute)
        if numbers is None:
            return None
        return tuple(read_integer(cast(int, number), type) for number in numbers)
    return _stored_numbers(attribute) if isinstance(type, _FLOATS) else None


def _stored_numbers(attribute: Attribute | None) -> tuple[Number, ...] | None:
    if isinstance(attribute, IntegerAttr | FloatAttr):
        return (attribute.value.data,)
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        return None
    dense = cast(Dense, attribute)
    if not len(dense):
        return None
    if dense.is_splat():
        return (cast(Number, next(iter(dense.iter_values()))),)
    if len(dense) > _MOST_ELEMENTS:
        return None
    return cast("tuple[Number, ...]", tuple(dense.iter_values()))


def build_elements(
    numbers: Sequence[Number], type: Attribute, worklist: Worklist
) -> SSAValue | None:
    """Return a constant of some numbers, or of one number in all places.

    Integers are cut to the width of the type and floats are rounded to the nearest. None
    if the type cannot hold them.
    """
    scalar = element_or_self(type)
    values: list[Number] = []
    for number in numbers:
        value = _fit(number, scalar)
        if value is None:
            return None
        values.append(value)
    attribute: Attribute
    if is_tensor(type) or is_vector(type):
        shaped = cast("TensorType[Any]", type)
        if (
            not shaped.has_static_shape()
            or not has_dense_form(scalar)
            or (len(values) > 1 and _is_scalable(type))
        ):
            return None
        attribute = DenseIntOrFPElementsAttr.from_list(shaped, cast(Any, values))
    elif _is_integral(scalar):
        attribute = IntegerAttr(cast(int, values[0]), scalar)
    else:
        attribute = FloatAttr(values[0], cast(AnyFloat, scalar))
    return worklist.constants.build(arith.ConstantOp(cast(Any, attribute), type))


def _is_integral(type: Attribute) -> TypeIs[IntegerType | IndexType]:
    return isinstance(type, IntegerType | IndexType)


def _is_scalable(type: Attribute) -> bool:
    return is_vector(type) and any(flag.value.data for flag in type.scalable_dims)


def _fit(number: Number, type: Attribute) -> Number | None:
    if _is_integral(type):
        if not isinstance(number, int):
            return None
        number = read_integer(number, type)
        return number & 1 if type == IntegerType(1) else number
    if isinstance(type, _FLOATS):
        return rounded(number, type)
    return None


def rounded(number: Number, type: AnyFloat) -> float:
    """Return the float of a type that is nearest to a number; of two, the even one.

    An integer is rounded once, however narrow the type is.
    """
    if isinstance(number, int) and not isinstance(type, Float64Type):
        number = _with_sticky_bit(number)
    try:
        return FloatAttr(float(number), type).value.data
    except OverflowError:
        return math.copysign(math.inf, number)


def _with_sticky_bit(number: int) -> int:
    """An integer of at most 53 significant bits that is rounded to fewer bits as `number`
    is: its last bit says whether any of those cut off was set."""
    excess = abs(number).bit_length() - 53
    if excess <= 0:
        return number
    kept, cut = divmod(abs(number), 1 << excess)
    sticky = (kept | (1 if cut else 0)) << excess
    return sticky if number > 0 else -sticky


def fold_elements(evaluate: Evaluate) -> Rule:
    """Return the rule that folds an op whose operands are all constants."""

    def fold(op: Operation, worklist: Worklist) -> bool:
        operands: list[tuple[Number, ...]] = []
        for operand in op.operands:
            elements = constant_elements(operand)
            if elements is None:
                return False
            operands.append(elements)
        rows = _rows(operands)
        if rows is None:
            return False
        columns: list[list[Number]] = [[] for _ in op.results]
        for row in rows:
            numbers = evaluate(op, row)
            if numbers is None:
                return False
            for column, number in zip(columns, numbers, strict=True):
                column.append(number)
        values: list[SSAValue] = []
        for column, result in zip(columns, op.results, strict=True):
            value = build_elements(column, result.type, worklist)
            if value is None:
                return False
            values.append(value)
        worklist.replace(op, values)
        return True

    return fold


def _rows(
    operands: Sequence[tuple[Number, ...]],
) -> list[tuple[Number, ...]] | None:
    """The elements that are evaluated together."""
    if not operands:
        return None
    count = max(map(len, operands))
    stretched = (e if len(e) == count else e * count for e in operands)
    return list(zip(*stretched, strict=True))


def fold_by_table(table: Mapping[str, Evaluate]) -> Mapping[str, Rule]:
    """Return a rule for each op of a table."""
    return {name: fold_elements(evaluate) for name, evaluate in table.items()}
