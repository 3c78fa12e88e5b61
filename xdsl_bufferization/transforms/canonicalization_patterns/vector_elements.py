"""vector.from_elements and vector.to_elements."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation

from xdsl_bufferization.dialects.shapes import is_vector, product
from xdsl_bufferization.dialects.vector import (
    FromElementsOp,
    ShapeCastOp,
    ToElementsOp,
    TransposeOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    constant_op,
    dense,
    dense_constant,
    scalar_constant,
    splat_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    build_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import (
    contiguous,
    replace_by,
    replace_value_of,
    shape_of,
    view_through,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def list_constants(op: Operation, worklist: Worklist) -> bool:
    """A vector of constant elements, or of poison, is a constant."""
    numbers = [scalar_constant(operand) for operand in op.operands]
    if None not in numbers and isinstance(
        element_type := op.operands[0].type, IntegerType | IndexType
    ):
        # One attribute stands for the two that i1 has for true.
        elements = [cast(int, cast(Any, n).value.data) for n in numbers]
        if len(set(elements)) == 1 or element_type == IntegerType(1):
            return replace_value_of(
                op, build_elements(elements, op.results[0].type, worklist), worklist
            )
    constant = dense(op.results[0].type, [n for n in numbers if n is not None])
    if None in numbers or constant is None:
        return False
    new = constant_op(constant, op.results[0].type)
    return replace_value_of(op, worklist.constants.build(new), worklist)


def broadcast_equal(op: Operation, worklist: Worklist) -> bool:
    """A vector of one element in all places."""
    if len(set(op.operands)) != 1:
        return False
    new = vector.BroadcastOp.create(
        operands=[op.operands[0]], result_types=[op.results[0].type]
    )
    return replace_by(op, new, worklist)


def list_again(op: Operation, worklist: Worklist) -> bool:
    """The elements of a vector make that vector."""
    first = op.operands[0].owner
    if not isinstance(first, ToElementsOp) or list(first.results) != list(op.operands):
        return False
    if first.source.type == op.results[0].type:
        return replace_value_of(op, first.source, worklist)
    new = ShapeCastOp.create(operands=[first.source], result_types=[op.results[0].type])
    return replace_by(op, new, worklist)


def list_elements(op: Operation, worklist: Worklist) -> bool:
    """Fold vector.to_elements of a vector built from elements or by a broadcast."""
    assert isinstance(op, ToElementsOp)
    source = op.source.owner
    if isinstance(source, FromElementsOp):
        worklist.replace(op, list(source.operands))
        return True
    if isinstance(source, vector.BroadcastOp) and not is_vector(source.source.type):
        worklist.replace(op, [source.source] * len(op.results))
        return True
    if isinstance(source, vector.BroadcastOp | ShapeCastOp | TransposeOp):
        return _list_rearranged(op, source, worklist)
    elements = dense_constant(op.source)
    value = None if elements is None else splat_value(elements)
    if value is None or not op.results:
        return False
    constant = worklist.constants.build(constant_op(value, op.results[0].type))
    worklist.replace(op, [constant] * len(op.results))
    return True


def _list_rearranged(op: ToElementsOp, source: Operation, worklist: Worklist) -> bool:
    """List the elements of a vector before they were repeated or put in another order."""
    base = source.operands[0]
    shape = shape_of(base.type)
    view = None if shape is None else view_through(source, contiguous(shape))
    if shape is None or view is None:
        return False
    elements = ToElementsOp.create(
        operands=[base], result_types=[op.results[0].type] * product(shape)
    )
    worklist.insert_before(op, elements)
    worklist.replace(op, [elements.results[n] for n in view.positions()])
    return True
