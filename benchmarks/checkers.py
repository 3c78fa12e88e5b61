"""What the two checkers cost, beside the passes that they check."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator

from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from benchmarks.compile_time import DEALLOCATION, ONE_SHOT
from benchmarks.programs import PROGRAMS
from benchmarks.tables import decimal, ratio, table
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.universe import new_context

VERIFIED = ONE_SHOT.replace("}", " verify-result}")
VERIFY_DEALLOCATION = "verify-deallocation{allow-undecided=false}"
SIZES = {
    "insert chain": 1_000,
    "slice triples": 500,
    "perceptron layers": 500,
    "transformer blocks": 50,
    "loop nests": 300,
    "nested loops": 100,
    "calls": 500,
    "branches": 500,
    "fan-out": 1_000,
    "conflicts": 1_000,
}
RUNS = 3
GROWTH = 4


def section(spent: Callable[[], bool], quick: bool = False) -> Iterator[str]:
    yield "\n## The checkers\n"
    yield (
        "`one-shot-bufferize` without and with `verify-result`, then the insertion of\n"
        "deallocations and its check, `verify-deallocation`: CPU seconds, the\n"
        f"minimum of {RUNS} runs. *Growth* is how many times longer bufferization and\n"
        f"its check take on a program that is {GROWTH} times larger.\n"
    )
    header = (
        *("program", "n", "bufferize, s", "with check, s", "ratio", "growth"),
        *("deallocate, s", "check, s", "ratio"),
    )
    yield from table(header, rows(spent, quick))


def rows(spent: Callable[[], bool], quick: bool) -> Iterator[tuple[str, ...]]:
    for name, size in SIZES.items():
        if spent():
            return
        make = PROGRAMS[name]
        count = max(2, size // 20) if quick else size
        text = make(count)
        plain, insertion, check = best(
            [ONE_SHOT, DEALLOCATION, VERIFY_DEALLOCATION], text, RUNS
        )
        (verified,) = best([VERIFIED], text, RUNS)
        (larger,) = best([VERIFIED], make(GROWTH * count), 1)
        yield (
            name,
            f"{count:,}",
            decimal(plain),
            decimal(verified),
            ratio(verified, plain),
            ratio(larger, verified),
            decimal(insertion),
            decimal(check),
            ratio(check, insertion),
        )


def best(pipelines: list[str], text: str, runs: int) -> list[float]:
    """The least of several measurements of each pipeline, one run after the other."""
    measured = [measure(pipelines, text) for _ in range(runs)]
    return [min(times) for times in zip(*measured, strict=True)]


def measure(pipelines: list[str], text: str) -> list[float]:
    """Processor seconds of each pipeline."""
    times: list[float] = []
    with large_programs():
        context = new_context()
        module = Parser(context, text).parse_module()
        for pipeline in pipelines:
            passes = PassPipeline.parse_spec(
                Universe.get_multiverse().all_passes, pipeline
            )
            gc.collect()
            start = time.process_time()
            passes.apply(context, module)
            times.append(time.process_time() - start)
    return times
