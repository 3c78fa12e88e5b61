"""Insertions of elements, rows and slices into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import vector
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.shapes import is_vector, product
from xdsl_bufferization.dialects.vector import (
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    ToElementsOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    dense_constant,
    dense_of_bytes,
    element_bytes,
    linear_index,
    poison,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import (
    View,
    contiguous,
    integers,
    replace_value_of,
    shape_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

POISON_POSITION = -1
"""The position that stands for none: what is extracted there is poison."""

_MOST_LISTED = 1024
"""The size from which on a vector is not made of a list of its elements."""


def positions_are_equal(a: Sequence[SSAValue | int], b: Sequence[SSAValue | int]) -> bool:
    return len(a) == len(b) and all(
        x is y or (isinstance(x, int) and x == y) for x, y in zip(a, b, strict=True)
    )


def insert_everything(op: Operation, worklist: Worklist) -> bool:
    """What is inserted may be all of the result."""
    value, result = op.operands[0], op.results[0]
    if value.type == result.type:
        return replace_value_of(op, value, worklist)
    part, whole = shape_of(value.type), shape_of(result.type)
    if part is None or whole is None or product(part) != product(whole):
        return False
    new = vector.BroadcastOp.create(operands=[value], result_types=[result.type])
    worklist.insert_before(op, new)
    return replace_value_of(op, new.results[0], worklist)


def insert_nowhere(op: Operation, worklist: Worklist) -> bool:
    """Fold an insertion at the poison position to poison."""
    assert isinstance(op, vector.InsertOp)
    if POISON_POSITION not in op.static_position.get_values():
        return False
    return replace_value_of(
        op, worklist.constants.build(poison(op.result.type)), worklist
    )


def insert_into_constant(op: Operation, worklist: Worklist) -> bool:
    """A constant that is inserted into a constant vector."""
    value, dest = op.operands[0], op.operands[1]
    whole = dense_constant(dest)
    if whole is None:
        return False
    part, data = element_bytes(value), element_bytes(dest)
    view = None if part is None or data is None else _overwritten(op)
    if part is None or data is None or view is None:
        return False
    size = whole.type.element_type.compile_time_size
    combined = bytearray(data)
    for number, position in enumerate(view.positions()):
        element = part[number * size : (number + 1) * size]
        combined[position * size : (position + 1) * size] = element
    constant = dense_of_bytes(op.results[0].type, bytes(combined))
    return replace_value_of(op, worklist.constants.build(constant), worklist)


def _overwritten(op: Operation) -> View | None:
    """The elements of the destination that an insertion overwrites, if they are known."""
    place = _place(op)
    shape = shape_of(op.results[0].type)
    value = shape_of(op.operands[0].type)
    if shape is None or value is None:
        return None
    position = [index for index in place if isinstance(index, int)]
    if len(position) < len(place):
        return None
    first = linear_index(shape, [*position, *([0] * (len(shape) - len(position)))])
    if first is None:
        return None
    return View(value, contiguous(shape).strides[len(shape) - len(value) :], first)


def _place(op: Operation) -> list[SSAValue | int]:
    """Where an insertion or extraction begins; leading dimensions first."""
    if isinstance(op, vector.InsertOp | vector.ExtractOp):
        return list(op.get_mixed_position())
    assert isinstance(op, InsertStridedSliceOp | ExtractStridedSliceOp)
    return list(integers(op.offsets))


def insert_same(op: Operation, worklist: Worklist) -> bool:
    """A repeated element that is inserted into the same one, repeated."""
    value, dest = op.operands[0], op.operands[1]
    repeated = dest.owner
    if not isinstance(repeated, vector.BroadcastOp) or is_vector(repeated.source.type):
        return False
    inner = value.owner
    source = inner.source if isinstance(inner, vector.BroadcastOp) else value
    return source is repeated.source and replace_value_of(op, dest, worklist)


_EXTRACTION: dict[type[Operation], type[Operation]] = {
    vector.InsertOp: vector.ExtractOp,
    InsertStridedSliceOp: ExtractStridedSliceOp,
}


def insert_again(op: Operation, worklist: Worklist) -> bool:
    """What is overwritten needs no insertion; what comes from there neither."""
    value, dest = op.operands[0], op.operands[1]
    before, place = dest.owner, _place(op)
    taken = value.owner
    if (
        isinstance(taken, _EXTRACTION[type(op)])
        and taken.operands[0] is dest
        and positions_are_equal(_place(taken), place)
    ):
        return replace_value_of(op, dest, worklist)
    if (
        not isinstance(before, type(op))
        or before.operands[0].type != value.type
        or not positions_are_equal(_place(before), place)
    ):
        return False
    worklist.set_operands(op, [value, before.operands[1], *op.operands[2:]])
    return True


def list_insertions(op: Operation, worklist: Worklist) -> bool:
    """The last of a chain of insertions that write all elements is a list of them."""
    assert isinstance(op, vector.InsertOp)
    shape = shape_of(op.result.type)
    if shape is None or product(shape) > _MOST_LISTED or _is_inserted_into(op):
        return False
    chain = _covering_chain(op, shape)
    if chain is None or not _is_worth_listing(chain):
        return False
    elements: list[SSAValue | None] = [None] * product(shape)
    for insert in chain:
        view = _overwritten(insert)
        assert view is not None
        positions = view.positions()
        if all(elements[position] is not None for position in positions):
            continue
        values = _elements_of(insert, worklist, op)
        for position, value in zip(positions, values, strict=True):
            elements[position] = elements[position] or value
    listed = FromElementsOp.create(
        operands=[cast(SSAValue, element) for element in elements],
        result_types=[op.result.type],
    )
    worklist.insert_before(op, listed)
    return replace_value_of(op, listed.results[0], worklist)


def _is_inserted_into(op: vector.InsertOp) -> bool:
    """Return whether the chain of insertions continues, by its first use."""
    use = op.result.first_use
    return use is not None and use.index == 1 and isinstance(use.operation, type(op))


def _covering_chain(
    last: vector.InsertOp, shape: Sequence[int]
) -> list[vector.InsertOp] | None:
    """Return the insertions, from the last one backwards, that together write all
    elements.

    Return None if there are none, or intermediate vectors have other uses.
    """
    chain: list[vector.InsertOp] = []
    covered: set[int] = set()
    for _ in range(product(shape)):
        insert = chain[-1].dest.owner if chain else last
        if not isinstance(insert, vector.InsertOp):
            return None
        if chain and not insert.result.has_one_use():
            return None
        view = _overwritten(insert)
        if view is None:
            return None
        chain.append(insert)
        covered.update(view.positions())
        if len(covered) == product(shape):
            return chain
    return None


def _is_worth_listing(chain: Sequence[vector.InsertOp]) -> bool:
    """Whether listing the elements takes no more ops than inserting them."""
    below = chain[-1].dest.owner
    saved = len(chain) + (
        isinstance(below, vector.InsertOp) and chain[-1].dest.has_one_use()
    )
    needed = sum(
        is_vector(insert.source.type)
        and not isinstance(insert.source.owner, vector.BroadcastOp | FromElementsOp)
        for insert in chain
    )
    return 1 + needed <= saved


def _elements_of(
    insert: vector.InsertOp, worklist: Worklist, place: Operation
) -> Sequence[SSAValue]:
    type_: Any = insert.source.type
    if not is_vector(type_):
        return [insert.source]
    elements = ToElementsOp.create(
        operands=[insert.source],
        result_types=[type_.element_type] * product(type_.get_shape()),
    )
    worklist.insert_before(place, elements)
    return elements.results
