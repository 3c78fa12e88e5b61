"""Source locations of ops.

One rule covers parser and passes: an op gets the *current* location when it is built,
unless its builder specifies one. While an op is parsed, its position in the file is
current, for the op and everything that its syntax implies (a terminator, a body). While
a pass works on an op, the location of this op is current (`visiting`, `built_for`), so
that all ops that replace it keep its location, through every pass.

Outside of both, locations are unknown, as in xDSL.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from linecache import getline
from threading import local
from typing import Any, NamedTuple, TypeVar

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    NameLoc,
    StringAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.guest import is_in_use

OperationT = TypeVar("OperationT", bound=Operation)


class _Current(local):
    """What new ops get, a thread at a time."""

    location: builtin.LocationAttr = UNKNOWN_LOC
    lines_before: int = 0
    """The lines of the file that precede what is parsed."""


_current = _Current()


def location_of_new_op() -> builtin.LocationAttr:
    """Return the location of an op whose builder names none."""
    return _current.location


def visiting(ops: Iterable[OperationT]) -> Iterator[OperationT]:
    """Iterate over ops. What is built before the next one carries this one's location."""
    before = location = _current.location
    try:
        for op in ops:
            _current.location = location = op.location
            yield op
    except GeneratorExit:
        # The loop was left early, perhaps long ago: other ops may be visited by now.
        if _current.location is location:
            _current.location = before
        raise
    _current.location = before


def visit(op: Operation) -> None:
    """Let what is built from now on carry the location of `op`, until another is visited
    or the pass ends. For passes that visit ops in an order of their own."""
    _current.location = op.location


@contextmanager
def built_for(op: Operation) -> Generator[None]:
    """Let what is built inside carry the location of `op`."""
    with locations_restored():
        _current.location = op.location
        yield


def position_of(op: Operation) -> str | None:
    """Return `file:line:column` of an op, as compilers print it, or None if it has none.

    Of several places the first, of an inlined call the place of the code inlined.
    """
    return position_of_location(op.location)


def position_of_location(location: Attribute) -> str | None:
    """Return the place that `position_of` returns of an op at this location."""
    place = _innermost(location)
    if place is None:
        return None
    return f"{place.filename.data}:{place.line.data}:{place.column.data}"


def source_line(location: Attribute) -> tuple[str, int] | None:
    """Return the line of source text that a location is in, without its end, and the
    column, which begins at 1; None if the text is neither parsed nor found as a file."""
    place = _innermost(location)
    if place is None:
        return None
    line, column = place.line.data, place.column.data
    recorded = place.__dict__.get(_RECORDED)
    if recorded is not None:
        source: _Source = recorded[0]
        return source.line(line), column
    text = getline(place.filename.data, line).rstrip("\n")
    return (text, column) if text else None


class SourceText(NamedTuple):
    """A text that was parsed, and where in it a location is.

    Attributes:
        text: all of the text.
        first_line: the number of its first line in the file.
        line: the number of the location's line in the text, from 1.
    """

    name: str
    text: str
    first_line: int
    line: int


def source_text(location: Attribute) -> SourceText | None:
    """Return the text that a location was recorded in, or None if it was not recorded."""
    place = _innermost(location)
    recorded = None if place is None else place.__dict__.get(_RECORDED)
    if place is None or recorded is None:
        return None
    line, source = place.line.data, recorded[0]
    before: int = source.lines_before
    return SourceText(source.name.data, source.text, before + 1, line - before)


def _innermost(location: Attribute) -> FileLineColLoc | None:
    match location:
        case FileLineColLoc():
            return location
        case NameLoc(location=inner) | CallSiteLoc(callee=inner):
            return _innermost(inner)
        case FusedLoc(locations=ArrayAttr(data=several)):
            return next(filter(None, map(_innermost, several)), None)
        case _:
            return None


@contextmanager
def locations_restored() -> Generator[None]:
    """Let the current location afterwards be what it was."""
    before = _current.location
    try:
        yield
    finally:
        _current.location = before


