"""The scf dialect: structured control flow over tensors."""

from __future__ import annotations

from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.base.terminators import YieldModel
from xdsl_bufferization.models.scf.branches import (
    BranchingModel,
    ConditionModel,
    ExecuteRegionModel,
    ReductionModel,
)
from xdsl_bufferization.models.scf.loops import ForModel, WhileModel
from xdsl_bufferization.models.scf.parallel import ForallModel, ParallelModel


def register() -> None:
    """Attach the models of the dialect."""
    attach(scf.ConditionOp, ConditionModel())
    attach(scf.ExecuteRegionOp, ExecuteRegionModel())
    attach(scf.ForOp, ForModel())
    attach(scf.ForallOp, ForallModel())
    attach(scf.IfOp, BranchingModel())
    attach(scf.InParallelOp, BufferizableModel())
    attach(scf.IndexSwitchOp, BranchingModel())
    attach(scf.ParallelOp, ParallelModel())
    attach(scf.ReduceOp, ReductionModel())
    attach(scf.ReduceReturnOp, ReductionModel())
    attach(scf.WhileOp, WhileModel())
    attach(scf.YieldOp, YieldModel())
