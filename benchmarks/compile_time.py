"""How long compiling takes: programs of growing size, both tools, and xDSL alone."""

from __future__ import annotations

import functools
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from benchmarks import programs
from benchmarks.measure import Cost, Failure, median, run_mlir_opt, run_ours
from benchmarks.tables import decimal, ratio, table
from tests.oracle.harness import mlir_flags
from tests.oracle.location import missing_oracle
from xdsl_bufferization.universe import new_context

ONE_SHOT = "one-shot-bufferize{bufferize-function-boundaries}"
ALL_COPIES = "one-shot-bufferize{bufferize-function-boundaries copy-before-write}"
DEALLOCATION = "buffer-deallocation-pipeline"

REPEATS = 3
REPEATED_BELOW = 3.0  # seconds; a longer run is measured once
OUT_OF_TIME = Failure("no time left")


@dataclass(frozen=True)
class Benchmark:
    """One shape of program at several sizes, through one pipeline."""

    make: Callable[[int], str]
    sizes: tuple[int, ...]
    pipeline: str = ONE_SHOT
    prepared_by: str = ""
    """A pipeline that makes the program from what `make` returns; not measured."""
    mlir_up_to: int | None = None
    """The largest size at which mlir-opt is asked, if not at all."""
    limit: float = 60
    """Seconds for one run. A tool that needs more is not asked for larger sizes."""
    title: str = ""

    @property
    def name(self) -> str:
        return self.title or self.make.__name__


BENCHMARKS = (
    Benchmark(programs.insert_chain, (100, 800, 1_000, 10_000), mlir_up_to=800),
    Benchmark(
        programs.slice_triples, (100, 200, 1_000, 10_000), mlir_up_to=200, limit=240
    ),
    Benchmark(programs.perceptron, (100, 1_000, 10_000), limit=240),
    Benchmark(programs.transformer_blocks, (10, 100, 1_000)),
    Benchmark(programs.loop_nests, (100, 1_000)),
    Benchmark(programs.deep_loops, (10, 20, 100), mlir_up_to=20),
    Benchmark(programs.branches, (100, 1_000, 10_000)),
    Benchmark(programs.call_chain, (100, 1_000)),
    Benchmark(programs.conflicts, (100, 1_000, 10_000), mlir_up_to=1_000),
    Benchmark(programs.fan_out, (100, 1_000, 10_000)),
    Benchmark(programs.large_module, (10, 100), mlir_up_to=0, limit=900),
    Benchmark(
        programs.perceptron,
        (75, 750, 2_500),
        DEALLOCATION,
        prepared_by=ALL_COPIES,
        mlir_up_to=750,
        limit=120,
        title="live_buffers",
    ),
    Benchmark(
        programs.scalar_code, (2_500, 25_000), "convert-to-llvm", title="scalar_code"
    ),
)


@dataclass
class Row:
    """One program at one size; a tool that was not asked is None."""

    benchmark: Benchmark
    size: int
    ours: Cost | Failure | None = None
    mlir: Cost | Failure | None = None


@dataclass
class Run:
    budget: float
    """Seconds after which nothing new is measured."""
    quick: bool = False
    """The smallest size, once."""
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> bool:
        return time.monotonic() - self.started > self.budget

    def measure(self, benchmark: Benchmark) -> Iterator[Row]:
        """Rows for all sizes, smallest first."""
        with tempfile.TemporaryDirectory() as folder:
            stopped = Row(benchmark, 0)
            for size in benchmark.sizes[:1] if self.quick else benchmark.sizes:
                program = Path(folder, "program.mlir")
                program.write_text(prepared(benchmark, size))
                row = Row(benchmark, size)
                ours = functools.partial(run_ours, program, benchmark.pipeline)
                if not stopped.ours:
                    row.ours = self.repeat(ours, benchmark.limit)
                up_to = size if benchmark.mlir_up_to is None else benchmark.mlir_up_to
                if missing_oracle() is None and not stopped.mlir and size <= up_to:
                    flags = mlir_flags(benchmark.pipeline)
                    mlir = functools.partial(run_mlir_opt, program, flags)
                    row.mlir = self.repeat(mlir, benchmark.limit)
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


