"""Bufferization of func: functions, calls and returns.

The tensor arguments of a function become memrefs whose layout the option
`function_boundary_type_conversion` or the argument attribute
`bufferization.buffer_layout` determines. Its results have the types of the returned
buffers (infer-layout-map), or are cast to the layout of the option, or copied if a cast
is not possible. Calls are analysed through the summary of the callee
(analysis/facts/functions.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.facts.functions import (
    WRITABLE,
    argument_attribute,
    return_ops,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes, memref_type
from xdsl_bufferization.interfaces.bufferization_options import TensorLike
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.layout_hints import result_layout_hint
from xdsl_bufferization.interfaces.operands import get, is_entry_argument, operands_of
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES, BufferType
from xdsl_bufferization.models.func import values as function_values
from xdsl_bufferization.models.func.boundary import (
    boundary_type,
    takes_tensors,
)
from xdsl_bufferization.models.unstructured_control_flow import (
    aliasing_branch_operands,
    block_argument_buffer_type,
    bufferize_block_signatures,
)

_BUFFER_LAYOUT = "bufferization.buffer_layout"


class FuncModel(BufferizableModel):
    """func.func owns the arguments of the blocks of its body."""

    def supports_unstructured_control_flow(self, op: Operation) -> bool:
        return True

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        assert isinstance(value, BlockArgument)
        return aliasing_branch_operands(value)

    def has_tensor_semantics(self, op: Operation) -> bool:
        assert isinstance(op, FuncOp)
        if takes_tensors(op.function_type):
            return True
        return any(
            isinstance(argument.type, TENSOR_TYPES)
            for block in op.body.blocks
            for argument in block.args
        )

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Arguments are writable unless bufferization.writable says otherwise."""
        assert isinstance(op, FuncOp) and isinstance(value, BlockArgument)
        if not is_entry_argument(value):
            return True
        writable = argument_attribute(op, value.index, WRITABLE)
        return not isinstance(writable, IntegerAttr) or bool(writable.value.data)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        assert isinstance(op, FuncOp) and isinstance(value, BlockArgument)
        if is_entry_argument(value):
            return self._argument_type(op, value.index, types)
        return block_argument_buffer_type(value, types)

    def _argument_type(self, op: FuncOp, index: int, types: BufferTypes) -> BufferType:
        type_ = op.function_type.inputs.data[index]
        layout = argument_attribute(op, index, _BUFFER_LAYOUT)
        if isinstance(layout, AffineMapAttr | StridedLayoutAttr):
            tensor_type = cast(TensorType, type_)
            memory_space = types.memory_space(tensor_type, op)
            if isinstance(layout, AffineMapAttr) and _is_identity(layout.data):
                layout = NoneAttr()
            return MemRefType(
                tensor_type.element_type, tensor_type.shape, layout, memory_space
            )
        return cast(BufferType, boundary_type(type_, op, types))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        """Give all block arguments, and the function type's inputs, their memref types.
        The results follow in `bufferize_results`, when the body is done."""
        assert isinstance(op, FuncOp)
        inputs: list[Attribute] = [
            self._argument_type(op, index, rewriter.types)
            if isinstance(type_, TENSOR_TYPES)
            else boundary_type(type_, op, rewriter.types)
            for index, type_ in enumerate(op.function_type.inputs.data)
        ]
        outputs = op.function_type.outputs.data
        entry = op.body.blocks.first
        if entry is None:
            outputs = [boundary_type(type_, op, rewriter.types) for type_ in outputs]
        else:
            for argument, type_ in zip(entry.args, inputs, strict=True):
                if argument.type != type_:
                    rewriter.set_type(argument, type_)
            bufferize_block_signatures(op.body, rewriter)
        op.properties["function_type"] = FunctionType.from_lists(inputs, list(outputs))
        _drop_argument_attributes(op)


def _drop_argument_attributes(func: FuncOp) -> None:
    """Remove the bufferization attributes, which are no longer needed."""
    if func.arg_attrs is None:
        return
    spent = (WRITABLE, _BUFFER_LAYOUT)
    kept = [
        DictionaryAttr({k: v for k, v in attributes.data.items() if k not in spent})
        for attributes in func.arg_attrs.data
    ]
    if any(attributes.data for attributes in kept):
        func.properties["arg_attrs"] = ArrayAttr(kept)
    else:
        del func.properties["arg_attrs"]


