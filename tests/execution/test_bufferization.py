"""The ops of the bufferization dialect, and memory handed in and out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random


def test_alloc_tensor() -> None:
    t = random(2, 3)
    stats = check(
        """
        func.func @main(%t: tensor<2x3xf32>, %n: index)
            -> (tensor<2x3xf32>, tensor<?x2xf32>, f32) {
          %c0 = arith.constant 0 : index
          %x = arith.constant 4.0 : f32
          %a = bufferization.alloc_tensor() copy(%t) : tensor<2x3xf32>
          %b = tensor.insert %x into %a[%c0, %c0] : tensor<2x3xf32>
          %e = bufferization.alloc_tensor(%n) : tensor<?x2xf32>
          %f = linalg.fill ins(%x : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
          %old = tensor.extract %t[%c0, %c0] : tensor<2x3xf32>
          return %b, %f, %old : tensor<2x3xf32>, tensor<?x2xf32>, f32
        }
        """,
        [t, 3],
        np.array([[4, *t[0, 1:]], t[1]], "f"),
        np.full((3, 2), 4, "f"),
        float(t[0, 0]),
    )
    assert (stats.allocations, stats.copies) == (2, 1)


def test_dealloc_tensor_frees_before_the_function_ends() -> None:
    stats = check(
        """
        func.func @main(%x: f32) -> (f32, tensor<100xf32>) {
          %c0 = arith.constant 0 : index
          %a = bufferization.alloc_tensor() : tensor<100xf32>
          %b = linalg.fill ins(%x : f32) outs(%a : tensor<100xf32>) -> tensor<100xf32>
          %y = tensor.extract %b[%c0] : tensor<100xf32>
          bufferization.dealloc_tensor %b : tensor<100xf32>
          %c = bufferization.alloc_tensor() : tensor<100xf32>
          %d = linalg.fill ins(%y : f32) outs(%c : tensor<100xf32>) -> tensor<100xf32>
          return %y, %d : f32, tensor<100xf32>
        }
        """,
        [2.5],
        2.5,
        np.full(100, 2.5, "f"),
        pipeline="one-shot-bufferize{bufferize-function-boundaries},"
        "lower-to-llvm-pipeline",
    )
    assert stats.frees == 1
    assert stats.peak_bytes < 2 * 400


def test_to_tensor_and_materialize_in_destination() -> None:
    a, b, c = random(3, 4), random(4, 5, seed=1), np.full((3, 5), np.nan, "f")
    stats = check(
        """
        func.func @main(%a: memref<3x4xf32>, %b: memref<4x5xf32>, %c: memref<3x5xf32>) {
          %zero = arith.constant 0.0 : f32
          %ta = bufferization.to_tensor %a restrict : memref<3x4xf32> to tensor<3x4xf32>
          %tb = bufferization.to_tensor %b restrict : memref<4x5xf32> to tensor<4x5xf32>
          %e = tensor.empty() : tensor<3x5xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
          %0 = linalg.matmul ins(%ta, %tb : tensor<3x4xf32>, tensor<4x5xf32>)
              outs(%f : tensor<3x5xf32>) -> tensor<3x5xf32>
          bufferization.materialize_in_destination %0 in restrict writable %c
              : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
          return
        }
        """,
        [a, b, c],
    )
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-6)
    assert stats.allocations == stats.copies == 0, "it is computed in its destination"


def test_writable_to_tensor_is_updated_in_place() -> None:
    m = random(4)
    expected = m.copy()
    expected[2] = 8
    stats = check(
        """
        func.func @main(%m: memref<4xf32>) -> f32 {
          %c2 = arith.constant 2 : index
          %x = arith.constant 8.0 : f32
          %t = bufferization.to_tensor %m restrict writable
              : memref<4xf32> to tensor<4xf32>
          %u = tensor.insert %x into %t[%c2] : tensor<4xf32>
          %y = tensor.extract %u[%c2] : tensor<4xf32>
          return %y : f32
        }
        """,
        [m],
        8.0,
    )
    np.testing.assert_array_equal(m, expected)
    assert stats.allocations == 0


def test_materialize_in_a_tensor() -> None:
    t = random(3)
    stats = check(
        """
        func.func @main(%x: f32, %t: tensor<3xf32>) -> tensor<3xf32> {
          %s = tensor.splat %x : tensor<3xf32>
          %0 = bufferization.materialize_in_destination %s in %t
              : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        """,
        [1.5, t],
        np.full(3, 1.5, "f"),
    )
    np.testing.assert_array_equal(t, np.full(3, 1.5, "f"))
    assert stats.copies >= 1


def test_to_buffer_of_a_tensor_that_is_read_only() -> None:
    t = random(4)
    check(
        """
        func.func @main(%t: tensor<4xf32>, %i: index) -> f32 {
          %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
          %x = memref.load %m[%i] : memref<4xf32>
          return %x : f32
        }
        """,
        [t, 3],
        float(t[3]),
        pipeline="one-shot-bufferize{bufferize-function-boundaries "
        "function-boundary-type-conversion=identity-layout-map},"
        "buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    )


@pytest.mark.parametrize("own_a, own_b", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_dealloc_frees_what_is_owned_once(own_a: int, own_b: int) -> None:
    """Twice the same buffer; and one that is retained under some condition."""
    stats = check(
        """
        func.func @main(%a: i1, %b: i1) -> i1 {
          %m = memref.alloc() : memref<10xi8>
          %n = memref.alloc() : memref<20xi8>
          %v = memref.reinterpret_cast %m to offset: [2], sizes: [3], strides: [1]
              : memref<10xi8> to memref<3xi8, strided<[1], offset: 2>>
          %base, %offset, %size, %stride = memref.extract_strided_metadata %v
              : memref<3xi8, strided<[1], offset: 2>>
              -> memref<i8>, index, index, index
          %not_a = arith.select %a, %b, %b : i1
          %true = arith.constant true
          %kept = bufferization.dealloc (%base, %m, %n : memref<i8>, memref<10xi8>,
                                         memref<20xi8>) if (%a, %b, %true)
              retain (%m : memref<10xi8>)
          bufferization.dealloc (%m : memref<10xi8>) if (%true)
          return %kept : i1
        }
        """,
        [bool(own_a), bool(own_b)],
        bool(own_a or own_b),
        pipeline="bufferization-lower-deallocations,lower-to-llvm-pipeline",
    )
    assert stats.frees == stats.allocations


def test_clone() -> None:
    m = random(3, 4).T
    check(
        """
        func.func @main(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>)
            -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
          %0 = bufferization.clone %m : memref<?x?xf32, strided<[?, ?], offset: ?>>
              to memref<?x?xf32, strided<[?, ?], offset: ?>>
          return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
        }
        """,
        [m],
        np.ascontiguousarray(m),
        pipeline="lower-to-llvm-pipeline",
    )


# Options of one-shot-bufferize


def test_copy_before_write() -> None:
    t = random(4)
    before = t.copy()
    check(
        """
        func.func @main(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
          %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """,
        [t, 1.0, 0],
        np.array([1, *t[1:]], "f"),
        pipeline="one-shot-bufferize{bufferize-function-boundaries copy-before-write},"
        "buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    )
    np.testing.assert_array_equal(t, before)


@pytest.mark.parametrize("alignment", [16, 256])
def test_buffer_alignment(alignment: int) -> None:
    check(
        """
        func.func @main(%x: f32) -> (tensor<4xf32>, index) {
          %t = tensor.splat %x : tensor<4xf32>
          %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
          %address = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
          %n = arith.constant ALIGNMENT : index
          %rest = arith.remui %address, %n : index
          return %t, %rest : tensor<4xf32>, index
        }
        """.replace("ALIGNMENT", str(alignment)),
        [1.0],
        np.ones(4, "f"),
        0,
        pipeline="one-shot-bufferize{bufferize-function-boundaries "
        f"buffer-alignment={alignment}}},"
        "buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    )
