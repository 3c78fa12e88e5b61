"""Ops whose regions may run several times at once."""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.dialects import affine
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE


def runs_in_parallel(op: Operation) -> bool:
    """Whether iterations of an op may run at the same time, of tensors or of buffers:
    affine.parallel has no model that says so, as it carries no tensors."""
    if isinstance(op, affine.ParallelOp):
        return True
    model = BUFFERIZABLE.lookup(op)
    return model is not None and any(
        model.is_parallel_region(op, index) for index in range(len(op.regions))
    )
