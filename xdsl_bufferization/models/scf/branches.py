"""How scf.if, scf.index_switch, scf.execute_region and scf.yield are bufferized.

    %r = scf.if %c -> tensor<?xf32> { scf.yield %a } else { scf.yield %b }

None of these ops has tensor operands. Its result is the buffer of the operand of one of
the scf.yield inside, and to the analysis it is those that the result aliases. Nothing is
copied: a yield passes buffers out, after a cast where they are of different types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import (
    BufferTypes,
    has_fully_dynamic_layout,
)
from xdsl_bufferization.interfaces.bufferizable import (
    MEMREF_TYPES,
    TENSOR_TYPES,
    AliasingOperand,
    AliasingValue,
    BufferRelation,
    BufferType,
    operands_of,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.models.unstructured_control_flow import (
    aliasing_branch_operands,
    block_argument_buffer_type,
    bufferize_block_signatures,
)
from xdsl_bufferization.models.values import number_of


class BranchingModel(BufferizableModel):
    """An op whose results are what the yields in its regions pass out of it."""

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        number = number_of(value)
        is_definite = _is_yielded_definitely(op)
        return [
            AliasingOperand(
                operands_of(end)[number], BufferRelation.EQUIVALENT, is_definite
            )
            for end in yields_of(op)
        ]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        number = number_of(value)
        type_: BufferType | None = None
        for end in yields_of(op):
            # Then the others do not matter. Asking for them all the same would make a
            # chain of `else if` quadratic.
            if type_ is not None and has_fully_dynamic_layout(type_):
                break
            yielded = types.get_buffer_type(end.operands[number])
            type_ = _common_type(value, type_ or yielded, yielded, types)
        if type_ is None:  # It never ends.
            return types.unknown_buffer_type(value.type, op)
        return type_

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        for result in op.results:
            if isinstance(result.type, TENSOR_TYPES):
                type_ = rewriter.get_buffer_type(result)
                for end in yields_of(op):
                    pass_on(end, result.index, result, type_, rewriter)
                rewriter.set_type(result, type_)


class ExecuteRegionModel(BranchingModel):
    """scf.execute_region may have several blocks, and yield from any of them."""

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return aliasing_branch_operands(value)
        return super().aliasing_operands(op, value, state)

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return True

    def supports_unstructured_control_flow(self) -> bool:
        return True

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        if isinstance(value, BlockArgument):
            return block_argument_buffer_type(value, types)
        return super().buffer_type(op, value, types)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        super().bufferize(op, rewriter)
        bufferize_block_signatures(op.regions[0], rewriter)


class RegionTerminatorModel(BufferizableModel):
    """A terminator that passes tensors on: it reads them, so that they are finished by
    then, and never copies them, for that would be an allocation to pass on."""

    def must_bufferize_in_place(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return True


class ReductionModel(RegionTerminatorModel):
    """scf.reduce and scf.reduce.return: the scf.parallel around them refuses tensors."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        return


class YieldModel(RegionTerminatorModel):
    """scf.yield. The results of loops are linked to their init operands instead."""

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        parent = op.parent_op()
        if not isinstance(parent, (scf.IfOp, scf.IndexSwitchOp, scf.ExecuteRegionOp)):
            return ()
        result = parent.results[operand.index]
        is_definite = _is_yielded_definitely(parent)
        return (AliasingValue(result, BufferRelation.EQUIVALENT, is_definite),)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        parent = op.parent_op()
        assert parent is not None
        if isinstance(parent, scf.WhileOp):
            pass_on_all(op, 0, parent.regions[0].block.args, rewriter)
        elif isinstance(
            parent, (scf.ForOp, scf.IfOp, scf.IndexSwitchOp, scf.ExecuteRegionOp)
        ):
            pass_on_all(op, 0, parent.results, rewriter)
        else:
            raise PassFailedException(
                f"{op.name}: it is not known what {parent.name} does with the tensors "
                "that are yielded. End its region with a terminator of its own dialect, "
                f"which has a model of BufferizableOpInterface.{describe(op)}"
            )


class ConditionModel(RegionTerminatorModel):
    """scf.condition: all but its first operand go to the region `after`, and to the
    results."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        parent = op.parent_op()
        assert parent is not None
        pass_on_all(op, 1, parent.regions[1].block.args, rewriter)


def yields_of(op: Operation) -> list[Operation]:
    """The yields that end the regions of an op, in the order of the regions; the default
    region of scf.index_switch comes last, as in MLIR."""
    regions = op.regions
    if isinstance(op, scf.IndexSwitchOp):
        regions = (*regions[1:], regions[0])
    return [
        block.last_op
        for region in regions
        for block in region.blocks
        if isinstance(block.last_op, scf.YieldOp)
    ]


def pass_on_all(
    end: Operation,
    first: int,
    targets: Sequence[SSAValue],
    rewriter: BufferizationRewriter,
) -> None:
    """Let a terminator pass on buffers, operands from the `first` on, each of the type of
    its target."""
    for index, target in enumerate(targets, first):
        if isinstance(target.type, (*TENSOR_TYPES, *MEMREF_TYPES)):
            pass_on(end, index, target, rewriter.get_buffer_type(target), rewriter)


def pass_on(
    end: Operation,
    index: int,
    target: SSAValue,
    type_: BufferType,
    rewriter: BufferizationRewriter,
) -> None:
    """Let a terminator pass on a buffer of the type of its target."""
    buffer = rewriter.get_buffer(end.operands[index])
    if buffer.type != type_:
        _common_type(target, type_, cast(BufferType, buffer.type), rewriter.types)
        with rewriter.insert_at(InsertPoint.before(end)):
            buffer = rewriter.create_cast(buffer, type_)
    rewriter.set_operand(end, index, buffer)


def _common_type(
    value: SSAValue,
    first: BufferType,
    second: BufferType,
    types: BufferTypes,
) -> BufferType:
    what = "the buffers that its regions yield"
    return types.common_buffer_type(value, first, second, what)


def _is_yielded_definitely(op: Operation) -> bool:
    """Whether a result is always the operand of one and the same yield."""
    return isinstance(op, scf.ExecuteRegionOp) and len(yields_of(op)) == 1
