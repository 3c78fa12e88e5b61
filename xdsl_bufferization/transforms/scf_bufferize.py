"""The pass scf-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.partial_bufferization import bufferize_dialects


@dataclass(frozen=True)
class ScfBufferizePass(ModulePass):
    """Bufferize the scf dialect: loops and branches carry memrefs.

        %0 = scf.if %c -> (tensor<4xf32>) {
          scf.yield %a : tensor<4xf32>
        } else {
          scf.yield %b : tensor<4xf32>
        }

    becomes

        %b_m = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
        %a_m = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>
        %m = scf.if %c -> (memref<4xf32>) {
          scf.yield %a_m : memref<4xf32>
        } else {
          scf.yield %b_m : memref<4xf32>
        }
        %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    handles all dialects at once. Run `finalizing-bufferize` after the last such pass.
    """

    name = "scf-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_dialects(op, ("scf",))
