"""An older import path of base models; xdsl_bufferization.base_models has all of
them."""

from xdsl_bufferization.models.base.branches import BranchModel
from xdsl_bufferization.models.base.loops import LoopModel
from xdsl_bufferization.models.base.terminators import YieldModel

__all__ = ["BranchModel", "LoopModel", "YieldModel"]
