"""How scf.if, scf.index_switch, scf.execute_region and scf.yield are bufferized.

    %r = scf.if %c -> tensor<?xf32> { scf.yield %a } else { scf.yield %b }

None of these ops has tensor operands. The result is the buffer of an operand of one of
its scf.yield ops, so for the analysis it aliases all of them. Nothing is copied: a
yield forwards buffers, with a cast if their types differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.aliasing import AliasingOperand, AliasingValue
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.models.base.branches import BranchBuffers
from xdsl_bufferization.models.base.terminators import RegionTerminatorModel, forward_all
from xdsl_bufferization.models.unstructured_control_flow import (
    aliasing_branch_operands,
    block_argument_buffer_type,
    bufferize_block_signatures,
)


class BranchingModel(BranchBuffers):
    """An op whose results are what the yields in its regions forward."""

    def terminators_of(self, op: Operation) -> Sequence[Operation]:
        """In the order of the regions; the default region of scf.index_switch comes last,
        as in MLIR."""
        regions = op.regions
        if isinstance(op, scf.IndexSwitchOp):
            regions = (*regions[1:], regions[0])
        return [
            block.last_op
            for region in regions
            for block in region.blocks
            if isinstance(block.last_op, scf.YieldOp)
        ]

    def values_of_yielded(self, op: Operation, number: int) -> Sequence[AliasingValue]:
        """A result without uses is no name of any buffer. To MLIR, no result of
        scf.index_switch is, but all those of scf.if are."""
        if isinstance(op, scf.IndexSwitchOp) and op.results[number].first_use is None:
            return ()
        return super().values_of_yielded(op, number)


class ExecuteRegionModel(BranchingModel):
    """scf.execute_region may have several blocks, and yield from any of them."""

    def is_yielded_definitely(self, op: Operation) -> bool:
        return len(self.terminators_of(op)) == 1

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return aliasing_branch_operands(value)
        return super().aliasing_operands(op, value, state)

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return True

    def supports_unstructured_control_flow(self, op: Operation) -> bool:
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


class ReductionModel(RegionTerminatorModel):
    """scf.reduce and scf.reduce.return: the scf.parallel around them refuses tensors."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        return


class ConditionModel(RegionTerminatorModel):
    """scf.condition: all but its first operand go to the region `after`, and to the
    results."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        parent = op.parent_op()
        assert parent is not None
        forward_all(op, 1, parent.regions[1].block.args, rewriter)
