"""The cf dialect: branches that forward tensors to the arguments of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Use

from xdsl_bufferization.dialects import cf
from xdsl_bufferization.interfaces.aliasing import AliasingValue
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.unstructured_control_flow import (
    aliasing_block_arguments,
)


class BranchModel(BufferizableModel):
    """A branch passes buffers on: a block argument is the buffer forwarded to it. The op
    around its block bufferizes both."""

    reads = False

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return aliasing_block_arguments(op, operand)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        return


def register() -> None:
    """Attach the models of the dialect."""
    for branch in (cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp):
        attach(branch, BranchModel())
