"""The pass verify-memory-plan."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.checkers.memory_plan import WrongPlan, check_memory_plan
from xdsl_bufferization.interfaces.diagnostics import list_faults
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program


@dataclass(frozen=True)
class VerifyMemoryPlanPass(ModulePass):
    """Check that no live buffer in an arena is overwritten through another one, and
    that all buffers are inside their arena and aligned. The program is left unchanged.

    Run it after plan-memory, or on your own arenas: views of bytes at constant offsets.
    If one view of a buffer is at a constant offset, others whose offset or size is not
    constant are refused; memory in which all offsets are computed was not planned, and
    its views may overlap. An access to an arena itself, or through a view other than
    memref.view, is one to all buffers in it; so is freeing it. Elements must be aligned
    to their size, and arenas as their views, or as arena_bytes and arena_alignments of
    the function state. The checker interprets the program forward, along all paths, and
    shares nothing with the pass.

        func.func @f(%arena: memref<64xi8>, %x: memref<16xf32>) {
          %c0 = arith.constant 0 : index
          %0 = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
          %1 = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
          linalg.exp ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>)
          linalg.exp ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>)
          linalg.exp ins(%0 : memref<16xf32>) outs(%x : memref<16xf32>)
          return
        }

    is an error at each op that uses a buffer whose memory has become that of the other:
    the second linalg.exp reads %0 and writes %1, and the last one reads %0.
    """

    name = "verify-memory-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = verify_memory_plan(op)
        if found:
            raise PassFailedException(list_faults(self.name, found))


@on_program
def verify_memory_plan(module: ModuleOp) -> list[WrongPlan]:
    """Return what is wrong with the buffers in the arenas of a program."""
    return check_memory_plan(module)
