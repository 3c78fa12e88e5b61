"""Which buffers a loop carries without writing them, whatever the analysis decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.bufferization import (
    AllocTensorOp,
    DeallocTensorOp,
    ToBufferOp,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState


def are_only_read(
    arguments: Sequence[SSAValue], ends: Mapping[Operation, int], state: AnalysisState
) -> bool:
    """Return whether nothing inside a loop can write the buffer that `arguments` stand
    for, whatever the analysis decides, or forward it to where its aliases are not known.

    Args:
        ends: the terminators of the loop, each with the number of the operand that
            carries the buffer on.
    """
    worklist = list(arguments)
    visited = set(arguments)
    while worklist:
        for use in worklist.pop().uses:
            op = use.operation
            if op in ends:
                if use.index != ends[op]:
                    return False
                continue
            if (
                state.model(op) is None
                or isinstance(op, (AllocTensorOp, DeallocTensorOp, ToBufferOp))
                or state.bufferizes_to_memory_write(use)
            ):
                return False
            names = [alias.value for alias in state.aliasing_values(use)]
            if not names and op.has_trait(IsTerminator):
                return False
            worklist += [name for name in names if name not in visited]
            visited.update(names)
    return True


def is_in_combining_loop(op: Operation) -> bool:
    """Whether an op is inside of a loop whose iterations end with insertions, in a region
    of their terminator."""
    region = op.parent_region()
    while region is not None and (parent := region.parent) is not None:
        last = region.blocks.first and region.blocks.first.last_op
        if last is not None and last.regions and last.has_trait(IsTerminator):
            return True
        region = parent.parent_region()
    return False
