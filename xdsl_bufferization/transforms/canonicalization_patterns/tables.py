"""Tables of canonicalization patterns by the name of an op."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from xdsl.pattern_rewriter import RewritePattern

Table: TypeAlias = Mapping[str, tuple[RewritePattern, ...]]


def joined(*tables: Table) -> Table:
    """Return one table with the patterns of all, those of earlier tables first."""
    result: dict[str, tuple[RewritePattern, ...]] = {}
    for table in tables:
        for name, patterns in table.items():
            result[name] = (*result.get(name, ()), *patterns)
    return result
