"""The pass scf-parallel-for-to-nested-fors."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.conversion.utils.scf_loops import parallel_to_for
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class ScfParallelForToNestedForsPass(ModulePass):
    """Turn scf.parallel into a nest of scf.for that carry its reductions.

    ```mlir
    func.func @f(%m: memref<?xf32>, %lb: index, %ub: index, %s: index, %z: f32) -> f32 {
      %r = scf.parallel (%i) = (%lb) to (%ub) step (%s) init (%z) -> f32 {
        %x = memref.load %m[%i] : memref<?xf32>
        scf.reduce(%x : f32) {
        ^bb0(%a: f32, %b: f32):
          %c = arith.addf %a, %b : f32
          scf.reduce.return %c : f32
        }
      }
      return %r : f32
    }
    ```

    becomes

    ```mlir
    func.func @f(%m: memref<?xf32>, %lb: index, %ub: index, %s: index, %z: f32) -> f32 {
      %r = scf.for %i = %lb to %ub step %s iter_args(%a = %z) -> (f32) {
        %x = memref.load %m[%i] : memref<?xf32>
        %c = arith.addf %a, %x : f32
        scf.yield %c : f32
      }
      return %r : f32
    }
    ```
    """

    name = "scf-parallel-for-to-nested-fors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [inner for inner in walk(op) if inner.name == "scf.parallel"]
        for loop in visiting(reversed(loops)):
            parallel_to_for(loop)
