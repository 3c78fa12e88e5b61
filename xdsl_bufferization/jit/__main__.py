"""Compiles a file and calls one of its functions.

    python -m xdsl_bufferization.jit matmul.mlir --call main --arg a.npy --arg b.npy

An argument is a .npy file, a number, true or false, or a literal such as
[[1, 2], [3, 4]], which becomes an array of the type that the function requires; --arg
x=3 passes it by the parameter's name in the program. Results are printed, or written
with --save.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.utils.exceptions import DiagnosticException, JITException, ParseError

from xdsl_bufferization.jit import DEFAULT_PIPELINE, Function, compile
from xdsl_bufferization.jit.signature import Crossing, Scalar


def main(arguments: list[str] | None = None) -> int:
    options = _parse(arguments)
    try:
        module = compile(
            options.file,
            options.pipeline,
            opt_level=options.opt_level,
            count=options.stats,
            cache=options.cache,
        )
        if options.output is not None:
            module.save(options.output)
        if options.emit_header:
            print(module.header(), end="")
        if options.emit_stub:
            print(module.stub(), end="")
        if options.call is not None:
            _call(module[options.call], options.arg, options.save)
            if options.stats:
                print(module.stats(), file=sys.stderr)
        elif not (options.output or options.emit_header or options.emit_stub):
            print(module)
    except (DiagnosticException, ParseError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_bufferization.jit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="the module, in MLIR")
    parser.add_argument("--call", metavar="FUNCTION", help="call this function")
    parser.add_argument("--arg", action="append", default=[], help="its next argument")
    parser.add_argument(
        "--save",
        action="append",
        default=[],
        metavar="NPY",
        help="write its next result to this file instead of printing it",
    )
    parser.add_argument(
        "-p",
        "--pipeline",
        help=f"the passes down to the LLVM dialect; by default {DEFAULT_PIPELINE}",
    )
    parser.add_argument("-O", dest="opt_level", type=int, default=2, help="0 to 3")
    parser.add_argument(
        "--cache", action="store_true", help="keep the machine code in the user's cache"
    )
    parser.add_argument(
        "--stats", action="store_true", help="count allocations, frees and copies"
    )
    parser.add_argument(
        "-o", dest="output", help="write compiled code: .so, .o, .s, .ll or .bc"
    )
    parser.add_argument("--emit-header", action="store_true", help="print a C header")
    parser.add_argument("--emit-stub", action="store_true", help="print a type stub")
    return parser.parse_args(arguments)


def _call(function: Function, texts: list[str], files: list[str]) -> None:
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    parameters = function.signature.parameters
    names = function.signature.names
    for text in texts:
        name, equals, rest = text.partition("=")
        if equals and name.isidentifier() and not text.endswith(".npy"):
            index = names.index(name) if name in names else len(parameters)
            keywords[name] = _argument(rest, *parameters[index : index + 1])
        else:
            index = len(positional)
            positional.append(_argument(text, *parameters[index : index + 1]))
    returned = function(*positional, **keywords)
    results: list[Any] = [] if returned is None else [returned]
    if isinstance(returned, tuple):
        results = list(cast(tuple[Any, ...], returned))
    if len(files) > len(results):
        raise JITException(
            f"--save {files[len(results)]}: {function.signature} has {len(results)} "
            "results."
        )
    for index, result in enumerate(results):
        if index < len(files):
            _save(files[index], result)
        else:
            print(result)


def _save(file: str, result: Any) -> None:
    try:
        np.save(file, result)
    except OSError as error:
        raise JITException(f"--save {file}: {error.strerror}") from None


def _argument(text: str, parameter: Crossing | None = None) -> Any:
    if text.endswith(".npy"):
        try:
            return np.load(text)
        except (OSError, ValueError, EOFError) as error:
            raise JITException(f"--arg {text}: {error}") from None
    try:
        value = {"true": True, "false": False}.get(text)
        value = ast.literal_eval(text.strip()) if value is None else value
        if parameter is None or isinstance(parameter, Scalar):
            return value
        return np.array(value, parameter.element.dtype)
    except (SyntaxError, TypeError, ValueError, OverflowError, RecursionError) as error:
        wanted = "" if parameter is None else f" for {parameter.type}"
        raise JITException(
            f"--arg {text[:200]}: neither a .npy file nor a literal{wanted}: {error}"
        ) from None


if __name__ == "__main__":
    sys.exit(main())
