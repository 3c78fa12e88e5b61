"""The pass tensor-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.partial_bufferization import bufferize_dialects


@dataclass(frozen=True)
class TensorBufferizePass(ModulePass):
    """Bufferize the tensor dialect.

        %0 = tensor.extract %t[%i] : tensor<4xf32>

    becomes

        %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        %0 = memref.load %m[%i] : memref<4xf32>

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    handles all dialects at once. Run `finalizing-bufferize` after the last such pass.
    """

    name = "tensor-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_dialects(op, ("tensor",))
