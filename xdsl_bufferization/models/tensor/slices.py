"""tensor.extract_slice, insert_slice and parallel_insert_slice: a subview, and a copy
into one.

A slice has an offset, a size and a stride for each dimension of the source tensor,
static ones in a property, dynamic ones as operands. Its type may drop unit dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.value_bounds import constant_of, static_list
from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import (
    AliasingModel,
    BufferizableModel,
    SingleDestinationModel,
)
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.subset import Equivalence
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.models.buffer_types import subview_type
from xdsl_bufferization.models.subsets import (
    HyperrectangularSubset,
    InsertionIntoSecond,
)
from xdsl_bufferization.records import record

SOURCE = 0
"""The operand that is inserted by insert_slice and parallel_insert_slice."""
DEST = 1
"""The operand that they insert it into."""


def slice_of(op: Operation, first: int) -> Slice:
    """The offsets, sizes and strides of a slice, whose operands begin at `first`."""
    position = first
    lists: list[list[int | SSAValue]] = []
    for name in ("static_offsets", "static_sizes", "static_strides"):
        mixed: list[int | SSAValue] = []
        for number in static_list(op, name):
            if number == DYNAMIC_INDEX:
                mixed.append(op.operands[position])
                position += 1
            else:
                mixed.append(number)
        lists.append(mixed)
    return Slice(*lists)


def create_subview(
    op: Operation,
    source: SSAValue,
    shape: Sequence[int],
    first: int,
    rewriter: BufferizationRewriter,
) -> SSAValue:
    """The slice of a buffer with the offsets, sizes and strides of `op`, whose dynamic
    ones are its operands from `first` on."""
    segments = static_list(op, "operandSegmentSizes")
    view = memref.SubviewOp.create(
        operands=[source, *op.operands[first:]],
        result_types=[slice_type(op, cast(BufferType, source.type), shape)],
        properties={
            "static_offsets": op.properties["static_offsets"],
            "static_sizes": op.properties["static_sizes"],
            "static_strides": op.properties["static_strides"],
            "operandSegmentSizes": _segment_sizes((1, *segments[first:])),
        },
    )
    return rewriter.insert(view).results[0]


@lru_cache
def _segment_sizes(sizes: tuple[int, ...]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i32, sizes)


def slice_type(op: Operation, source: BufferType, shape: Sequence[int]) -> MemRefType:
    """The type of the slice of a buffer of type `source`."""
    return subview_type(
        source,
        shape,
        static_list(op, "static_offsets"),
        static_list(op, "static_sizes"),
        static_list(op, "static_strides"),
        op,
    )


def shape_of(type_: Attribute) -> tuple[int, ...]:
    return cast("TensorType | MemRefType", type_).get_shape()


_STATIC = ("static_offsets", "static_sizes", "static_strides")


@record
class SliceSubset(HyperrectangularSubset):
    """SubsetOpInterface of an op on a slice, whose offsets begin at operand `first`; the
    tensor they are offsets into is the operand before."""

    first: int

    def subset_tensor(self, op: Operation) -> SSAValue:
        return op.operands[self.first - 1]

    def accessed_slice(self, op: Operation) -> Slice:
        return slice_of(op, self.first)


@record
class SliceInsertion(InsertionIntoSecond, SliceSubset):
    """SubsetInsertionOpInterface of an op that writes operand 0 into a slice."""

    first: int = 2

    def is_equivalent_subset(
        self, op: Operation, candidate: SSAValue, equivalence: Equivalence
    ) -> bool:
        extraction = candidate.owner
        return isinstance(
            extraction, tensor.ExtractSliceOp
        ) and self.operates_on_equivalent_subset(op, extraction, equivalence)

    def values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        return (*op.operands[DEST + 1 :], op.operands[DEST])

    def build_subset_extraction(
        self, op: Operation, point: InsertPoint
    ) -> SSAValue | None:
        """A slice of the destination, of the type of the source."""
        extraction = tensor.ExtractSliceOp.create(
            operands=op.operands[DEST:],
            result_types=[op.operands[SOURCE].type],
            properties={
                **{name: op.properties[name] for name in _STATIC},
                "operandSegmentSizes": DenseArrayBase.from_list(
                    i32, static_list(op, "operandSegmentSizes")[1:]
                ),
            },
        )
        Rewriter.insert_op(extraction, point)
        return extraction.results[0]


@record
class ExtractSlice(AliasingModel):
    """A subview."""

    relation: BufferRelation = BufferRelation.UNKNOWN

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        source = types.get_buffer_type(op.operands[0])
        return slice_type(op, source, shape_of(value.type))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        shape = shape_of(op.results[0].type)
        rewriter.replace(op, [create_subview(op, source, shape, 1, rewriter)])


def _is_overwritten(op: Operation) -> bool:
    """Whether an insertion replaces every element of its destination."""
    whole = op.operands[DEST].type
    dynamic = iter(op.operands[2:])

    def is_all(name: str, expected: Sequence[int]) -> bool:
        return all(
            (constant_of(next(dynamic)) if number == DYNAMIC_INDEX else number) == want
            for number, want in zip(static_list(op, name), expected, strict=True)
        )

    shape = shape_of(whole)
    rank = len(shape)
    # One after the other: each takes its operands from `dynamic`.
    return (
        is_all("static_offsets", [0] * rank)
        and is_all("static_sizes", shape)
        and is_all("static_strides", [1] * rank)
    )


def insertion_reads(op: Operation, operand: Use) -> bool:
    """An insertion reads its source, and its destination unless nothing of it is left."""
    return operand.index != DEST or not _is_overwritten(op)


def create_insertion(op: Operation, rewriter: BufferizationRewriter) -> SSAValue:
    """Copy the source of an insertion into the slice, and return the destination."""
    dest = rewriter.get_buffer(op.operands[DEST])
    source = rewriter.get_buffer(op.operands[SOURCE])
    view = create_subview(op, dest, shape_of(source.type), 2, rewriter)
    rewriter.create_memcpy(source, view)
    return dest


@record
class InsertSlice(SingleDestinationModel):
    """A copy into a subview; nothing, when the source is that subview already."""

    destination: int = DEST

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return insertion_reads(op, operand)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        rewriter.replace(op, [create_insertion(op, rewriter)])


class ParallelInsertSlice(BufferizableModel):
    """What one thread of a parallel loop contributes: a copy into a subview of the shared
    buffer, in front of the terminator that the op is in.

    To the analysis it is the loop that reads and writes the shared tensor, and this op
    only reads its source. What threads may do to the tensor besides is seen to beforehand
    (`scf_shared_outs`)."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == SOURCE

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        return

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        terminator = op.parent_op()
        assert terminator is not None, "verified"
        with rewriter.insert_at(InsertPoint.before(terminator)):
            create_insertion(op, rewriter)
        rewriter.erase(op)


def register() -> None:
    attach(tensor.ExtractSliceOp, ExtractSlice(), SliceSubset(first=1))
    attach(tensor.InsertSliceOp, InsertSlice(), SliceInsertion())
    attach(tensor.ParallelInsertSliceOp, ParallelInsertSlice(), SliceInsertion())
