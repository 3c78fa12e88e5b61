"""What the graph of the contents checker asks about one op with regions (flow.py)."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypeIs
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import Point, RegionGraph
from xdsl_bufferization.checkers.contents.marks import MarkOp
from xdsl_bufferization.dialects import linalg, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE, has_tensor_semantics
from xdsl_bufferization.interfaces.loop_like import static_trip_count, surely_runs
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionSuccessor,
)

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


def entries_of(op: Operation, graph: RegionGraph) -> Sequence[RegionSuccessor]:
    successors = graph.successors[None]
    if surely_runs(op):
        return [successor for successor in successors if successor.region is not None]
    return successors


def inputs_of(op: Operation, point: Point) -> Sequence[SSAValue]:
    """Return the values that control sets on its way to a point of an op."""
    if point is None:
        return op.results
    first = point.blocks.first
    return () if first is None else first.args


def sent_positions(
    op: Operation, successor: RegionSuccessor, sender: Operation | None
) -> Sequence[int] | None:
    """Return the operands, of an op or of the terminator of one of its regions, that
    become the inputs of a successor; None if the terminator does not say."""
    if sender is op:
        model = REGION_BRANCH.lookup(op)
        assert model is not None
        sent = model.get_entry_successor_operands(op, successor.region)
        # Forwarded operands are the last ones.
        return range(len(op.operands) - len(sent), len(op.operands))
    returns = None if sender is None else REGION_BRANCH_TERMINATOR.lookup(sender)
    if sender is None or returns is None:
        return None if successor.inputs else ()
    return returns.get_returned_operand_range(sender, successor.region)


def repeats(op: Operation) -> bool:
    """Return whether a parallel loop may have several iterations."""
    if is_structured(op):
        return True
    model = BUFFERIZABLE.lookup(op)
    if model is not None and not model.is_parallel_region(op, 0):
        return False
    return static_trip_count(op) not in (0, 1)
