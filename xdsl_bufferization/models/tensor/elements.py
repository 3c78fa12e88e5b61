"""Ops that make a new tensor: tensor.empty, from_elements, splat, generate and pad.

Each becomes an allocation. Elements that a body computes are written by a linalg.map,
which other passes can tile, fuse and vectorize.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.interfaces.aliasing import AliasingOperand
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.models.buffer_types import subview_type
from xdsl_bufferization.models.element_bodies import create_map

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class DefiningModel(BufferizableModel):
    """An op that defines the contents of its result, whose buffer no operand shares."""

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        return ()

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        return True


class AllocatingModel(DefiningModel):
    """An op whose result is a new buffer."""

    allocates = True


def allocate_result(
    op: Operation, sizes: Sequence[SSAValue], rewriter: BufferizationRewriter
) -> SSAValue:
    """A new buffer for the only result of an op, contiguous whatever layout was
    predicted for it."""
    result = op.results[0]
    memory_space = rewriter.get_buffer_type(result).memory_space
    type_ = rewriter.types.identity_buffer_type(result.type, memory_space)
    return rewriter.create_alloc(cast(MemRefType, type_), sizes)


class Empty(AllocatingModel):
    """A new buffer with undefined contents."""

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        return False

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        if op.results[0].first_use is None:
            rewriter.erase(op)
        else:
            rewriter.replace(op, [allocate_result(op, op.operands, rewriter)])


class FromElements(AllocatingModel):
    """A new buffer and a store for each element."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        shape = cast(TensorType, op.results[0].type).get_shape()
        buffer = allocate_result(op, [], rewriter)
        if op.operands:
            indices = [rewriter.create_index(i) for i in range(max(shape, default=0))]
            for element, place in zip(
                op.operands, product(*(indices[:size] for size in shape)), strict=True
            ):
                create_store(element, buffer, place, rewriter)
        rewriter.replace(op, [buffer])


class Splat(AllocatingModel):
    """A new buffer, filled by a linalg.map."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        from xdsl_bufferization.dialects import linalg

        buffer = allocate_result(op, op.operands[1:], rewriter)
        element = op.operands[0]
        block = Block(arg_types=[element.type])
        block.add_op(linalg.YieldOp.create(operands=[element]))
        create_map(buffer, block, rewriter)
        rewriter.replace(op, [buffer])


class Generate(AllocatingModel):
    """A new buffer, filled by a linalg.map with the body of the op."""

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return True

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        buffer = allocate_result(op, op.operands, rewriter)
        create_map(buffer, take_element_body(op), rewriter)
        rewriter.replace(op, [buffer])


class Pad(AllocatingModel):
    """A new buffer, filled by a linalg.map with the body of the op as if all of it were
    padding; then a copy of the source into its middle."""

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return True

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        source = types.get_buffer_type(op.operands[0])
        return types.identity_buffer_type(value.type, source.memory_space)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        assert isinstance(op, tensor.PadOp)
        source = rewriter.get_buffer(op.operands[0])
        source_shape = cast(MemRefType, source.type).get_shape()
        dimension = DimensionSizes(source, rewriter)
        sizes = list(_padded_sizes(op, dimension, rewriter))
        buffer = allocate_result(op, sizes, rewriter)
        create_map(buffer, take_element_body(op), rewriter)
        ones = [1] * len(source_shape)
        view = memref.SubviewOp(
            buffer,
            op.low,
            [
                dimension.size(number)
                for number, size in enumerate(source_shape)
                if size == DYNAMIC_INDEX
            ],
            [],
            op.static_low,
            DenseArrayBase.from_list(i64, source_shape),
            DenseArrayBase.from_list(i64, ones),
            subview_type(
                cast(MemRefType, buffer.type),
                source_shape,
                op.static_low.get_values(),
                source_shape,
                ones,
                op,
            ),
        )
        rewriter.create_memcpy(source, rewriter.insert(view).results[0])
        rewriter.replace(op, [buffer])


@dataclass
class DimensionSizes:
    """The dynamic sizes of a buffer; each is asked for at run time at most once."""

    buffer: SSAValue
    rewriter: BufferizationRewriter
    known: dict[int, SSAValue] = field(default_factory=dict)

    def size(self, number: int) -> SSAValue:
        if number not in self.known:
            self.known[number] = self.rewriter.create_dim(self.buffer, number)
        return self.known[number]


def _padded_sizes(
    op: tensor.PadOp, source: DimensionSizes, rewriter: BufferizationRewriter
) -> Iterator[SSAValue]:
    """The dynamic sizes of the result: source plus padding, in one affine.apply each."""
    from xdsl.dialects.affine import ApplyOp

    source_shape = cast(MemRefType, source.buffer.type).get_shape()
    result_shape = cast(TensorType, op.results[0].type).get_shape()
    lows, highs = op.static_low.get_values(), op.static_high.get_values()
    low, high = iter(op.low), iter(op.high)
    for number, statics in enumerate(zip(source_shape, lows, highs, strict=True)):
        padding = [
            next(values)
            for static, values in zip(statics[1:], (low, high), strict=True)
            if static == DYNAMIC_INDEX
        ]
        if result_shape[number] != DYNAMIC_INDEX:
            continue
        if statics[0] == DYNAMIC_INDEX:
            padding.insert(0, source.size(number))
        total = AffineExpr.constant(sum(n for n in statics if n != DYNAMIC_INDEX))
        for position in range(len(padding)):
            total = AffineExpr.dimension(position) + total
        map_ = AffineMapAttr(AffineMap(len(padding), 0, (total,)))
        yield rewriter.insert(ApplyOp(padding, map_)).results[0]


def take_element_body(op: Operation) -> Block:
    """The body of tensor.generate or tensor.pad, taken from the op and made the body of a
    linalg.map: coordinates come from linalg.index, not from block arguments."""
    from xdsl_bufferization.dialects import linalg

    region = op.regions[0]
    block = region.blocks[0]
    region.detach_block(block)
    terminator = block.last_op
    assert terminator is not None, "verified"
    start = block.first_op
    assert start is not None, "verified"
    for number, argument in enumerate(tuple(block.args)):
        index = linalg.IndexOp(number)
        block.insert_op_before(index, start)
        argument.replace_all_uses_with(index.results[0])
        block.erase_arg(argument)
    yielded = terminator.operands[0]
    block.insert_op_before(linalg.YieldOp.create(operands=[yielded]), terminator)
    block.erase_op(terminator)
    block.insert_arg(yielded.type, 0)
    return block


def create_store(
    value: SSAValue,
    buffer: SSAValue,
    place: Sequence[SSAValue],
    rewriter: BufferizationRewriter,
) -> None:
    rewriter.insert(memref.StoreOp.create(operands=[value, buffer, *place]))


def register() -> None:
    attach(tensor.EmptyOp, Empty())
    attach(tensor.FromElementsOp, FromElements())
    attach(tensor.GenerateOp, Generate())
    attach(tensor.PadOp, Pad())
    attach(tensor.SplatOp, Splat())
