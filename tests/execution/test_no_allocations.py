"""Programs of static sizes that are given all memory, also for results, allocate none."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from tests.execution import programs
from tests.execution.harness import call_with_outs, compare
from tests.execution.programs.program import PROGRAMS, Program
from xdsl_bufferization import jit

PIPELINE = (
    "bufferization-pipeline{results-to-out-params plan-memory arena=argument},"
    "verify-memory-plan,lower-to-llvm-pipeline"
)
ALLOCATIONS = {
    # Each level of a recursion has a buffer of its own.
    "powers_by_recursion": 1,
    # So has each iteration of a parallel loop.
    "reduction_split_in_two_stages": 4,
}

for _module in pkgutil.iter_modules(programs.__path__):
    importlib.import_module(f"{programs.__name__}.{_module.name}")
STATIC = {program.name: program for program in PROGRAMS if "?x" not in program.text}


@pytest.mark.parametrize("name", STATIC)
def test_nothing_is_allocated(name: str) -> None:
    program: Program = STATIC[name]
    arguments, expected = program.example()
    compiled = jit.compile(program.text, PIPELINE, count=True)
    done = call_with_outs(compiled, "main", arguments, program.text)
    compare(done.results, expected, program.rtol)
    assert done.stats.allocations == ALLOCATIONS.get(name, 0)


def test_there_are_many() -> None:
    assert len(STATIC) > 50
    assert ALLOCATIONS.keys() < STATIC.keys()
