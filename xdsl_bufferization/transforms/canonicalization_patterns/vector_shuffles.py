"""Shuffles of vectors, and vectors of the same bits."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith, ub, vector
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.dense_elements import (
    common_element,
    constant_of_bytes,
    has_dense_form,
)
from xdsl_bufferization.dialects.shapes import is_vector, product
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    dense_constant,
    dense_of_bytes,
    element_bytes,
    has_nan,
    poison,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import (
    replace_value_of,
    shape_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


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
            return replace_value_of(op, value, worklist)
    if any(number >= 0 for number in mask):
        return False
    return replace_value_of(
        op, worklist.constants.build(poison(op.result.type)), worklist
    )


def shuffle_constants(op: Operation, worklist: Worklist) -> bool:
    """Fold a shuffle of constants; undefined elements become the first element."""
    assert isinstance(op, vector.ShuffleOp)
    known = next((value for value in op.operands if dense_constant(value)), None)
    parts = [_bytes_of(value, known) for value in op.operands]
    shape = shape_of(op.v1.type)
    if None in parts or not shape:
        return False
    data = b"".join(part for part in parts if part is not None)
    row = len(cast(bytes, parts[0])) // shape[0]
    picked = (max(number, 0) for number in op.mask.get_values())
    constant = dense_of_bytes(
        op.result.type, b"".join(data[n * row : (n + 1) * row] for n in picked)
    )
    return replace_value_of(op, worklist.constants.build(constant), worklist)


def _bytes_of(value: SSAValue, known: SSAValue | None) -> bytes | None:
    """Return the elements of a small constant; zeros for poison next to the constant
    `known`."""
    if not isinstance(value.owner, ub.PoisonOp):
        return element_bytes(value)
    constant = None if known is None else dense_constant(known)
    shape = shape_of(value.type)
    if constant is None or shape is None:
        return None
    return bytes(product(shape) * constant.type.element_type.compile_time_size)


def shuffle_equal(op: Operation, worklist: Worklist) -> bool:
    """Two vectors of one scalar in all places make a third one; poison makes poison."""
    assert isinstance(op, vector.ShuffleOp)
    first, second = op.v1.owner, op.v2.owner
    if isinstance(first, ub.PoisonOp) and isinstance(second, ub.PoisonOp):
        return replace_value_of(
            op, worklist.constants.build(poison(op.result.type)), worklist
        )
    if (
        not isinstance(first, vector.BroadcastOp)
        or not isinstance(second, vector.BroadcastOp)
        or is_vector(first.source.type)
        or first.source is not second.source
    ):
        return False
    new = vector.BroadcastOp.create(
        operands=[first.source], result_types=[op.result.type]
    )
    worklist.insert_before(op, new)
    return replace_value_of(op, new.results[0], worklist)


def simplify_bitcast(op: Operation, worklist: Worklist) -> bool:
    """The same bits as the same type, as a third one, of poison, or of a constant."""
    source, result = op.operands[0], op.results[0]
    if source.type == result.type:
        return replace_value_of(op, source, worklist)
    inner = source.owner
    if isinstance(inner, vector.BitcastOp):
        worklist.set_operands(op, list(inner.operands))
        return True
    if isinstance(inner, ub.PoisonOp):
        return replace_value_of(
            op, worklist.constants.build(poison(result.type)), worklist
        )
    return replace_value_of(op, _bitcast_constant(source, result, worklist), worklist)


def _bitcast_constant(
    source: SSAValue, result: SSAValue, worklist: Worklist
) -> SSAValue | None:
    """A constant of equal elements as wider ones, for which their order is of no
    interest; none for NaNs."""
    elements = dense_constant(source)
    if elements is None or not is_vector(result.type):
        return None
    element = common_element(elements)
    if element is None or not is_vector(source.type):
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
    wider = constant_of_bytes(result.type, element * (wide // size))
    if has_nan(elements) or has_nan(wider):
        return None
    return worklist.constants.build(arith.ConstantOp(cast(Any, wider), result.type))


def _has_whole_bytes(type_: Any) -> bool:
    width = getattr(type_, "bitwidth", None)
    return (
        width is not None
        and has_dense_form(type_)
        and width == 8 * type_.compile_time_size
    )
