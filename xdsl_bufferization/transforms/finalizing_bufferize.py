"""The pass finalizing-bufferize."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.analysis_state import AnalysisState
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.interfaces.bufferizable import (
    BufferType,
    has_tensor_semantics,
)
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class FinalizingBufferizePass(ModulePass):
    """Remove the casts between tensors and memrefs that partial bufferization has left,
    and make sure that no tensor is left.

        %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
        %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>

    are removed, %n being %m; where the types differ, %m is cast, or copied where a cast
    might fail. An op that still takes or gives a tensor is an error.
    """

    name = "finalizing-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        finalize_bufferization(op)


def finalize_bufferization(root: Operation) -> None:
    """Remove pairs of to_tensor and to_buffer under `root`.

    Raises:
        PassFailedException: when an op on tensors is left.
    """
    announce_models()
    options = BufferizationOptions()
    rewriter = BufferizationRewriter(options, AnalysisState(options))
    for op in list(root.walk()):
        if op.name != bufferization.ToBufferOp.name:
            continue
        source = op.operands[0].owner
        if isinstance(source, Operation) and (
            source.name == bufferization.ToTensorOp.name
        ):
            with rewriter.insert_at(InsertPoint.before(op)):
                type_ = cast(BufferType, op.results[0].type)
                buffer = rewriter.cast_or_reallocate(source.operands[0], type_)
            op.results[0].replace_all_uses_with(buffer)
            _erase(op)
    for op in list(root.walk()):
        if op.name == bufferization.ToTensorOp.name and op.results[0].first_use is None:
            _erase(op)
    for op in root.walk():
        if has_tensor_semantics(op):
            raise PassFailedException(
                f"{op.name}: a tensor is left. Bufferize the op before finalizing-"
                "bufferize, by the partial pass of its dialect or by one-shot-bufferize."
                + describe(op)
            )


def _erase(op: Operation) -> None:
    assert op.parent is not None
    op.parent.erase_op(op)
