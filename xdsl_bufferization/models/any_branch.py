"""Buffer deallocation of branches that only implement BranchOpInterface.

A branch to one block forwards the ownership of the memrefs it forwards. For a branch to
several blocks, the taken edge is unknown: buffers that no successor needs are freed
before it, and buffers that only some successors need are freed in new blocks on the
edges to the others:

      cf.switch %flag, [default: ^a, 1: ^b(%m)]      // only ^a uses %x
    becomes
      %own:2 = bufferization.dealloc ... retain (%m, %x)
      cf.switch %flag, [default: ^edge_a, 1: ^edge_b]
    ^edge_a:
      bufferization.dealloc (%m) if (%own#0) retain (%x)
      cf.br ^a
    ^edge_b:
      bufferization.dealloc (%x) if (%own#1) retain (%m)
      cf.br ^b(%m, %own#0)
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from xdsl_bufferization.dialects.booleans import get_constant_bool
from xdsl_bufferization.interfaces.branch import BranchOpInterface, get_successor_operands
from xdsl_bufferization.interfaces.buffer_deallocation import (
    DeallocationState,
    get_base_buffer,
)
from xdsl_bufferization.interfaces.memory_effects import is_memref


def deallocate_before_branch(
    op: Operation, branch: BranchOpInterface, state: DeallocationState
) -> None:
    forwarded = [get_successor_operands(branch, op, i) for i in range(len(op.successors))]
    needed = [
        state.get_memrefs_to_retain(successor, operands)
        for successor, operands in zip(op.successors, forwarded, strict=True)
    ]
    everything = list(dict.fromkeys(value for values in needed for value in values))
    memrefs, conditions = state.get_memrefs_and_conditions_to_deallocate(op)
    owned = state.insert_dealloc(op, memrefs, conditions, everything)
    maybe_owned = [v for v in everything if get_constant_bool(owned[v]) is not False]

    for i, successor in enumerate(op.successors):
        ownerships = [owned[value] for value in forwarded[i] if is_memref(value)]
        kept = set(needed[i])
        dropped = [value for value in maybe_owned if value not in kept]
        if not dropped:
            branch.append_successor_operands(op, i, ownerships)
            continue
        from xdsl_bufferization.dialects import cf

        assert op.parent is not None and op.parent.parent is not None
        jump = cf.BranchOp(successor, *forwarded[i], *ownerships)
        edge = Block([jump])
        op.parent.parent.insert_block_before(edge, successor)
        branch.erase_successor_operands(op, i, range(len(forwarded[i])))
        op.successors[i] = edge
        bases = [get_base_buffer(value, jump) for value in dropped]
        state.insert_dealloc(jump, bases, [owned[v] for v in dropped], needed[i])
