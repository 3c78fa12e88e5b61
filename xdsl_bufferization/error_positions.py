"""Errors that begin with their location, like a compiler's: `model.mlir:3:8: error:
...`.

The messages of passes end with the op concerned and a line with its location. This
module moves the location to the front, for all passes. The message of a verification
error also names op and function.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from inspect import signature
from types import TracebackType
from typing import Any, NoReturn

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
    VerifyException,
)
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.guest import is_in_use
from xdsl_bufferization.locations import position_of, position_of_name

_AT = re.compile(r"^  at (?P<position>.*:\d+:\d+)(?: in @.*)?:$", re.MULTILINE)


def name_of(op: Operation) -> str:
    """The name of an op as the program writes it, of an op of no known dialect too."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


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
        if isinstance(underlying_error, VerifyException):
            name_place(self, underlying_error)
        emit(self, message, underlying_error)

    return emit_error


class InnerOpError(VerifyException):
    """An op does not verify because of an op in its regions."""

    def __init__(self, op: Operation, message: str) -> None:
        super().__init__(message)
        self.op = op


def name_place(op: Operation, error: VerifyException) -> None:
    """Let the message of an error say that it is about an op, and where that is."""
    if not is_in_use():
        return
    if isinstance(error, InnerOpError):
        op = error.op
    function = enclosing_function(op)
    where = f" in @{function}" if function else ""
    prefix, first = _place_of_fault(op, error)
    error.args = (f"{prefix}'{name_of(op)}'{where} does not verify: {error}{first}",)


def _place_of_fault(op: Operation, error: VerifyException) -> tuple[str, str]:
    """Return what a message that an op does not verify begins and ends with: of a symbol
    that is defined twice, where both definitions are."""
    if str(error).startswith("Redefinition of symbol") and op.regions:
        first: dict[Attribute, Operation] = {}
        for symbol in op.regions[0].ops:
            name = symbol.get_attr_or_prop("sym_name")
            if isinstance(name, StringAttr):
                before = first.setdefault(name, symbol)
                if before is not symbol:
                    place = position_of(before)
                    note = "" if place is None else f", which {place} defines as well"
                    return error_prefix(symbol), note
    return error_prefix(op), ""


def point_at_undefined_values(
    parse_module: Callable[..., ModuleOp],
) -> Callable[..., ModuleOp]:
    """Return the parser's method for a program that points at the first use of a value
    that is not defined. xDSL points behind the program."""

    @wraps(parse_module)
    def parse(self: Any, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            return parse_module(self, allow_implicit_module)
        except ParseError as error:
            if is_in_use() and error.msg.startswith("values used but not defined"):
                uses = sorted(_undefined_uses(self.forward_ssa_references))
                if uses:
                    start, end = uses[0]
                    error.span = replace(error.span, start=start, end=end)
            raise

    return parse


def _undefined_uses(
    values: Mapping[str, Mapping[int, SSAValue]],
) -> Iterator[tuple[int, int]]:
    for name, results in values.items():
        for value in results.values():
            for use in value.uses:
                place = position_of_name(use.operation, name)
                if place is not None:
                    yield place


def accept_empty_programs(
    parse_module: Callable[..., ModuleOp],
) -> Callable[..., ModuleOp]:
    """Return the parser's method for a program that takes a text without ops, as mlir-opt
    does, for an empty module."""

    @wraps(parse_module)
    def parse(self: Any, allow_implicit_module: bool = True) -> ModuleOp:
        is_empty = self._current_token.kind == MLIRTokenKind.EOF
        if is_empty and allow_implicit_module and is_in_use():
            return ModuleOp([])
        return parse_module(self, allow_implicit_module)

    return parse


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


@contextmanager
def explaining_files(path: str | None, reads: bool = True) -> Generator[None]:
    """Say which file cannot be read or written, and what to do.

    Raises:
        WrongTextError: in place of what xDSL raises, once the package is in use.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        if not is_in_use():
            raise
        name = path or "stdin"
        match error:
            case FileNotFoundError() if reads:
                fault = f"error: there is no file '{name}'; check its path"
            case FileNotFoundError():
                fault = f"error: there is no folder for '{name}'; create it"
            case IsADirectoryError():
                fault = f"error: '{name}' is a folder; name a file in it"
            case PermissionError():
                verb = "read" if reads else "written"
                fault = f"error: '{name}' may not be {verb}; check its permissions"
            case OSError():
                fault = f"error: '{name}': {error.strerror}"
            case _:
                if not str(error).startswith("Unrecognized file extension"):
                    raise
                fault = (
                    f"error: '{name}' does not end in .mlir; rename it, or pass it as "
                    f"standard input: xdsl-opt ... < {name}"
                )
        raise WrongTextError(fault) from None


@contextmanager
def explaining_bytes(path: str | None, lines_before: int = 0) -> Generator[None]:
    """Say which file is not text, and what to do.

    Raises:
        WrongTextError: in place of UnicodeDecodeError, once the package is in use.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        if not is_in_use():
            raise
        name = path or "stdin"
        if error.object.startswith(b"ML\xefR"):
            fault = f"error: '{name}' is bytecode; print it as text: mlir-opt {name}"
        else:
            line = lines_before + error.object.count(b"\n", 0, error.start) + 1
            fault = (
                f"error: '{name}' is not text in UTF-8 (line {line} has the byte "
                f"0x{error.object[error.start]:02x}); convert it, as with iconv -t UTF-8"
            )
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
