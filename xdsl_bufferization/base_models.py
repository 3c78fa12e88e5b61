"""The base models that ops of a dialect of your own derive theirs from, in one place.

| the op | base model |
| --- | --- |
| updates tensors that it gets, as linalg ops do | `DestinationStyleModel` |
| updates one operand, given by its number | `SingleDestinationModel` |
| makes new tensors | `AllocationModel` |
| renames a tensor, or views a part of it | `AliasingModel`, `ViewModel` |
| repeats its region with iter_args | `LoopModel` |
| executes one of its regions | `BranchModel` |
| ends a region of one of the two | `YieldModel` |
| calls a function | `CallModel` |
| none of these | `BufferizableModel` |

An op class carries its model among its traits:

    class AxpyOp(IRDLOperation):
        name = "toy.axpy"
        a, x, y = operand_def(f32), operand_def(), operand_def()
        result = opt_result_def()
        traits = traits_def(
            DestinationStyleModel(), MemoryReadEffect(), MemoryWriteEffect()
        )

A class that is not yours gets one from outside, before passes run:

    from xdsl_bufferization.interfaces.table import attach

    attach(AxpyOp, DestinationStyleModel())

A model with other answers is a class derived from a base model;
xdsl_bufferization.interfaces.bufferizable lists the questions. What a model says is
tested by xdsl_bufferization.testing.
"""

from xdsl_bufferization.interfaces.base_models import (
    AliasingModel,
    BufferizableModel,
    DestinationStyleModel,
    SingleDestinationModel,
)
from xdsl_bufferization.models.base.allocations import AllocationModel
from xdsl_bufferization.models.base.branches import BranchModel
from xdsl_bufferization.models.base.calls import CallModel
from xdsl_bufferization.models.base.loops import LoopModel
from xdsl_bufferization.models.base.terminators import YieldModel
from xdsl_bufferization.models.base.views import ViewModel

__all__ = [
    "AliasingModel",
    "AllocationModel",
    "BranchModel",
    "BufferizableModel",
    "CallModel",
    "DestinationStyleModel",
    "LoopModel",
    "SingleDestinationModel",
    "ViewModel",
    "YieldModel",
]
