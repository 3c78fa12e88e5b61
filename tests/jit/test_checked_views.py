"""Views made of other views reach no memory but that of their buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.jit.programs import lower
from xdsl_bufferization import jit

LINE = "memref<?xf32, strided<[?], offset: ?>>"
PLANE = "memref<?x?xf32, strided<[?, ?], offset: ?>>"


def reinterpret(source: str) -> str:
    return f"""
    (%m: {source}, %o: index, %n: index, %s: index, %i: index) -> f32 {{
      %0 = memref.reinterpret_cast %m to offset: [%o], sizes: [%n], strides: [%s]
        : {source} to {LINE}
      %x = memref.load %0[%i] : {LINE}
      return %x : f32
    }}
    """


@pytest.fixture(scope="module")
def module() -> jit.Module:
    return lower(
        f"""
        func.func @dense {reinterpret("memref<?xf32>")}
        func.func @strided {reinterpret(LINE)}
        func.func @unranked {reinterpret("memref<*xf32>")}
        func.func @of_base(%m: {LINE}, %n: index, %i: index) -> f32 {{
          %b, %o, %n0, %s = memref.extract_strided_metadata %m
            : {LINE} -> memref<f32>, index, index, index
          %0 = memref.reinterpret_cast %b to offset: [%o], sizes: [%n], strides: [%s]
            : memref<f32> to {LINE}
          %x = memref.load %0[%i] : {LINE}
          return %x : f32
        }}
        func.func @of_slice(%m: memref<8xf32>, %i: index) -> f32 {{
          %c4 = arith.constant 4 : index
          %0 = memref.subview %m[2] [2] [1]
            : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
          %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [8], strides: [1]
            : memref<2xf32, strided<[1], offset: 2>> to memref<8xf32>
          %x = memref.load %1[%i] : memref<8xf32>
          return %x : f32
        }}
        func.func @base(%m: {LINE}) -> f32 {{
          %b, %o, %n, %s = memref.extract_strided_metadata %m
            : {LINE} -> memref<f32>, index, index, index
          %x = memref.load %b[] : memref<f32>
          return %x : f32
        }}
        func.func @merge(%m: {PLANE}, %i: index) -> f32 {{
          %0 = memref.collapse_shape %m [[0, 1]] : {PLANE} into {LINE}
          %x = memref.load %0[%i] : {LINE}
          return %x : f32
        }}
        """
    )


EIGHT = np.arange(8, dtype="f")


@pytest.mark.parametrize(
    ("name", "array", "arguments", "result"),
    [
        ("dense", EIGHT, (0, 8, 1, 7), 7),
        ("dense", EIGHT, (7, 8, -1, 7), 0),
        ("dense", EIGHT, (0, 4, 2, 3), 6),
        ("dense", EIGHT, (0, 2**60, 0, 2**59), 0),
        ("strided", EIGHT[::-1], (0, 8, -1, 7), 0),
        ("strided", EIGHT[2:6], (0, 4, 1, 3), 5),
        ("unranked", EIGHT[2:6], (0, 4, 1, 3), 5),
        ("of_base", EIGHT[2:6], (4, 3), 5),
        ("of_slice", EIGHT, (7,), 7),
        ("base", EIGHT, (), 0),
        ("merge", EIGHT.reshape(2, 4), (7,), 7),
        ("merge", EIGHT[::2].reshape(2, 2), (3,), 6),
        ("merge", EIGHT.reshape(2, 4)[:1, ::3], (1,), 3),
    ],
)
def test_views_inside(
    module: jit.Module, name: str, array: Any, arguments: Any, result: float
) -> None:
    assert module[name](array, *arguments) == result


OUTSIDE = r"reaches outside"


@pytest.mark.parametrize(
    ("name", "array", "arguments", "message"),
    [
        ("dense", EIGHT, (0, 9, 1, 0), r"required: 0 >= 0 and 8 <= 7"),
        ("dense", EIGHT, (0, 5, 2, 3), OUTSIDE),
        ("dense", EIGHT, (-1, 2, 1, 0), OUTSIDE),
        ("dense", EIGHT, (2**62, 1, 1, 0), OUTSIDE),
        ("dense", EIGHT, (0, 2, 2**62, 0), OUTSIDE),
        ("dense", EIGHT, (0, 2, -(2**63), 0), OUTSIDE),
        ("dense", EIGHT, (0, 2**60, 16, 1), OUTSIDE),
        ("dense", EIGHT, (0, -3, 1, 0), "size 0 is negative"),
        ("strided", EIGHT[::-1], (0, 8, 1, 0), OUTSIDE),
        ("strided", EIGHT[2:6], (-1, 4, 1, 0), OUTSIDE),
        ("strided", EIGHT[:0], (0, 1, 1, 0), OUTSIDE),
        ("unranked", EIGHT[2:6], (0, 5, 1, 4), OUTSIDE),
        ("unranked", EIGHT.reshape(2, 4), (0, 4, 1, 0), "rank mismatch"),
        ("of_base", EIGHT[2:6], (5, 0), OUTSIDE),
        ("base", EIGHT[:0], (), "outside of the source"),
        ("merge", EIGHT.reshape(2, 4).T, (7,), "not contiguous"),
        ("merge", EIGHT.reshape(2, 4)[:, ::3], (0,), "not contiguous"),
        ("merge", EIGHT.reshape(2, 4)[:, :1], (1,), "not contiguous"),
    ],
)
def test_views_outside(
    module: jit.Module, name: str, array: Any, arguments: Any, message: str
) -> None:
    with pytest.raises(jit.CheckError, match=message):
        module[name](array, *arguments)


@pytest.mark.parametrize("stride", ["%s", "-1"])
def test_slice_that_begins_past_the_end_and_goes_back(stride: str) -> None:
    """The last element is inside, the first one is not."""
    f = jit.compile(f"""
