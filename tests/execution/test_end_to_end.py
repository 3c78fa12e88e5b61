"""The programs of programs/: NumPy's numbers, nothing leaked, and the LLVM dialect we
print gives the same numbers under mlir-runner.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterator

import numpy as np
import pytest

from tests.execution.harness import check, compare
from tests.execution.programs import (
    element_types,
    grids,
    kernels,
    networks,
    shapes,
    solvers,
    tables,
)
from tests.execution.programs.program import PROGRAMS, Program

assert element_types and grids and kernels and networks and shapes and solvers and tables

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)


@each_program
def test_numbers(program: Program) -> None:
    arguments, expected = program.example()
    check(program.text, arguments, *expected, rtol=program.rtol)
