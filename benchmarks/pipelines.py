"""What fewest copies and least memory cost in compile time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.checkers import measure
from benchmarks.compile_time import DEALLOCATION, ONE_SHOT
from benchmarks.programs import PROGRAMS
from benchmarks.tables import decimal, ratio, table

BEST = "bufferization-pipeline"
PLAN = "plan-memory"
GROWTH = 10
SIZES = {
    "insert chain": 10_000,
    "slice triples": 10_000,
    "perceptron layers": 1_000,
    "transformer blocks": 200,
    "loop nests": 1_000,
    "nested loops": 100,
    "calls": 3_000,
    "branches": 3_000,
    "fan-out": 10_000,
    "conflicts": 10_000,
    "large module": 10,
    "scalar code": 10_000,
}


@dataclass
class Times:
    """Processor seconds of the passes for one program."""

    bufferize: float
    deallocate: float
    best: float
    plan: float

    @property
    def plain(self) -> float:
        return self.bufferize + self.deallocate


def section(spent: Callable[[], bool], quick: bool = False) -> Iterator[str]:
    yield "\n## Fewest copies, least memory\n"
    yield (
        f"Plain passes (`{ONE_SHOT},\n{DEALLOCATION}`), `{BEST}`, and `{PLAN}`\n"
        f"after it: CPU seconds of one run. *Growth* is how many times longer `{BEST}`\n"
        f"takes than on a program that is {GROWTH} times smaller. The last column\n"
        f"compares `{PLAN}` with `one-shot-bufferize` alone.\n"
    )
    header = (
        *("program", "n", "plain, s", "pipeline, s", "ratio", "growth"),
        *("plan-memory, s", "÷ bufferize"),
    )
    yield from table(header, rows(spent, quick))


def rows(spent: Callable[[], bool], quick: bool) -> Iterator[tuple[str, ...]]:
    for name, size in SIZES.items():
        if spent():
            return
        make = PROGRAMS[name]
        count = max(GROWTH, size // GROWTH) if quick else size
        smaller = times(make(count // GROWTH))
        larger = times(make(count))
        yield (
            name,
            f"{count:,}",
            decimal(larger.plain),
            decimal(larger.best),
            ratio(larger.best, larger.plain),
            ratio(larger.best, smaller.best),
            decimal(larger.plan),
            ratio(larger.plan, larger.bufferize),
        )


def times(text: str) -> Times:
    return Times(*measure([ONE_SHOT, DEALLOCATION], text), *measure([BEST, PLAN], text))
