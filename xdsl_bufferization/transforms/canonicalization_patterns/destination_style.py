"""Casts around destination-style ops: an op uses the sources of casts, and the types of
its results are as precise as its destinations.

    %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
    %1 = linalg.exp ins(%a : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>

becomes

    %0 = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
    %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>

`structured_loops` contains the part that is specific to structured linalg ops.
"""

from __future__ import annotations

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


class DestinationOfCast(RewritePattern):
    """An op with one destination, and no loops, writes to the tensor before a cast."""

    def __init__(self, destination: int):
        self.destination = destination

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = tensor_before_cast(op.operands[self.destination])
        if source is not None and op.results:
            op.operands[self.destination] = source
            rewriter.notify_op_modified(op)
            set_result_type(op.results[0], source.type, rewriter)


def set_result_type(result: SSAValue, type: Attribute, rewriter: PatternRewriter) -> None:
    """Change the type of a result; its users get it cast to the old type, or directly
    if they are such casts themselves."""
    old = result.type
    if type == old:
        return
    op = result.owner
    assert isinstance(op, Operation) and is_tensor(old)
    new = rewriter.replace_value_with_new_type(result, type)
    if new.first_use is None:
        return
    back = tensor.CastOp(new, old)
    rewriter.insert(back, InsertPoint.after(op))
    rewriter.replace_uses_with_if(
        new, back.results[0], lambda use: use.operation is not back
    )


TENSOR: Table = {
    "tensor.insert": (DestinationOfCast(1),),
    "tensor.scatter": (DestinationOfCast(1),),
}
