"""Elements of vectors: inserted and extracted, listed, shuffled, and in masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import ub, vector
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    i64,
)
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.shapes import is_vector
from xdsl_bufferization.dialects.vector import (
    FromElementsOp,
    ShapeCastOp,
    ToElementsOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    constant_op,
    dense,
    dense_constant,
    linear_index,
    scalar_constant,
    splat_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    build_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import shape_of
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_MOST_STEPS = 64
"""How many insertions an extraction looks through."""


def _replace(op: Operation, value: SSAValue | None, worklist: Worklist) -> bool:
    if value is None:
        return False
    worklist.replace(op, [value])
    return True


def _replace_by(op: Operation, new: Operation, worklist: Worklist) -> bool:
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def _sizes(value: SSAValue) -> tuple[int, ...]:
    assert is_vector(value.type)
    return value.type.get_shape()


# Positions


def _position(op: vector.ExtractOp | vector.InsertOp) -> list[SSAValue | int]:
    return list(op.get_mixed_position())


def _aggregate(op: vector.ExtractOp | vector.InsertOp) -> SSAValue:
    return op.vector if isinstance(op, vector.ExtractOp) else op.dest


def know_position(op: Operation, worklist: Worklist) -> bool:
    """A constant position is stated by the op itself."""
    assert isinstance(op, vector.ExtractOp | vector.InsertOp)
    static: list[int] = []
    dynamic: list[SSAValue] = []
    for position, size in zip(_position(op), _sizes(_aggregate(op)), strict=False):
        number = position if isinstance(position, int) else constant_integer(position)
        if isinstance(position, int) or (number is not None and 0 <= number < size):
            static.append(cast(int, number))
        else:
            static.append(DYNAMIC_INDEX)
            dynamic.append(position)
    if len(dynamic) == len(op.dynamic_position):
        return False
    first = len(op.operands) - len(op.dynamic_position)
    op.properties["static_position"] = DenseArrayBase.from_list(i64, static)
    worklist.set_operands(op, [*op.operands[:first], *dynamic])
    return True


def extract_inserted(op: Operation, worklist: Worklist) -> bool:
    """What is extracted where it was inserted, or elsewhere, is not affected by that."""
    assert isinstance(op, vector.ExtractOp)
    wanted = _position(op)
    source = op.vector
    for _ in range(_MOST_STEPS):
        insert = source.owner
        if not isinstance(insert, vector.InsertOp):
            break
        place = _position(insert)
        if _are_apart(wanted, place):
            source = insert.dest
        elif len(place) <= len(wanted) and _are_equal(place, wanted[: len(place)]):
            rest = wanted[len(place) :]
            if not rest:
                return _replace(op, insert.source, worklist)
            new = vector.ExtractOp(insert.source, rest, cast(Any, op.result.type))
            return _replace_by(op, new, worklist)
        else:
            break
    if source is op.vector:
        return False
    worklist.set_operands(op, [source, *op.dynamic_position])
    return True


def _are_apart(a: Sequence[SSAValue | int], b: Sequence[SSAValue | int]) -> bool:
    return any(
        isinstance(x, int) and isinstance(y, int) and x != y and min(x, y) >= 0
        for x, y in zip(a, b, strict=False)
    )


def _are_equal(a: Sequence[SSAValue | int], b: Sequence[SSAValue | int]) -> bool:
    return all(
        x is y or (isinstance(x, int) and x == y) for x, y in zip(a, b, strict=True)
    )


def _static_position(op: vector.ExtractOp | vector.InsertOp) -> tuple[int, ...] | None:
    if op.dynamic_position:
        return None
    return op.static_position.get_values()


def extract_listed(op: Operation, worklist: Worklist) -> bool:
    """An element of a vector that is made of elements."""
    assert isinstance(op, vector.ExtractOp)
    listed, position = op.vector.owner, _static_position(op)
    if not isinstance(listed, FromElementsOp) or position is None:
        return False
    shape = _sizes(op.vector)
    number = linear_index(shape, position) if len(position) == len(shape) else None
    return number is not None and _replace(op, listed.operands[number], worklist)


def extract_shuffled(op: Operation, worklist: Worklist) -> bool:
    """An element of a shuffled vector is one of those that were shuffled."""
    assert isinstance(op, vector.ExtractOp)
    shuffle, position = op.vector.owner, _static_position(op)
    if not isinstance(shuffle, vector.ShuffleOp) or position is None:
        return False
    shape = shape_of(shuffle.v1.type)
    if shape is None or len(shape) != 1 or not 0 <= position[0] < len(shuffle.mask):
        return False
    number = shuffle.mask.get_values()[position[0]]
    if number < 0:
        return False
    source = shuffle.v1 if number < shape[0] else shuffle.v2
    number -= 0 if number < shape[0] else shape[0]
    new = vector.ExtractOp(source, [number, *position[1:]], cast(Any, op.result.type))
    return _replace_by(op, new, worklist)


# Insertions


def insert_everything(op: Operation, worklist: Worklist) -> bool:
    """What is inserted may be all of the result."""
    value, result = op.operands[0], op.results[0]
    if value.type == result.type:
        return _replace(op, value, worklist)
    if shape_of(result.type) is None or set(_sizes(result)) - {1}:
        return False
    if not isinstance(op, vector.InsertOp) or is_vector(value.type):
        return False
    new = vector.BroadcastOp.create(operands=[value], result_types=[result.type])
    return _replace_by(op, new, worklist)


def insert_into_constant(op: Operation, worklist: Worklist) -> bool:
    """A constant scalar or vector that is inserted into a constant vector."""
    if not isinstance(op, vector.InsertOp):
        return False
    whole, position = dense_constant(op.dest), _static_position(op)
    part = _bytes_of(op.source)
    if whole is None or part is None or position is None:
        return False
    shape = _sizes(op.dest)
    first = linear_index(shape, [*position, *([0] * (len(shape) - len(position)))])
    data = _bytes_of(op.dest)
    if first is None or data is None:
        return False
    start = first * whole.type.element_type.compile_time_size
    combined = BytesAttr(data[:start] + part + data[start + len(part) :])
    new = DenseIntOrFPElementsAttr(cast(Any, op.dest.type), combined)
    constant = ConstantOp(cast(Any, new), op.dest.type)
    return _replace(op, worklist.constants.build(constant), worklist)


_MOST_ELEMENTS = 256
"""The size from which on a constant is not changed: many insertions would copy it."""


def _bytes_of(value: SSAValue) -> bytes | None:
    """The elements of a small constant."""
    shape = shape_of(value.type)
    elements = dense_constant(value)
    if elements is None:
        scalar = scalar_constant(value)
        type_ = value.type
        if scalar is None or is_vector(type_):
            return None
        return cast(Any, type_).pack([scalar.value.data])
    if shape is None or len(elements) > _MOST_ELEMENTS:
        return None
    data = elements.data.data
    size = elements.type.element_type.compile_time_size
    return data * len(elements) if len(data) == size else data


def insert_same(op: Operation, worklist: Worklist) -> bool:
    """A repeated element that is inserted into the same one, repeated."""
    value, dest = op.operands[0], op.operands[1]
    repeated = dest.owner
    if not isinstance(repeated, vector.BroadcastOp) or is_vector(repeated.source.type):
        return False
    inner = value.owner
    source = inner.source if isinstance(inner, vector.BroadcastOp) else value
    return source is repeated.source and _replace(op, dest, worklist)


def insert_again(op: Operation, worklist: Worklist) -> bool:
    """What is overwritten needs no insertion; what comes from there neither."""
    assert isinstance(op, vector.InsertOp)
    before, place = op.dest.owner, _position(op)
    taken = op.source.owner
    if (
        isinstance(taken, vector.ExtractOp)
        and taken.vector is op.dest
        and len(taken.static_position) == len(place)
        and _are_equal(_position(taken), place)
    ):
        return _replace(op, op.dest, worklist)
    if not isinstance(before, vector.InsertOp):
        return False
    place_before = _position(before)
    if len(place_before) != len(place) or not _are_equal(place_before, place):
        return False
    worklist.set_operands(op, [op.source, before.dest, *op.dynamic_position])
    return True


# Lists of elements


def list_constants(op: Operation, worklist: Worklist) -> bool:
    """A vector of constant elements, or of poison, is a constant."""
    numbers = [scalar_constant(operand) for operand in op.operands]
    if None not in numbers and isinstance(
        element_type := op.operands[0].type, IntegerType | IndexType
    ):
        # One attribute stands for the two that i1 has for true.
        elements = [cast(int, cast(Any, n).value.data) for n in numbers]
        if len(set(elements)) == 1 or element_type == IntegerType(1):
            return _replace(
                op, build_elements(elements, op.results[0].type, worklist), worklist
            )
    constant = dense(op.results[0].type, [n for n in numbers if n is not None])
    if None in numbers or constant is None:
        return False
    new = constant_op(constant, op.results[0].type)
    return _replace(op, worklist.constants.build(new), worklist)


def broadcast_equal(op: Operation, worklist: Worklist) -> bool:
    """A vector of one element in all places."""
    if len(set(op.operands)) != 1:
        return False
    new = vector.BroadcastOp.create(
        operands=[op.operands[0]], result_types=[op.results[0].type]
    )
    return _replace_by(op, new, worklist)


def list_again(op: Operation, worklist: Worklist) -> bool:
    """The elements of a vector make that vector."""
    first = op.operands[0].owner
    if not isinstance(first, ToElementsOp) or list(first.results) != list(op.operands):
        return False
    if first.source.type == op.results[0].type:
        return _replace(op, first.source, worklist)
    new = ShapeCastOp.create(operands=[first.source], result_types=[op.results[0].type])
    return _replace_by(op, new, worklist)


def list_elements(op: Operation, worklist: Worklist) -> bool:
    """The elements of a vector that is made of elements, or of a repeated one."""
    assert isinstance(op, ToElementsOp)
    source = op.source.owner
    if isinstance(source, FromElementsOp):
        worklist.replace(op, list(source.operands))
        return True
    if isinstance(source, vector.BroadcastOp) and not is_vector(source.source.type):
        worklist.replace(op, [source.source] * len(op.results))
        return True
    elements = dense_constant(op.source)
    value = None if elements is None else splat_value(elements)
    if value is None or not op.results:
        return False
    constant = worklist.constants.build(constant_op(value, op.results[0].type))
    worklist.replace(op, [constant] * len(op.results))
    return True


# Shuffles and bits


def drop_shuffle(op: Operation, worklist: Worklist) -> bool:
    """A shuffle that takes all elements of one vector, in order."""
    assert isinstance(op, vector.ShuffleOp)
    mask = list(op.mask.get_values())
    shape = shape_of(op.v1.type)
    if not shape:
        return False
    for value, first in ((op.v1, 0), (op.v2, shape[0])):
        wanted = range(first, first + len(mask))
        if value.type == op.result.type and all(
            number in (-1, place) for number, place in zip(mask, wanted, strict=True)
        ):
            return _replace(op, value, worklist)
    if any(number >= 0 for number in mask):
        return False
    poison = ub.PoisonOp.create(
        properties={"value": ub.PoisonAttr()}, result_types=[op.result.type]
    )
    return _replace(op, worklist.constants.build(poison), worklist)


def shuffle_constants(op: Operation, worklist: Worklist) -> bool:
    """Shuffled elements of constants."""
    assert isinstance(op, vector.ShuffleOp)
    parts = [_bytes_of(value) for value in op.operands]
    shape = shape_of(op.v1.type)
    whole = dense_constant(op.v1)
    mask = op.mask.get_values()
    if None in parts or not shape or whole is None or min(mask) < 0:
        return False
    row = len(cast(bytes, parts[0])) // shape[0]
    data = b"".join(part for part in parts if part is not None)
    picked = BytesAttr(b"".join(data[n * row : (n + 1) * row] for n in mask))
    new = DenseIntOrFPElementsAttr(cast(Any, op.result.type), picked)
    constant = ConstantOp(cast(Any, new), op.result.type)
    return _replace(op, worklist.constants.build(constant), worklist)


def simplify_bitcast(op: Operation, worklist: Worklist) -> bool:
    """The same bits as the same type, as a third one, of poison, or of a constant."""
    source, result = op.operands[0], op.results[0]
    if source.type == result.type:
        return _replace(op, source, worklist)
    inner = source.owner
    if isinstance(inner, vector.BitcastOp):
        worklist.set_operands(op, list(inner.operands))
        return True
    if isinstance(inner, ub.PoisonOp):
        poison = ub.PoisonOp.create(
            properties=dict(inner.properties), result_types=[result.type]
        )
        return _replace(op, worklist.constants.build(poison), worklist)
    return _replace(op, _bitcast_constant(source, result, worklist), worklist)


def _bitcast_constant(
    source: SSAValue, result: SSAValue, worklist: Worklist
) -> SSAValue | None:
    """A constant of equal elements as wider ones, for which their order is of no
    interest."""
    elements = dense_constant(source)
    if elements is None or not is_vector(result.type):
        return None
    if splat_value(elements) is None or not is_vector(source.type):
        return None
    before, after = (
        cast(Any, source.type).element_type,
        cast(Any, result.type).element_type,
    )
    if not (_has_whole_bytes(before) and _has_whole_bytes(after)):
        return None
    size, wide = before.compile_time_size, after.compile_time_size
    if wide % size:
        return None
    data = elements.data.data[:size] * (wide // size)
    new = DenseIntOrFPElementsAttr(cast(Any, result.type), BytesAttr(data))
    return worklist.constants.build(ConstantOp(cast(Any, new), result.type))


def _has_whole_bytes(type_: Any) -> bool:
    width = getattr(type_, "bitwidth", None)
    return width is not None and width == 8 * type_.compile_time_size
