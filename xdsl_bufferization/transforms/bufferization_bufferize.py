"""The pass bufferization-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.partial_bufferization import bufferize_dialects


@dataclass(frozen=True)
class BufferizationBufferizePass(ModulePass):
    """Bufferize the bufferization dialect: bufferization.alloc_tensor and
    materialize_in_destination become allocations and copies.

        %0 = bufferization.alloc_tensor() : tensor<4xf32>

    becomes

        %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    handles all dialects at once. Run `finalizing-bufferize` after the last such pass.
    """

    name = "bufferization-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_dialects(op, ())
