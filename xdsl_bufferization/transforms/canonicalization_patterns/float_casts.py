"""Folding of conversions to, from and between floats."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    TensorType,
    VectorType,
)
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.dialects.arith import (
    NEAREST_EVEN,
    CmpiOp,
    element_or_self,
    rounding_mode,
)
from xdsl_bufferization.dialects.constants import read_integer
from xdsl_bufferization.dialects.shapes import is_integer
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    Dense,
    has_nan,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    Evaluate,
    Number,
    build_elements,
    rounded,
)
from xdsl_bufferization.transforms.canonicalization_patterns.floats import (
    ALWAYS_FALSE,
    ALWAYS_TRUE,
    ORDERED,
    UNORDERED,
    constant_float,
)
from xdsl_bufferization.transforms.canonicalization_patterns.integers import (
    build_integer,
    width_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_PRECISION: Mapping[type[Attribute], int] = {
    Float16Type: 11,
    BFloat16Type: 8,
    Float32Type: 24,
    Float64Type: 53,
}
"""The significant bits of floats, the leading one included."""

_UNORDERED = {_PRECISION[Float16Type], _PRECISION[BFloat16Type]}
"""Neither of f16 and bf16 has all numbers of the other."""


def _precision(type_: Attribute) -> int | None:
    return _PRECISION.get(type(element_or_self(type_)))


def _extend(op: Operation, row: Sequence[float]) -> Sequence[Number] | None:
    return None if math.isnan(row[0]) else (row[0],)


def _truncate(op: Operation, row: Sequence[float]) -> Sequence[Number] | None:
    """The float, if it needs no rounding: then it is right in all rounding modes."""
    type_ = element_or_self(op.results[0].type)
    if not isinstance(type_, AnyFloat) or not _precision(type_):
        return None
    return (row[0],) if rounded(row[0], type_) == row[0] else None


def _from_signed(op: Operation, row: Sequence[int]) -> Sequence[Number] | None:
    return tuple(row) if _precision(op.results[0].type) else None


def _from_unsigned(op: Operation, row: Sequence[int]) -> Sequence[Number] | None:
    [number] = row
    width = width_of(op.operands[0].type)
    return _from_signed(op, (number & ((1 << width) - 1),))


def _to_integer(op: Operation, row: Sequence[float]) -> Sequence[Number] | None:
    """The integer towards zero; none if the type does not have it."""
    [number] = row
    if not math.isfinite(number):
        return None
    integer = math.trunc(number)
    type_ = element_or_self(op.results[0].type)
    assert is_integer(type_)
    unsigned = op.name == "arith.fptoui"
    return (
        (integer,) if read_integer(integer, type_, unsigned=unsigned) == integer else None
    )


EVALUATE: Mapping[str, Evaluate] = {
    "arith.extf": _extend,
    "arith.truncf": _truncate,
    "arith.sitofp": _from_signed,
    "arith.uitofp": _from_unsigned,
    "arith.fptosi": _to_integer,
    "arith.fptoui": _to_integer,
}


def truncate_extended(op: Operation, worklist: Worklist) -> bool:
    """What is extended and then truncated is extended or truncated in one step, or not
    at all."""
    inner = op.operands[0].owner
    if not isinstance(inner, arith.ExtFOp):
        return False
    source, result = inner.operands[0], op.results[0]
    if source.type == result.type:
        worklist.replace(op, [source])
        return True
    before, after = _precision(source.type), _precision(result.type)
    if before is None or after is None or {before, after} == _UNORDERED:
        return False
    if before < after:
        new = type(inner).create(operands=[source], result_types=[result.type])
        worklist.insert_before(op, new)
        worklist.replace(op, new.results)
        return True
    worklist.set_operands(op, [source])
    return True


def extend_truncated(op: Operation, worklist: Worklist) -> bool:
    """What is truncated and extended again is the value, if both may be contracted."""
    inner = op.operands[0].owner
    if not isinstance(inner, arith.TruncFOp):
        return False
    source = inner.operands[0]
    if source.type != op.results[0].type or not (_contracts(op) and _contracts(inner)):
        return False
    worklist.replace(op, [source])
    return True


def _contracts(op: Operation) -> bool:
    flags = op.properties.get("fastmath")
    return isinstance(flags, arith.FastMathFlagsAttr) and (
        FastMathFlag.ALLOW_CONTRACT in flags.data
    )


def truncate_integer(op: Operation, worklist: Worklist) -> bool:
    """An exactly converted integer that is truncated is converted in one step."""
    inner = op.operands[0].owner
    if not isinstance(inner, arith.SIToFPOp | arith.UIToFPOp):
        return False
    precision = _precision(inner.results[0].type)
    # To round twice is something else than to round once.
    is_exact = precision is not None and width_of(inner.operands[0].type) <= precision
    if not is_exact or rounding_mode(op) != NEAREST_EVEN:
        return False
    new = type(inner).create(operands=inner.operands, result_types=[op.results[0].type])
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def compare_before_conversion(op: Operation, worklist: Worklist) -> bool:
    """An integer that was converted exactly is compared with a constant as an integer."""
    assert isinstance(op, arith.CmpfOp)
    inner = op.lhs.owner
    number = constant_float(op.rhs)
    if not isinstance(inner, arith.SIToFPOp | arith.UIToFPOp):
        return False
    source = inner.operands[0]
    precision = _precision(op.lhs.type)
    width = width_of(source.type)
    if (
        number is None
        or math.isnan(number)
        or not is_integer(element_or_self(source.type))
    ):
        return False
    # Rounding keeps the order, and is exact for what is smaller.
    if precision is None or (width > precision and abs(number) >= 1 << precision):
        return False
    if op.predicate.value.data in (ALWAYS_FALSE, ALWAYS_TRUE):
        return False
    signed = isinstance(inner, arith.SIToFPOp)
    least, greatest = (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    if not signed:
        least, greatest = 0, (1 << width) - 1
    known, relation, bound = _integer_comparison(
        op.predicate.value.data, number, least, greatest
    )
    if known is not None:
        value = build_elements([int(known)], op.results[0].type, worklist)
        if value is None:
            return False
        worklist.replace(op, [value])
        return True
    constant = build_integer(bound, source.type, worklist)
    if constant is None:
        return False
    predicate = relation if relation < 2 or signed else relation + 4
    new = CmpiOp(source, constant, predicate)
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


_EQUAL, _NOT_EQUAL, _LESS, _LESS_EQUAL, _GREATER, _GREATER_EQUAL = range(6)
"""Predicates of arith.cmpi, of signed integers."""


def _integer_comparison(
    predicate: int, number: float, least: int, greatest: int
) -> tuple[bool | None, int, int]:
    """What is known of a comparison, or a predicate of arith.cmpi for signed integers
    and the integer to compare with."""
    if predicate in (ORDERED, UNORDERED):
        return predicate == ORDERED, 0, 0
    if number < least or number > greatest:
        below = number > greatest
        holds = {1: False, 2: not below, 3: not below, 4: below, 5: below, 6: True}
        return holds[(predicate - 1) % 7 + 1], 0, 0
    relation = (predicate - 1) % 7
    is_integral = number == math.floor(number)
    match relation:
        case 0 | 5:
            if not is_integral:
                return relation == 5, 0, 0
            return None, _EQUAL if relation == 0 else _NOT_EQUAL, int(number)
        case 1:
            return None, _GREATER, math.floor(number)
        case 2:
            greater = _GREATER_EQUAL if is_integral else _GREATER
            return None, greater, math.floor(number)
        case 3:
            less = _LESS if is_integral else _LESS_EQUAL
            return None, less, math.floor(number)
        case _:
            return None, _LESS_EQUAL, math.floor(number)


def simplify_bitcast(op: Operation, worklist: Worklist) -> bool:
    """A bitcast to the same type, of a bitcast, or of a constant."""
    [source], [result] = op.operands, op.results
    if source.type == result.type:
        worklist.replace(op, [source])
        return True
    inner = source.owner
    if isinstance(inner, arith.BitcastOp):
        worklist.set_operands(op, list(inner.operands))
        return True
    if not isinstance(inner, arith.ConstantOp):
        return False
    constant = _bitcast_constant(inner.value, result.type)
    if constant is None:
        return False
    value = worklist.constants.build(arith.ConstantOp(cast(Any, constant), result.type))
    worklist.replace(op, [value])
    return True


_WHOLE_BYTES = (8, 16, 32, 64)


def _bitcast_constant(attribute: Attribute, result: Attribute) -> Attribute | None:
    """The same bits as another type; none for NaNs, whose bits Python may change."""
    scalar = element_or_self(result)
    if not (is_integer(scalar) and scalar.width.data in _WHOLE_BYTES) and not isinstance(
        scalar, tuple(_PRECISION)
    ):
        return None
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        dense = cast(Dense, attribute)
        if not isinstance(result, TensorType | VectorType):
            return None
        same_bits = DenseIntOrFPElementsAttr(cast(Any, result), dense.data)
        return None if has_nan(dense) or has_nan(same_bits) else same_bits
    if not isinstance(attribute, IntegerAttr | FloatAttr):
        return None
    type_ = cast(Any, attribute.type)
    try:
        [number] = cast(Any, scalar).unpack(type_.pack([attribute.value.data]), 1)
    except (struct.error, OverflowError, ValueError):
        return None
    if isinstance(number, float) and math.isnan(number):
        return None
    if is_integer(scalar):
        if isinstance(attribute, FloatAttr) and math.isnan(attribute.value.data):
            return None
        return IntegerAttr(cast(int, number), scalar)
    return FloatAttr(number, cast(AnyFloat, scalar))
