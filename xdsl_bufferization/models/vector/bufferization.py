"""The vector dialect: transfers between tensors and vectors, gather, scatter, mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.vector_transfers import (
    Transfer,
    overwrites_everything,
    transferred_counts,
)
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
        assert isinstance(op, vector.TransferWriteOp)
        return not overwrites_everything(op)

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


@dataclass(frozen=True)
class TransferSubset(HyperrectangularSubset):
    """SubsetOpInterface of vector.transfer_read and transfer_write."""

    tensor_operand: int

    def subset_tensor(self, op: Operation) -> SSAValue:
        return op.operands[self.tensor_operand]

    def accessed_slice(self, op: Operation) -> Slice | None:
        """The slice; None if the vector has a scalable size."""
        assert isinstance(op, Transfer)
        counts = transferred_counts(op)
        if any(is_scalable for _, is_scalable in counts):
            return None
        ones = [1] * len(counts)
        return Slice(op.indices, [count for count, _ in counts], ones)


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
