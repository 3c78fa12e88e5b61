"""The pass scf-forall-to-parallel."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.conversion.utils.scf_loops import forall_to_parallel
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class ScfForallToParallelPass(ModulePass):
    """Turn scf.forall on buffers into scf.parallel.

    ```mlir
    func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
      scf.forall (%i) in (%n) {
        memref.store %x, %m[%i] : memref<?xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      scf.parallel (%i) = (%0) to (%n) step (%1) {
        memref.store %x, %m[%i] : memref<?xf32>
        scf.reduce
      }
      return
    }
    ```

    A forall with shared outputs works on tensors: run one-shot-bufferize first.
    """

    name = "scf-forall-to-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [inner for inner in walk(op) if inner.name == "scf.forall"]
        for loop in visiting(reversed(loops)):
            forall_to_parallel(loop, self.name)
