"""The vector dialect: transfers between tensors and vectors, gather, scatter, mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.value_bounds import constant_of, static_list
from xdsl_bufferization.dialects import vector
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.base_models import (
    BufferizableModel,
    SingleDestinationModel,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.subset import Equivalence
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES
from xdsl_bufferization.interfaces.view_like import FirstOperandView
from xdsl_bufferization.models.subsets import (
    HyperrectangularSubset,
    InsertionIntoSecond,
)

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class ReadingModel(BufferizableModel):
    """An op that reads tensors into vectors: the same op on memrefs."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        new_op = recreate(op, _buffers(op, rewriter), op.result_types)
        rewriter.replace(op, rewriter.insert(new_op).results)


@dataclass(frozen=True)
class TransferWrite(SingleDestinationModel):
    """The same op on a memref."""

    destination: int = 1

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """The destination is read unless the vector replaces all of it."""
        return not _overwrites_everything(op)

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        rewriter.resolve_operand_conflicts(op, state)
        mask = op.parent_op()
        if not isinstance(mask, vector.MaskOp):
            return
        # vector.mask holds one op: a copy of the destination is made before it.
        block, outside = op.parent, mask.parent
        assert block is not None and outside is not None
        while (first := block.first_op) is not None and first is not op:
            first.detach()
            outside.insert_op_before(first, mask)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        operands = _buffers(op, rewriter)
        rewriter.insert(recreate(op, operands, ()))
        rewriter.replace(op, operands[1:2])


def _overwrites_everything(op: Operation) -> bool:
    """Whether a write without mask covers the whole of its destination: it begins at 0 in
    each dimension, and each dimension is transferred in full or has one element."""
    vector_type = cast(VectorType, op.operands[0].type)
    shape = cast("TensorType | MemRefType", op.operands[1].type).get_shape()
    if _is_masked(op) or DYNAMIC_INDEX in shape:
        return False
    sizes = _transferred_sizes(op, vector_type, len(shape))
    return all(have >= want for have, want in zip(sizes, shape, strict=True)) and all(
        constant_of(index) == 0 for index in op.operands[2 : 2 + len(shape)]
    )


def _is_masked(op: Operation) -> bool:
    return static_list(op, "operandSegmentSizes")[-1] != 0 or isinstance(
        op.parent_op(), vector.MaskOp
    )


def _transferred_sizes(
    op: Operation, vector_type: VectorType, rank: int
) -> Sequence[int]:
    """How many elements are transferred in each dimension of the tensor or memref."""
    sizes = [1] * rank
    map_ = cast(AffineMapAttr, op.properties["permutation_map"]).data
    for size, result in zip(vector_type.get_shape(), map_.results, strict=False):
        if isinstance(result, AffineDimExpr):
            sizes[result.position] = size
    return sizes


@dataclass(frozen=True)
class TransferSubset(HyperrectangularSubset):
    """SubsetOpInterface of vector.transfer_read and transfer_write."""

    tensor_operand: int

    def subset_tensor(self, op: Operation) -> SSAValue:
        return op.operands[self.tensor_operand]

    def accessed_slice(self, op: Operation) -> Slice:
        shape = cast(TensorType, self.subset_tensor(op).type).get_shape()
        rank = len(shape)
        vector_value = op.operands[0] if self.tensor_operand else op.results[0]
        first = self.tensor_operand + 1
        return Slice(
            op.operands[first : first + rank],
            _transferred_sizes(op, cast(VectorType, vector_value.type), rank),
            [1] * rank,
        )


@dataclass(frozen=True)
class TransferWriteSubset(InsertionIntoSecond, TransferSubset):
    """SubsetInsertionOpInterface of vector.transfer_write."""

    tensor_operand: int = 1

    def is_equivalent_subset(
        self, op: Operation, candidate: SSAValue, equivalence: Equivalence
    ) -> bool:
        extraction = candidate.owner
        return isinstance(
            extraction, vector.TransferReadOp
        ) and self.operates_on_equivalent_subset(op, extraction, equivalence)

    def values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        return ()

    def build_subset_extraction(
        self, op: Operation, point: InsertPoint
    ) -> SSAValue | None:
        """A vector is no part of a tensor that another op could compute into."""
        return None


class Scatter(SingleDestinationModel):
    """The same op on a memref. Operand 0 is the destination; what is not stored to keeps
    its contents."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        buffers = _buffers(op, rewriter)
        rewriter.insert(recreate(op, buffers, ()))
        rewriter.replace(op, buffers[:1])


class Mask(BufferizableModel):
    """vector.mask without the tensors it yields: they are memrefs from outside of it."""

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if not isinstance(value, OpResult):
            return ()
        yielded = operands_of(_terminator(op))[value.index]
        return (AliasingOperand(yielded, BufferRelation.EQUIVALENT),)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        yield_op = _terminator(op)
        kept = [v for v in yield_op.operands if not isinstance(v.type, MEMREF_TYPES)]
        new_op = recreate(op, op.operands, [value.type for value in kept])
        results = iter(new_op.results)
        values = [
            value if isinstance(value.type, MEMREF_TYPES) else next(results)
            for value in yield_op.operands
        ]
        yield_op.operands = kept
        rewriter.insert(new_op)
        rewriter.replace(op, values)


def _terminator(mask: Operation) -> Operation:
    last = mask.regions[0].block.last_op
    assert last is not None, "verified"
    return last


class Yield(BufferizableModel):
    """The terminator of vector.mask; `Mask` takes the tensors out of it."""

    always_in_place = True

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        mask = op.parent_op()
        assert mask is not None, "verified"
        result = mask.results[operand.index]
        return (AliasingValue(result, BufferRelation.EQUIVALENT),)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        rewriter.bufferize_operands(op)


def recreate(
    op: Operation, operands: Sequence[SSAValue], result_types: Sequence[Attribute]
) -> Operation:
    """The op with other operands and results; its regions are moved."""
    return type(op).create(
        operands=operands,
        result_types=result_types,
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in tuple(op.regions)],
    )


def _buffers(op: Operation, rewriter: BufferizationRewriter) -> list[SSAValue]:
    """The operands, tensors replaced by their buffers."""
    return [
        rewriter.get_buffer(value) if isinstance(value.type, TENSOR_TYPES) else value
        for value in op.operands
    ]


def register() -> None:
    attach(vector.TransferReadOp, ReadingModel(), TransferSubset(tensor_operand=0))
    attach(vector.TransferWriteOp, TransferWrite(), TransferWriteSubset())
    attach(vector.GatherOp, ReadingModel())
    attach(vector.ScatterOp, Scatter())
    attach(vector.MaskOp, Mask())
    attach(vector.YieldOp, Yield())
    attach(vector.TypeCastOp, FirstOperandView())
