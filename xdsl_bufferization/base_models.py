"""All base models from which you can derive models for the ops of your own dialect.

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

The model of an op class is one of its traits:

    class AxpyOp(IRDLOperation):
        name = "toy.axpy"
        a, x, y = operand_def(f32), operand_def(), operand_def()
        result = opt_result_def()
        traits = traits_def(
            DestinationStyleModel(), MemoryReadEffect(), MemoryWriteEffect()
        )

To attach a model to a class of another package, before passes run:

    from xdsl_bufferization.interfaces.table import attach

    attach(AxpyOp, DestinationStyleModel())

For other answers, derive a class from a base model;
xdsl_bufferization.interfaces.bufferizable lists the questions.
xdsl_bufferization.testing tests the answers of a model.
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
