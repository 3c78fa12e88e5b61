"""The programs of programs/: NumPy's numbers, nothing leaked, no more copies, copied
bytes, allocations and memory than after the plain passes, and hardly more copies than
suffice. The LLVM dialect we print gives the same numbers under mlir-runner, for one
program of three.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

from tests.execution.costs import PLAIN, worse
from tests.execution.harness import Run, call, compare, run
from tests.execution.programs import (
    built_in_place,
    callers,
    control_flow,
    destinations,
    element_types,
    exchanges,
    functions,
    grids,
    kernels,
    networks,
    read_only_loops,
    reads_and_writes,
    shapes,
    shared_empties,
    slices,
    snapshots,
    solvers,
    tables,
    turns,
)
from tests.execution.programs.mlir_runner import Results, run_all
from tests.execution.programs.program import PROGRAMS, Program
from tests.oracle.tools import requires_mlir_opt
from xdsl_bufferization import jit

pytestmark = pytest.mark.long

assert (
    built_in_place
    and callers
    and control_flow
    and destinations
    and element_types
    and exchanges
    and functions
    and grids
    and kernels
    and networks
    and read_only_loops
    and reads_and_writes
    and shapes
    and shared_empties
    and slices
    and snapshots
    and solvers
    and tables
    and turns
)

UNDER_MLIR_RUNNER = PROGRAMS[::6]

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)


@functools.cache
def run_program(program: Program) -> Run:
    arguments, _ = program.example()
    return run(program.text, arguments)


@each_program
def test_numbers(program: Program) -> None:
    _, expected = program.example()
    compare(run_program(program).results, expected, program.rtol)


@each_program
def test_costs_are_never_higher_than_after_the_plain_passes(program: Program) -> None:
    arguments, _ = program.example()
    module = jit.compile(program.text, PLAIN, count=True, opt_level=0)
    plain = call(module, "main", arguments).stats
    assert not worse(run_program(program).stats, plain)


def test_copies_are_few() -> None:
    least = sum(program.least_copies for program in PROGRAMS)
    copies = {program.name: run_program(program).stats.copies for program in PROGRAMS}
    assert sum(copies.values()) <= 1.15 * least, copies


@functools.cache
def under_mlir_runner() -> dict[str, Results]:
    return run_all(UNDER_MLIR_RUNNER)


@requires_mlir_opt
@pytest.mark.parametrize("program", UNDER_MLIR_RUNNER, ids=lambda p: p.name)
def test_same_numbers_under_mlir_runner(program: Program) -> None:
    results = under_mlir_runner()[program.name]
    _, expected = program.example()
    assert len(results) == len(expected)
    for result, want in zip(results, expected, strict=True):
        assert result.shape == np.shape(want)
        if program.rtol:
            np.testing.assert_allclose(result, want, rtol=program.rtol, atol=program.rtol)
        else:
            np.testing.assert_array_equal(result, want)
