"""Limits on the numbers of a report, for continuous integration: "copies<=2,peak<=1MiB".

A number that depends on sizes, or a depth of recursion, known only at run time satisfies
no limit.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from xdsl_bufferization.remarks.model import format_bytes
from xdsl_bufferization.report.contents import Contents

_LIMIT = re.compile(r"\s*([a-z-]+)\s*(<=|>=|==|<|>)\s*(\d+)\s*([KMGT]iB|[kMGT]?B)?\s*$")
_UNITS = {
    "": 1,
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    **{f"{letter}iB": 1024**n for n, letter in enumerate("KMGT", 1)},
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


def _peak(report: Contents) -> int | None:
    peak = report.peak
    if peak is None:
        return 0
    return peak.bytes if peak.is_complete else None


_NUMBERS: dict[str, Callable[[Contents], int | None]] = {
    "copies": lambda report: len(report.copies),
    "bytes-copied": lambda report: report.bytes_copied,
    "allocations": lambda report: len(report.allocations),
    "ownership-checks": lambda report: len(report.ownership_checks),
    "peak": _peak,
}
_SIZES = ("bytes-copied", "peak")


@dataclass(frozen=True)
class Limit:
    """One comparison of a number of a report."""

    number: str
    comparison: str
    bound: int

    def check(self, report: Contents) -> tuple[bool, str]:
        """Return whether the limit holds, and the number in words."""
        found = _NUMBERS[self.number](report)
        if found is None:
            return False, f"{self.number} depends on what is known only at run time"
        holds = _COMPARISONS[self.comparison](found, self.bound)
        estimated = " (estimated)" if self.number == "peak" else ""
        return holds, f"{self.number} is {self._in_words(found)}{estimated}"

    @property
    def demand(self) -> str:
        """What the number must be, in words."""
        return f"must be {self.comparison} {self._in_words(self.bound)}"

    def _in_words(self, number: int) -> str:
        return format_bytes(number) if self.number in _SIZES else str(number)


def parse_limits(text: str) -> tuple[Limit, ...]:
    """Read limits that are separated by commas.

    Raises:
        ValueError: when one is malformed; the message says what is expected.
    """
    return tuple(_parse_limit(part) for part in text.split(","))


def _parse_limit(text: str) -> Limit:
    found = _LIMIT.match(text)
    if found is None or found[1] not in _NUMBERS:
        raise ValueError(
            f"'{text.strip()}' is not a limit: expected one of {', '.join(_NUMBERS)}, "
            f"then one of {', '.join(_COMPARISONS)}, then a number; sizes may have a "
            "unit (B, KiB, MiB, GiB, kB, MB, GB). An example is copies<=2,peak<=1MiB"
        )
    return Limit(found[1], found[2], int(found[3]) * _UNITS[found[4] or ""])
