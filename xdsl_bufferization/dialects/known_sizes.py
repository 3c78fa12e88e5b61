"""Sizes of tensors and buffers as far as the ops that define them tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memref import (
    strides_and_offset_of,
    subview_strides_and_offset,
)
from xdsl_bufferization.dialects.shapes import (
    IntArray,
    dropped_dimensions,
    is_memref,
    is_tensor,
)


def known_size(value: SSAValue, dim: int) -> int | SSAValue | None:
    """The size of a dimension if the op that defines a tensor or buffer states it."""
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
        case "memref.subview" | "tensor.extract_slice" | "memref.reinterpret_cast":
            return _slice_size(owner, len(shape), dim)
        case "memref.view":
            return operand_of_dimension(shape, owner.operands[2:], dim)
        case "memref.expand_shape" | "tensor.expand_shape":
            return operand_of_dimension(shape, owner.operands[1:], dim)
        case _:
            return None


def operand_of_dimension(
    shape: Sequence[int], operands: Sequence[SSAValue], dim: int
) -> SSAValue:
    """The operand that holds the size of a dynamic dimension."""
    return operands[sum(size == DYNAMIC_INDEX for size in shape[:dim])]


def _slice_size(op: Operation, rank: int, dim: int) -> int | SSAValue | None:
    """The size of a dimension of a slice, whose type may leave out unit dimensions."""
    static = _list(op, "static_sizes")
    number = dim
    if len(static) != rank:
        dropped = None
        if isinstance(op, memref.SubviewOp):
            dropped = dropped_by_subview(op)
        else:
            type = op.results[0].type
            assert is_tensor(type)
            dropped = dropped_dimensions(static, type.get_shape())
        kept = [i for i in range(len(static)) if i not in (dropped or ())]
        if len(kept) != rank:
            return None
        number = kept[dim]
    if static[number] != DYNAMIC_INDEX:
        return static[number]
    return operand_of_dimension(static, getattr(op, "sizes", ()), number)


def _list(op: Operation, name: str) -> tuple[int, ...]:
    values = op.properties[name]
    assert isinstance(values, DenseArrayBase)
    return cast(IntArray, values).get_values()


def dropped_by_subview(op: memref.SubviewOp) -> set[int] | None:
    """Return the dimensions that a subview's type leaves out.

    They are told apart by their strides. None if a layout is not strided.
    """
    source, result = op.operands[0].type, op.results[0].type
    layout, reduced = strides_and_offset_of(source), strides_and_offset_of(result)
    if layout is None or reduced is None:
        return None
    steps = op.static_strides.get_values()
    full, _ = subview_strides_and_offset(layout, op.static_offsets.get_values(), steps)
    sizes = op.static_sizes.get_values()
    assert is_memref(result)
    shape = result.get_shape()
    dropped: set[int] = set()
    position = 0
    for i, (size, stride) in enumerate(zip(sizes, full, strict=True)):
        spare = len(sizes) - i > len(shape) - position
        if (
            position < len(shape)
            and shape[position] == size
            and reduced[0][position] == stride
        ):
            position += 1
        elif size == 1 and spare:
            dropped.add(i)
        else:
            return None
    return dropped if position == len(shape) else None
