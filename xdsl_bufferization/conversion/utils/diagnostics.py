"""Diagnostics for ops that a conversion rejects: the op, its location, and a remedy."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.error_positions import error_prefix, name_of
from xdsl_bufferization.locations import position_of, source_line

_LONGEST_TEXT = 200
FAILED_CHECK = "ERROR: Runtime op verification failed"
"""How the message of a failed check begins."""


def where(op: Operation) -> str:
    """Where an op is, for messages at run time: in the file, if that is known, and in the
    program."""
    position = position_of(op)
    return f"in {place(op)}" if position is None else f"{position} in {place(op)}"


def place(op: Operation) -> str:
    """Where an op stands: the symbols around it, outermost first."""
    symbols: list[str] = []
    parent = op.parent_op()
    while parent is not None:
        name = parent.get_attr_or_prop("sym_name")
        if isinstance(name, StringAttr):
            symbols.append(f"@{name.data}")
        parent = parent.parent_op()
    return "::".join(reversed(symbols)) or "the module"


def headline(op: Operation) -> str:
    """The first line of an op's text, cut if it is long."""
    return _cut(str(op).strip().split("\n", 1)[0])


def _cut(text: str) -> str:
    return text[:_LONGEST_TEXT] + " ..." if len(text) > _LONGEST_TEXT else text


def failed_check(op: Operation, reason: str, *, show_op: bool = True) -> str:
    """What a check says that fails while the program runs."""
    lines = [FAILED_CHECK]
    if show_op:
        lines.append(headline(op))
    lines.append(f"^ {reason}")
    lines.append(f"Location: {where(op)}")
    source = _source_of_lowered(op) if show_op else None
    if source is not None:
        lines.append(f"Source: {source}")
    return "\n".join(lines)


def _source_of_lowered(op: Operation) -> str | None:
    """Return the line of the program that became an op of another name, if known."""
    found = source_line(op.location)
    if found is None:
        return None
    line = found[0].strip()
    if name_of(op).removeprefix("func.") in line:
        return None
    return _cut(line)


def refuse(op: Operation, pass_name: str, reason: str) -> NoReturn:
    """Ends a pass because of an op it cannot convert.

    Raises:
        PassFailedException: always.
    """
    raise PassFailedException(
        f"{error_prefix(op)}{pass_name}: '{name_of(op)}' in {place(op)}: {reason}\n"
        f"  {headline(op)}"
    )
