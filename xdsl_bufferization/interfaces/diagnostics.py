"""The format of errors, which show the op concerned, and of warnings."""

from __future__ import annotations

import warnings

from xdsl.ir import Operation

from xdsl_bufferization.error_positions import at

_LINES = 6

_HOMES_OF_FORMAT = ("warnings", "_py_warnings")
"""The modules of Python, before and since version 3.14, that format warnings."""


def describe(op: Operation) -> str:
    """The op as text, with the function it is in, to end an error message with.

    An op with a long body is cut after a few lines.
    """
    lines = _text(op).splitlines()
    if len(lines) > _LINES:
        lines = [*lines[:_LINES], "..."]
    return "\n".join(("", at(op), *(f"    {line}" for line in lines)))


def warn(message: str) -> None:
    """Tell the user of something that is allowed, but hardly meant, on stderr.

    It is a warning of Python, which is printed like a compiler's, without the place in
    this package, unless the program has chosen a format.
    """
    chosen = warnings.formatwarning
    if chosen.__module__ not in _HOMES_OF_FORMAT:
        warnings.warn(message, stacklevel=3)
        return
    warnings.formatwarning = _format_warning
    try:
        warnings.warn(message, stacklevel=3)
    finally:
        warnings.formatwarning = chosen


def _format_warning(message: Warning | str, *_: object) -> str:
    return f"warning: {message}\n"


def _text(op: Operation) -> str:
    """The op printed alone. Printing needs valid IR, which an error may not leave."""
    try:
        return str(op)
    except Exception:
        return op.name
