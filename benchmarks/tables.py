"""Markdown tables and the figures in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table: the first column to the left, the others to the right."""
    yield "| " + " | ".join(header) + " |"
    yield "| --- |" + " ---: |" * (len(header) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def decimal(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def ratio(numerator: float | None, denominator: float | None) -> str:
    if numerator is None or not denominator:
        return ""
    value = numerator / denominator
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"
