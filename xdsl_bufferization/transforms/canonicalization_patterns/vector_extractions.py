"""Extractions from vectors: positions, and known elements of the vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.shapes import dimensions, is_vector
from xdsl_bufferization.dialects.vector import (
    FromElementsOp,
    InsertStridedSliceOp,
    ShapeCastOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    linear_index,
    poison,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_insertions import (
    POISON_POSITION,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import (
    UNIT,
    integers,
    replace_by,
    replace_value_of,
    shape_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_MOST_STEPS = 64
"""How many insertions an extraction looks through."""


def _sizes(value: SSAValue) -> tuple[int, ...]:
    assert is_vector(value.type)
    return value.type.get_shape()


def _position(op: vector.ExtractOp | vector.InsertOp) -> list[SSAValue | int]:
    return list(op.get_mixed_position())


def _static_position(op: vector.ExtractOp) -> tuple[int, ...] | None:
    if op.dynamic_position:
        return None
    return op.static_position.get_values()


def _aggregate(op: vector.ExtractOp | vector.InsertOp) -> SSAValue:
    return op.vector if isinstance(op, vector.ExtractOp) else op.dest


def know_position(op: Operation, worklist: Worklist) -> bool:
    """A constant position is stated by the op itself."""
    assert isinstance(op, vector.ExtractOp | vector.InsertOp)
    static: list[int] = []
    dynamic: list[SSAValue] = []
    for position, size in zip(_position(op), _sizes(_aggregate(op)), strict=False):
        number = position if isinstance(position, int) else constant_integer(position)
        if isinstance(position, int) or (
            number is not None and (0 <= number < size or number == POISON_POSITION)
        ):
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


def extract_nothing(op: Operation, worklist: Worklist) -> bool:
    """Fold an extraction at the poison position to poison."""
    assert isinstance(op, vector.ExtractOp)
    if POISON_POSITION not in op.static_position.get_values():
        return False
    return replace_value_of(
        op, worklist.constants.build(poison(op.result.type)), worklist
    )


def extract_inserted(op: Operation, worklist: Worklist) -> bool:
    """Fold an extraction at the position of an insertion, or look through the
    insertion."""
    assert isinstance(op, vector.ExtractOp)
    wanted = _position(op)
    source = op.vector
    for _ in range(_MOST_STEPS):
        insert = source.owner
        if not isinstance(insert, vector.InsertOp | InsertStridedSliceOp):
            break
        place = _inserted_ranges(insert)
        if place is None:
            break
        if _are_apart(wanted, place):
            source = insert.dest
            continue
        rest = _position_inside(insert, wanted, place)
        if rest is None:
            break
        if not rest:
            return replace_value_of(op, insert.operands[0], worklist)
        new = vector.ExtractOp(insert.operands[0], rest, cast(Any, op.result.type))
        return replace_by(op, new, worklist)
    if source is op.vector:
        return False
    worklist.set_operands(op, [source, *op.dynamic_position])
    return True


_Range: TypeAlias = tuple[SSAValue | int, int]
"""The first index that is written, and how many are."""


def _inserted_ranges(
    insert: vector.InsertOp | InsertStridedSliceOp,
) -> list[_Range] | None:
    """What an op writes of each leading dimension of a vector; all of the others."""
    if isinstance(insert, vector.InsertOp):
        return [(index, 1) for index in _position(insert)]
    value = shape_of(insert.value_to_store.type)
    if value is None:
        return None
    offsets = integers(insert.offsets)
    sizes = (*[1] * (len(offsets) - len(value)), *value)
    return list(zip(offsets, sizes, strict=True))


def _are_apart(position: Sequence[SSAValue | int], ranges: Sequence[_Range]) -> bool:
    return any(
        isinstance(index, int)
        and isinstance(first, int)
        and min(index, first) >= 0
        and not first <= index < first + count
        for index, (first, count) in zip(position, ranges, strict=False)
    )


def _position_inside(
    insert: InsertStridedSliceOp | vector.InsertOp,
    wanted: Sequence[SSAValue | int],
    ranges: Sequence[_Range],
) -> list[SSAValue | int] | None:
    """The position in what was inserted at which all that is wanted is.

    None if that is not known, or something else is wanted too.
    """
    sizes = _sizes(insert.dest)
    # Of the dimensions that are wanted as a whole, all must have been written.
    for number in range(len(wanted), len(ranges)):
        if ranges[number] != (0, sizes[number]):
            return None
    value = insert.operands[0].type
    leading = len(sizes) - (len(_sizes(insert.operands[0])) if is_vector(value) else 0)
    if leading > len(wanted):
        return None
    inside: list[SSAValue | int] = []
    for index, (first, count) in zip(wanted, ranges, strict=False):
        if isinstance(index, int) and isinstance(first, int) and min(index, first) >= 0:
            inside.append(index - first)
        elif index is first or (first == 0 and count == sizes[len(inside)]):
            inside.append(0 if index is first else index)
        else:
            return None
    return [*inside[leading:], *wanted[len(ranges) :]]


def extract_listed(op: Operation, worklist: Worklist) -> bool:
    """Fold the extraction of an element of a vector.from_elements."""
    assert isinstance(op, vector.ExtractOp)
    listed, position = op.vector.owner, _static_position(op)
    if not isinstance(listed, FromElementsOp) or position is None:
        return False
    shape = _sizes(op.vector)
    number = linear_index(shape, position) if len(position) == len(shape) else None
    return number is not None and replace_value_of(op, listed.operands[number], worklist)


def extract_shuffled(op: Operation, worklist: Worklist) -> bool:
    """Fold the extraction of an element of a shuffle to one from its operands."""
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
    return replace_by(op, new, worklist)


def extract_broadcast(op: Operation, worklist: Worklist) -> bool:
    """A part of a broadcast vector, at positions that need not be known."""
    assert isinstance(op, vector.ExtractOp)
    broadcast = op.vector.owner
    if not isinstance(broadcast, vector.BroadcastOp):
        return False
    source, position = broadcast.source, _position(op)
    before, after = dimensions(source.type), dimensions(op.vector.type)
    added = len(after) - len(before)
    if (
        len(position) <= added
        or before[len(position) - added :] != after[len(position) :]
    ):
        return False
    inside: list[SSAValue | int] = [
        index if size == wide else 0
        for index, size, wide in zip(
            position[added:], before, after[added:], strict=False
        )
    ]
    new = vector.ExtractOp(source, inside, cast(Any, op.result.type))
    return replace_by(op, new, worklist)


def extract_shape_cast(op: Operation, worklist: Worklist) -> bool:
    """A part of a vector to which unit dimensions were added, or that lost some, at
    positions that need not be known."""
    assert isinstance(op, vector.ExtractOp)
    shape_cast, position = op.vector.owner, _position(op)
    if not isinstance(shape_cast, ShapeCastOp) or not position:
        return False
    before, after = dimensions(shape_cast.source.type), dimensions(op.vector.type)
    rest = after[len(position) :]
    leading = len(before) - len(rest)
    if leading < 0 or before[leading:] != rest:
        return False
    wide = [
        (dimension, index)
        for dimension, index in zip(after, position, strict=False)
        if dimension != UNIT
    ]
    if [dimension for dimension, _ in wide] != [
        dimension for dimension in before[:leading] if dimension != UNIT
    ]:
        return False
    indices = iter([index for _, index in wide])
    inside = [0 if dimension == UNIT else next(indices) for dimension in before[:leading]]
    if not inside:
        return replace_value_of(op, shape_cast.source, worklist)
    new = vector.ExtractOp(shape_cast.source, inside, cast(Any, op.result.type))
    return replace_by(op, new, worklist)
