"""MiniMalloc's files: a row for each buffer, with the columns id, lower, upper and size,
and perhaps alignment and gaps; offset in results.

A live range is half-open, from lower to before upper. Gaps are ranges without it, such
as "3-5 8-9"; a gap that is limited to a part of the buffer ("3-5@0:16") is not used.
Other columns are preserved.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl_bufferization.planner.problem import GREATEST, Buffer, Interval

_INTEGER = re.compile(r"[+-]?[0-9]+")
_GAP = re.compile(r"([+-]?[0-9]+)-([+-]?[0-9]+)(@[0-9]+:[0-9]+)?")
_MOST_SHOWN = 40
"""As many characters of a wrong field are shown."""

REQUIRED = ("id", "lower", "upper", "size")


class BadFile(ValueError):
    """A file that does not describe buffers; the message names the line."""


@dataclass(frozen=True)
class Table:
    """The rows of a file, and the buffers that they describe."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    buffers: Sequence[Buffer]


def read_table(text: str) -> Table:
    """Read the text of a file.

    Raises:
        BadFile: if a column is missing or occurs twice, a row is too short or too long,
            a number is not an integer, an id occurs twice, or a buffer is impossible.
    """
    lines = csv.reader(StringIO(text.lstrip("\ufeff")), skipinitialspace=True)
    try:
        numbered = [(lines.line_num, row) for row in lines if any(map(str.strip, row))]
    except csv.Error as error:
        raise BadFile(f"line {lines.line_num}: {error}") from error
    if not numbered:
        raise BadFile("the file is empty: it must start with id,lower,upper,size")
    columns = [column.strip() for column in numbered[0][1]]
    for column in REQUIRED:
        if column not in columns:
            raise BadFile(
                f"line {numbered[0][0]}: the column {column} is missing: the first line "
                "must name id, lower, upper and size"
            )
    for column in columns:
        if columns.count(column) > 1:
            raise BadFile(f"line {numbered[0][0]}: the column {column} occurs twice")
    rows: list[list[str]] = []
    buffers: list[Buffer] = []
    ids: dict[str, int] = {}
    for line, row in numbered[1:]:
        if len(row) != len(columns):
            raise BadFile(
                f"line {line}: {len(row)} fields, but the first line has {len(columns)}"
            )
        fields = dict(zip(columns, map(str.strip, row), strict=True))
        first = ids.setdefault(fields["id"], line)
        if first != line:
            raise BadFile(f"line {line}: the id {fields['id']} is that of line {first}")
        rows.append(list(fields.values()))
        buffers.append(_read_buffer(fields, line))
    return Table(columns, rows, buffers)


def _read_buffer(fields: dict[str, str], line: int) -> Buffer:
    lifetime = (_integer(fields, "lower", line), _integer(fields, "upper", line))
    size = _integer(fields, "size", line)
    alignment = _integer(fields, "alignment", line) if fields.get("alignment") else 1
    try:
        buffer = Buffer(size, (lifetime,), alignment)
        gaps = _read_gaps(fields.get("gaps", ""), lifetime, line)
        return Buffer(size, _without(lifetime, gaps), alignment) if gaps else buffer
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(f"line {line}: {error}") from error


def _read_gaps(text: str, lifetime: Interval, line: int) -> list[Interval]:
    gaps: list[Interval] = []
    for word in text.split():
        found = _GAP.fullmatch(word)
        if found is None:
            raise BadFile(f"line {line}: gaps are written as 3-5 8-9, not {word[:40]!r}")
        bounds = {"from": found[1], "to": found[2]}
        gap = _integer(bounds, "from", line), _integer(bounds, "to", line)
        if not lifetime[0] <= gap[0] <= gap[1] <= lifetime[1]:
            raise BadFile(f"line {line}: the gap {word[:40]} is not in the live range")
        if found[3] is None and gap[0] < gap[1]:
            gaps.append(gap)
    return sorted(gaps)


def _without(lifetime: Interval, gaps: Sequence[Interval]) -> tuple[Interval, ...]:
    intervals: list[Interval] = []
    start, end = lifetime
    for first, last in gaps:
        if start < first:
            intervals.append((start, first))
        start = max(start, last)
    if start < end:
        intervals.append((start, end))
    return tuple(intervals)


def _integer(fields: dict[str, str], column: str, line: int) -> int:
    text = fields[column]
    shown = repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...")
    if not _INTEGER.fullmatch(text):
        raise BadFile(f"line {line}: {column} is not an integer: {shown}")
    number = int(text) if len(text) <= _MOST_SHOWN else GREATEST + 1
    if abs(number) > GREATEST:
        raise BadFile(
            f"line {line}: {column} does not fit into 64 bits, with a sign: {shown}"
        )
    return number


def write_table(table: Table, offsets: Sequence[int]) -> str:
    """Return the text of a result: the rows of a file, with an offset each."""
    kept = [i for i, column in enumerate(table.columns) if column != "offset"]
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*(table.columns[i] for i in kept), "offset"])
    for row, offset in zip(table.rows, offsets, strict=True):
        writer.writerow([*(row[i] for i in kept), offset])
    return out.getvalue()
