"""How many iterations of a loop are known before it runs."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation

from tests.oracle.tools import parse
from xdsl_bufferization.interfaces.loop_like import (
    COUNTED_LOOP,
    LoopRange,
    static_trip_count,
    surely_runs,
)
from xdsl_bufferization.models import announce_models

announce_models()


def executed(lower: int, upper: int, step: int, width: int, unsigned: bool) -> int | None:
    """The iterations of a loop that compares, adds and wraps around as the lowered one
    does, or None if it does not end. Numbers are bit patterns."""
    sign = 0 if unsigned else 1 << (width - 1)
    index, trips = lower, 0
    while index ^ sign < upper ^ sign:
        trips += 1
        index = (index + step) % (1 << width)
        if trips > 1 << width:
            return None
    return trips


@pytest.mark.parametrize("unsigned", [False, True], ids=["signed", "unsigned"])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_counted_iterations_are_those_that_run(width: int, unsigned: bool) -> None:
    type = IntegerType(width)
    constants = [
        arith.ConstantOp(IntegerAttr(number, type)).result for number in range(1 << width)
    ]
    counted = 0
    for lower, upper, step in product(range(1 << width), repeat=3):
        bounds = (constants[number] for number in (lower, upper, step))
        range_ = LoopRange(*bounds, unsigned=unsigned)
        trips = executed(lower, upper, step, width, unsigned)
        assert range_.trip_count in (None, trips)
        assert range_.surely_runs == (trips != 0)
        counted += bool(range_.trip_count)
    # Of loops that run, all are counted whose end does not wrap around.
    top = (1 << width) if unsigned else 1 << (width - 1)
    bottom = top - (1 << width)
    assert counted == sum(
        upper + (lower - upper) % step < top
        for lower, upper, step in product(range(bottom, top), repeat=3)
        if lower < upper and step > 0
    )


def loop(text: str) -> Operation:
    """The first counted loop of a function that sees %n, %c0, %c1, %c4 and %c9."""
    _, module = parse(
        f"""
        func.func @f(%n: index) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %c9 = arith.constant 9 : index
          %top = arith.constant -1 : i64
          %zero = arith.constant 0 : i64
          {text}
          return
        }}"""
    )
    return next(op for op in module.walk() if COUNTED_LOOP.lookup(op) is not None)


@pytest.mark.parametrize(
    "text, trips, runs",
    [
        ("scf.for %i = %c0 to %c9 step %c4 { }", 3, True),
        ("scf.for %i = %c0 to %c9 step %n { }", None, True),
        ("scf.for %i = %c0 to %n step %c4 { }", None, False),
        ("scf.for %i = %n to %n step %n { }", 0, False),
        ("scf.for unsigned %i = %zero to %top step %top : i64 { }", 1, True),
        ("scf.for %i = %zero to %top step %top : i64 { }", 0, False),
        ("scf.parallel (%i, %j) = (%c0, %c0) to (%c9, %c4) step (%c4, %c1) {}", 12, True),
        ("scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c0) step (%c4, %c1) { }", 0, False),
        ("scf.forall (%i, %j) in (3, 5) { }", 15, True),
        ("scf.forall (%i, %j) in (3, %n) { }", None, False),
        ("scf.forall (%i, %j) = (0, 4) to (%c9, 9) step (4, %c4) { }", 6, True),
        ("affine.for %i = 0 to 9 step 4 { }", 3, True),
        ("affine.for %i = max affine_map<(d0) -> (d0, 4)>(%c1) to 9 { }", 5, True),
        ("affine.for %i = max affine_map<(d0) -> (d0, 4)>(%n) to 9 { }", None, False),
        ("affine.for %i = 3 to affine_map<(d0) -> (d0 - 1)>(%c4) { }", 0, False),
        ("affine.parallel (%i, %j) = (0, 1) to (min(9, 7), 4) step (4, 1) { }", 6, True),
    ],
)
def test_trip_counts_of_ops(text: str, trips: int | None, runs: bool) -> None:
    op = loop(text)
    assert static_trip_count(op) == trips
    assert surely_runs(op) == runs
