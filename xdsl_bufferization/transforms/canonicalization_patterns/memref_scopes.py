"""Canonicalizations of memref.alloca_scope: a scope that frees nothing is not needed.

Deallocation also frees buffers returned by calls in a scope at the end of the scope.
Without the scope, these buffers would be live longer and be compared with more other
buffers, so such a scope stays.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import RecursiveMemoryEffect, get_effects

from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

_FREEING = ("func.func", "memref.alloca_scope")
"""The scopes at whose end generated code takes the stack back; in a loop, which is one
too by definition, it would grow with each iteration."""

_CALLS = ("func.call", "func.call_indirect")


class InlineScope(RewritePattern):
    """Inline a scope without stack allocations, or at whose end all others are
    freed."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        region = op.regions[0]
        if region.first_block is not region.last_block:
            return
        if _ends_with_parent(op) or not _may_allocate(op):
            # The rules of all ops of memref are loaded together, and scopes are rare.
            from xdsl.transforms.canonicalization_patterns import scf

            scf.replace_op_with_region(rewriter, op, region)


def _ends_with_parent(op: Operation) -> bool:
    """Whether the op is the last one of a function or another such scope."""
    parent, following = op.parent_op(), op.next_op
    return (
        parent is not None
        and parent.name in _FREEING
        and following is not None
        and following.next_op is None
        and parent.regions[0].first_block is parent.regions[0].last_block
    )


def _may_allocate(scope: Operation) -> bool:
    """Whether an op in a scope, and in no scope within, may allocate on the stack, or
    returns a buffer that may be freed there."""
    stack = [scope]
    while stack:
        for region in stack.pop().regions:
            for block in region.blocks:
                for op in block.ops:
                    if op.name == "memref.alloca_scope":
                        continue
                    if op.name in _CALLS:
                        if any(map(is_memref, op.results)):
                            return True
                        continue
                    is_recursive = op.has_trait(
                        RecursiveMemoryEffect, value_if_unregistered=False
                    )
                    if op.name == "memref.alloca" or (
                        not is_recursive and get_effects(op) is None
                    ):
                        return True
                    stack.append(op)
    return False


PATTERNS: Table = {
    "memref.alloca_scope": (InlineScope(),),
}
