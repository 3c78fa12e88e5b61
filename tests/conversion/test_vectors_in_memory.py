"""Rows of vectors lie in memory as the elements of a buffer do."""

from __future__ import annotations

import numpy as np
import pytest

from xdsl_bufferization import jit

LOADED = {
    "load": "vector.load %a[%c0, %c1] : memref<4x8x{0}>, vector<{1}x{0}>",
    "transfer_read": """vector.transfer_read %a[%c0, %c1], %zero {{in_bounds = [{2}]}}
        : memref<4x8x{0}>, vector<{1}x{0}>""",
}
STORED = {
    "store": "vector.store %v, %b[%c0, %c1] : memref<4x8x{0}>, vector<{1}x{0}>",
    "transfer_write": """vector.transfer_write %v, %b[%c0, %c1] {{in_bounds = [{2}]}}
        : vector<{1}x{0}>, memref<4x8x{0}>""",
}
TYPES = ["i1", "i3", "i8", "i24", "i32", "i48", "i96", "i128", "f16", "f32", "f80"]


def conversions(type_: str) -> tuple[str, str]:
    """From and to f64."""
    if type_ == "f80":
        return "arith.extf %x : f64 to f80", "arith.truncf %y : f80 to f64"
    if type_.startswith("f"):
        return f"arith.truncf %x : f64 to {type_}", f"arith.extf %y : {type_} to f64"
    return f"arith.fptoui %x : f64 to {type_}", f"arith.uitofp %y : {type_} to f64"


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("shape", [(7,), (2, 3), (1,)])
@pytest.mark.parametrize("load", LOADED.values(), ids=LOADED)
@pytest.mark.parametrize("store", STORED.values(), ids=STORED)
def test_elements_are_those_of_buffers(
    load: str, store: str, shape: tuple[int, ...], type_: str
) -> None:
    words = type_, "x".join(map(str, shape)), ", ".join(["true"] * len(shape))
    there, back = conversions(type_)
    text = f"""
        func.func @main(%t: memref<4x8xf64>, %m: memref<4x8xf64>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %c8 = arith.constant 8 : index
          %none = arith.constant 0.0 : f64
          %zero = {there.replace("%x", "%none")}
          %a = memref.alloca() : memref<4x8x{type_}>
          %b = memref.alloca() : memref<4x8x{type_}>
          scf.for %i = %c0 to %c4 step %c1 {{
            scf.for %j = %c0 to %c8 step %c1 {{
              %x = memref.load %t[%i, %j] : memref<4x8xf64>
              %y = {there}
              memref.store %y, %a[%i, %j] : memref<4x8x{type_}>
              memref.store %zero, %b[%i, %j] : memref<4x8x{type_}>
            }}
          }}
          %v = {load.format(*words)}
          {store.format(*words)}
          scf.for %i = %c0 to %c4 step %c1 {{
            scf.for %j = %c0 to %c8 step %c1 {{
              %y = memref.load %b[%i, %j] : memref<4x8x{type_}>
              %x = {back}
              memref.store %x, %m[%i, %j] : memref<4x8xf64>
            }}
          }}
          return
        }}
        """
    most = 1 << (int(type_[1:]) if type_ in ("i1", "i3") else 6)
    source = np.random.default_rng(most).integers(0, most, (4, 8)).astype(float)
    target = np.ones_like(source)
    jit.compile(text, "lower-to-llvm-pipeline").main(source, target)
    rows = shape[0] if len(shape) == 2 else 1
    part = slice(0, rows), slice(1, 1 + shape[-1])
    expected = np.zeros_like(source)
    expected[part] = source[part]
    np.testing.assert_array_equal(target, expected)


def test_bits_of_numpy() -> None:
    """A byte for each, 0 or 1."""
    text = """
        func.func @main(%t: tensor<2x4xi1>, %s: tensor<2x4xi1>) -> tensor<2x4xi1> {
          %c0 = arith.constant 0 : index
          %f = arith.constant false
          %v = vector.transfer_read %t[%c0, %c0], %f {in_bounds = [true, true]}
              : tensor<2x4xi1>, vector<2x4xi1>
          %w = arith.xori %v, %v : vector<2x4xi1>
          %x = arith.cmpi eq, %w, %v : vector<2x4xi1>
          %r = vector.transfer_write %x, %s[%c0, %c0] {in_bounds = [true, true]}
              : vector<2x4xi1>, tensor<2x4xi1>
          return %r : tensor<2x4xi1>
        }
        """
    given = np.array([[1, 0, 1, 1], [0, 0, 1, 0]], bool)
    result = jit.compile(text).main(given, np.zeros((2, 4), bool))
    np.testing.assert_array_equal(np.asarray(result).view("u1"), 1 - given)
