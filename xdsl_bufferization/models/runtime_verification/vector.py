"""Requirements of vector: what is read and written at once is inside of the buffer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    AtLeast,
    InBounds,
    LanesInBounds,
    Requirement,
    SizeOf,
    Term,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.runtime_verification.memref import in_bounds


@dataclass(frozen=True)
class _Access:
    """A vector of neighbouring elements of the last dimensions."""

    buffer: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer = op.operands[self.buffer]
        of_memory = shape_of(buffer.type) or ()
        value = op.operands[0] if self.buffer else op.results[0]
        shape = cast("VectorType[Attribute]", value.type).get_shape()
        indices = op.operands[self.buffer + 1 :]
        lengths = [1] * (len(of_memory) - len(shape)) + list(shape)
        return [
            requirement
            for i, (index, length) in enumerate(zip(indices, lengths, strict=False))
            for requirement in _span(buffer, i, index, length)
        ]


@dataclass(frozen=True)
class _Transfer:
    """A vector of which the dimensions marked as in bounds are."""

    buffer: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("vector.TransferReadOp | vector.TransferWriteOp", op)
        buffer = op.operands[self.buffer]
        if op.mask is not None or not isinstance(buffer.type, MemRefType):
            return ()
        value = op.operands[0] if self.buffer else op.results[0]
        shape = cast("VectorType[Attribute]", value.type).get_shape()
        lengths = [1] * len(op.indices)
        checked = [True] * len(op.indices)
        for expression, length, flag in zip(
            op.permutation_map.data.results, shape, op.in_bounds, strict=True
        ):
            if isinstance(expression, AffineDimExpr):
                lengths[expression.position] = length
                checked[expression.position] = bool(flag.value.data)
        requirements: list[Requirement] = []
        for i, (index, length) in enumerate(zip(op.indices, lengths, strict=True)):
            if checked[i]:
                requirements += _span(buffer, i, index, length)
            else:
                requirements.append(AtLeast(index, 0, f"index {i} is negative"))
        return requirements


class _MaskedAccess:
    """A vector of neighbouring elements, of which a mask selects."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer, *operands = op.operands
        *indices, mask, _ = operands
        return _lanes(buffer, indices, None, mask)


class _IndexedAccess:
    """Elements at offsets in the last dimension, of which a mask selects."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer, *operands = op.operands
        *indices, offsets, mask, _ = operands
        return _lanes(buffer, indices, offsets, mask)


def _lanes(
    buffer: SSAValue,
    indices: Sequence[SSAValue],
    offsets: SSAValue | None,
    mask: SSAValue,
) -> Sequence[Requirement]:
    mask_type = cast("VectorType[Attribute]", mask.type)
    if not isinstance(buffer.type, MemRefType) or mask_type.get_num_dims() != 1:
        return ()
    last = len(indices) - 1
    size, reason = SizeOf(buffer, last), f"out-of-bounds access of dimension {last}"
    return [
        *(in_bounds(buffer, indices[:-1])),
        LanesInBounds(indices[last], offsets, mask, size, reason),
    ]


def _span(buffer: SSAValue, i: int, index: Term, length: int) -> list[Requirement]:
    """That an index and those after it are indices of a dimension."""
    size, reason = SizeOf(buffer, i), f"out-of-bounds access of dimension {i}"
    requirements: list[Requirement] = [InBounds(index, size, reason)]
    if length > 1:
        last = Affine(AffineDimExpr(0) + (length - 1), (index,))
        requirements.append(InBounds(last, size, reason))
    return requirements


def register() -> None:
    attach("vector.load", _Access(0))
    attach("vector.store", _Access(1))
    attach("vector.maskedload", _MaskedAccess())
    attach("vector.maskedstore", _MaskedAccess())
    attach("vector.gather", _IndexedAccess())
    attach("vector.scatter", _IndexedAccess())
    attach(vector.TransferReadOp, _Transfer(0))
    attach(vector.TransferWriteOp, _Transfer(1))
