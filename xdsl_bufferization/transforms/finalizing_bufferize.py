"""The pass finalizing-bufferize."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import bufferization, memref, tensor
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import BufferType, has_tensor_semantics
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program


@dataclass(frozen=True)
class FinalizingBufferizePass(ModulePass):
    """Remove the casts between tensors and memrefs that partial bufferization leaves,
    and ensure that no tensor remains.

        %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
        %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>

    are removed, and %m replaces %n. If the types differ, %m is cast, or copied if a
    cast might fail. The size of a tensor becomes the size of its buffer. An op that
    still has a tensor as operand or result is an error.

    Partial bufferization reads %m where %t is read: the program must not write a buffer
    after a bufferization.to_tensor without `restrict` has turned it into a tensor. If
    the program may do so, use `one-shot-bufferize`, which copies such a buffer.
    """

    name = "finalizing-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        finalize_bufferization(op)


@on_program
def finalize_bufferization(root: Operation) -> None:
    """Remove pairs of to_tensor and to_buffer under `root`.

    Raises:
        PassFailedException: when an op on tensors is left.
    """
    options = BufferizationOptions()
    rewriter = BufferizationRewriter(options, DefaultAnalysisState(options))
    for op in visiting(list(walk(root))):
        if not isinstance(op, bufferization.ToBufferOp | tensor.DimOp):
            continue
        source = op.operands[0].owner
        if not isinstance(source, bufferization.ToTensorOp):
            continue
        buffer = source.operands[0]
        with rewriter.insert_at(InsertPoint.before(op)):
            if isinstance(op, tensor.DimOp):
                value = rewriter.insert(memref.DimOp(buffer, op.operands[1])).results[0]
            else:
                type_ = cast(BufferType, op.results[0].type)
                value = rewriter.cast_or_reallocate(buffer, type_)
        op.results[0].replace_all_uses_with(value)
        _erase(op)
    for op in list(walk(root)):
        if op.name == bufferization.ToTensorOp.name and op.results[0].first_use is None:
            _erase(op)
    for op in walk(root):
        if has_tensor_semantics(op):
            raise PassFailedException(
                f"{op.name}: a tensor is left. Bufferize the op before finalizing-"
                "bufferize, by the partial pass of its dialect or by one-shot-bufferize."
                + describe(op)
            )


def _erase(op: Operation) -> None:
    assert op.parent is not None
    op.parent.erase_op(op)
