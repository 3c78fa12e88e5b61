"""The pass verify-deallocation."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.checkers.lifetimes.checker import check_lifetimes
from xdsl_bufferization.checkers.lifetimes.report import Lifetimes
from xdsl_bufferization.interfaces.diagnostics import list_faults, warn
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program


@dataclass(frozen=True)
class VerifyDeallocationPass(ModulePass):
    """Check that every allocation is freed exactly once on every path, that it is not
    used afterwards, and that nothing else is freed. The program is left unchanged.

    Run it after the passes that insert deallocations: after
    ownership-based-buffer-deallocation or buffer-deallocation, or after
    buffer-deallocation-pipeline, when conditions and comparisons of pointers decide at
    run time what to free. The checker follows each allocation along all paths, through
    aliases, calls and conditions; it shares nothing with the passes.

        func.func @f(%c: i1, %x: f32) {
          %a = memref.alloc() : memref<f32>
          scf.if %c {
            memref.dealloc %a : memref<f32>
          }
          memref.store %x, %a[] : memref<f32>
          return
        }

    is an error: if %c is true, memref.store uses an allocation that has been freed;
    otherwise, the allocation is not freed.

    The caller must free the results of a function; a function does not own its
    arguments.

    Options:
    - allow-undecided: accept, with a warning, a program that the checker cannot decide:
      a buffer is stored to memory, cast to a pointer or passed to an unknown op, or there
      is a fault on a path whose conditions may exclude each other (true).
    """

    name = "verify-deallocation"

    allow_undecided: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = verify_deallocation(op)
        if found.wrong:
            raise PassFailedException(list_faults(self.name, found.wrong))
        if found.undecided:
            heading = f"{self.name}: undecided, whether this is right"
            message = list_faults(heading, found.undecided)
            if not self.allow_undecided:
                raise PassFailedException(message)
            warn(f"{message}\nWith allow-undecided=false, this is an error.")


@on_program
def verify_deallocation(module: ModuleOp) -> Lifetimes:
    """Check a program in which deallocations have been inserted."""
    return check_lifetimes(module)
