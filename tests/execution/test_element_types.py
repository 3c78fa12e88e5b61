"""Every element type through every kind of place: arguments, slices, copies, results."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random

DTYPES = {
    "i1": "?",
    "i8": "i1",
    "i16": "i2",
    "i32": "i4",
    "i64": "i8",
    "index": "i8",
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
    "complex<f32>": "c8",
    "complex<f64>": "c16",
}


def numbers(element: str, *shape: int) -> np.ndarray:
    dtype = np.dtype(DTYPES[element])
    if dtype.kind == "b":
        return random(*shape) > 0
    if dtype.kind == "c":
        return (random(*shape) + 1j * random(*shape, seed=1)).astype(dtype)
    return random(*shape, dtype=dtype.str)


@pytest.mark.parametrize("element", DTYPES)
def test_round_trip(element: str) -> None:
    """An argument with gaps, an element, a slice, a copy before a write."""
    t = numbers(element, 6, 5)[::2]
    x = numbers(element, 1)[0].item()
    inserted = np.array(t)
    inserted[1, 2] = x
    column = t[:, 3].copy()
    type, slice_ = f"tensor<?x5x{element}>", f"tensor<?x{element}>"
    check(
        f"""
        func.func @main(%t: {type} {{bufferization.writable = false}}, %x: {element},
                        %i: index, %j: index)
            -> ({type}, {slice_}, {element}, tensor<2x{element}>) {{
          %c0 = arith.constant 0 : index
          %n = tensor.dim %t, %c0 : {type}
          %new = tensor.insert %x into %t[%i, %j] : {type}
          %old = tensor.extract %t[%i, %j] : {type}
          %column = tensor.extract_slice %t[0, 3] [%n, 1] [1, 1] : {type} to {slice_}
          %e = tensor.empty(%n) : {slice_}
          %copied = linalg.copy ins(%column : {slice_}) outs(%e : {slice_}) -> {slice_}
          %two = tensor.from_elements %x, %old : tensor<2x{element}>
          return %new, %copied, %old, %two
              : {type}, {slice_}, {element}, tensor<2x{element}>
        }}
        """,
        [t, x, 1, 2],
        inserted,
        column,
        t[1, 2].item(),
        np.array([x, t[1, 2]], t.dtype),
    )


def test_half_precision_sum_rounds_as_numpy_does() -> None:
    a, b = numbers("f16", 50), (numbers("f16", 51)[:50] * 1000).astype("f2")
    check(
        """
        func.func @main(%a: tensor<50xf16>, %b: tensor<50xf16>) -> tensor<50xf16> {
          %0 = linalg.add ins(%a, %b : tensor<50xf16>, tensor<50xf16>)
              outs(%a : tensor<50xf16>) -> tensor<50xf16>
          return %0 : tensor<50xf16>
        }
        """,
        [a.copy(), b],
        a + b,
        rtol=0,
    )
