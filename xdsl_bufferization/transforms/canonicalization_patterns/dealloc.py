"""Canonicalizations of bufferization.dealloc."""

from xdsl.pattern_rewriter import RewritePattern


def dealloc_patterns() -> tuple[RewritePattern, ...]:
    return ()
