"""Requirements of vector: vector accesses are inside of the buffer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.analysis.facts.value_bounds import mixed_list, static_list
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    AtLeast,
    InBounds,
    LanesInBounds,
    Requirement,
    SelectedOf,
    SizeOf,
    Term,
)
from xdsl_bufferization.interfaces.table import attach


@dataclass(frozen=True)
class _Access:
    """A vector of neighbouring elements of the last dimensions."""

    buffer: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        value = op.operands[0] if self.buffer else op.results[0]
        indices = op.operands[self.buffer + 1 :]
        return vector_in_bounds(op.operands[self.buffer], indices, value)


@dataclass(frozen=True)
class _Transfer:
    """A vector of which the dimensions marked as in bounds are."""

    buffer: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("vector.TransferReadOp | vector.TransferWriteOp", op)
        buffer = op.operands[self.buffer]
        if not isinstance(buffer.type, MemRefType):
            return ()
        value = op.operands[0] if self.buffer else op.results[0]
        shape = cast("VectorType[Attribute]", value.type).get_shape()
        lengths = [1] * len(op.indices)
        checked = [True] * len(op.indices)
        used: list[int] = []
        for expression, length, flag in zip(
            op.permutation_map.data.results, shape, op.in_bounds, strict=True
        ):
            if isinstance(expression, AffineDimExpr):
                lengths[expression.position] = length
                checked[expression.position] = bool(flag.value.data)
                used.append(expression.position)
        mask = op.mask or _mask_around(op)
        if mask is not None:
            sizes = [SizeOf(buffer, i) if c else None for i, c in enumerate(checked)]
            return _lanes(op.indices, sizes, sorted(used), mask)
        requirements: list[Requirement] = []
        for i, (index, length) in enumerate(zip(op.indices, lengths, strict=True)):
            if checked[i]:
                requirements += _span(buffer, i, index, length)
            else:
                requirements.append(AtLeast(index, 0, f"index {i} is negative"))
        return requirements


def _mask_around(op: Operation) -> SSAValue | None:
    around = op.parent_op()
    return around.operands[0] if around and around.name == "vector.mask" else None


class _MaskedAccess:
    """A vector of neighbouring elements, of which a mask selects."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer, *operands = op.operands
        *indices, mask, _ = operands
        lanes = len(cast("VectorType[Attribute]", mask.type).get_shape())
        used = range(len(indices) - lanes, len(indices))
        return _lanes(indices, _sizes(buffer, indices), used, mask)


class _IndexedAccess:
    """Elements at offsets in the last dimension, of which a mask selects."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer, *operands = op.operands
        *indices, offsets, mask, _ = operands
        if not isinstance(buffer.type, MemRefType):
            return ()
        *others, last = _lanes(indices, _sizes(buffer, indices), (), mask)
        return [*others, replace(cast(LanesInBounds, last), offsets=offsets)]


class _CompressedAccess:
    """As many neighbours in the last dimension as a mask has lanes that it selects."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer, *operands = op.operands
        *indices, mask, _ = operands
        selected = SelectedOf(mask)
        last = len(indices) - 1
        end = Affine(AffineDimExpr(0) + AffineDimExpr(1) - 1, (indices[last], selected))
        places: list[tuple[int, Term]] = [*enumerate(indices), (last, end)]
        return [
            InBounds(
                place,
                SizeOf(buffer, i),
                f"out-of-bounds access of dimension {i}",
                unless_empty=(selected,),
            )
            for i, place in places
        ]


def _sizes(buffer: SSAValue, indices: Sequence[SSAValue]) -> list[Term | None]:
    return [SizeOf(buffer, i) for i in range(len(indices))]


def _lanes(
    indices: Sequence[SSAValue],
    sizes: Sequence[Term | None],
    used: Sequence[int],
    mask: SSAValue,
) -> list[Requirement]:
    """That what a mask selects is in bounds.

    Args:
        sizes: of each dimension of the memory; None where only negative indices are
            wrong.
        used: the dimension of the memory that each dimension of the mask is along.
    """
    shape = cast("VectorType[Attribute]", mask.type).get_shape()
    places = list(product(*map(range, shape)))
    requirements: list[Requirement] = []
    for i, (index, size) in enumerate(zip(indices, sizes, strict=True)):
        along = used.index(i) if i in used else None
        offsets = tuple(0 if along is None else place[along] for place in places)
        reason = f"out-of-bounds access of dimension {i}"
        requirements.append(LanesInBounds(index, offsets, mask, size, reason))
    return requirements


class _Position:
    """Dynamic positions in a vector exist."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("vector.ExtractOp | vector.InsertOp", op)
        is_insert = isinstance(op, vector.InsertOp)
        into = op.operands[1] if is_insert else op.operands[0]
        shape = cast("VectorType[Attribute]", into.type).get_shape()
        positions = mixed_list(op.dynamic_position, static_list(op, "static_position"))
        return [
            InBounds(position, shape[i], f"position {i} is outside of the vector")
            for i, position in enumerate(positions)
            if not isinstance(position, int)
        ]


def _span(buffer: SSAValue, i: int, index: Term, length: int) -> list[Requirement]:
    """That an index and those after it are indices of a dimension."""
    size, reason = SizeOf(buffer, i), f"out-of-bounds access of dimension {i}"
    requirements: list[Requirement] = [InBounds(index, size, reason)]
    if length > 1:
        last = Affine(AffineDimExpr(0) + (length - 1), (index,))
        requirements.append(InBounds(last, size, reason))
    return requirements


def vector_in_bounds(
    buffer: SSAValue, indices: Sequence[Term], value: SSAValue
) -> list[Requirement]:
    """That a vector fits where it begins at some indices, in the last dimensions."""
    shape = cast("VectorType[Attribute]", value.type).get_shape()
    lengths = [1] * (len(indices) - len(shape)) + list(shape)
    return [
        requirement
        for i, (index, length) in enumerate(zip(indices, lengths, strict=False))
        for requirement in _span(buffer, i, index, length)
    ]


def register() -> None:
    attach("vector.expandload", _CompressedAccess())
    attach("vector.compressstore", _CompressedAccess())
    attach("vector.extract", _Position())
    attach("vector.insert", _Position())
    attach("vector.load", _Access(0))
    attach("vector.store", _Access(1))
    attach("vector.maskedload", _MaskedAccess())
    attach("vector.maskedstore", _MaskedAccess())
    attach("vector.gather", _IndexedAccess())
    attach("vector.scatter", _IndexedAccess())
    attach(vector.TransferReadOp, _Transfer(0))
    attach(vector.TransferWriteOp, _Transfer(1))
