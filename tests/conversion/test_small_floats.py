"""8-bit floats: every code is extended, and numbers are truncated, as ml_dtypes does."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ReducedPrecisionFloatType
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization import jit
from xdsl_bufferization.universe import new_context

FORMATS = {
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E3M4": "float8_e3m4",
}
ALL_CODES = np.arange(256, dtype="u1")


def packed(numbers: np.ndarray, element: str) -> np.ndarray:
    """The numbers as xDSL's type rounds them."""
    module = Parser(new_context(), f"func.func private @f({element})").parse_module()
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    (type_,) = function.function_type.inputs
    assert isinstance(type_, ReducedPrecisionFloatType)
    codes = np.frombuffer(type_.pack([float(number) for number in numbers]), "u1")
    return codes.view(getattr(ml_dtypes, FORMATS[element]))


def converted(op: str, source: str, target: str) -> jit.Module:
    return jit.compile(
        f"""
        func.func @main(%x: tensor<?x{source}>, %y: tensor<?x{target}>)
            -> tensor<?x{target}> {{
          %r = linalg.map ins(%x : tensor<?x{source}>) outs(%y : tensor<?x{target}>)
            (%a: {source}, %b: {target}) {{
              %c = arith.{op} %a : {source} to {target}
              linalg.yield %c : {target}
            }}
          return %r : tensor<?x{target}>
        }}
        """,
        opt_level=1,
    )


@pytest.mark.parametrize("element", FORMATS)
def test_extension_of_every_code(element: str) -> None:
    codes = ALL_CODES.view(getattr(ml_dtypes, FORMATS[element]))
    for target, dtype in (("f32", "f4"), ("f64", "f8")):
        module = converted("extf", element, target)
        result = module.main(codes, np.zeros(256, dtype))
        np.testing.assert_array_equal(result, codes.astype(dtype))


@pytest.mark.parametrize("element", FORMATS)
@pytest.mark.parametrize(("source", "dtype"), [("f32", "f4"), ("f64", "f8")])
def test_truncation(element: str, source: str, dtype: str) -> None:
    small = getattr(ml_dtypes, FORMATS[element])
    exact = ALL_CODES.view(small).astype(dtype)
    finite = np.sort(exact[np.isfinite(exact)])
    between = (finite[1:] + finite[:-1]) / 2
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-30, 1e30, -1e30], dtype)
    numbers = np.concatenate(
        [
            *(exact, special, between),
            *(np.nextafter(between, np.inf), np.nextafter(between, -np.inf)),
            finite.max() * np.array([1.01, 1.04, 1.07, 1.2, 1.5], dtype),
        ]
    ).astype(dtype)
    module = converted("truncf", source, element)
    result = module.main(numbers, np.zeros(len(numbers), small))
    # ml_dtypes rounds a float64 twice, by way of float32.
    wanted = numbers.astype(small) if dtype == "f4" else packed(numbers, element)
    wrong = result.view("u1") != wanted.view("u1")
    # NaN has many codes where it has a sign.
    wrong &= ~(np.isnan(result.astype("f4")) & np.isnan(wanted.astype("f4")))
    assert not wrong.any(), (numbers[wrong], result[wrong], wanted[wrong])


def test_vectors_and_other_floats() -> None:
    module = jit.compile(
        """
        func.func @main(%m: memref<2x3xbf16>) {
          %c0 = arith.constant 0 : index
          %v = vector.load %m[%c0, %c0] : memref<2x3xbf16>, vector<2x3xbf16>
          %s = arith.truncf %v : vector<2x3xbf16> to vector<2x3xf8E5M2>
          %w = arith.extf %s : vector<2x3xf8E5M2> to vector<2x3xbf16>
          vector.store %w, %m[%c0, %c0] : memref<2x3xbf16>, vector<2x3xbf16>
          return
        }
        """,
        "lower-to-llvm-pipeline",
    )
    m = np.array([[1.1, -2.3, 0.0], [1e6, 3e-5, -0.7]]).astype(ml_dtypes.bfloat16)
    expected = m.astype(ml_dtypes.float8_e5m2).astype(ml_dtypes.bfloat16)
    module.main(m)
    np.testing.assert_array_equal(m.astype("f4"), expected.astype("f4"))


@pytest.mark.parametrize(
    "op", ["arith.addf %x, %x", "arith.cmpf olt, %x, %x", "math.sqrt %x"]
)
def test_arithmetic_is_refused(op: str) -> None:
    program = f"func.func @f(%x: f8E5M2) {{ %0 = {op} : f8E5M2 return }}"
    with pytest.raises(PassFailedException, match=r"f8E5M2.*arith\.extf"):
        jit.compile(program, "lower-to-llvm-pipeline")


def test_constants() -> None:
    module = jit.compile(
        """
        memref.global "private" constant @table : memref<3xf8E5M2> =
          dense<[0.5, -2.0, 7.0]>
        func.func @main(%c: i1, %i: index) -> (f32, f32, f32) {
          %a = arith.constant 1.5 : f8E5M2
          %b = arith.constant -3.0 : f8E5M2
          %d = arith.select %c, %a, %b : f8E5M2
          %m = memref.get_global @table : memref<3xf8E5M2>
          %n = memref.load %m[%i] : memref<3xf8E5M2>
          %v = arith.constant dense<[0.25, 4.0]> : vector<2xf8E5M2>
          %o = vector.extract %v[1] : f8E5M2 from vector<2xf8E5M2>
          %x = arith.extf %d : f8E5M2 to f32
          %y = arith.extf %n : f8E5M2 to f32
          %z = arith.extf %o : f8E5M2 to f32
          return %x, %y, %z : f32, f32, f32
        }
        """,
        "lower-to-llvm-pipeline",
    )
    assert module.main(True, 1) == (1.5, -2.0, 4.0)
    assert module.main(False, 2) == (-3.0, 7.0, 4.0)
