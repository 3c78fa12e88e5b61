"""Measures compile time and compiled code, and writes one page of tables.

    python -m benchmarks [--output FILE] [--only NAME ...] [--budget SECONDS] [--quick]

Every program is made at several sizes and goes through xdsl-opt with this package and
through mlir-opt 22 (when it is installed; without, the page says so). What parsing,
verifying and printing alone take is xDSL's share. With --output, plots are written to
img/ beside the page.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks import (
    around,
    calls,
    checkers,
    checks,
    code_quality,
    compile_time,
    kernels,
    pipelines,
    plots,
    profile,
    startup,
    verification,
)
from benchmarks.compile_time import BENCHMARKS, Row, Run
from benchmarks.measure import Failure
from tests.oracle.location import missing_oracle, mlir_opt_path

AROUND, CALLS, CHECKERS, CODE_QUALITY = "around", "calls", "checkers", "code_quality"
CHECKS, KERNELS, PIPELINES = "checks", "kernels", "pipelines"
PROFILE, START_UP, VERIFICATION = "profile", "start_up", "verification"


def introduction() -> Iterator[str]:
    yield "# Performance\n"
    yield (
        "Measured by `make bench`, which writes this page. Unless stated otherwise,\n"
        "times are CPU seconds (user and system) of one thread, medians of up to three\n"
        "runs; runs of more than three seconds are not repeated.\n"
    )
    yield from environment()
    yield ""


def environment() -> Iterator[str]:
    yield f"- Python {platform.python_version()}, xDSL {version('xdsl')}"
    missing = missing_oracle()
    if missing:
        yield f"- mlir-opt is left out: {missing}"
    else:
        told = subprocess.run(
            [mlir_opt_path(), "--version"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        found = re.search(r"version (\S+)", told)
        yield f"- mlir-opt {found[1] if found else told}, optimised build, one thread"
    yield f"- {processor()}, {os.cpu_count()} cores"


def processor() -> str:
    try:
        models = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        models = []
    return models[0] if models else platform.processor() or platform.machine()


def illustrated(rows: Sequence[Row], output: Path | None) -> Iterator[str]:
    """The plots, where there is a place for files."""
    if not output:
        return
    yield ""
    for name, file in plots.plot(rows, output.parent / "img"):
        yield f"![{name}](img/{file.name})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--output", type=Path, help="write the page here")
    names = [
        *(b.name for b in BENCHMARKS),
        AROUND,
        CALLS,
        CHECKERS,
        CHECKS,
        KERNELS,
        CODE_QUALITY,
        PIPELINES,
        PROFILE,
        START_UP,
        VERIFICATION,
    ]
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", choices=names, help=", ".join(names)
    )
    parser.add_argument("--budget", type=float, default=1600, help="seconds for all")
    parser.add_argument("--quick", action="store_true", help="smallest sizes, once")
    arguments = parser.parse_args()

    def chosen(name: str) -> bool:
        return not arguments.only or name in arguments.only

    if reason := missing_oracle():
        print(f"mlir-opt is left out: {reason}", file=sys.stderr)
    run = Run(arguments.budget, arguments.quick)
    text = list(introduction())
    broken = False
    rows: list[Row] = []
    for benchmark in filter(lambda b: chosen(b.name), BENCHMARKS):
        for row in run.measure(benchmark):
            print(" | ".join(compile_time.cells(row)), file=sys.stderr)
            rows.append(row)
            broken |= isinstance(row.ours, Failure) and row.ours.broken
    if rows:
        text += compile_time.section(rows)
        text += illustrated(rows, arguments.output)
    if chosen(AROUND):
        text += around.section(lambda: run.spent, arguments.quick)
    if chosen(CHECKERS):
        text += checkers.section(lambda: run.spent, arguments.quick)
    if chosen(PIPELINES):
        text += pipelines.section(lambda: run.spent, arguments.quick)
    if chosen(PROFILE):
        text += profile.section(arguments.quick)
    if chosen(START_UP):
        text += startup.section(5 if arguments.quick else 41)
    if chosen(VERIFICATION):
        text += verification.section(1 if arguments.quick else 5)
    if chosen(CALLS):
        text += calls.section(3 if arguments.quick else 15)
    if chosen(CHECKS):
        text += checks.section(lambda: run.spent, arguments.quick)
    if chosen(KERNELS):
        text += kernels.section(arguments.quick)
    if chosen(CODE_QUALITY):
        quality: list[code_quality.Row] = []
        for measured in code_quality.measure(lambda: run.spent, arguments.quick):
            print(" | ".join(code_quality.cells(measured)), file=sys.stderr)
            quality.append(measured)
            broken |= isinstance(measured.ours, str)
        text += code_quality.section(quality)
        ratios = code_quality.time_ratios(quality, 1)
        if ratios and arguments.output:
            name, file = plots.plot_quality(ratios, arguments.output.parent / "img")
            text += ["", f"![{name}](img/{file.name})"]
    page = "\n".join(text) + "\n"
    if arguments.output:
        arguments.output.write_text(page)
    else:
        print(page)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
