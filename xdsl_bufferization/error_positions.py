"""Errors that begin with their location, like a compiler's: `model.mlir:3:8: error:
...`.

The messages of passes end with the op concerned and a line with its location. This
module moves the location to the front, for all passes. The message of a verification
error also names op and function.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from types import TracebackType
from typing import NoReturn

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
    VerifyException,
)

from xdsl_bufferization.guest import is_in_use
from xdsl_bufferization.locations import position_of

_AT = re.compile(r"^  at (?P<position>.*:\d+:\d+)(?: in @.*)?:$", re.MULTILINE)


def at(op: Operation) -> str:
    """Return the line of a message that says where an op is, as far as that is known."""
    function = enclosing_function(op)
    position = position_of(op)
    words = ["  at", position, f"in @{function}" if function else None]
    return " ".join(filter(None, words)) + ":"


def enclosing_function(op: Operation) -> str | None:
    """Return the name of the innermost function that an op is in."""
    parent = op.parent_op()
    while parent is not None:
        name = parent.get_attr_or_prop("sym_name")
        if isinstance(name, StringAttr) and parent.name == "func.func":
            return name.data
        parent = parent.parent_op()
    return None


def begin_with_position(error: DiagnosticException) -> None:
    """Let a message begin with the position of the op that it shows first."""
    message = error.args[0] if error.args else None
    if isinstance(message, str) and (shown := _AT.search(message)) is not None:
        prefix = f"{shown['position']}: error: "
        if not message.startswith(prefix):
            error.args = (prefix + message, *error.args[1:])


def error_prefix(op: Operation) -> str:
    """Return what a message that is about an op begins with."""
    position = position_of(op)
    return "" if position is None else f"{position}: error: "


def name_place_of_verification_errors(
    emit: Callable[[Operation, str, Exception], NoReturn],
) -> Callable[[Operation, str, Exception], NoReturn]:
    """Return `Operation.emit_error` that says where the op is. xDSL's message is the
    op's alone, and a note holds all of the program."""

    @wraps(emit)
    def emit_error(
        self: Operation, message: str, underlying_error: Exception
    ) -> NoReturn:
        if is_in_use() and isinstance(underlying_error, VerifyException):
            function = enclosing_function(self)
            where = f" in @{function}" if function else ""
            underlying_error.args = (
                f"{error_prefix(self)}'{self.name}'{where} does not verify: "
                f"{underlying_error}",
            )
        emit(self, message, underlying_error)

    return emit_error


class WrongTextError(DiagnosticException):
    """The command line names a pass, an option or a value that does not exist."""


@contextmanager
def explaining_pipelines(
    available: Mapping[str, Callable[[], type[ModulePass]]], pipeline: str | None
) -> Generator[None]:
    """Say which option of which pass is wrong. Name the passes that a misspelt name may
    mean, where one of this package is among them or elsewhere in the pipeline.

    Raises:
        WrongTextError: in place of xDSL's ValueError.
    """
    try:
        yield
    except ValueError:
        if pipeline is None:
            raise
        # Needed once, at the end of the process.
        from xdsl_bufferization.pipeline_texts import (
            fault_of_names,
            fault_of_options,
            similar_passes,
        )

        fault = fault_of_names(available, pipeline)
        if fault is None:
            fault = fault_of_options(available, pipeline)
        else:
            package = __name__.partition(".")[0]
            names = re.split(r"[,{}\s]+", pipeline)
            names += similar_passes(available, set(names) - available.keys())
            if not any(
                available[name].__module__.startswith(package)
                for name in names
                if name in available
            ):
                raise
        if fault is None:
            raise
        raise WrongTextError(fault) from None


@contextmanager
def explaining_target(
    available: Mapping[str, Callable[..., object]], target: str
) -> Generator[None]:
    """Say which option of the target is wrong.

    Raises:
        WrongTextError: in place of xDSL's ValueError.
    """
    try:
        yield
    except ValueError:
        # Needed once, at the end of the process.
        from xdsl.utils.arg_spec import parse_spec
        from xdsl.utils.target import Target

        from xdsl_bufferization.pipeline_texts import fault_of_spec

        spec = parse_spec(target)
        load = available.get(spec.name)
        if load is None or signature(load).parameters:
            raise
        kind = load()
        if not (isinstance(kind, type) and issubclass(kind, Target)):
            raise
        fault = fault_of_spec(kind, spec)
        if fault is None:
            raise
        raise WrongTextError(fault) from None


Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


def without_traceback(show: Hook) -> Hook:
    """Return `show`, the hook for exceptions that end the process, but for diagnostics.

    Of those the message is printed alone: they are about the program and the options, and
    where the driver was when it noticed hides that from those who wrote them.
    """

    @wraps(show)
    def show_diagnostic(
        kind: type[BaseException],
        error: BaseException,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, ArgSpecParseError | WrongTextError) or (
            is_in_use() and isinstance(error, DiagnosticException | ParseError)
        ):
            sys.stderr.write(f"{error}\n")
        else:
            show(kind, error, traceback)

    return show_diagnostic
