"""What vector.transfer_read and transfer_write access of a tensor or memref."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.shapes import dimensions, is_memref, is_tensor
from xdsl_bufferization.dialects.vector import (
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
)

Transfer: TypeAlias = TransferReadOp | TransferWriteOp


def source_and_vector(op: Transfer) -> tuple[SSAValue, SSAValue]:
    """Return the tensor or memref, and the vector read from or written to it."""
    if isinstance(op, TransferReadOp):
        return op.source, op.result
    return op.source, op.vector


def is_masked(op: Transfer) -> bool:
    """Whether a mask may exclude elements."""
    return op.mask is not None or isinstance(op.parent_op(), MaskOp)


def transferred_counts(op: Transfer) -> list[tuple[int, bool]]:
    """Return how many elements are transferred in each dimension of the tensor or memref,
    and whether that is a factor of a scalable number."""
    source, moved = source_and_vector(op)
    counts = [(1, False)] * len(_shape(source))
    sizes = dimensions(moved.type)
    for size, expression in zip(sizes, op.permutation_map.data.results, strict=False):
        if isinstance(expression, AffineDimExpr):
            counts[expression.position] = size
    return counts


def known_in_bounds(op: Transfer) -> list[bool]:
    """Return which dimensions of the vector are in bounds, as the op says or constant
    indices show. What is repeated is, if all that is read is."""
    source, moved = source_and_vector(op)
    flags = [flag.value.data != 0 for flag in op.in_bounds]
    if all(flags) or not (is_tensor(source.type) or is_memref(source.type)):
        return flags
    shape = source.type.get_shape()
    sizes = dimensions(moved.type)
    indices = list(op.indices)
    repeated: list[int] = []
    for number, expression in enumerate(op.permutation_map.data.results):
        if not isinstance(expression, AffineDimExpr):
            repeated.append(number)
        elif not flags[number]:
            size, is_scalable = sizes[number]
            dimension = expression.position
            start = constant_integer(indices[dimension])
            flags[number] = (
                start is not None
                and not is_scalable
                and shape[dimension] != DYNAMIC_INDEX
                and 0 <= start <= shape[dimension] - size
            )
    if all(flag for number, flag in enumerate(flags) if number not in repeated):
        return [True] * len(flags)
    return flags


def overwrites_everything(op: TransferWriteOp) -> bool:
    """Whether a write without mask covers the whole of its destination: it begins at 0 in
    each dimension, and each dimension is transferred in full or has one element."""
    shape = _shape(op.source)
    return (
        not is_masked(op)
        and DYNAMIC_INDEX not in shape
        and all(
            count >= size
            for (count, _), size in zip(transferred_counts(op), shape, strict=True)
        )
        and all(constant_integer(index) == 0 for index in op.indices)
    )


def _shape(source: SSAValue) -> Sequence[int]:
    type_ = source.type
    return type_.get_shape() if is_tensor(type_) or is_memref(type_) else ()
