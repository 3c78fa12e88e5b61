"""python -m xdsl_bufferization.planner FILE.csv: plan the buffers of a file.

The plan goes to a file (--output) or to standard output; in the latter case, height,
lower bound, ratio and seconds go to standard error, so that the output can be piped.
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import sys
import time
from io import TextIOWrapper
from pathlib import Path

from xdsl_bufferization.planner.csv_files import BadFile, decode, read_table, write_table
from xdsl_bufferization.planner.planning import DEFAULT_STEPS, plan
from xdsl_bufferization.planner.problem import check

_ALLOCATIONS_BY_COLLECTION = 100_000
"""The garbage collector looks for cycles after so many allocations."""


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 on")
    return int(text)


def _error_of_writing(path: Path) -> int:
    """Return the number of the error that writing a file would surely give, or 0. The
    file is not changed."""
    if path.is_dir():
        return errno.EISDIR
    there = path if path.exists() else path.parent
    if not there.exists():
        return errno.ENOENT
    return 0 if os.access(there, os.W_OK) else errno.EACCES


def _read(file: str) -> bytes:
    if file != "-":
        return Path(file).read_bytes()
    if sys.stdin is None:
        raise OSError(errno.EBADF, "the standard input is closed")
    return sys.stdin.buffer.read()


def _write(text: str, output: str | None) -> None:
    """Write the plan. No file is left that holds a part of it."""
    if not output:
        _print(text)
        return
    path = Path(output)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError:
        if path.is_file():
            path.unlink()
        raise


def _print(text: str) -> None:
    """Write to the standard output. Nobody may be reading it any more."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    try:
        print(text, end="", flush=True)
    except OSError as error:
        # What is still buffered must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def main(arguments: list[str] | None = None) -> int:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_bufferization.planner",
        description="Give buffers offsets such that those that live together do not "
        "overlap, in as little memory as can be found.",
    )
    parser.add_argument(
        "file",
        help="a CSV file with the columns id, lower, upper, size, and perhaps alignment "
        "and gaps, such as '3-5 8-9'; - is the standard input",
    )
    parser.add_argument(
        "-o",
        "--output",
        help="write the plan to this file; - is the standard output",
    )
    parser.add_argument(
        "--capacity",
        type=_natural,
        help="fail if the plan needs more memory than this",
    )
    parser.add_argument(
        "--steps",
        type=_natural,
        default=DEFAULT_STEPS,
        help="the work to spend, the same on every machine (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    if options.output == "-":
        options.output = None
    try:
        table = read_table(decode(_read(options.file)))
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return 2
    except BadFile as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 2
    # Before planning, which may take long.
    if options.output == "":
        print("--output is empty: name a file", file=sys.stderr)
        return 2
    error = options.output and _error_of_writing(Path(options.output))
    if error:
        print(f"{options.output}: {os.strerror(error)}", file=sys.stderr)
        return 2
    started = time.perf_counter()
    result = plan(table.buffers, options.steps)
    seconds = time.perf_counter() - started
    check(table.buffers, result.offsets)
    figures = (
        f"height: {result.height}\n"
        f"lower bound: {result.lower_bound}\n"
        f"ratio: {result.ratio:.4f}\n"
        f"seconds: {seconds:.2f}\n"
    )
    try:
        _write(write_table(table, result.offsets), options.output)
        if options.output:
            _print(figures)
        else:
            print(figures, end="", file=sys.stderr)
    except OSError as error:
        written_to = options.output or "the standard output"
        print(f"{written_to}: {error.strerror}", file=sys.stderr)
        return 2
    if options.capacity is not None and result.height > options.capacity:
        print(
            f"{options.file}: the plan needs {result.height}, more than the capacity "
            f"{options.capacity}",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    # Few of the objects are garbage, so that looking for it takes a fifth of the time.
    gc.set_threshold(_ALLOCATIONS_BY_COLLECTION)
    sys.exit(main())
