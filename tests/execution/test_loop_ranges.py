"""Loops over all kinds of ranges run as often as their bounds, read as signed or unsigned
numbers, say; whatever is simplified before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tests.execution.harness import check
from xdsl_bufferization import jit

SIMPLIFICATIONS = {
    "the default": None,
    "none": "lower-to-llvm-pipeline",
    "canonicalize": "canonicalize,lower-to-llvm-pipeline",
    "canonicalize-control-flow": "canonicalize-control-flow,lower-to-llvm-pipeline",
}


@dataclass(frozen=True)
class Range:
    """A range, written as a program writes it, and how often its loop runs."""

    type: str
    bounds: tuple[int, int, int]
    trips: int
    unsigned: bool = False

    def function(self, name: str) -> str:
        lower, upper, step = self.bounds
        unsigned = "unsigned" if self.unsigned else ""
        return f"""
        func.func @{name}() -> i64 {{
          %lower = arith.constant {lower} : {self.type}
          %upper = arith.constant {upper} : {self.type}
          %step = arith.constant {step} : {self.type}
          %zero = arith.constant 0 : i64
          %one = arith.constant 1 : i64
          %r = scf.for {unsigned} %i = %lower to %upper step %step
              iter_args(%x = %zero) -> (i64) : {self.type} {{
            %y = arith.addi %x, %one : i64
            scf.yield %y : i64
          }}
          return %r : i64
        }}"""


RANGES = [
    Range("i8", (0, 100, 100), 1),
    Range("i8", (0, -56, 100), 0),
    Range("i8", (0, -56, 100), 2, unsigned=True),
    Range("i8", (0, 200, 100), 2, unsigned=True),
    Range("i8", (0, 200, 200), 1, unsigned=True),
    Range("i8", (0, 200, -56), 1, unsigned=True),
    Range("i8", (-1, 5, 100), 0, unsigned=True),
    Range("i8", (-1, 5, 6), 1),
    Range("i8", (100, -100, 1), 56, unsigned=True),
    Range("i8", (0, 255, 1), 255, unsigned=True),
    Range("i8", (-128, 127, 1), 255),
    Range("i1", (0, -1, -1), 1, unsigned=True),
    Range("i1", (0, -1, -1), 0),
    Range("i1", (-1, 0, -1), 1),
    Range("i1", (-1, 0, -1), 0, unsigned=True),
    Range("i32", (-3, 9, 4), 3),
    Range("i32", (-3, 9, 4), 0, unsigned=True),
    Range("i32", (0, -1, -1), 1, unsigned=True),
    Range("i64", (2, -1, -3), 1, unsigned=True),
    Range("i64", (0, -2, (1 << 63) - 1), 2, unsigned=True),
    Range("i64", (-4, -1, 1), 3, unsigned=True),
    Range("index", (-4, -1, 1), 3, unsigned=True),
    Range("index", (-4, 4, 1), 0, unsigned=True),
    Range("index", (-4, 4, 1), 8),
]
WRAPPING = [
    # 100 + 200 wraps around to 44, which is less than 200 again; 120 + 10 to -126.
    Range("i8", (100, 200, 200), 2, unsigned=True),
    Range("i8", (120, 125, 10), 103),
]
"""An error where checks are made, since their variables leave the bounds of the loop."""


@pytest.mark.parametrize("pipeline", SIMPLIFICATIONS.values(), ids=SIMPLIFICATIONS.keys())
def test_a_loop_runs_as_often_as_its_range_says(pipeline: str | None) -> None:
    for loops, checked in (RANGES, True), ([*RANGES, *WRAPPING], False):
        program = "\n".join(
            loop.function(f"f{number}") for number, loop in enumerate(loops)
        )
        module = jit.compile(program, pipeline or jit.DEFAULT_PIPELINE, check=checked)
        trips = [getattr(module, f"f{number}")() for number in range(len(loops))]
        assert trips == [loop.trips for loop in loops]


@pytest.mark.parametrize("loop", WRAPPING)
def test_a_loop_whose_variable_wraps_around_fails_its_check(loop: Range) -> None:
    module = jit.compile(loop.function("main"))
    with pytest.raises(jit.CheckError, match="exceeds its type"):
        module.main()


@pytest.mark.parametrize(
    "lower, upper, step, runs",
    [(0, -56, 100, True), (100, -100, 1, True), (-1, 5, 1, False)],
)
@pytest.mark.parametrize("option", ["", " copy-before-write"], ids=["in place", "copied"])
def test_results_of_unsigned_loops(
    lower: int, upper: int, step: int, runs: bool, option: str
) -> None:
    t = np.arange(4, dtype="f")
    check(
        f"""
        func.func @main(%t: tensor<4xf32>) -> tensor<4xf32> {{
          %lo = arith.constant {lower} : i8
          %hi = arith.constant {upper} : i8
          %step = arith.constant {step} : i8
          %two = arith.constant 2.0 : f32
          %r = scf.for unsigned %i = %lo to %hi step %step
              iter_args(%x = %t) -> (tensor<4xf32>) : i8 {{
            %e = tensor.empty() : tensor<4xf32>
            %y = linalg.fill ins(%two : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
            scf.yield %y : tensor<4xf32>
          }}
          return %r : tensor<4xf32>
        }}
        """,
        [t],
        np.full(4, 2, "f") if runs else t.copy(),
        pipeline="one-shot-bufferize{bufferize-function-boundaries "
        f"allow-return-allocs-from-loops{option}}},buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    )