def _is_identity(map_: AffineMap) -> bool:
    """Whether a layout map is the identity, whatever symbols it declares."""
    return map_.results == AffineMap.identity(map_.num_dims).results


def bufferize_results(
    func: FuncOp, is_called_before: bool, rewriter: BufferizationRewriter
) -> None:
    """Set the result types of a function whose body is bufferized, and cast what it
    returns to them.

    Args:
        is_called_before: the function may call itself, or be called indirectly; the types
            of its results are then settled before it is known what it returns.
    """
    returns = return_ops(func)
    if not returns:
        return
    infer = (
        rewriter.options.function_boundary_type_conversion == "infer-layout-map"
        and not is_called_before
    )
    outputs = list(func.function_type.outputs.data)

    def hint() -> str | None:
        can_infer = len(returns) == 1 and not is_called_before
        return result_layout_hint(rewriter.options) if can_infer else None

    for number, type_ in enumerate(outputs):
        if isinstance(type_, FunctionType):
            outputs[number] = boundary_type(type_, func, rewriter.types)
        if not isinstance(type_, TENSOR_TYPES):
            continue
        wanted = cast(BufferType, boundary_type(type_, func, rewriter.types))
        for op in returns:
            with rewriter.insert_at(InsertPoint.before(op)):
                buffer = rewriter.get_buffer_at_boundary(op.operands[number], wanted)
            op.operands[number] = buffer
        if infer and (found := _returned_type(returns, number, wanted, rewriter)):
            outputs[number] = found
            continue
        outputs[number] = wanted
        for op in returns:
            value = op.operands[number]
            with (
                rewriter.insert_at(InsertPoint.before(op)),
                rewriter.because("layout", op, value, wanted, hint),
            ):
                buffer = rewriter.cast_or_reallocate(value, wanted)
            rewriter.set_operand(op, number, buffer)
    func.properties["function_type"] = FunctionType.from_lists(
        list(func.function_type.inputs.data), outputs
    )


def _returned_type(
    returns: Sequence[Operation],
    number: int,
    declared: Attribute,
    rewriter: BufferizationRewriter,
) -> Attribute | None:
    """The type of what is returned everywhere, if it is one.

    A buffer that was cast to the declared type, the one with nothing known of the layout,
    is returned as it was before: callers cast it to the shape they know.
    """
    buffers = [op.operands[number] for op in returns]
    sources = [
        buffer.owner.operands[0]
        if isinstance(buffer.owner, memref.CastOp)
        and buffer.type == declared
        and not (rewriter.options.keep_result_shapes and _changes_shape(buffer.owner))
        else buffer
        for buffer in buffers
    ]
    for values in (sources, buffers):
        types = {value.type for value in values}
        if len(types) == 1:
            for op, value in zip(returns, values, strict=True):
                op.operands[number] = value
            for buffer in dict.fromkeys(buffers):
                if isinstance(buffer.owner, memref.CastOp) and buffer.first_use is None:
                    rewriter.notify_replaced(buffer, buffer.owner.operands[0])
                    Rewriter.erase_op(buffer.owner)
            return types.pop()
    return None


def _changes_shape(op: memref.CastOp) -> bool:
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, MemRefType) or not isinstance(result, MemRefType):
        return True
    return source.shape != result.shape


