"""Measures compile time and writes one page of tables.

    python -m benchmarks [--output FILE] [--only NAME ...] [--limit SECONDS] [--quick]

Every program is made at several sizes and goes through xdsl-opt with this package,
through mlir-opt 22 (when XDSL_MLIR_OPT is set), and through xDSL alone (parse, verify,
print).
A run that reaches the limit ends; that tool is then not asked for larger sizes.
"""

from __future__ import annotations

import argparse
import functools
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from xdsl.utils.arg_spec import parse_pipeline

from benchmarks import programs, startup
from benchmarks.measure import (
    Cost,
    Failure,
    median,
    run_mlir_opt,
    run_ours,
    run_ours_staged,
)
from tests.oracle.harness import missing_oracle, mlir_flags
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE

ONE_SHOT = "one-shot-bufferize{bufferize-function-boundaries}"
ALL_COPIES = "one-shot-bufferize{bufferize-function-boundaries copy-before-write}"
DEALLOCATION = f"{ALL_COPIES},buffer-deallocation-pipeline"

REPEATS = 3
REPEATED_BELOW = 3.0  # seconds; a longer run is measured once
OUT_OF_TIME = Failure("no time left")


@dataclass(frozen=True)
class Benchmark:
    make: Callable[[int], str]
    sizes: tuple[int, ...]
    pipeline: str = ONE_SHOT
    patience: int = 1
    """How many times the limit one run may take."""

    @property
    def name(self) -> str:
        suffix = "" if self.pipeline == ONE_SHOT else "_deallocation"
        return self.make.__name__ + suffix


BENCHMARKS = (
    Benchmark(programs.insert_chain, (100, 800, 1_000, 10_000)),
    Benchmark(programs.slice_triples, (100, 200, 1_000, 10_000)),
    Benchmark(programs.perceptron, (100, 1_000, 10_000), patience=4),
    Benchmark(programs.loop_nests, (100, 1_000)),
    Benchmark(programs.deep_loops, (10, 20, 100)),
    Benchmark(programs.branches, (100, 1_000, 10_000)),
    Benchmark(programs.call_chain, (100, 1_000)),
    Benchmark(programs.conflicts, (100, 1_000, 10_000)),
    Benchmark(programs.fan_out, (100, 1_000, 10_000)),
    Benchmark(programs.perceptron, (100, 1_000), DEALLOCATION),
)


@dataclass
class Row:
    """One program at one size; a tool that was not asked is None."""

    benchmark: Benchmark
    size: int
    ours: Cost | Failure | None = None
    staged: Cost | Failure | None = None
    mlir: Cost | Failure | None = None


@dataclass
class Run:
    limit: float
    budget: float
    quick: bool
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> bool:
        return time.monotonic() - self.started > self.budget

    def measure(self, benchmark: Benchmark) -> Iterator[Row]:
        """Rows for all sizes, smallest first."""
        with tempfile.TemporaryDirectory() as folder:
            stopped = Row(benchmark, 0)
            limit = self.limit * benchmark.patience
            for size in benchmark.sizes[:1] if self.quick else benchmark.sizes:
                program = Path(folder, "program.mlir")
                program.write_text(benchmark.make(size))
                row = Row(benchmark, size)
                ours = functools.partial(run_ours, program, benchmark.pipeline)
                staged = functools.partial(run_ours_staged, program, benchmark.pipeline)
                if not stopped.ours:
                    row.ours = self.repeat(ours, limit)
                    row.staged = self.repeat(staged, limit)
                if missing_oracle() is None and not stopped.mlir:
                    flags = mlir_flags(benchmark.pipeline)
                    mlir = functools.partial(run_mlir_opt, program, flags)
                    row.mlir = self.repeat(mlir, limit)
                if isinstance(row.ours, Failure):
                    stopped.ours = row.ours
                if isinstance(row.mlir, Failure):
                    stopped.mlir = row.mlir
                yield row

    def repeat(
        self, run: Callable[[float], Cost | Failure], limit: float
    ) -> Cost | Failure:
        if self.spent:
            return OUT_OF_TIME
        costs: list[Cost] = []
        while len(costs) < REPEATS:
            cost = run(limit)
            if isinstance(cost, Failure):
                return cost
            costs.append(cost)
            if self.quick or cost.seconds > REPEATED_BELOW:
                break
        return median(costs)


# ---------------------------------------------------------------------------------------
# The page


