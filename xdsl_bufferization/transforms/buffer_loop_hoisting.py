"""The pass buffer-loop-hoisting."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.analysis.one_shot.program_order import BlockInfo, OpNode
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.allocation_placement import (
    Placement,
    is_loop,
    is_parallel,
)


@dataclass(frozen=True)
class BufferLoopHoistingPass(ModulePass):
    """Move allocations out of loops, so that all iterations use one buffer.

        func.func @f(%lb: index, %ub: index, %step: index, %m: memref<4xf32>) {
          scf.for %i = %lb to %ub step %step {
            %0 = memref.alloc() : memref<4xf32>
            linalg.exp ins(%m : memref<4xf32>) outs(%0 : memref<4xf32>)
            linalg.exp ins(%0 : memref<4xf32>) outs(%m : memref<4xf32>)
          }
          return
        }

    becomes

        func.func @f(%lb: index, %ub: index, %step: index, %m: memref<4xf32>) {
          %0 = memref.alloc() : memref<4xf32>
          scf.for %i = %lb to %ub step %step {
            linalg.exp ins(%m : memref<4xf32>) outs(%0 : memref<4xf32>)
            linalg.exp ins(%0 : memref<4xf32>) outs(%m : memref<4xf32>)
          }
          return
        }

    A buffer that an iteration yields stays in the loop, and so does one whose sizes are
    computed in the loop. Iterations that may run in parallel keep their own buffers.
    Run it before deallocation: an allocation that is already freed in the program is
    not moved.
    """

    name = "buffer-loop-hoisting"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist_buffers_from_loops(op)


def hoist_buffers_from_loops(root: Operation) -> None:
    """Move the allocations under `root` out of loops."""
    placement = Placement(root)
    moves = [
        (node, _target(node, placement))
        for name in (memref.AllocOp.name, memref.AllocaOp.name)
        for node in placement.allocations(name)
    ]
    for node, target in moves:
        placement.move(node, target)


def _target(node: OpNode, placement: Placement) -> BlockInfo:
    """The block around the outermost loop that an allocation may leave."""
    order = placement.order
    uses = placement.fate(node).dominator
    bound = placement.block_of_sizes(node)
    target = block = placement.block_of(node)
    while bound is None or (block is not bound and order.dominates(bound, block)):
        dominator = block.dominator
        if dominator is None:
            break
        if dominator.region is not block.region:
            op = block.region.node.op
            # Where the buffer is used outside the loop, the loop has handed it on.
            if not is_loop(op) or is_parallel(op) or order.dominates(uses, dominator):
                break
            target = dominator
        block = dominator
    return target