class ReturnModel(BufferizableModel):
    """func.return reads what it returns. It is bufferized with its function."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        return


class CallModel(BufferizableModel):
    """func.call does what the summary of its callee says, the worst without one."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        summary = state.functions.summary(op)
        return summary is None or operand.index in summary.read

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        summary = state.functions.summary(op)
        return summary is None or operand.index in summary.written

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        """Also true of a result that may be an argument or something else, such as a
        constant. MLIR 22 overlooks that."""
        assert isinstance(value, OpResult)
        summary = state.functions.summary(op)
        if summary is not None and value.index in summary.defined:
            return True
        return super().result_bufferizes_to_memory_write(op, value, state)

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        summary = state.functions.summary(op)
        if summary is None:
            return [
                AliasingValue(result, BufferRelation.UNKNOWN, False)
                for result in op.results
                if isinstance(result.type, TENSOR_TYPES)
            ]
        results = summary.aliasing.get(operand.index, ())
        if len(results) == 1 and summary.equivalent.get(results[0]) == operand.index:
            return (AliasingValue(op.results[results[0]], BufferRelation.EQUIVALENT),)
        return [
            AliasingValue(op.results[number], BufferRelation.UNKNOWN, False)
            for number in results
        ]

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        operands = operands_of(op)
        summary = state.functions.summary(op)
        if summary is not None:
            operands = [operands[index] for index in summary.sources_of(value.index)]
        return [
            AliasingOperand(operand, alias.relation, alias.is_definite)
            for operand in operands
            if isinstance(get(operand).type, TENSOR_TYPES)
            for alias in self.aliasing_values(op, operand, state)
            if alias.value is value
        ]

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        assert isinstance(value, OpResult)
        return value.index not in state.functions.read_only_results(op)

    def results_sharing_buffers(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        summary = state.functions.summary(op)
        if summary is None:
            tensors = [r for r in op.results if isinstance(r.type, TENSOR_TYPES)]
            if state.functions.callee(op) is None:
                return ()
            return list(pairwise(tensors))
        return [
            (op.results[first], op.results[second])
            for first, second in summary.shared_results
        ]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        assert isinstance(value, OpResult)
        callee = types.state.functions.callee(op)
        if callee is not None:
            type_ = callee.function_type.outputs.data[value.index]
            if isinstance(type_, MEMREF_TYPES):
                return _with_shape_of(value.type, cast(BufferType, type_))
        return cast(BufferType, boundary_type(value.type, op, types))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        assert isinstance(op, CallOp)
        callee = rewriter.state.functions.callee(op)
        for operand in operands_of(op):
            type_ = get(operand).type
            if not isinstance(type_, (*TENSOR_TYPES, *MEMREF_TYPES)):
                continue
            wanted = self._operand_type(op, operand, callee, rewriter.types)
            buffer = rewriter.get_buffer(get(operand))
            with rewriter.insert_at(InsertPoint.before(op)):
                buffer = rewriter.cast_or_reallocate(buffer, wanted)
            rewriter.set_operand(op, operand.index, buffer)
        for result in op.results:
            if not isinstance(result.type, TENSOR_TYPES):
                continue
            type_ = returned = rewriter.get_buffer_type(result)
            if callee is not None:
                given = callee.function_type.outputs.data[result.index]
                if isinstance(given, MEMREF_TYPES):
                    returned = cast(BufferType, given)
            rewriter.set_type(result, returned)
            if returned != type_:
                uses = tuple(result.uses)
                with rewriter.insert_at(InsertPoint.after(op)):
                    buffer = rewriter.create_cast(result, type_)
                for use in uses:
                    rewriter.set_operand(use.operation, use.index, buffer)

    def _operand_type(
        self,
        op: CallOp,
        operand: Use,
        callee: FuncOp | None,
        types: BufferTypes,
    ) -> BufferType:
        type_: Attribute = get(operand).type
        if callee is not None:
            type_ = callee.function_type.inputs.data[operand.index]
        if isinstance(type_, MEMREF_TYPES):
            return cast(BufferType, type_)
        entry = None if callee is None else callee.body.blocks.first
        if entry is None:
            return cast(BufferType, boundary_type(type_, op, types))
        return types.get_buffer_type(entry.args[operand.index])


def _with_shape_of(type_: Attribute, returned: BufferType) -> BufferType:
    """The type of a returned buffer as a caller sees it, who may know more or less of the
    shape of the tensor than the callee."""
    tensor = cast(TensorLike, type_)
    if isinstance(tensor, UnrankedTensorType):
        return UnrankedMemRefType.from_type(returned.element_type, returned.memory_space)
    if isinstance(returned, MemRefType):
        return MemRefType(
            returned.element_type, tensor.shape, returned.layout, returned.memory_space
        )
    return memref_type(tensor, "fully-dynamic-layout-map", returned.memory_space)


def register() -> None:
    """Attach the models of this dialect."""
    attach(FuncOp, FuncModel())
    attach(ReturnOp, ReturnModel())
    attach(CallOp, CallModel())
    function_values.register()
