"""What the compiled code costs: the examples and the end-to-end programs of the tests.

Each is bufferized and deallocated by this package and by mlir-opt, by the same passes,
and by `bufferization-pipeline`. The rest, from memrefs to machine code, is the same for
all but for the order of the loops of structured ops: mlir-opt's results are lowered with
that of its convert-linalg-to-loops.
"""

from __future__ import annotations

import importlib
import pkgutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException

from benchmarks.tables import decimal, ratio, table
from tests.execution import programs as test_programs
from tests.execution.programs.program import PROGRAMS, Program
from tests.oracle.harness import mlir_flags, mlir_opt
from tests.oracle.location import missing_oracle
from tests.oracle.tools import parse
from xdsl_bufferization import jit

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline"
)
BEST = "bufferization-pipeline"
LOWER = "lower-to-llvm-pipeline"
LOWER_LIKE_MLIR = (
    "expand-realloc,convert-bufferization-to-memref,convert-linalg-to-loops,"
    "lower-affine,convert-scf-to-cf,convert-to-llvm"
)
LEAST_MICROSECONDS = 5
"""The time of a call, without the overhead of calling, that is taken into the geometric
mean."""
_SHORTEST = 0.1
"""What is left of a call, in microseconds, is at least this, for the sake of the mean."""
CALLS = 25
EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass(frozen=True)
class Run:
    """One call, counted, and the median time of calls that are not counted."""

    stats: jit.Stats
    microseconds: float


@dataclass(frozen=True)
class Row:
    program: str
    ours: Run | str
    """A reason where there is no figure."""
    mlir: Run | str | None
    """None where mlir-opt was not asked."""
    best: Run | str
    """Of bufferization-pipeline."""
    overhead: float | None
    """Microseconds of a call of a function of the same type that computes nothing."""


def all_programs() -> Sequence[Program]:
    for module in pkgutil.iter_modules(test_programs.__path__):
        importlib.import_module(f"{test_programs.__name__}.{module.name}")
    return [*examples(), *PROGRAMS]


def examples() -> Iterator[Program]:
    """The programs of examples/, with arguments of a size that somebody would use."""
    numbers = np.random.default_rng(0)

    def normal(*shape: int, dtype: str = "f") -> np.ndarray[Any, Any]:
        return numbers.normal(0, 0.1, shape).astype(dtype)

    layers = [(32, 784), (784, 256), (256,), (256, 128), (128,), (128, 10), (10,)]
    heads = [(4, 128, 64)] * 3
    arguments: dict[str, Callable[[], Sequence[Any]]] = {
        "mlp": lambda: [normal(*shape) for shape in layers],
        "tiled_matmul": lambda: [
            normal(128, 96, dtype="d"),
            normal(96, 160, dtype="d"),
        ],
        "heat": lambda: [normal(100, 100, dtype="d"), 20, 0.2],
        "attention": lambda: [normal(*shape) for shape in heads],
    }
    for name, make in arguments.items():
        text = (EXAMPLES / f"{name}.mlir").read_text()
        # How few copies would do is not asked here.
        yield Program(name, text, lambda make=make: (make(), ()), 0, least_copies=0)


def measure(spent: Callable[[], bool], quick: bool = False) -> Iterator[Row]:
    """A row a program, until the time is spent."""
    programs = all_programs()[: 3 if quick else None]
    asked = missing_oracle() is None
    flags = mlir_flags(BUFFERIZE)
    outcomes = mlir_opt([p.text for p in programs], *flags) if asked else []
    for number, program in enumerate(programs):
        if spent():
            return
        compiled = {
            "ours": compile_twice(program.text, f"{BUFFERIZE},{LOWER}"),
            "best": compile_twice(program.text, f"{BEST},{LOWER}"),
        }
        if asked:
            theirs = outcomes[number]
            compiled["mlir"] = (
                compile_twice(theirs.text, LOWER_LIKE_MLIR)
                if theirs.accepted
                else "rejected"
            )
        modules = {n: pair for n, pair in compiled.items() if not isinstance(pair, str)}
        runs: dict[str, Run | str] = {
            n: p for n, p in compiled.items() if isinstance(p, str)
        }
        stats = {name: count(program, counted) for name, (counted, _) in modules.items()}
        called = {name: plain for name, (_, plain) in modules.items()}
        nothing = text_that_computes_nothing(program.text)
        if nothing is not None:
            called["nothing"] = jit.compile(nothing, f"{BEST},{LOWER}")
        times = {
            name: 1e6 * statistics.median(seconds)
            for name, seconds in call_in_turns(program, called).items()
        }
        for name in modules:
            runs[name] = Run(stats[name], times[name])
        yield Row(
            program.name,
            runs["ours"],
            runs.get("mlir"),
            runs["best"],
            times.get("nothing"),
        )