def prepared(benchmark: Benchmark, size: int) -> str:
    """The text that is measured."""
    text = benchmark.make(size)
    if not benchmark.prepared_by:
        return text
    return transformed(text, benchmark.prepared_by)


def transformed(text: str, pipeline: str) -> str:
    """A program after passes of ours, which are not measured."""
    ctx = new_context()
    module = Parser(ctx, text).parse_module()
    passes = PassPipeline.parse_spec(Universe.get_multiverse().all_passes, pipeline)
    passes.apply(ctx, module)
    return str(module)


# ---------------------------------------------------------------------------------------
# Tables

HEADER = (
    "program",
    "n",
    "ops",
    "whole, s",
    "passes, s",
    "mlir-opt whole, s",
    "its passes, s",
    "xDSL, s",
    "whole, ratio",
    "passes, ratio",
    "passes ÷ xDSL",
    "peak MB",
    "mlir-opt MB",
)


def section(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Compile time\n"
    yield (
        "*whole* is the complete xdsl-opt process: parsing, verification before and\n"
        "after every pass, all passes, printing. *passes* is the time of the passes\n"
        "alone. *xDSL* is the time to parse, verify and print the program, without\n"
        "start-up. A ratio above 1 states how many times faster than mlir-opt this\n"
        "package is; mlir-opt runs up to the size at which it takes minutes.\n"
        "`benchmarks/programs.py` generates the programs:\n"
    )
    for benchmark in dict.fromkeys(row.benchmark for row in rows):
        text = " ".join((benchmark.make.__doc__ or "").split())
        if benchmark.prepared_by:
            text = (
                f"the result of `{benchmark.prepared_by}` for "
                f"`{benchmark.make.__name__}`, four buffers a layer, through "
                f"`{benchmark.pipeline}`."
            )
        elif benchmark.pipeline != ONE_SHOT:
            text = f"{text} Through `{benchmark.pipeline}`."
        yield f"- `{benchmark.name}`: {text}"
    yield f"\nUnless stated otherwise, the pipeline is `{ONE_SHOT}`.\n"
    yield from table(HEADER, map(cells, rows))
    yield "\n## Growth\n"
    yield "How many times longer the passes take on a program of ten times the size.\n"
    yield from table(("program", "from", "to", "ours", "mlir-opt"), growth(rows))


def cells(row: Row) -> Sequence[str]:
    stages = row.ours.stages if isinstance(row.ours, Cost) else None
    xdsl = stages.parse_verify_print if stages else None
    return (
        row.benchmark.name,
        f"{row.size:,}",
        f"{stages.ops_before:,}" if stages else "",
        seconds(row.ours, lambda cost: cost.seconds),
        seconds(row.ours, lambda cost: cost.passes),
        seconds(row.mlir, lambda cost: cost.seconds),
        seconds(row.mlir, lambda cost: cost.passes),
        decimal(xdsl),
        ratio(whole(row.mlir), whole(row.ours)),
        ratio(passes(row.mlir), passes(row.ours)),
        ratio(passes(row.ours), xdsl),
        f"{row.ours.megabytes:,.0f}" if isinstance(row.ours, Cost) else "",
        f"{row.mlir.megabytes:,.0f}" if isinstance(row.mlir, Cost) else "",
    )


def growth(rows: Sequence[Row]) -> Iterator[Sequence[str]]:
    for small in rows:
        for large in rows:
            if large.benchmark == small.benchmark and large.size == 10 * small.size:
                yield (
                    small.benchmark.name,
                    f"{small.size:,}",
                    f"{large.size:,}",
                    ratio(passes(large.ours), passes(small.ours)),
                    ratio(passes(large.mlir), passes(small.mlir)),
                )


def seconds(cost: Cost | Failure | None, figure: Callable[[Cost], float | None]) -> str:
    if cost is None:
        return "not run"
    return cost.reason if isinstance(cost, Failure) else decimal(figure(cost))


def whole(cost: Cost | Failure | None) -> float | None:
    return cost.seconds if isinstance(cost, Cost) else None


def passes(cost: Cost | Failure | None) -> float | None:
    return cost.passes if isinstance(cost, Cost) else None
