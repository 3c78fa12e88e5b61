"""The ops at whose end memory of the stack is taken back (MLIR's trait
AutomaticAllocationScope)."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, Region

from xdsl_bufferization.dialects import affine, memref, scf

_SCOPES = frozenset(
    op.name
    for op in (
        FuncOp,
        affine.ForOp,
        affine.ParallelOp,
        memref.AllocaScopeOp,
        scf.ForOp,
        scf.ForallOp,
        scf.ParallelOp,
    )
)


def is_automatic_allocation_scope(op: Operation) -> bool:
    """Whether what is allocated on the stack inside an op, and inside none in between
    of which the same is true, is taken back when control leaves its region, in a loop
    at the end of each iteration."""
    return op.name in _SCOPES


def automatic_allocation_region(op: Operation) -> Region | None:
    """The region around an op at whose end the memory that the op allocates on the stack
    is taken back."""
    region = op.parent_region()
    while region is not None and (around := region.parent) is not None:
        if is_automatic_allocation_scope(around):
            return region
        region = around.parent_region()
    return None
