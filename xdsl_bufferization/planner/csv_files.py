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
from itertools import pairwise

from xdsl_bufferization.planner.problem import GREATEST, Buffer, Interval

_INTEGER = re.compile(r"[+-]?[0-9]+")
_GAP = re.compile(r"([+-]?[0-9]+)-([+-]?[0-9]+)(@[0-9]+:[0-9]+)?")
_MOST_SHOWN = 40
"""As many characters of a wrong field are shown."""

REQUIRED = ("id", "lower", "upper", "size")
_KNOWN = (*REQUIRED, "alignment", "gaps", "offset")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]")
_SEPARATORS = {";": "semicolons", "\t": "tabs"}


class BadFile(ValueError):
    """A file that does not describe buffers; the message names the line."""


@dataclass(frozen=True)
class Table:
    """The rows of a file, and the buffers that they describe."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    buffers: Sequence[Buffer]


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8.

    Raises:
        BadFile: if it is in another encoding.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(
            f"line {line}: byte {data[error.start]:#04x} is not UTF-8: write the file in "
            "this encoding"
        ) from error


def read_table(text: str) -> Table:
    """Read the text of a file.

    Raises:
        BadFile: if a column is missing, occurs twice or is not in lower case, a row is
            too short or too long, a quote is not closed, there is a control character, a
            number is not an integer, an id is empty or occurs twice, or a buffer is
            impossible.
    """
    rows = _split_rows(text)
    if not rows:
        raise BadFile("the file is empty: it must start with id,lower,upper,size")
    line, columns = rows[0]
    _check_columns(columns, line)
    buffers: list[Buffer] = []
    ids: dict[str, int] = {}
    for line, row in rows[1:]:
        if len(row) != len(columns):
            raise BadFile(
                f"line {line}: {len(row)} fields, but the first line has {len(columns)}: "
                "write one for each column, in quotes if it contains a comma"
            )
        fields = dict(zip(columns, row, strict=True))
        if not fields["id"]:
            raise BadFile(f"line {line}: the id is empty: give each buffer its own")
        first = ids.setdefault(fields["id"], line)
        if first != line:
            raise BadFile(
                f"line {line}: the id {_shown(fields['id'])} is that of line {first}: "
                "give each buffer its own"
            )
        buffers.append(_read_buffer(fields, line))
    return Table(columns, [row for _, row in rows[1:]], buffers)


def _split_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not blank, without spaces around fields, and the number of
    the line in which each ends."""
    control = _CONTROL.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise BadFile(
            f"line {line}: there is the control character {control[0]!r}: write a file "
            "of text"
        )
    rows: list[tuple[int, list[str]]] = []
    lines = csv.reader(StringIO(text, newline=None), skipinitialspace=True, strict=True)
    line = 0
    try:
        for row in lines:
            line = lines.line_num
            if any(fields := [field.strip() for field in row]):
                rows.append((line, fields))
    except csv.Error as error:
        raise BadFile(
            f"line {line + 1}: {error}: close each quote at the end of its field, double "
            f"those inside, and write at most {csv.field_size_limit()} characters"
        ) from error
    return rows


def _check_columns(columns: Sequence[str], line: int) -> None:
    for column in columns:
        if columns.count(column) > 1:
            raise BadFile(
                f"line {line}: the column {_shown(column)} occurs twice: rename one"
            )
        lower = column.lower()
        if lower in _KNOWN and lower != column:
            raise BadFile(f"line {line}: the column {column}: write {lower}")
    missing = [column for column in REQUIRED if column not in columns]
    if not missing:
        return
    advice = "the first line must name id, lower, upper and size"
    for separator, name in _SEPARATORS.items():
        if separator in columns[0]:
            advice = f"separate the fields by commas, not by {name}"
    raise BadFile(f"line {line}: the column {missing[0]} is missing: {advice}")


def _read_buffer(fields: dict[str, str], line: int) -> Buffer:
    live_range = (_integer(fields, "lower", line), _integer(fields, "upper", line))
    size = _integer(fields, "size", line)
    alignment = _integer(fields, "alignment", line) if fields.get("alignment") else 1
    try:
        buffer = Buffer(size, (live_range,), alignment)
        gaps = _read_gaps(fields.get("gaps", ""), live_range, line)
        return Buffer(size, _without(live_range, gaps), alignment) if gaps else buffer
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(f"line {line}: {error}") from error


def _read_gaps(text: str, live_range: Interval, line: int) -> list[Interval]:
    gaps: list[Interval] = []
    for word in text.split():
        found = _GAP.fullmatch(word)
        if found is None:
            raise BadFile(f"line {line}: gaps are written as 3-5 8-9, not {_shown(word)}")
        bounds = {"from": found[1], "to": found[2]}
        gap = _integer(bounds, "from", line), _integer(bounds, "to", line)
        if gap[0] > gap[1]:
            raise BadFile(
                f"line {line}: the gap {word} ends before it starts: write "
                f"{gap[1]}-{gap[0]}"
            )
        if not live_range[0] <= gap[0] <= gap[1] <= live_range[1]:
            raise BadFile(
                f"line {line}: the gap {word} is not in the live range: it must be "
                f"between {live_range[0]} and {live_range[1]}"
            )
        if found[3] is None and gap[0] < gap[1]:
            gaps.append(gap)
    gaps.sort()
    for one, other in pairwise(gaps):
        if one[1] > other[0]:
            raise BadFile(
                f"line {line}: the gaps {one[0]}-{one[1]} and {other[0]}-{other[1]} "
                "overlap: write one for both"
            )
    if sum(last - first for first, last in gaps) == live_range[1] - live_range[0]:
        raise BadFile(
            f"line {line}: the gaps leave nothing of the live range: remove the row"
        )
    return gaps


def _without(live_range: Interval, gaps: Sequence[Interval]) -> tuple[Interval, ...]:
    intervals: list[Interval] = []
    start, end = live_range
    for first, last in gaps:
        if start < first:
            intervals.append((start, first))
        start = max(start, last)
    if start < end:
        intervals.append((start, end))
    return tuple(intervals)


def _integer(fields: dict[str, str], column: str, line: int) -> int:
    text = fields[column]
    if not _INTEGER.fullmatch(text):
        raise BadFile(
            f"line {line}: {column} is not an integer: {_shown(text)}: write digits only"
        )
    number = int(text) if len(text) <= _MOST_SHOWN else GREATEST + 1
    if abs(number) > GREATEST:
        raise BadFile(
            f"line {line}: {column} is not between -2^63 + 1 and 2^63 - 1: {_shown(text)}"
        )
    return number


def _shown(text: str) -> str:
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...")


def write_table(table: Table, offsets: Sequence[int]) -> str:
    """Return the text of a result: the rows of a file, with an offset each."""
    kept = [i for i, column in enumerate(table.columns) if column != "offset"]
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*(table.columns[i] for i in kept), "offset"])
    for row, offset in zip(table.rows, offsets, strict=True):
        writer.writerow([*(row[i] for i in kept), offset])
    return out.getvalue()
