"""The canonicalization of functions: all that is in one, at once."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects.adoption import adopt_ops
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.canonicalization_patterns.driver import (
    canonicalize_function,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


class CanonicalizeFunction(RewritePattern):
    """Canonicalize the ops of a function in linear time, before xDSL visits each."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        announce_models()
        with large_programs():
            adopt_ops(op)
            if canonicalize_function(op, on_erasure=rewriter.handle_operation_removal):
                rewriter.has_done_action = True


PATTERNS: Table = {"func.func": (CanonicalizeFunction(),)}
