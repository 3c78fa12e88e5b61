"""The report on a program, from the command line.

    python -m xdsl_bufferization.report program.mlir
    python -m xdsl_bufferization.report program.mlir -o report.html
    python -m xdsl_bufferization.report program.mlir --check "copies<=2,peak<=1MiB"

The first command prints remarks and a summary. With --check, one line is printed, and
the exit code is 1 if a limit is exceeded; it is 2 if there is no report.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from xdsl.utils.exceptions import DiagnosticException, ParseError

from xdsl_bufferization.error_positions import explaining_bytes, explaining_files
from xdsl_bufferization.guest import take_over
from xdsl_bufferization.report.checks import parse_limits
from xdsl_bufferization.report.explanation import DEFAULT_PASSES, Report, explain
from xdsl_bufferization.report.page import to_html


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_bufferization.report",
        description="Why a program copies, and how much memory it needs.",
    )
    parser.add_argument("program", type=Path, help="a file of MLIR")
    parser.add_argument("-o", "--output", type=Path, help="write a page of HTML here")
    parser.add_argument("--check", help='limits such as "copies<=2,peak<=1MiB"')
    parser.add_argument("-p", "--passes", help=f"what to run ({DEFAULT_PASSES})")
    options = parser.parse_args(arguments)
    take_over()
    try:
        limits = parse_limits(options.check) if options.check else ()
        path = str(options.program)
        with explaining_files(path), explaining_bytes(path):
            report = explain(options.program, options.passes)
    except (DiagnosticException, ParseError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.output is not None:
        options.output.write_text(to_html(report), encoding="utf-8")
    if not limits:
        print(report if options.output is None else report.summary)
        return 0
    results = [limit.check(report) for limit in limits]
    verdict = "ok" if all(holds for holds, _ in results) else "limit not met"
    shown = ", ".join(
        words if holds else f"{words}, {limit.demand}"
        for limit, (holds, words) in zip(limits, results, strict=True)
    )
    print(f"{_name(report)}: {verdict}: {shown}")
    return 0 if verdict == "ok" else 1


def _name(report: Report) -> str:
    return report.source.name


if __name__ == "__main__":
    sys.exit(main())
