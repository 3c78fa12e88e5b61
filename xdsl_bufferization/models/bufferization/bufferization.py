"""The bufferization dialect: allocation of tensors, and conversions to and from
buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, UnitAttr, UnrankedMemRefType
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import CallableOpInterface, IsTerminator

from xdsl_bufferization.analysis.facts.value_bounds import static_list
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.aliasing import AliasingValue, BufferRelation
from xdsl_bufferization.interfaces.base_models import (
    BufferizableModel,
    DestinationStyleModel,
)
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, BufferType
from xdsl_bufferization.models.buffer_types import is_surely_castable
from xdsl_bufferization.models.subsets import WholeDestinationSubset
from xdsl_bufferization.models.tensor.elements import (
    AllocatingModel,
    DefiningModel,
    allocate_result,
)

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class AllocTensor(AllocatingModel):
    """A new buffer, with a copy of another's contents where the op has `copy`. Its memory
    space is the one the op states, or that of what it copies, or the default one."""

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        return copied_value(op) is not None

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        memory_space = op.properties.get("memory_space")
        if memory_space is None and (copied := copied_value(op)) is not None:
            memory_space = types.get_buffer_type(copied).memory_space
        return types.identity_buffer_type(value.type, memory_space)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        if op.results[0].first_use is None:
            rewriter.erase(op)
            return
        copied = copied_value(op)
        if copied is None:
            sizes = op.operands[: static_list(op, "operandSegmentSizes")[0]]
            rewriter.replace(op, [allocate_result(op, sizes, rewriter)])
            return
        source = rewriter.get_buffer(copied)
        buffer = allocate_result(op, rewriter.dynamic_sizes(source), rewriter)
        rewriter.create_memcpy(source, buffer)
        rewriter.replace(op, [buffer])


def copied_value(op: Operation) -> SSAValue | None:
    """What bufferization.alloc_tensor copies."""
    sizes, copies, _ = static_list(op, "operandSegmentSizes")
    return op.operands[sizes] if copies else None


class DeallocTensor(BufferizableModel):
    """memref.dealloc."""

    reads = False

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        buffer = rewriter.get_buffer(op.operands[0])
        rewriter.insert(memref.DeallocOp.create(operands=[buffer]))
        rewriter.erase(op)


class ToTensor(DefiningModel):
    """Its operand is the buffer. The op stays for users that are not bufferized."""

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return "writable" in op.properties

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        return cast(BufferType, op.operands[0].type)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        buffer, result = op.operands[0], op.results[0]
        uses = tuple(result.uses)
        for use in uses:
            if rewriter.state.model(use.operation) is not None:
                use.operation.operands[use.index] = buffer
        remaining = tuple(result.uses)
        # The buffer is no longer reached through this tensor alone, which matters to a
        # later run where an op that stays on tensors may write it.
        if len(remaining) < len(uses) and not all(
            _is_return(use.operation) for use in remaining
        ):
            op.properties.pop("restrict", None)
        rewriter.notify_replaced(result, buffer)
        if result.first_use is None:
            rewriter.erase(op)


def _is_return(op: Operation) -> bool:
    parent = op.parent_op()
    return (
        op.has_trait(IsTerminator)
        and not op.successors
        and parent is not None
        and parent.has_trait(CallableOpInterface)
    )


class ToBuffer(BufferizableModel):
    """The buffer itself, cast to the type the op asks for, or copied when a cast could
    fail. Nobody knows what is done with the memref, so it is read, and written unless the
    op promises `read_only`."""

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return "read_only" not in op.properties

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = op.operands[0]
        if isinstance(source.owner, bufferization.ToTensorOp):
            source = source.owner.operands[0]
        if isinstance(source.type, TENSOR_TYPES):
            return
        target = cast(BufferType, op.results[0].type)
        if isinstance(target, UnrankedMemRefType):
            buffer = rewriter.create_cast(source, target)
        elif isinstance(source.type, MemRefType):
            buffer = cast_or_copy(source, target, rewriter)
        else:
            return
        rewriter.replace(op, [buffer])


def cast_or_copy(
    buffer: SSAValue, target: MemRefType, rewriter: BufferizationRewriter
) -> SSAValue:
    """The buffer as a memref of another layout: cast when that is sure to hold at run
    time, otherwise a copy."""
    if is_surely_castable(cast(MemRefType, buffer.type), target):
        return rewriter.create_cast(buffer, target)
    with rewriter.reallocating(buffer, target):
        copy = rewriter.create_alloc(target, rewriter.dynamic_sizes(buffer))
        rewriter.create_memcpy(buffer, copy)
    return copy


class MaterializeInDestination(WholeDestinationSubset, DestinationStyleModel):
    """A copy into the destination, a tensor's future buffer or a memref. The program says
    with it that this buffer is to be written, so the destination must be in place."""

    always_in_place = True

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == 0

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if operand.index != 1 or not op.results:
            return ()
        return (AliasingValue(op.results[0], BufferRelation.EQUIVALENT),)

    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[Use], state: AnalysisState
    ) -> bool:
        return True

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        dest = rewriter.get_buffer(op.operands[1])
        source = rewriter.get_buffer(op.operands[0])
        rewriter.create_memcpy(source, dest)
        rewriter.replace(op, [dest] if op.results else [])

    # SubsetOpInterface and SubsetInsertionOpInterface: the subset is all of it.

    def build_subset_extraction(
        self, op: Operation, point: InsertPoint
    ) -> SSAValue | None:
        """The destination; of a memref the tensor it holds, if this op is the only way to
        it. The new op is the only way then."""
        assert isinstance(op, bufferization.MaterializeInDestinationOp)
        dest = op.operands[1]
        if isinstance(dest.type, TENSOR_TYPES):
            return dest
        if op.restrict is None:
            return None
        del op.properties["restrict"]
        to_tensor = bufferization.ToTensorOp.build(
            operands=[dest],
            result_types=[op.operands[0].type],
            properties={"restrict": UnitAttr(), "writable": UnitAttr()},
        )
        Rewriter.insert_op(to_tensor, point)
        return to_tensor.results[0]


def register() -> None:
    attach(bufferization.AllocTensorOp, AllocTensor())
    attach(bufferization.DeallocTensorOp, DeallocTensor())
    attach(bufferization.MaterializeInDestinationOp, MaterializeInDestination())
    attach(bufferization.ToBufferOp, ToBuffer())
    attach(bufferization.ToTensorOp, ToTensor())