def page(rows: Sequence[Row], start_up: startup.StartUp) -> Iterator[str]:
    yield "# Performance\n"
    yield (
        "Measured by `make bench`, which writes this page. Times are processor seconds\n"
        "(user and system) of one thread, medians of up to three runs.\n"
    )
    yield from environment()
    yield "\n## Compile time\n"
    yield (
        "*whole* is the process from start to end: reading the text, verifying, all\n"
        "passes, printing. *passes* are the passes alone. *xDSL* is what xDSL itself\n"
        "needs to parse, verify and print the program, start-up excluded. A ratio above\n"
        "1 says how many times faster than mlir-opt we are. The programs are made by\n"
        "`benchmarks/programs.py`:\n"
    )
    for benchmark in dict.fromkeys(row.benchmark for row in rows):
        text = (benchmark.make.__doc__ or "").strip()
        if benchmark.pipeline != ONE_SHOT:
            text = f"the same programs through `{benchmark.pipeline}`."
        yield f"- `{benchmark.name}`: {text}"
    yield f"\nWhere nothing else is said, the pipeline is `{ONE_SHOT}`.\n"
    yield (
        "| program | n | ops | whole, s | passes, s | mlir-opt whole, s | its passes, s "
        "| xDSL, s | whole, ratio | passes, ratio | passes ÷ xDSL "
        "| peak MB | mlir-opt MB |"
    )
    yield "|" + " --- |" + " ---: |" * 12
    for row in rows:
        yield line(row)
    yield "\n## Growth\n"
    yield "How many times longer the passes take when the program is ten times as long.\n"
    yield "| program | from | to | ours | mlir-opt |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for small in rows:
        for large in rows:
            if large.benchmark == small.benchmark and large.size == 10 * small.size:
                yield (
                    f"| {small.benchmark.name} | {small.size:,} | {large.size:,} "
                    f"| {ratio(passes(large.staged), passes(small.staged))} "
                    f"| {ratio(passes(large.mlir), passes(small.mlir))} |"
                )
    yield "\n## Start-up\n"
    yield (
        f"`xdsl-opt` on an empty module takes {start_up.without:.0f} ms without this "
        f"package and\n{start_up.with_us:.0f} ms with it: {start_up.ratio:.2f} times as "
        f"long (medians of {start_up.runs} runs each, in turns)."
    )


def line(row: Row) -> str:
    stages = row.staged.stages if isinstance(row.staged, Cost) else None
    xdsl = stages.parse_verify_print if stages else None
    cells = (
        row.benchmark.name,
        f"{row.size:,}",
        f"{stages.ops_before:,}" if stages else "",
        seconds(row.ours, lambda cost: cost.seconds),
        seconds(row.staged, lambda cost: cost.passes),
        seconds(row.mlir, lambda cost: cost.seconds),
        seconds(row.mlir, lambda cost: cost.passes),
        f"{xdsl:.2f}" if xdsl is not None else "",
        ratio(whole(row.mlir), whole(row.ours)),
        ratio(passes(row.mlir), passes(row.staged)),
        ratio(passes(row.staged), xdsl),
        f"{row.ours.megabytes:,.0f}" if isinstance(row.ours, Cost) else "",
        f"{row.mlir.megabytes:,.0f}" if isinstance(row.mlir, Cost) else "",
    )
    return "| " + " | ".join(cells) + " |"


def seconds(cost: Cost | Failure | None, figure: Callable[[Cost], float | None]) -> str:
    if cost is None:
        return "not run"
    if isinstance(cost, Failure):
        return cost.reason
    value = figure(cost)
    return "" if value is None else f"{value:.3f}" if value < 1 else f"{value:.1f}"


def whole(cost: Cost | Failure | None) -> float | None:
    return cost.seconds if isinstance(cost, Cost) else None


def passes(cost: Cost | Failure | None) -> float | None:
    return cost.passes if isinstance(cost, Cost) else None


def ratio(numerator: float | None, denominator: float | None) -> str:
    if numerator is None or not denominator:
        return ""
    value = numerator / denominator
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def environment() -> Iterator[str]:
    yield f"- Python {platform.python_version()}, xDSL {version('xdsl')}"
    missing = missing_oracle()
    if missing:
        yield f"- mlir-opt is left out: {missing}"
    else:
        told = subprocess.run(
            [os.environ["XDSL_MLIR_OPT"], "--version"],
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


def unavailable(benchmark: Benchmark) -> list[str]:
    """The passes of a pipeline that this package does not have."""
    known = BUFFERIZATION_UNIVERSE.all_passes
    names = (spec.name for spec in parse_pipeline(benchmark.pipeline))
    return [name for name in names if name not in known]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--output", type=Path, help="write the page here")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these programs only")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one run")
    parser.add_argument("--budget", type=float, default=1500, help="seconds for all")
    parser.add_argument("--quick", action="store_true", help="smallest size, once")
    arguments = parser.parse_args()

    if reason := missing_oracle():
        print(f"mlir-opt is left out: {reason}", file=sys.stderr)
    run = Run(arguments.limit, arguments.budget, arguments.quick)
    rows: list[Row] = []
    for benchmark in BENCHMARKS:
        if arguments.only and benchmark.name not in arguments.only:
            continue
        if missing := unavailable(benchmark):
            print(f"{benchmark.name}: left out, no {missing}", file=sys.stderr)
            continue
        for row in run.measure(benchmark):
            print(line(row), file=sys.stderr)
            rows.append(row)
    text = "\n".join(page(rows, startup.measure(5 if arguments.quick else 41))) + "\n"
    if arguments.output:
        arguments.output.write_text(text)
    else:
        print(text)
    failed = [row for row in rows if isinstance(row.ours, Failure) and row.ours.broken]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
