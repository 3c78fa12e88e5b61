"""Buffer deallocation of cf.cond_br.

The block ends in two deallocs, one per successor, each under the condition that the
branch takes it:

    %not_c = arith.xori %c, %true
    %o1 = bufferization.dealloc (%m) if (%own and %c) retain (what the first needs)
    %o2 = bufferization.dealloc (%m) if (%own and %not_c) retain (what the second needs)
    cf.cond_br %c, ^first(..., %o1), ^second(..., %o2)
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import cf
from xdsl_bufferization.dialects.booleans import build_and, build_not, build_select
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.interfaces.buffer_deallocation import (
    BufferDeallocationModel,
    DeallocationOptions,
    DeallocationState,
)
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.table import attach


class _CondBranch(BufferDeallocationModel):
    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        branch = BRANCH.lookup(op)
        assert branch is not None
        memrefs, conditions = state.get_memrefs_and_conditions_to_deallocate(op)
        taken = op.operands[0]
        updates: list[dict[SSAValue, SSAValue]] = []
        for successor, target in enumerate(op.successors):
            if successor == 1 and memrefs:
                taken = build_not(op, taken, state.constants)
            guarded = [build_and(op, condition, taken) for condition in conditions]
            forwarded = get_successor_operands(branch, op, successor)
            retained = state.get_memrefs_to_retain(target, forwarded)
            updated = state.insert_dealloc(op, memrefs, guarded, retained)
            branch.append_successor_operands(
                op, successor, [updated[value] for value in forwarded if is_memref(value)]
            )
            updates.append(updated)
        first, second = updates
        for value, ownership in second.items():
            if value in first:
                selected = build_select(op, op.operands[0], first[value], ownership)
                state.set_ownership(value, selected, op.parent)


def register() -> None:
    attach(cf.ConditionalBranchOp, _CondBranch())
