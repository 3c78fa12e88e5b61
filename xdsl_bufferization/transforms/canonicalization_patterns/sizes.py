"""Code shared by canonicalizations of tensors and memrefs: constants, mixed lists of
static and dynamic sizes, and the source of a dimension's size."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects.shapes import (
    is_memref,
    is_tensor,
    shape_of,
)

INDEX = IndexType()


def insert_constant(rewriter: PatternRewriter, value: int) -> SSAValue:
    op = arith.ConstantOp(IntegerAttr(value, INDEX))
    rewriter.insert(op)
    return op.results[0]


def made_static(
    static: Sequence[int], operands: Sequence[SSAValue], *, least: int | None = 0
) -> tuple[list[int], list[SSAValue]] | None:
    """The lists with constant operands as integers; None when there are none.

    An operand below `least` stays: an op with such a size is not valid.
    """
    values: list[int] = []
    rest: list[SSAValue] = []
    remaining = iter(operands)
    for value in static:
        if value == DYNAMIC_INDEX:
            operand = next(remaining, None)
            if operand is None:
                return None  # the op is not valid, and stays as it is
            known = constant_of(operand)
            if known is None or (least is not None and known < least):
                rest.append(operand)
            else:
                value = known
        values.append(value)
    return None if len(rest) == len(operands) else (values, rest)


def with_shape(type: Attribute, shape: Sequence[int]) -> TensorType | MemRefType:
    """The type with another shape."""
    if is_tensor(type):
        return TensorType(type.element_type, shape, type.encoding)
    assert is_memref(type)
    return MemRefType(type.element_type, shape, type.layout, type.memory_space)


def with_static_sizes(
    type: TensorType | MemRefType, operands: Sequence[SSAValue]
) -> tuple[TensorType | MemRefType, list[SSAValue]] | None:
    """The type and the sizes of an allocation with constant sizes in the type."""
    found = made_static(type.get_shape(), operands)
    return None if found is None else (with_shape(type, found[0]), found[1])


class ConstantRank(RewritePattern):
    """The rank of a ranked tensor or buffer is a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        rank = shape_of(op.operands[0].type)
        if rank is not None:
            rewriter.replace(op, [], [insert_constant(rewriter, len(rank))])
