"""The canonicalizations of func: the complete body of a function at once, and calls."""

from __future__ import annotations

from xdsl.dialects.func import CallOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import func
from xdsl_bufferization.programs import program
from xdsl_bufferization.transforms.canonicalization_patterns.driver import (
    canonicalize_function,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


class CanonicalizeFunction(RewritePattern):
    """Canonicalize the ops of a function in linear time, before xDSL visits each."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        with program(op):
            if canonicalize_function(op, on_erasure=rewriter.handle_operation_removal):
                rewriter.has_done_action = True


def call_directly(op: Operation, worklist: Worklist) -> bool:
    """A call of a value that is a function of known name."""
    callee, *operands = op.operands
    constant = callee.owner
    if not isinstance(constant, func.ConstantOp):
        return False
    call = CallOp(constant.value, operands, op.result_types)
    worklist.insert_before(op, call)
    worklist.replace(op, call.results)
    return True


PATTERNS: Table = {
    "func.func": (CanonicalizeFunction(),),
    func.CallIndirectOp.name: (call_directly,),
}
