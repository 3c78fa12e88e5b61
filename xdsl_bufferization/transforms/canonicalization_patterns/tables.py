"""Tables of canonicalizations, rules or patterns, by the name of an op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.pattern_rewriter import RewritePattern

from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Rule

Table: TypeAlias = Mapping[str, Sequence[Rule | RewritePattern]]


def joined(*tables: Table) -> Table:
    """Return one table with the patterns of all, those of earlier tables first."""
    result: dict[str, Sequence[Rule | RewritePattern]] = {}
    for table in tables:
        for name, patterns in table.items():
            result[name] = (*result.get(name, ()), *patterns)
    return result
