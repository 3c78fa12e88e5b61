"""Canonicalizations in two forms, for drivers that accept only one of them.

A canonicalization is a `Rule` for our worklist or an xDSL `RewritePattern`. The table
`PATTERNS` of a module of this folder may contain both, by op name. xDSL's
`canonicalize` gets rules as patterns; our linear driver gets patterns as rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriterListener,
    RewritePattern,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.records import record
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
    replacement_for,
)


@record
class RulePattern(RewritePattern):
    """A rule as a pattern, for ops outside of functions.

    The ops of a function have been visited in linear time, with that function
    (`func.CanonicalizeFunction`).
    """

    rule: Rule

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if _is_in_function(op):
            return
        worklist = Worklist(op, on_erasure=rewriter.handle_operation_removal)
        if not self.rule(op, worklist):
            return
        rewriter.has_done_action = True
        for changed in worklist.take_queued():
            rewriter.handle_operation_modification(changed)
        if op.parent is not None:
            rewriter.handle_operation_modification(op)


def _is_in_function(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, func.FuncOp):
            return True
        parent = parent.parent_op()
    return False


def as_pattern(canonicalization: Rule | RewritePattern) -> RewritePattern:
    if isinstance(canonicalization, RewritePattern):
        return canonicalization
    return RulePattern(canonicalization)


def as_rule(canonicalization: Rule | RewritePattern) -> Rule:
    if not isinstance(canonicalization, RewritePattern):
        return canonicalization
    pattern = canonicalization

    def rule(op: Operation, worklist: Worklist) -> bool:
        rewriter = worklist.pattern_rewriter
        if rewriter is None:
            rewriter = worklist.pattern_rewriter = _Rewriter(op)
            rewriter.extend_from_listener(_listener(worklist))
        rewriter.has_done_action = False
        place = rewriter.insertion_point
        if place.insert_before is not op or place.block is not op.parent:
            rewriter.insertion_point = InsertPoint.before(op)
        pattern.match_and_rewrite(op, rewriter)
        return rewriter.has_done_action

    return rule


class _Rewriter(PatternRewriter):
    """A rewriter that works in code which control never reaches, too."""

    def replace(
        self,
        op: Operation,
        new_ops: Operation | Sequence[Operation],
        new_results: Sequence[SSAValue | None] | None = None,
        safe_erase: bool = True,
    ) -> None:
        if new_results is not None:
            new_results = [v and replacement_for(op, v) for v in new_results]
        super().replace(op, new_ops, new_results, safe_erase)


def _listener(worklist: Worklist) -> PatternRewriterListener:
    def erased(op: Operation) -> None:
        worklist.announce_erasure(op)
        for operand in op.operands:
            worklist.push_definition(operand)

    def replaced(op: Operation, values: Sequence[SSAValue | None]) -> None:
        for result in op.results:
            worklist.push_users(result)

    return PatternRewriterListener(
        operation_insertion_handler=[worklist.push],
        operation_modification_handler=[worklist.push],
        operation_removal_handler=[erased],
        operation_replacement_handler=[replaced],
    )
