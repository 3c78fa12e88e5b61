"""The format of errors, which show the op concerned, and of warnings."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Protocol

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.error_positions import at, error_prefix

_LINES = 6

_MOST_FAULTS = 10
"""Of one program, in one message."""

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


class Fault(Protocol):
    """What a checker finds; its text shows the op."""

    @property
    def op(self) -> Operation: ...


def list_faults(heading: str, faults: Sequence[Fault]) -> str:
    """The first faults of a program, and how many there are besides.

    The message is for one exception: the position of the first fault is put before it
    where that is raised.
    """
    first, *others = faults[:_MOST_FAULTS]
    listed = [f"{heading}: {first}"]
    listed += (f"{error_prefix(fault.op)}{heading}: {fault}" for fault in others)
    if len(faults) > _MOST_FAULTS:
        listed.append(f"(and {len(faults) - _MOST_FAULTS} more)")
    return "\n".join(listed)


def warn(message: str) -> None:
    """Tell the user of something that is allowed, but hardly meant, on stderr.

    It is a warning of Python, which is printed like a compiler's, without the place in
    this package, unless the program has chosen a format.

    Raises:
        PassFailedException: if warnings are errors. It is a UserWarning as well.
    """
    chosen = warnings.formatwarning
    if chosen.__module__ in _HOMES_OF_FORMAT:
        warnings.formatwarning = _format_warning
    try:
        warnings.warn(message, stacklevel=3)
    except UserWarning as error:
        raise _WarningAsError(str(error)) from None
    finally:
        warnings.formatwarning = chosen


class _WarningAsError(PassFailedException, UserWarning):
    """A warning, for a program in which warnings are errors."""


def _format_warning(message: Warning | str, *_: object) -> str:
    return f"warning: {message}\n"


def _text(op: Operation) -> str:
    """The op printed alone. Printing needs valid IR, which an error may not leave."""
    try:
        return str(op)
    except Exception:
        return op.name
