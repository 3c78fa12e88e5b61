"""What `bufferization-pipeline` spares: no program executes more copies, copied bytes or
allocations than after one-shot-bufferize and buffer-deallocation-pipeline, nor needs more
memory, and copies are few: hardly more than suffice.

A program is compiled without optimisation: what is counted does not depend on it.
"""

from __future__ import annotations

import functools

import pytest
from xdsl.utils.exceptions import PassFailedException

from tests.execution.harness import call, compare, with_checkers
from tests.execution.programs.program import Program
from tests.execution.test_end_to_end import PROGRAMS
from tests.random_programs.checks import READ_ONLY, REFUSED, arguments_for
from tests.random_programs.program import OBSERVED, random_program
from xdsl_bufferization import jit

PLAIN = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline,lower-to-llvm-pipeline"
)
BEST = "bufferization-pipeline,lower-to-llvm-pipeline"
RANDOM_PROGRAMS = 20


def worse(best: jit.Stats, plain: jit.Stats) -> list[str]:
    """What costs more than after the plain passes."""
    figures = ("copies", "bytes_copied", "allocations", "peak_bytes")
    return [
        f"{figure}: {getattr(best, figure)}, plain: {getattr(plain, figure)}"
        for figure in figures
        if getattr(best, figure) > getattr(plain, figure)
    ]


@functools.cache
def best_stats(program: Program) -> jit.Stats:
    arguments, expected = program.example()
    module = jit.compile(program.text, with_checkers(BEST), count=True, opt_level=0)
    done = call(module, "main", arguments)
    compare(done.results, expected, program.rtol)
    return done.stats


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_never_worse(program: Program) -> None:
    arguments, _ = program.example()
    module = jit.compile(program.text, PLAIN, count=True, opt_level=0)
    plain = call(module, "main", arguments).stats
    assert not worse(best_stats(program), plain)


def test_copies_are_few() -> None:
    least = sum(p.least_copies for p in PROGRAMS)
    copies = {p.name: best_stats(p).copies for p in PROGRAMS}
    assert sum(copies.values()) <= 1.15 * least, copies


@pytest.mark.parametrize("seed", range(RANDOM_PROGRAMS))
def test_never_worse_on_random_programs(seed: int) -> None:
    program = random_program(seed, OBSERVED)
    found: dict[str, jit.Stats] = {}
    for pipeline in (BEST, PLAIN):
        try:
            module = jit.compile(program.text, pipeline, count=True, opt_level=0)
        except PassFailedException as error:
            assert REFUSED in str(error) or READ_ONLY in str(error)
            continue
        found[pipeline] = call(module, "main", arguments_for(program)).stats
    # A value that nothing uses may be what the plain pipeline refuses to copy for.
    assert BEST in found or PLAIN not in found
    if PLAIN in found:
        assert not worse(found[BEST], found[PLAIN])
