"""The linalg ops on tensors, static and dynamic, from tensors to numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random


def test_fill() -> None:
    check(
        """
        func.func @main(%x: f32, %n: index) -> tensor<?x3xf32> {
          %e = tensor.empty(%n) : tensor<?x3xf32>
          %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
          return %0 : tensor<?x3xf32>
        }
        """,
        [1.5, 4],
        np.full((4, 3), 1.5, "f"),
    )


def test_copy() -> None:
    t = random(3, 4)
    check(
        """
        func.func @main(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
          %e = tensor.empty() : tensor<3x4xf32>
          %0 = linalg.copy ins(%t : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>)
              -> tensor<3x4xf32>
          return %0 : tensor<3x4xf32>
        }
        """,
        [t.T.copy().T],
        t,
    )


@pytest.mark.parametrize("element, dtype", [("f32", "f4"), ("f64", "f8"), ("i32", "i4")])
def test_matmul_adds_to_its_destination(element: str, dtype: str) -> None:
    a, b, c = random(5, 7, dtype=dtype), random(7, 3, dtype=dtype), random(5, 3)
    c = (c * 10).astype(dtype)
    expected = a @ b + c
    types = f"tensor<?x?x{element}>"
    stats = check(
        f"""
        func.func @main(%a: {types}, %b: {types}, %c: {types}) -> {types} {{
          %0 = linalg.matmul ins(%a, %b : {types}, {types}) outs(%c : {types}) -> {types}
          return %0 : {types}
        }}
        """,
        [a, b, c],
        expected,
    )
    np.testing.assert_allclose(c, expected, rtol=1e-5)
    assert stats.allocations == 1


def test_batch_matmul() -> None:
    a, b = random(2, 3, 4), random(2, 4, 5)
    check(
        """
        func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>)
            -> tensor<2x3x5xf32> {
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<2x3x5xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x5xf32>)
              -> tensor<2x3x5xf32>
          %0 = linalg.batch_matmul ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4x5xf32>)
              outs(%f : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
          return %0 : tensor<2x3x5xf32>
        }
        """,
        [a, b],
        a @ b,
    )


def test_transpose() -> None:
    t = random(2, 3, 4)
    check(
        """
        func.func @main(%t: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
          %e = tensor.empty() : tensor<4x2x3xf32>
          %0 = linalg.transpose ins(%t : tensor<2x3x4xf32>) outs(%e : tensor<4x2x3xf32>)
              permutation = [2, 0, 1]
          return %0 : tensor<4x2x3xf32>
        }
        """,
        [t],
        t.transpose(2, 0, 1),
    )


def test_broadcast() -> None:
    t = random(2, 4)
    check(
        """
        func.func @main(%t: tensor<2x4xf32>) -> tensor<2x3x4xf32> {
          %e = tensor.empty() : tensor<2x3x4xf32>
          %0 = linalg.broadcast ins(%t : tensor<2x4xf32>) outs(%e : tensor<2x3x4xf32>)
              dimensions = [1]
          return %0 : tensor<2x3x4xf32>
        }
        """,
        [t],
        np.broadcast_to(t[:, None], (2, 3, 4)),
    )


def test_reduce_to_two_results() -> None:
    t = random(3, 5, dtype="i8").astype("i4")
    check(
        """
        func.func @main(%t: tensor<3x5xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
          %zero = arith.constant 0 : i32
          %low = arith.constant -1000 : i32
          %e = tensor.empty() : tensor<3xi32>
          %s = linalg.fill ins(%zero : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
          %m = linalg.fill ins(%low : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
          %0:2 = linalg.reduce ins(%t, %t : tensor<3x5xi32>, tensor<3x5xi32>)
              outs(%s, %m : tensor<3xi32>, tensor<3xi32>) dimensions = [1]
            (%a: i32, %b: i32, %sum: i32, %max: i32) {
              %0 = arith.addi %a, %sum : i32
              %1 = arith.maxsi %b, %max : i32
              linalg.yield %0, %1 : i32, i32
            }
          return %0#0, %0#1 : tensor<3xi32>, tensor<3xi32>
        }
        """,
        [t],
        t.sum(axis=1, dtype="i4"),
        t.max(axis=1),
    )


def test_map() -> None:
    a, b = random(2, 3, seed=1), random(2, 3, seed=2)
    check(
        """
        func.func @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %a, %c0 : tensor<?x3xf32>
          %e = tensor.empty(%n) : tensor<?x3xf32>
          %0 = linalg.map ins(%a, %b : tensor<?x3xf32>, tensor<?x3xf32>)
              outs(%e : tensor<?x3xf32>)
            (%x: f32, %y: f32, %out: f32) {
              %p = arith.mulf %x, %y : f32
              %s = arith.subf %p, %y : f32
              linalg.yield %s : f32
            }
          return %0 : tensor<?x3xf32>
        }
        """,
        [a, b],
        a * b - b,
    )


def test_generic_convolution() -> None:
    image, kernel = random(9, 10), random(3, 4, seed=1)
    windows = np.lib.stride_tricks.sliding_window_view(image, kernel.shape)
    check(
        """
        #image = affine_map<(i, j, k, l) -> (i + k, j + l)>
        #kernel = affine_map<(i, j, k, l) -> (k, l)>
        #out = affine_map<(i, j, k, l) -> (i, j)>
        func.func @main(%image: tensor<9x10xf32>, %kernel: tensor<3x4xf32>)
            -> tensor<7x7xf32> {
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<7x7xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x7xf32>) -> tensor<7x7xf32>
          %0 = linalg.generic {
              indexing_maps = [#image, #kernel, #out],
              iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
              ins(%image, %kernel : tensor<9x10xf32>, tensor<3x4xf32>)
              outs(%f : tensor<7x7xf32>) {
            ^bb0(%x: f32, %k: f32, %sum: f32):
              %p = arith.mulf %x, %k : f32
              %s = arith.addf %p, %sum : f32
              linalg.yield %s : f32
          } -> tensor<7x7xf32>
          return %0 : tensor<7x7xf32>
        }
        """,
        [image, kernel],
        np.einsum("ijkl,kl->ij", windows, kernel),
    )


def test_generic_with_index_and_several_results() -> None:
    t = random(3, 4, dtype="i4").astype("i8")
    check(
        """
        #id = affine_map<(i, j) -> (i, j)>
        #transposed = affine_map<(i, j) -> (j, i)>
        func.func @main(%t: tensor<?x?xi64>, %u: tensor<?x?xi64>, %v: tensor<?x?xindex>)
            -> (tensor<?x?xi64>, tensor<?x?xindex>) {
          %0:2 = linalg.generic {indexing_maps = [#id, #transposed, #id],
                                 iterator_types = ["parallel", "parallel"]}
              ins(%t : tensor<?x?xi64>)
              outs(%u, %v : tensor<?x?xi64>, tensor<?x?xindex>) {
            ^bb0(%x: i64, %a: i64, %b: index):
              %i = linalg.index 0 : index
              %j = linalg.index 1 : index
              %p = arith.muli %i, %j : index
              linalg.yield %x, %p : i64, index
          } -> (tensor<?x?xi64>, tensor<?x?xindex>)
          return %0#0, %0#1 : tensor<?x?xi64>, tensor<?x?xindex>
        }
        """,
        [t, np.zeros((4, 3), "i8"), np.zeros((3, 4), "i8")],
        t.T,
        np.multiply.outer(np.arange(3), np.arange(4)),
    )


def test_generic_reads_what_it_may_not_overwrite() -> None:
    """The output aliases an input that is read at other positions."""
    t = random(4, 4)
    check(
        """
        #id = affine_map<(i, j) -> (i, j)>
        #transposed = affine_map<(i, j) -> (j, i)>
        func.func @main(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = linalg.generic {indexing_maps = [#transposed, #id],
                               iterator_types = ["parallel", "parallel"]}
              ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) {
            ^bb0(%x: f32, %y: f32):
              %s = arith.addf %x, %y : f32
              linalg.yield %s : f32
          } -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }
        """,
        [t],
        t + t.T,
    )


def test_dot_and_matvec() -> None:
    a, x = random(3, 5), random(5, seed=1)
    check(
        """
        func.func @main(%a: tensor<3x5xf32>, %x: tensor<5xf32>)
            -> (tensor<3xf32>, tensor<f32>) {
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<3xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
          %y = linalg.matvec ins(%a, %x : tensor<3x5xf32>, tensor<5xf32>)
              outs(%f : tensor<3xf32>) -> tensor<3xf32>
          %s = tensor.splat %zero : tensor<f32>
          %d = linalg.dot ins(%x, %x : tensor<5xf32>, tensor<5xf32>)
              outs(%s : tensor<f32>) -> tensor<f32>
          return %y, %d : tensor<3xf32>, tensor<f32>
        }
        """,
        [a, x],
        a @ x,
        np.array(x @ x, "f"),
    )
