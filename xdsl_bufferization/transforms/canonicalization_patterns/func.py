"""The canonicalization of functions: all that is in one, at once."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.programs import program
from xdsl_bufferization.transforms.canonicalization_patterns.driver import (
    canonicalize_function,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


class CanonicalizeFunction(RewritePattern):
    """Canonicalize the ops of a function in linear time, before xDSL visits each."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        with program(op):
            if canonicalize_function(op, on_erasure=rewriter.handle_operation_removal):
                rewriter.has_done_action = True


PATTERNS: Table = {"func.func": (CanonicalizeFunction(),)}
