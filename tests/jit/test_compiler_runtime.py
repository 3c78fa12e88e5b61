"""What machine code calls for want of an instruction is found: powers, wide integers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from tests.jit.programs import lower

BITS = 128
MASK = (1 << BITS) - 1
HALF = (1 << 64) - 1


@pytest.mark.parametrize("float_type", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("integer_type", ["i8", "i32", "i64"])
def test_integer_power(float_type: str, integer_type: str) -> None:
    power = lower(
        f"func.func @power(%a: {float_type}, %n: {integer_type}) -> {float_type} {{ "
        f"%r = math.fpowi %a, %n : {float_type}, {integer_type} "
        f"return %r : {float_type} }}"
    ).power
    assert [power(1.5, 3), power(2, -3), power(-2, 5)] == [3.375, 0.125, -32]


@pytest.mark.parametrize("type, dtype", [("f16", "e"), ("f32", "f"), ("f64", "d")])
def test_integer_power_of_vectors(type: str, dtype: str) -> None:
    module = lower(
        f"""
        func.func @power(%a: memref<4x{type}>, %n: memref<4xi32>) {{
          %c0 = arith.constant 0 : index
          %x = vector.load %a[%c0] : memref<4x{type}>, vector<4x{type}>
          %y = vector.load %n[%c0] : memref<4xi32>, vector<4xi32>
          %r = math.fpowi %x, %y : vector<4x{type}>, vector<4xi32>
          vector.store %r, %a[%c0] : memref<4x{type}>, vector<4x{type}>
          return
        }}
        """
    )
    array = np.array([1, 2, 3, -1.5], dtype)
    module.power(array, np.array([5, -1, 2, 3], "i4"))
    np.testing.assert_array_equal(array, np.array([1, 0.5, 9, -3.375], dtype))


def signed(number: int) -> int:
    return number - (1 << BITS) if number >> (BITS - 1) else number


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_OPS: dict[str, Callable[[int, int], int]] = {
    "muli": lambda a, b: a * b,
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
    "divsi": lambda a, b: quotient(signed(a), signed(b)),
    "remsi": lambda a, b: signed(a) - signed(b) * quotient(signed(a), signed(b)),
    "floordivsi": lambda a, b: signed(a) // signed(b),
    "ceildivsi": lambda a, b: -(-signed(a) // signed(b)),
}


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", INTEGER_OPS)
def test_wide_integers(name: str, level: int) -> None:
    """A number is passed as its lower and its upper half."""
    compute = lower(
        f"""
        func.func private @join(%low: i64, %high: i64) -> i128 {{
          %c64 = arith.constant 64 : i128
          %0 = arith.extui %low : i64 to i128
          %1 = arith.extui %high : i64 to i128
          %2 = arith.shli %1, %c64 : i128
          %3 = arith.ori %0, %2 : i128
          return %3 : i128
        }}
        func.func @compute(%a: i64, %b: i64, %c: i64, %d: i64) -> (i64, i64) {{
          %c64 = arith.constant 64 : i128
          %x = call @join(%a, %b) : (i64, i64) -> i128
          %y = call @join(%c, %d) : (i64, i64) -> i128
          %r = arith.{name} %x, %y : i128
          %low = arith.trunci %r : i128 to i64
          %0 = arith.shrui %r, %c64 : i128
          %high = arith.trunci %0 : i128 to i64
          return %low, %high : i64, i64
        }}
        """,
        opt_level=level,
    ).compute
    numbers = [1, 3, 12345, HALF, 1 << 64, 10**30, 1 << 127, MASK - 6, MASK]
    for a, b in itertools.product(numbers, numbers):
        if (a, b) == (1 << 127, MASK) and not name.endswith("ui"):
            continue  # the quotient is not an i128
        low, high = compute(a & HALF, a >> 64, b & HALF, b >> 64)
        assert (high & HALF) << 64 | low & HALF == INTEGER_OPS[name](a, b) & MASK, (a, b)


@pytest.mark.parametrize("type, dtype", [("f16", "e"), ("f32", "f"), ("f64", "d")])
def test_wide_integers_to_and_from_floats(type: str, dtype: str) -> None:
    module = lower(
        f"""
        func.func @shifted(%x: i64, %by: i64) -> ({type}, {type}) {{
          %0 = arith.extsi %x : i64 to i128
          %1 = arith.extui %by : i64 to i128
          %2 = arith.shli %0, %1 : i128
          %s = arith.sitofp %2 : i128 to {type}
          %3 = arith.shrui %2, %1 : i128
          %u = arith.uitofp %3 : i128 to {type}
          return %s, %u : {type}, {type}
        }}
        func.func @whole(%x: {type}) -> (i64, i64) {{
          %0 = arith.fptosi %x : {type} to i128
          %s = arith.trunci %0 : i128 to i64
          %magnitude = math.absf %x : {type}
          %1 = arith.fptoui %magnitude : {type} to i128
          %u = arith.trunci %1 : i128 to i64
          return %s, %u : i64, i64
        }}
        """
    )
    round_ = np.dtype(dtype).type
    with np.errstate(over="ignore"):
        assert module.shifted(-3, 2) == (-12, float(round_((MASK >> 2) - 2)))
    assert module.shifted(1001, 4) == (16016, 1001)
    assert module.whole(-1000.5) == (-1000, 1000)