# Parsing. Most locations are never looked at, so what is recorded of an op is its
# position in the text. File, line and column are computed when one is asked for.


class _Source:
    """A text that is parsed."""

    _RESULTS = re.compile(r"(?:[%\w$.:,#-]|\s|//[^\n]*)*=(?:\s|//[^\n]*)*")

    def __init__(self, text: str, name: str, lines_before: int) -> None:
        self.text, self.name, self.lines_before = text, StringAttr(name), lines_before
        self._line_starts: list[int] | None = None

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Return where the name of the op is whose text begins at `position`."""
        if self._line_starts is None:
            self._line_starts = [0, *(m.end() for m in re.finditer("\n", self.text))]
        if self.text[position] == "%" and (m := self._RESULTS.match(self.text, position)):
            position = m.end()
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return line + self.lines_before, column

    def line(self, number: int) -> str:
        """Return the text of a line, counted as `line_and_column` counts."""
        assert self._line_starts is not None, "its number was computed from them"
        start = self._line_starts[number - self.lines_before - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


_RECORDED = "_recorded"


def _record(source: _Source, position: int) -> FileLineColLoc:
    location: Any = object.__new__(FileLineColLoc)
    location.__dict__[_RECORDED] = (source, position)
    return location


class Computed:
    """A parameter of a location, computed on first use unless it is set: Python finds
    what is in the instance before this descriptor of its class."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, location: FileLineColLoc | None, owner: type) -> Any:
        if location is None:
            return self
        values: Any = location.__dict__
        source, position = values[_RECORDED]
        line, column = source.line_and_column(position)
        values["filename"] = source.name
        values["line"] = IntAttr(line)
        values["column"] = IntAttr(column)
        return values[self.name]


def record_locations(
    parse_optional_operation: Callable[[Any], Operation | None],
) -> Callable[[Any], Operation | None]:
    """Return the parser's method for an op that records where in the text it is."""
    first = (
        MLIRTokenKind.PERCENT_IDENT,
        MLIRTokenKind.BARE_IDENT,
        MLIRTokenKind.STRING_LIT,
    )

    # In place of the method, not around it: parsing recurses through it.
    @wraps(parse_optional_operation)
    def parse_and_record(self: Any) -> Operation | None:
        token = self._parser_state.current_token
        if token.kind not in first:
            return None
        source = self.__dict__.get("_source")
        if source is None:
            text = token.span.input
            source = self._source = _Source(
                text.content, text.name, _current.lines_before
            )
        before = _current.location
        _current.location = _record(source, token.span.start)
        try:
            return self.parse_operation()
        finally:
            _current.location = before

    return parse_and_record


def position_of_name(op: Operation, name: str) -> tuple[int, int] | None:
    """Return where the text of an op first has the name of a value, from the percent sign
    to the end of the name; None if the op was not parsed."""
    recorded = op.location.__dict__.get(_RECORDED)
    if recorded is None:
        return None
    source, position = recorded
    found = re.compile(rf"%{re.escape(name)}(?![\w$.-])").search(source.text, position)
    return None if found is None else found.span()


def print_recorded_locations_when_in_use(
    print_location: Callable[[FileLineColLoc, Printer], None],
) -> Callable[[FileLineColLoc, Printer], None]:
    """Return `FileLineColLoc.print_builtin` that prints, in commands of xDSL alone, no
    locations but those in the text."""

    @wraps(print_location)
    def print_builtin(self: FileLineColLoc, printer: Printer) -> None:
        if _RECORDED in self.__dict__ and not is_in_use():
            UNKNOWN_LOC.print_builtin(printer)
        else:
            print_location(self, printer)

    return print_builtin


@contextmanager
def lines_before(number: int) -> Generator[None]:
    """Count the lines of what is parsed inside from those that precede it in its file."""
    before, _current.lines_before = _current.lines_before, number
    try:
        yield
    finally:
        _current.lines_before = before
