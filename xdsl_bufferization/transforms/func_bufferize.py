"""The pass func-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.partial_bufferization import bufferize_dialects


@dataclass(frozen=True)
class FuncBufferizePass(ModulePass):
    """Bufferize functions, calls, returns, and branches between blocks.

        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          return %t : tensor<4xf32>
        }

    becomes

        func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          return %m : memref<4xf32>
        }

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    takes all dialects at once. Run `finalizing-bufferize` after the last such pass.
    """

    name = "func-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_dialects(op, ("func", "cf"), function_boundaries=True)