func.func @f(%a: tensor<?xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {{
  %0 = tensor.extract_slice %a[%o] [%n] [{stride}] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}}
""").f
    array = np.arange(3, dtype="f")
    with pytest.raises(jit.CheckError, match="offset 0 is out-of-bounds"):
        f(array, 3, 2, -1)
    assert f(array, 2, 3, -1).tolist() == [2, 1, 0]
    assert f(array, 3, 0, -1).tolist() == []


def test_freeing_an_unranked_buffer_needs_no_rank() -> None:
    """The deallocation of what a loop carries compares base buffers of any rank."""
    module = jit.compile(
        """
func.func @f(%t: tensor<2x3xf32>, %n: index, %c: i1) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.cast %t : tensor<2x3xf32> to tensor<*xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u) -> (tensor<*xf32>) {
    %known = tensor.cast %a : tensor<*xf32> to tensor<?x?xf32>
    %x = tensor.extract %known[%c0, %c1] : tensor<?x?xf32>
    %new = tensor.splat %x : tensor<3x2xf32>
    %v = tensor.cast %new : tensor<3x2xf32> to tensor<*xf32>
    %b = scf.if %c -> tensor<*xf32> {
      scf.yield %v : tensor<*xf32>
    } else {
      scf.yield %a : tensor<*xf32>
    }
    scf.yield %b : tensor<*xf32>
  }
  %known = tensor.cast %r : tensor<*xf32> to tensor<?x?xf32>
  return %known : tensor<?x?xf32>
}
""",
        count=True,
    )
    array = np.arange(6, dtype="f").reshape(2, 3)
    for n, choice, expected in (
        (0, True, array),
        (3, False, array),
        (3, True, np.ones((3, 2), "f")),
    ):
        np.testing.assert_array_equal(module.f(array, n, choice), expected)
        assert module.stats().leaked_bytes == module.stats().invalid_frees == 0
