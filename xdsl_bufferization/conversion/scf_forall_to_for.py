"""The pass scf-forall-to-for."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.conversion.utils.scf_loops import forall_to_for
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class ScfForallToForPass(ModulePass):
    """Turn scf.forall on buffers into a nest of scf.for, in the order of its indices.

    ```mlir
    func.func @f(%m: memref<4x?xf32>, %n: index, %x: f32) {
      scf.forall (%i, %j) in (4, %n) {
        memref.store %x, %m[%i, %j] : memref<4x?xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%m: memref<4x?xf32>, %n: index, %x: f32) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 0 : index
      %2 = arith.constant 4 : index
      %3 = arith.constant 1 : index
      %4 = arith.constant 1 : index
      scf.for %i = %0 to %2 step %3 {
        scf.for %j = %1 to %n step %4 {
          memref.store %x, %m[%i, %j] : memref<4x?xf32>
        }
      }
      return
    }
    ```

    A forall with shared outputs works on tensors: run one-shot-bufferize first.
    """

    name = "scf-forall-to-for"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [inner for inner in walk(op) if inner.name == "scf.forall"]
        for loop in visiting(reversed(loops)):
            forall_to_for(loop, self.name)