def text_that_computes_nothing(text: str) -> str | None:
    """A program whose `main` has the type of that in another program and returns numbers
    and new arrays without elements' values; None if a result is of another kind."""
    _, module = parse(text)
    main = next(
        op
        for op in module.walk()
        if isinstance(op, FuncOp) and op.sym_name.data == "main"
    )
    type_ = main.function_type
    values: list[str] = []
    for number, result in enumerate(type_.outputs):
        match result:
            case TensorType() | MemRefType():
                op = "tensor.empty" if isinstance(result, TensorType) else "memref.alloc"
                sizes = ", ".join("%one" for size in result.get_shape() if size < 0)
                value = f"{op}({sizes})"
            case IndexType() | IntegerType():
                value = "arith.constant 0"
            case BFloat16Type() | Float16Type() | Float32Type() | Float64Type():
                value = "arith.constant 0.0"
            case _:
                return None
        values.append(f"%r{number} = {value} : {result}")
    parameters = ", ".join(f"%p{i}: {each}" for i, each in enumerate(type_.inputs))
    results = ", ".join(map(str, type_.outputs))
    operands = ", ".join(f"%r{number}" for number in range(len(values)))
    return "\n".join(
        [
            f"func.func @main({parameters}) -> ({results}) {{",
            "%one = arith.constant 1 : index",
            *values,
            f"return {operands} : {results}" if values else "return",
            "}",
        ]
    )


def compile_twice(text: str, pipeline: str) -> tuple[jit.Module, jit.Module] | str:
    """A module that counts and one that does not, or why there is none."""
    try:
        return jit.compile(text, pipeline, count=True), jit.compile(text, pipeline)
    except DiagnosticException as error:
        print(error, file=sys.stderr)
        return "fails"


def count(program: Program, module: jit.Module) -> jit.Stats:
    arguments, _ = program.example()
    held = module.main(*arguments)
    stats = module.stats()
    del held
    return stats


def call_in_turns(
    program: Program, modules: Mapping[str, jit.Module]
) -> dict[str, list[float]]:
    """Seconds of each call, every time on fresh arguments."""
    times: dict[str, list[float]] = {name: [] for name in modules}
    for _ in range(CALLS):
        for name, module in modules.items():
            arguments, _ = program.example()
            start = time.perf_counter()
            module.main(*arguments)
            times[name].append(time.perf_counter() - start)
    return times


# ---------------------------------------------------------------------------------------
# Tables

FIGURES: dict[str, Callable[[Run], float]] = {
    "allocations": lambda run: run.stats.allocations,
    "copies": lambda run: run.stats.copies,
    "bytes copied": lambda run: run.stats.bytes_copied,
    "peak bytes": lambda run: run.stats.peak_bytes,
}


def section(rows: Sequence[Row]) -> Iterator[str]:
    yield "\n## Code quality\n"
    yield (
        "One call of each program of `examples/` and `tests/execution/programs/`,\n"
        "bufferized and deallocated with the same passes by this package and by\n"
        "mlir-opt, and with `bufferization-pipeline`; lowered by the same passes,\n"
        "except for the order of the loops of structured ops, and run by the same JIT.\n"
        "Allocations, copies and peak are counted; the wall-clock time of a call,\n"
        "measured alternately, includes the overhead of calling from Python, but for\n"
        "the geometric mean: there, the time of a function of the same type that\n"
        "computes nothing is subtracted.\n"
    )
    pairs = measured_pairs(rows, lambda row: (row.ours, row.mlir))
    if pairs:
        for name, figure in FIGURES.items():
            less = sum(figure(ours) < figure(mlir) for ours, mlir in pairs)
            more = sum(figure(ours) > figure(mlir) for ours, mlir in pairs)
            equal = len(pairs) - less - more
            yield f"- {name}: fewer in {less} programs, equal in {equal}, more in {more}"
        times = [ours.microseconds / mlir.microseconds for ours, mlir in pairs]
        low, _, high = statistics.quantiles(times, n=4)
        yield (
            f"- time, ours ÷ mlir-opt's: median {statistics.median(times):.2f}, "
            f"half of the programs between {low:.2f} and {high:.2f}"
        )
        rejected = sum(r.mlir == "rejected" for r in rows)
        yield f"- rejected by mlir-opt: {rejected}\n"
    yield from totals(rows)
    header = ["program"]
    for name in FIGURES:
        header += [name, "mlir-opt", BEST]
    header += ["µs a call", "mlir-opt", BEST, "overhead"]
    yield from table(header, map(cells, rows))


