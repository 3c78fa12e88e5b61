"""tensor.concat: a new buffer, and a copy of each operand into its part of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.buffer_types import subview_type
from xdsl_bufferization.models.tensor.elements import AllocatingModel, allocate_result


class Sum(NamedTuple):
    """A sum of index values and a number."""

    values: tuple[SSAValue, ...]
    constant: int

    def create(self, rewriter: BufferizationRewriter) -> int | SSAValue:
        """The sum as a number, or a value, computed in one affine.apply."""
        if not self.values:
            return self.constant
        if len(self.values) == 1 and not self.constant:
            return self.values[0]
        from xdsl.dialects.affine import ApplyOp

        total = AffineExpr.symbol(0)
        for position in range(1, len(self.values)):
            total += AffineExpr.symbol(position)
        if self.constant:
            total += self.constant
        map_ = AffineMapAttr(AffineMap(0, len(self.values), (total,)))
        return rewriter.insert(ApplyOp(list(self.values), map_)).results[0]

    def plus(self, size: int | SSAValue) -> Sum:
        """The sum with another size; in MLIR's order, when that is added to a sum that
        was computed already."""
        if isinstance(size, int):
            return Sum(self.values, self.constant + size)
        is_computed = len(self.values) > 1 or (self.values and self.constant)
        values = (size, *self.values) if is_computed else (*self.values, size)
        return Sum(values, self.constant)


class Concat(AllocatingModel):
    """A new buffer in the default memory space, whatever the operands are in."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        assert isinstance(op, tensor.ConcatOp)
        along = op.dim.value.data
        sources = [rewriter.get_buffer(operand) for operand in op.operands]
        shape = cast(TensorType, op.results[0].type).get_shape()
        sizes = _dynamic_sizes(shape, along, sources, rewriter)
        buffer = allocate_result(op, sizes, rewriter)
        # The sizes that all parts have.
        common = [
            rewriter.create_dim(buffer, number)
            if size == DYNAMIC_INDEX and number != along
            else size
            for number, size in enumerate(shape)
        ]
        begin = Sum((), 0)
        for source in sources:
            size = _size(source, along, rewriter)
            part = _part_of(
                buffer,
                [begin.create(rewriter) if n == along else 0 for n in range(len(shape))],
                [size if n == along else common[n] for n in range(len(shape))],
                op,
            )
            rewriter.insert(part)
            rewriter.create_memcpy(source, part.results[0])
            begin = begin.plus(size)
        rewriter.replace(op, [buffer])


def _dynamic_sizes(
    shape: Sequence[int],
    along: int,
    sources: Sequence[SSAValue],
    rewriter: BufferizationRewriter,
) -> list[SSAValue]:
    """The dynamic sizes of the result. The one that is a sum is computed last, as in
    MLIR."""
    dynamic = [number for number, size in enumerate(shape) if size == DYNAMIC_INDEX]
    found: dict[int, SSAValue] = {}
    for number in sorted(dynamic, key=lambda number: number == along):
        if number == along:
            parts = [_size(source, along, rewriter) for source in sources]
            values = tuple(part for part in parts if not isinstance(part, int))
            constant = sum(part for part in parts if isinstance(part, int))
            size = Sum(values, constant).create(rewriter)
        else:
            known = {_shape(source)[number] for source in sources} - {DYNAMIC_INDEX}
            size = min(known) if known else _size(sources[0], number, rewriter)
        found[number] = rewriter.create_index(size) if isinstance(size, int) else size
    return [found[number] for number in dynamic]


def _part_of(
    buffer: SSAValue,
    offsets: Sequence[int | SSAValue],
    sizes: Sequence[int | SSAValue],
    op: Operation,
) -> memref.SubviewOp:
    strides = [1] * len(sizes)
    static_offsets, static_sizes = (
        [n if isinstance(n, int) else DYNAMIC_INDEX for n in mixed]
        for mixed in (offsets, sizes)
    )
    return memref.SubviewOp(
        buffer,
        [n for n in offsets if not isinstance(n, int)],
        [n for n in sizes if not isinstance(n, int)],
        [],
        DenseArrayBase.from_list(i64, static_offsets),
        DenseArrayBase.from_list(i64, static_sizes),
        DenseArrayBase.from_list(i64, strides),
        subview_type(
            cast(MemRefType, buffer.type),
            static_sizes,
            static_offsets,
            static_sizes,
            strides,
            op,
        ),
    )


def _size(
    buffer: SSAValue, dimension: int, rewriter: BufferizationRewriter
) -> int | SSAValue:
    size = _shape(buffer)[dimension]
    return rewriter.create_dim(buffer, dimension) if size == DYNAMIC_INDEX else size


def _shape(buffer: SSAValue) -> tuple[int, ...]:
    return cast(MemRefType, buffer.type).get_shape()


def register() -> None:
    attach(tensor.ConcatOp, Concat())
