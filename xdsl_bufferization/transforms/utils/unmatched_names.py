"""Warnings for filter options with a name that nothing has, such as a misspelled one.

A dialect or op need not be in the program, since one pipeline runs on many programs: it
is enough that the context knows it. Functions and memory spaces must be in the program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.diagnostics import warn

_SUGGESTED = 2
_LISTED = 8
"""As many names are suggested if they are similar, or listed if there are not more."""


def warn_of_unmatched_dialects(
    names: Iterable[str], option: str, ctx: Context, module: ModuleOp
) -> None:
    """Warn of dialects that are neither registered nor in the program."""
    registered = set(ctx.registered_dialect_names)
    if unknown := [name for name in names if name not in registered]:
        used = {name_of(op).partition(".")[0] for op in walk(module)}
        _warn(option, "dialect", unknown, used)


def warn_of_unmatched_ops(
    names: Iterable[str], option: str, ctx: Context, module: ModuleOp
) -> None:
    """Warn of ops that are neither of a registered dialect nor in the program."""
    if unknown := [name for name in names if not _is_registered(name, ctx)]:
        _warn(option, "op", unknown, {name_of(op) for op in walk(module)})


def _is_registered(name: str, ctx: Context) -> bool:
    op = ctx.get_optional_op(name)
    return op is not None and op.name == name


def warn_of_unmatched_functions(
    names: Collection[str], option: str, module: ModuleOp
) -> None:
    """Warn of functions that are not in the program."""
    if names:
        functions = {function.sym_name.data for function in list_functions(module)}
        _warn(option, "function", names, functions)


def warn_of_unmatched_spaces(
    names: Iterable[str], option: str, spaces: Collection[str]
) -> None:
    """Warn of memory spaces that are not in the program; "" is the default."""
    _warn(option, "memory space", names, spaces)


def _warn(option: str, kind: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            warn(
                f"{option} matches nothing: there is no {kind} '{name}'"
                + _suggestion(name, kind, known)
            )


def _suggestion(name: str, kind: str, known: Collection[str]) -> str:
    """Return the names that may be meant, to continue a message."""
    if close := get_close_matches(name, filter(None, known), _SUGGESTED):
        return f". Is {' or '.join(map(repr, close))} meant?"
    if not known or len(known) > _LISTED:
        return ""
    listed = [repr(each) for each in sorted(known) if each]
    if "" in known:
        listed.append(f"the default {kind}, which has no name")
    return f". The program has {', '.join(listed)}."
