"""The states of the checker of deallocations grow with the square of the program, not
faster."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.checkers.lifetimes.solver import Solver

PIPELINE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline"
)
TENSOR = "tensor<8xf32>"


def _choice(name: str, condition: str, other: str) -> str:
    """A new tensor, or another one."""
    return f"""%{name} = scf.if %{condition} -> {TENSOR} {{
      %e{name} = tensor.splat %x : {TENSOR}
      scf.yield %e{name} : {TENSOR}
    }} else {{
      scf.yield {other} : {TENSOR}
    }}
    """


def _function(conditions: int, body: str, result: str) -> str:
    arguments = ", ".join(f"%c{n}: i1" for n in range(conditions))
    return f"""func.func @f(%t: {TENSOR}, %x: f32, %n: index, {arguments}) -> {TENSOR} {{
      {body}
      return {result} : {TENSOR}
    }}"""


def _chain(count: int) -> str:
    names = ["%t", *(f"%w{n}" for n in range(count))]
    return "".join(_choice(f"w{n}", f"c{n}", names[n]) for n in range(count))


def _unrelated(count: int) -> str:
    return _function(count, _chain(count), f"%w{count - 1}")


def _with_older(count: int) -> str:
    """Each chooses between a new tensor and the last but one."""
    names = ["%t", "%t", *(f"%w{n}" for n in range(count))]
    body = "".join(_choice(f"w{n}", f"c{n}", names[n]) for n in range(count))
    return _function(count, body, f"%w{count - 1}")


def _in_a_loop(count: int) -> str:
    body = f"""%zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r = scf.for %i = %zero to %n step %one iter_args(%s = %t) -> ({TENSOR}) {{
      {_chain(count).replace("%t :", "%s :")}
      scf.yield %w{count - 1} : {TENSOR}
    }}"""
    return _function(count, body, "%r")


def _work(program: str) -> int:
    """The steps that the checker takes, in a program that it finds right."""
    context, module = parse(program)
    run_passes(context, module, PIPELINE)
    solver = Solver(module)
    solver.solve()
    assert not solver.faults
    return len(solver.steps)


@pytest.mark.parametrize("make", [_unrelated, _with_older, _in_a_loop])
def test_choices_in_a_row(make: Callable[[int], str]) -> None:
    """Each of *n* allocations is in up to *n* memrefs, which one dealloc names and may
    free: these are not visited one by one in each of the states."""
    assert _work(make(24)) < 4.5 * _work(make(12))
