"""What canonicalizations of tensors and memrefs share: constants, mixed lists of static
and dynamic sizes, and where the size of a dimension comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from xdsl_bufferization.analysis.value_bounds import constant_of
from xdsl_bufferization.dialects.shapes import IntArray, is_memref, is_tensor

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
            operand = next(remaining)
            known = constant_of(operand)
            if known is None or (least is not None and known < least):
                rest.append(operand)
            else:
                value = known
        values.append(value)
    return None if len(rest) == len(operands) else (values, rest)


def operand_of_dimension(
    shape: Sequence[int], operands: Sequence[SSAValue], dim: int
) -> SSAValue:
    """The operand that gives the size of a dynamic dimension."""
    return operands[sum(size == DYNAMIC_INDEX for size in shape[:dim])]


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


def _static_sizes(op: Operation) -> tuple[int, ...]:
    sizes = op.properties["static_sizes"]
    assert isinstance(sizes, DenseArrayBase)
    return cast(IntArray, sizes).get_values()


def known_size(value: SSAValue, dim: int) -> int | SSAValue | None:
    """The size of a dimension as far as the op that defines a tensor or buffer tells."""
    type = value.type
    if not (is_tensor(type) or is_memref(type)) or not 0 <= dim < len(type.shape):
        return None
    shape = type.get_shape()
    if shape[dim] != DYNAMIC_INDEX:
        return shape[dim]
    owner = value.owner
    if not isinstance(owner, Operation):
        return None
    match owner.name:
        case "memref.alloc" | "memref.alloca":
            return operand_of_dimension(shape, owner.operands, dim)
        case "tensor.empty" | "tensor.generate":
            return operand_of_dimension(shape, owner.operands, dim)
        case "tensor.splat":
            return operand_of_dimension(shape, owner.operands[1:], dim)
        case "bufferization.alloc_tensor":
            sizes = getattr(owner, "dynamic_sizes", ())
            return operand_of_dimension(shape, sizes, dim) if sizes else None
        case "memref.subview" | "tensor.extract_slice":
            static = _static_sizes(owner)
            if len(static) != len(shape):
                return None
            if static[dim] != DYNAMIC_INDEX:
                return static[dim]
            return operand_of_dimension(static, getattr(owner, "sizes", ()), dim)
        case "memref.reinterpret_cast":
            static = _static_sizes(owner)
            if static[dim] != DYNAMIC_INDEX:
                return static[dim]
            return operand_of_dimension(static, getattr(owner, "sizes", ()), dim)
        case _:
            return None
