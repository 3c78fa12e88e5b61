"""The pass arith-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.partial_bufferization import bufferize_dialects


@dataclass(frozen=True)
class ArithBufferizePass(ModulePass):
    """Bufferize the arith dialect: constants of tensor type become globals, selections
    choose between buffers.

        %0 = arith.constant dense<1.0> : tensor<4xf32>

    becomes

        %m = memref.get_global @__constant_4xf32 : memref<4xf32>
        %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    handles all dialects at once. Run `finalizing-bufferize` after the last such pass.
    """

    name = "arith-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_dialects(op, ("arith",))
