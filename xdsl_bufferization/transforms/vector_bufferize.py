"""The pass vector-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.partial_bufferization import bufferize_dialects


@dataclass(frozen=True)
class VectorBufferizePass(ModulePass):
    """Bufferize the vector dialect: transfers and gathers between tensors and vectors
    read and write buffers.

        %w = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>

    becomes

        %0 = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
        %m = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
        memref.copy %0, %m : memref<8xf32> to memref<8xf32>
        vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32>
        %w = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    handles all dialects at once. Run `finalizing-bufferize` after the last such pass.
    """

    name = "vector-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_dialects(op, ("vector",))
