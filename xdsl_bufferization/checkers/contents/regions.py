"""Queries of the control flow graph about one op with regions (flow.py)."""

from __future__ import annotations

from typing_extensions import TypeIs
from xdsl.ir import Operation

from xdsl_bufferization.checkers.contents.marks import MarkOp
from xdsl_bufferization.dialects import linalg, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.loop_like import static_trip_count
from xdsl_bufferization.interfaces.types import has_tensor_semantics

_WITHOUT_STRETCHES = ("vector.mask", "scf.forall.in_parallel")
"""Ops with regions that a transfer function follows."""


def is_structured(op: Operation) -> TypeIs[linalg.LinalgStructuredOperation]:
    # Most ops are told apart by their names, which is fast.
    return op.name.startswith("linalg.") and isinstance(
        op, linalg.LinalgStructuredOperation
    )


def is_entered(op: Operation) -> bool:
    """Return whether the regions of an op are parts of the graph."""
    if not any(region.blocks.first is not None for region in op.regions):
        return False
    if op.name in _WITHOUT_STRETCHES:
        return op.name == "vector.mask" and has_tensor_semantics(op)
    if is_structured(op):
        return any(isinstance(inner, MarkOp) for inner in walk(op.regions[0]))
    return True


def is_parallel(op: Operation) -> bool:
    """Return whether iterations of an op may run at the same time."""
    if isinstance(op, scf.ForallOp | scf.ParallelOp) or op.name == "affine.parallel":
        return True
    if is_structured(op):
        return not has_tensor_semantics(op)
    model = BUFFERIZABLE.lookup(op)
    return model is not None and model.is_parallel_region(op, 0)


def repeats(op: Operation) -> bool:
    """Return whether a parallel loop may have several iterations."""
    if is_structured(op):
        return True
    model = BUFFERIZABLE.lookup(op)
    if model is not None and not model.is_parallel_region(op, 0):
        return False
    return static_trip_count(op) not in (0, 1)
