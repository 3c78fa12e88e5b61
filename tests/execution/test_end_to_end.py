"""The programs of programs/: NumPy's numbers, nothing leaked, and the LLVM dialect we
print gives the same numbers under mlir-runner.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

from tests.execution.harness import check
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

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)


@each_program
def test_numbers(program: Program) -> None:
    arguments, expected = program.example()
    check(program.text, arguments, *expected, rtol=program.rtol)


@functools.cache
def under_mlir_runner() -> dict[str, Results]:
    return run_all(PROGRAMS)


@requires_mlir_opt
@each_program
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