def totals(rows: Sequence[Row]) -> Iterator[str]:
    """What `bufferization-pipeline` saves, added up, and the geometric mean of times."""
    pairs = measured_pairs(rows, lambda row: (row.best, row.ours))
    if not pairs:
        return
    yield f"All {len(pairs)} programs with `{BEST}`, and with the plain passes:\n"
    lines: list[Sequence[str]] = []
    for name, figure in FIGURES.items():
        best, plain = (
            sum(figure(run) for run in runs) for runs in zip(*pairs, strict=True)
        )
        more = sum(figure(a) > figure(b) for a, b in pairs)
        lines.append((name, f"{plain:,}", f"{best:,}", ratio(best, plain), str(more)))
    yield from table(("total", "plain", BEST, "ratio", "more in"), lines)
    yield ""
    yield (
        f"Time of a call with `{BEST}` ÷ that of mlir-opt's result, both without\n"
        "the overhead of a call:\n"
    )
    for least in (LEAST_MICROSECONDS, 1):
        ratios = time_ratios(rows, least)
        if ratios:
            ordered = sorted(ratios, key=lambda pair: pair[1])
            (best_name, low), (worst_name, high) = ordered[0], ordered[-1]
            yield (
                f"- {len(ratios)} programs of at least {least} µs: geometric mean "
                f"{geometric_mean(ratios):.2f}, best {low:.2f} ({best_name}), "
                f"worst {high:.2f} ({worst_name})"
            )
    yield (
        "\nSingle ratios of programs of 1 µs are uncertain: the overhead is many times\n"
        "their time, and varies.\n"
    )


def measured_pairs(
    rows: Sequence[Row], runs: Callable[[Row], tuple[Run | str | None, Run | str | None]]
) -> list[tuple[Run, Run]]:
    """Two runs of each program, where both could be measured."""
    found = map(runs, rows)
    return [(a, b) for a, b in found if isinstance(a, Run) and isinstance(b, Run)]


def time_ratios(
    rows: Sequence[Row], least: float = LEAST_MICROSECONDS
) -> list[tuple[str, float]]:
    """By program, the time of a call with `bufferization-pipeline` relative to mlir-opt's
    result, without the overhead and without programs of less than `least` microseconds.
    """
    found: list[tuple[str, float]] = []
    for row in rows:
        best, mlir, overhead = row.best, row.mlir, row.overhead
        if isinstance(best, Run) and isinstance(mlir, Run) and overhead is not None:
            theirs = mlir.microseconds - overhead
            if theirs >= least:
                ours = max(best.microseconds - overhead, _SHORTEST)
                found.append((row.program, ours / theirs))
    return found


def geometric_mean(ratios: Sequence[tuple[str, float]]) -> float:
    return statistics.geometric_mean(value for _, value in ratios)


def _microseconds(run: Run) -> float:
    return run.microseconds


def cells(row: Row) -> Iterator[str]:
    yield row.program
    for figure in (*FIGURES.values(), _microseconds):
        for run in (row.ours, row.mlir, row.best):
            yield cell(run, figure)
    yield "not known" if row.overhead is None else decimal(row.overhead)


def cell(run: Run | str | None, figure: Callable[[Run], float]) -> str:
    if run is None:
        return "not run"
    if isinstance(run, str):
        return run
    value = figure(run)
    return f"{value:,}" if isinstance(value, int) else decimal(value)
