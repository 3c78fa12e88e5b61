"""What fewest copies and least memory cost in compile time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks import programs
from benchmarks.checkers import measure
from benchmarks.compile_time import DEALLOCATION, ONE_SHOT
from benchmarks.tables import decimal, ratio, table

BEST = "bufferization-pipeline"
PLAN = "plan-memory"
GROWTH = 10
PROGRAMS: dict[str, tuple[Callable[[int], str], int]] = {
    "insert chain": (programs.insert_chain, 10_000),
    "slice triples": (programs.slice_triples, 10_000),
    "perceptron layers": (programs.perceptron, 1_000),
    "transformer blocks": (programs.transformer_blocks, 200),
    "loop nests": (programs.loop_nests, 1_000),
    "nested loops": (programs.deep_loops, 100),
    "calls": (programs.call_chain, 3_000),
    "branches": (programs.branches, 3_000),
    "fan-out": (programs.fan_out, 10_000),
    "conflicts": (programs.conflicts, 10_000),
    "large module": (programs.large_module, 10),
    "scalar code": (programs.scalar_code, 10_000),
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
    for name, (make, size) in PROGRAMS.items():
        if spent():
            return
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
