"""A program as text, and the line of each op."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Operation
from xdsl.printer import Printer

from xdsl_bufferization.locations import SourceText, source_text


@dataclass(frozen=True)
class Listing:
    """Text, and the line of each op in it, the first line being line 1.

    Attributes:
        name: the name of the file.
        first_line: the number in that file of the first line.
    """

    name: str
    text: str
    lines: dict[Operation, int]
    first_line: int = 1


class _CountingStream(StringIO):
    """A stream that knows in which line it is."""

    line = 1

    def write(self, s: str, /) -> int:
        self.line += s.count("\n")
        return super().write(s)


class _ListingPrinter(Printer):
    def __init__(self, stream: _CountingStream) -> None:
        super().__init__(stream)
        self._counting = stream
        self.lines: dict[Operation, int] = {}

    def print_op(self, op: Operation) -> None:
        self.lines[op] = self._counting.line
        super().print_op(op)


def print_listing(module: ModuleOp, name: str) -> Listing:
    """Print a program, and note the line of each op."""
    stream = _CountingStream()
    printer = _ListingPrinter(stream)
    printer.print_op(module)
    for op in module.walk():
        if op not in printer.lines:
            # The syntax of the op around it implies this op.
            parent = op.parent_op()
            printer.lines[op] = 1 if parent is None else printer.lines[parent]
    return Listing(name, stream.getvalue(), printer.lines)


def source_listing(module: ModuleOp) -> Listing:
    """Return the text that a program was parsed from, if all ops know their place in one
    text; else print the program, and let its ops be in that text."""
    source: SourceText | None = None
    lines: dict[Operation, int] = {}
    for op in module.walk():
        if op is module:
            continue
        found = source_text(op.location)
        if found is None or (source is not None and found.text is not source.text):
            break
        source = found
        lines[op] = found.line
    else:
        if source is not None:
            return Listing(source.name, source.text, lines, source.first_line)
    listing = print_listing(module, "module")
    for op, line in listing.lines.items():
        if isinstance(op.location, UnknownLoc):
            op.location = FileLineColLoc(
                StringAttr(listing.name), IntAttr(line), IntAttr(1)
            )
    return listing
