"""How errors show the op they are about, and how users are warned."""

from __future__ import annotations

import warnings

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

_LINES = 6


def name_of(op: Operation) -> str:
    """The name of an op as the program writes it, of an op of no known dialect too."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def describe(op: Operation) -> str:
    """The op as text, with the function it is in, to end an error message with.

    An op with a long body is cut after a few lines.
    """
    lines = _text(op).splitlines()
    if len(lines) > _LINES:
        lines = [*lines[:_LINES], "..."]
    function = _enclosing_symbol(op)
    where = f" in @{function}" if function else ""
    return f"\n  at{where}:\n" + "\n".join(f"    {line}" for line in lines)


def warn(message: str) -> None:
    """Tell the user of something that is allowed, but hardly meant, on stderr."""
    warnings.warn(message, stacklevel=3)


def _text(op: Operation) -> str:
    """The op printed alone. Printing needs valid IR, which an error may not leave."""
    try:
        return str(op)
    except Exception:
        return op.name


def _enclosing_symbol(op: Operation) -> str | None:
    parent = op.parent_op()
    while parent is not None:
        name = parent.properties.get("sym_name") or parent.attributes.get("sym_name")
        if name is not None and parent.name == "func.func":
            return getattr(name, "data", None)
        parent = parent.parent_op()
    return None
