"""Bufferization of functions as values: func.constant and func.call_indirect.

The type of a function on tensors becomes that of a function on memrefs, as the option
`function_boundary_type_conversion` says; what such a function returns is not inferred,
because its callers do not know which function it is. So the types of such values do not
depend on where they come from, and all are converted alike: what arith.select chooses,
scf.for carries or a branch passes on. Nothing is known of what an indirect
call does: it is taken to read and write every operand and to return any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects import func
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferizable import (
    TENSOR_TYPES,
    AliasingOperand,
    AliasingValue,
    BufferRelation,
    BufferType,
    get,
    operands_of,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.func.boundary import (
    boundary_type,
    functions_of,
    takes_tensors,
)


@dataclass(frozen=True)
class FunctionValue(BufferizableModel):
    """func.constant: the type of the value follows that of the function."""

    def has_tensor_semantics(self, op: Operation) -> bool:
        return takes_tensors(cast(FunctionType, op.results[0].type))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        value = op.results[0]
        rewriter.set_type(value, boundary_type(value.type, op, rewriter.types))


@dataclass(frozen=True)
class IndirectCall(BufferizableModel):
    """func.call_indirect: the worst is assumed."""

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return True

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return [
            AliasingValue(result, BufferRelation.UNKNOWN, False)
            for result in op.results
            if isinstance(result.type, TENSOR_TYPES)
        ]

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        return [
            AliasingOperand(operand, BufferRelation.UNKNOWN, False)
            for operand in operands_of(op)
            if isinstance(get(operand).type, TENSOR_TYPES)
        ]

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Unless some function that may be called returns a constant, for example."""
        assert isinstance(value, OpResult)
        return value.index not in functions_of(state).read_only_results(op)

    def results_sharing_buffers(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        tensors = [r for r in op.results if isinstance(r.type, TENSOR_TYPES)]
        return [(first, tensors[0]) for first in tensors[1:]]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        return cast(BufferType, boundary_type(value.type, op, types))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        wanted = cast(
            FunctionType, boundary_type(op.operands[0].type, op, rewriter.types)
        )
        for operand, type_ in zip(operands_of(op)[1:], wanted.inputs.data, strict=True):
            value = get(operand)
            if value.type == type_:
                continue
            buffer = rewriter.get_buffer(value)
            with rewriter.insert_at(InsertPoint.before(op)):
                buffer = rewriter.cast_or_reallocate(buffer, cast(BufferType, type_))
            rewriter.set_operand(op, operand.index, buffer)
        for result, type_ in zip(op.results, wanted.outputs.data, strict=True):
            if result.type != type_:
                rewriter.set_type(result, type_)


def convert_function_values(func: Operation, rewriter: BufferizationRewriter) -> None:
    """Give all values in a bufferized function that are functions on tensors the types of
    functions on memrefs, whatever chooses between them or carries them around a loop."""
    for op in walk(func):
        values: list[SSAValue] = list(op.results)
        for region in op.regions:
            for block in region.blocks:
                values.extend(block.args)
        for value in values:
            if isinstance(value.type, FunctionType) and takes_tensors(value.type):
                rewriter.set_type(value, boundary_type(value.type, op, rewriter.types))


def register() -> None:
    """Attach the models of these ops."""
    attach(func.ConstantOp, FunctionValue())
    attach(func.CallIndirectOp, IndirectCall())
