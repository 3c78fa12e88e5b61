"""arith.truncf with a rounding mode: each mode against exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    VerifyException,
)

from xdsl_bufferization import jit
from xdsl_bufferization.dialects.arith import ROUNDING_MODES
from xdsl_bufferization.universe import new_context

TYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "bf16": ml_dtypes.bfloat16}


def neighbours(number: float, dtype: np.dtype) -> tuple[float, float]:
    """The largest number of a type that is not above, the least that is not below."""
    with np.errstate(over="ignore"):
        nearest = np.array(number).astype(dtype)
        exact = float(nearest)
        below, above = dtype.type(-np.inf), dtype.type(np.inf)
        lower = nearest if exact <= number else np.nextafter(nearest, below)
        upper = nearest if exact >= number else np.nextafter(nearest, above)
    return float(lower), float(upper)


def rounded(number: float, dtype: np.dtype, mode: str) -> float:
    lower, upper = neighbours(number, dtype)
    inner, outer = (lower, upper) if number > 0 else (upper, lower)
    match mode:
        case "downward":
            return lower
        case "upward":
            return upper
        case "toward_zero":
            return inner
    if inner == outer or not np.isfinite(outer):
        with np.errstate(over="ignore"):
            return float(np.array(number).astype(dtype))
    to_inner = abs(Fraction(number) - Fraction(inner))
    to_outer = abs(Fraction(outer) - Fraction(number))
    if to_inner != to_outer:
        return inner if to_inner < to_outer else outer
    code = np.array(inner).astype(dtype).view(f"u{dtype.itemsize}")
    return outer if mode == "to_nearest_away" or code % 2 else inner


def numbers(source: np.dtype, dtype: np.dtype) -> np.ndarray:
    random = np.random.default_rng(7)
    finfo = ml_dtypes.finfo(dtype)
    exact = random.normal(size=60).astype(dtype).astype("f8")
    exact = np.concatenate(
        [exact, [float(finfo.smallest_subnormal), float(finfo.tiny), float(finfo.max)]]
    )
    with np.errstate(over="ignore"):
        above = np.nextafter(exact.astype(dtype), dtype.type(np.inf)).astype("f8")
    ties = (exact + above) / 2
    ties = ties[np.isfinite(ties)]
    near = [np.nextafter(ties.astype(source), source.type(end)) for end in (-9e9, 9e9)]
    special = [0.0, 1.0, float(finfo.max) * 1.0001, float(finfo.tiny) / 1e3, np.inf]
    every = np.concatenate([exact, above, ties, *near, special]).astype(source)
    every = every[np.isfinite(every) | np.isinf(every)]
    return np.concatenate([every, -every])


SUBNORMALS_ARE_LOST = "to_nearest_even", "bf16"
"""Some processors' own instruction for this makes zero of numbers that are as small."""


@pytest.mark.parametrize("mode", ROUNDING_MODES)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("f64", "f32"),
        ("f64", "f16"),
        ("f64", "bf16"),
        ("f32", "f16"),
        ("f32", "bf16"),
    ],
)
def test_every_mode(source: str, target: str, mode: str) -> None:
    wide, narrow = np.dtype(TYPES[source]), np.dtype(TYPES[target])
    given = numbers(wide, narrow)
    if (mode, target) == SUBNORMALS_ARE_LOST:
        given = given[np.abs(given) >= float(ml_dtypes.finfo(narrow).tiny)]
    module = jit.compile(
        f"""
        func.func @main(%x: tensor<?x{source}>, %y: tensor<?x{target}>)
            -> tensor<?x{target}> {{
          %r = linalg.map ins(%x : tensor<?x{source}>) outs(%y : tensor<?x{target}>)
            (%a: {source}, %b: {target}) {{
              %c = arith.truncf %a {mode} : {source} to {target}
              linalg.yield %c : {target}
            }}
          return %r : tensor<?x{target}>
        }}
        """
    )
    result = module.main(given, np.zeros(len(given), narrow))
    wanted = [rounded(float(number), narrow, mode) for number in given]
    np.testing.assert_array_equal(result.astype("f8"), wanted)
    np.testing.assert_array_equal(np.signbit(result.astype("f8")), np.signbit(given))


def test_vectors_and_nan() -> None:
    module = jit.compile(
        """
        func.func @main(%x: memref<3xf64>, %y: memref<3xf32>) {
          %c0 = arith.constant 0 : index
          %v = vector.load %x[%c0] : memref<3xf64>, vector<3xf64>
          %w = arith.truncf %v upward : vector<3xf64> to vector<3xf32>
          vector.store %w, %y[%c0] : memref<3xf32>, vector<3xf32>
          return
        }
        """,
        "lower-to-llvm-pipeline",
    )
    y = np.zeros(3, "f4")
    module.main(np.array([0.1, -0.1, np.nan]), y)
    below = np.nextafter(np.float32(0.1), np.float32(0))
    np.testing.assert_array_equal(y, [np.float32(0.1), -below, np.nan])


def test_small_floats_are_rounded_to_nearest_only() -> None:
    text = """
    func.func @main(%x: f32) -> f8E5M2 {
      %0 = arith.truncf %x upward : f32 to f8E5M2
      return %0 : f8E5M2
    }
    """
    with pytest.raises(PassFailedException, match="cannot be rounded upward to f8E5M2"):
        jit.compile(text)


def test_a_mode_that_does_not_exist_is_a_diagnostic() -> None:
    text = """
    func.func @main(%x: f64) -> f32 {
      %0 = "arith.truncf"(%x) <{roundingmode = 7 : i32}> : (f64) -> f32
      return %0 : f32
    }
    """
    with pytest.raises((VerifyException, DiagnosticException), match="7"):
        Parser(new_context(), text).parse_module().verify()
