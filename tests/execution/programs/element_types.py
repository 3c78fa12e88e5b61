"""The same few operations on elements of every type."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program

FLOATS = {"f16": "f2", "f32": "f4", "f64": "f8"}
INTEGERS = {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i8"}

HORNER = """
func.func @main(%x: tensor<?xTYPE>, %c: tensor<4xTYPE>) -> tensor<?xTYPE> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xTYPE>
  %first = tensor.extract %c[%c0] : tensor<4xTYPE>
  %start = tensor.splat %first[%n] : tensor<?xTYPE>
  %r = scf.for %k = %c1 to %c4 step %c1 iter_args(%y = %start) -> (tensor<?xTYPE>) {
    %ck = tensor.extract %c[%k] : tensor<4xTYPE>
    %z = linalg.map ins(%x : tensor<?xTYPE>) outs(%y : tensor<?xTYPE>)
      (%in: TYPE, %old: TYPE) {
        %p = MUL %old, %in : TYPE
        %s = ADD %p, %ck : TYPE
        linalg.yield %s : TYPE
      }
    scf.yield %z : tensor<?xTYPE>
  }
  return %r : tensor<?xTYPE>
}
"""


def horner(type: str, dtype: str, ops: str, rtol: float) -> None:
    """A polynomial, whose values wrap around in the integers."""
    dialect, suffix = ops.split()
    text = HORNER.replace("TYPE", type)
    text = text.replace("MUL", f"{dialect}.mul{suffix}")
    text = text.replace("ADD", f"{dialect}.add{suffix}")

    def example() -> Example:
        x, c = random(9, dtype=dtype), random(4, dtype=dtype, seed=1)
        y = np.full_like(x, c[0])
        for k in range(1, 4):
            y = y * x + c[k]
        return [x, c], [y]

    example.__name__ = f"polynomial_of_{type}"
    program(text, least_copies=0, rtol=rtol)(example)


for _type, _dtype in FLOATS.items():
    horner(_type, _dtype, "arith f", 1e-2 if _type == "f16" else 1e-5)
for _type, _dtype in INTEGERS.items():
    horner(_type, _dtype, "arith i", 0)


def complex_horner(width: int) -> None:
    text = HORNER.replace("TYPE", f"complex<f{width}>")
    text = text.replace("MUL", "complex.mul").replace("ADD", "complex.add")

    def example() -> Example:
        dtype = f"f{width // 8}"
        x, c = (
            random(n, dtype=dtype) + 1j * random(n, dtype=dtype, seed=n) for n in (9, 4)
        )
        y = np.full_like(x, c[0])
        for k in range(1, 4):
            y = y * x + c[k]
        return [x, c], [y]

    example.__name__ = f"polynomial_of_complex_f{width}"
    program(text, least_copies=0)(example)


complex_horner(32)
complex_horner(64)


@program(
    """
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %half = arith.constant 0.5 : bf16
      %e = tensor.empty(%n) : tensor<?xbf16>
      %narrow = linalg.map ins(%x : tensor<?xf32>) outs(%e : tensor<?xbf16>)
        (%in: f32, %out: bf16) {
          %y = arith.truncf %in : f32 to bf16
          linalg.yield %y : bf16
        }
      %halved = linalg.map ins(%narrow : tensor<?xbf16>) outs(%narrow : tensor<?xbf16>)
        (%in: bf16, %out: bf16) {
          %y = arith.mulf %in, %half : bf16
          linalg.yield %y : bf16
        }
      %wide = linalg.map ins(%halved : tensor<?xbf16>) outs(%x : tensor<?xf32>)
        (%in: bf16, %out: f32) {
          %y = arith.extf %in : bf16 to f32
          linalg.yield %y : f32
        }
      return %wide : tensor<?xf32>
    }
    """,
    rtol=0,
    least_copies=0,
)
def halves_of_bf16() -> Example:
    x = random(20)
    bits = x.view("u4").astype("u8")
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return [x.copy()], [rounded.astype("u4").view("f4") / 2]


@program(
    """
    func.func @main(%a: tensor<?xi1>, %b: tensor<?xi1>) -> (tensor<?xi1>, i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %true = arith.constant true
      %n = tensor.dim %a, %c0 : tensor<?xi1>
      %x = linalg.map ins(%a, %b : tensor<?xi1>, tensor<?xi1>) outs(%a : tensor<?xi1>)
        (%p: i1, %q: i1, %out: i1) {
          %r = arith.xori %p, %q : i1
          linalg.yield %r : i1
        }
      %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %true) -> (i1) {
        %p = tensor.extract %x[%i] : tensor<?xi1>
        %t = arith.andi %s, %p : i1
        scf.yield %t : i1
      }
      return %x, %all : tensor<?xi1>, i1
    }
    """,
    least_copies=0,
)
def truth_values() -> Example:
    a, b = random(9) > 0, random(9, seed=1) > 0
    return [a.copy(), b], [a ^ b, bool((a ^ b).all())]


@program(
    """
    func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xi8>
      %one = arith.constant 1 : i4
      %e = tensor.empty(%n) : tensor<?xi4>
      %t = linalg.map ins(%x : tensor<?xi8>) outs(%e : tensor<?xi4>)
        (%in: i8, %out: i4) {
          %y = arith.trunci %in : i8 to i4
          %z = arith.addi %y, %one : i4
          linalg.yield %z : i4
        }
      %r = linalg.map ins(%t : tensor<?xi4>) outs(%x : tensor<?xi8>)
        (%in: i4, %out: i8) {
          %y = arith.extsi %in : i4 to i8
          linalg.yield %y : i8
        }
      return %r : tensor<?xi8>
    }
    """,
    least_copies=0,
)
def integers_of_four_bits() -> Example:
    x = random(20, dtype="i1")
    low = (x.astype("i8") + 1) & 15
    return [x.copy()], [np.where(low > 7, low - 16, low).astype("i1")]


@program(
    """
    func.func @main(%x: tensor<?xbf16>, %y: tensor<?xf8E5M2>)
        -> (tensor<?xbf16>, tensor<?xf8E5M2>) {
      %sum = linalg.map ins(%y : tensor<?xf8E5M2>) outs(%x : tensor<?xbf16>)
        (%a: f8E5M2, %b: bf16) {
          %wide = arith.extf %a : f8E5M2 to bf16
          %s = arith.addf %wide, %b : bf16
          linalg.yield %s : bf16
        }
      %narrow = linalg.map ins(%sum : tensor<?xbf16>) outs(%y : tensor<?xf8E5M2>)
        (%a: bf16, %b: f8E5M2) {
          %n = arith.truncf %a : bf16 to f8E5M2
          linalg.yield %n : f8E5M2
        }
      return %sum, %narrow : tensor<?xbf16>, tensor<?xf8E5M2>
    }
    """,
    rtol=0,
    least_copies=0,
)
def small_floats() -> Example:
    x = random(20).astype(ml_dtypes.bfloat16)
    y = random(20, seed=1).astype(ml_dtypes.float8_e5m2)
    total = (x.astype("f") + y.astype("f")).astype(ml_dtypes.bfloat16)
    return [x.copy(), y.copy()], [total, total.astype(ml_dtypes.float8_e5m2)]
