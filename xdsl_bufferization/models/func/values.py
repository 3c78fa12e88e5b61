"""Bufferization of functions as values: func.constant and func.call_indirect.

The type of a function on tensors becomes that of a function on memrefs, as specified by
the option `function_boundary_type_conversion`; the layouts of results are not inferred,
because callers do not know which function they call. The types of such values are
therefore independent of their definitions, and all are converted uniformly: operands of
arith.select, iter_args of scf.for, and values that a branch forwards. An indirect call
has the base model of calls.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import func
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.base.calls import CallModel
from xdsl_bufferization.models.func.boundary import (
    boundary_type,
    takes_tensors,
)
from xdsl_bufferization.records import record


@record
class FunctionValue(BufferizableModel):
    """func.constant: the type of the value follows that of the function."""

    def has_tensor_semantics(self, op: Operation) -> bool:
        return takes_tensors(cast(FunctionType, op.results[0].type))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        value = op.results[0]
        rewriter.set_type(value, boundary_type(value.type, op, rewriter.types))


@record
class IndirectCall(CallModel):
    """func.call_indirect: its first operand says what the callee takes and returns."""

    def callee_type(self, op: Operation, types: BufferTypes) -> FunctionType:
        return cast(FunctionType, boundary_type(op.operands[0].type, op, types))


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
    attach(func.CallIndirectOp, IndirectCall(first_argument=1))
