"""The pass buffer-hoisting."""

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
    is_known_control_flow,
    is_loop,
)


@dataclass(frozen=True)
class BufferHoistingPass(ModulePass):
    """Move allocations up, out of branches, to where they dominate all uses.

    A buffer that escapes the branch in which it is allocated is then allocated before
    the branch, so that it is easier to free or reuse:

        func.func @f(%c: i1, %x: f32, %other: memref<4xf32>) -> memref<4xf32> {
          %r = scf.if %c -> (memref<4xf32>) {
            %0 = memref.alloc() : memref<4xf32>
            linalg.fill ins(%x : f32) outs(%0 : memref<4xf32>)
            scf.yield %0 : memref<4xf32>
          } else {
            scf.yield %other : memref<4xf32>
          }
          return %r : memref<4xf32>
        }

    becomes

        func.func @f(%c: i1, %x: f32, %other: memref<4xf32>) -> memref<4xf32> {
          %0 = memref.alloc() : memref<4xf32>
          %r = scf.if %c -> (memref<4xf32>) {
            linalg.fill ins(%x : f32) outs(%0 : memref<4xf32>)
            scf.yield %0 : memref<4xf32>
          } else {
            scf.yield %other : memref<4xf32>
          }
          return %r : memref<4xf32>
        }

    An allocation does not move above the computation of its sizes, or out of its loop
    (see `buffer-loop-hoisting`). Run it before deallocation: an allocation that is
    already freed in the program is not moved.
    """

    name = "buffer-hoisting"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist_buffers(op)


def hoist_buffers(root: Operation) -> None:
    """Move the allocations under `root` up, out of branches."""
    placement = Placement(root)
    moves = [
        (node, _target(node, placement))
        for node in placement.allocations(memref.AllocOp.name)
    ]
    for node, target in moves:
        placement.move(node, target)


def _target(node: OpNode, placement: Placement) -> BlockInfo:
    """The uppermost block that an allocation may be moved to."""
    order = placement.order
    bound = placement.fate(node).dominator
    sizes = placement.block_of_sizes(node)
    if sizes is not None and sizes is not bound and order.dominates(bound, sizes):
        bound = sizes
    block = placement.block_of(node)
    while block is not bound and order.dominates(bound, block):
        dominator = block.dominator
        if dominator is None:
            break
        if dominator.region is not block.region:
            op = block.region.node.op
            if not is_known_control_flow(op) or is_loop(op):
                break
        block = dominator
    return block
