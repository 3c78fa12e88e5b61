"""The base model of calls of unknown functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, BufferType
from xdsl_bufferization.models.func.boundary import boundary_type
from xdsl_bufferization.records import record


@record
class CallModel(BufferizableModel):
    """A call of a function of which nothing is known: it may read and write the buffer of
    every argument and return any of them, or a new one, which the caller frees.

        class InvokeOp(IRDLOperation):   # "toy.invoke"(%t) {callee = @f} : (...) -> ...
            name = "toy.invoke"
            callee = prop_def(SymbolRefAttr)
            arguments = var_operand_def()
            outs = var_result_def()
            traits = traits_def(CallModel(), MemoryReadEffect(), MemoryWriteEffect())

    On memrefs it is the same op. Its arguments and results have the types that functions
    take and return, as the option `function_boundary_type_conversion` says; there is a
    result for each of the function. Deallocation follows the convention of functions: a
    memref that is returned is owned by the caller.

    Args:
        first_argument: the number of the first operand that is an argument; all that
            follow are arguments. Operand 0 is the function if there is no attribute.
        callee: the name of the attribute or property with the symbol of the function.
    """

    first_argument: int = 0
    callee: str = "callee"
    writes = True

    def verify(self, op: Operation | None = None) -> None:
        """Check that the op says what it calls.

        Raises:
            VerifyException: where it does not.
        """
        BufferizableModel.verify(self, op)
        assert op is not None
        symbol = op.get_attr_or_prop(self.callee)
        if not isinstance(symbol, SymbolRefAttr) and (
            self.first_argument == 0 or len(op.operands) < self.first_argument
        ):
            raise VerifyException(
                f"{op.name}: {type(self).__name__} expects a symbol, as attribute or "
                f"property `{self.callee}`, or, with first_argument=1, the function as "
                "operand 0"
            )

    def get_callable_for_callee(self, op: Operation) -> SymbolRefAttr | SSAValue:
        symbol = op.get_attr_or_prop(self.callee)
        if isinstance(symbol, SymbolRefAttr):
            return symbol
        return op.operands[0]

    def get_arg_operands(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands[self.first_argument :]

    def callee_type(self, op: Operation, types: BufferTypes) -> FunctionType:
        """The type of the function on memrefs."""
        arguments = self.get_arg_operands(op)
        return FunctionType.from_lists(
            [boundary_type(value.type, op, types) for value in arguments],
            [boundary_type(result.type, op, types) for result in op.results],
        )

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
        return value.index not in state.functions.read_only_results(op)

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
        wanted = self.callee_type(op, rewriter.types)
        arguments = operands_of(op)[self.first_argument :]
        for operand, type_ in zip(arguments, wanted.inputs.data, strict=True):
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
