"""Every op of the tensor dialect, from tensors to numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random


def test_empty_and_insert() -> None:
    check(
        """
        func.func @main(%a: f32, %b: f32) -> tensor<2xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %e = tensor.empty() : tensor<2xf32>
          %0 = tensor.insert %a into %e[%c0] : tensor<2xf32>
          %1 = tensor.insert %b into %0[%c1] : tensor<2xf32>
          return %1 : tensor<2xf32>
        }
        """,
        [1.5, -2.0],
        np.array([1.5, -2], "f"),
    )


def test_extract() -> None:
    t = random(3, 4)
    check(
        """
        func.func @main(%t: tensor<?x4xf32>, %i: index, %j: index) -> f32 {
          %x = tensor.extract %t[%i, %j] : tensor<?x4xf32>
          return %x : f32
        }
        """,
        [t, 2, 1],
        float(t[2, 1]),
    )


def test_insert_keeps_a_tensor_that_is_read_later() -> None:
    t = random(5)
    new = t.copy()
    new[2] = 7
    stats = check(
        """
        func.func @main(%t: tensor<5xf32> {bufferization.writable = false},
                        %f: f32, %i: index) -> (tensor<5xf32>, f32) {
          %0 = tensor.insert %f into %t[%i] : tensor<5xf32>
          %old = tensor.extract %t[%i] : tensor<5xf32>
          return %0, %old : tensor<5xf32>, f32
        }
        """,
        [t, 7.0, 2],
        new,
        float(t[2]),
    )
    assert (stats.allocations, stats.copies, stats.bytes_copied) == (1, 1, 20)


def test_two_versions_of_one_tensor() -> None:
    t = random(4)
    check(
        """
        func.func @main(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %a = tensor.insert %f into %t[%c0] : tensor<4xf32>
          %b = tensor.insert %f into %t[%c1] : tensor<4xf32>
          return %a, %b : tensor<4xf32>, tensor<4xf32>
        }
        """,
        [t.copy()],
        np.array([9, *t[1:]], "f"),
        np.array([t[0], 9, *t[2:]], "f"),
    )


def test_extract_slice_static() -> None:
    t = random(6, 8)
    check(
        """
        func.func @main(%t: tensor<6x8xf32>) -> tensor<2x3xf32> {
          %0 = tensor.extract_slice %t[1, 2] [2, 3] [2, 1]
              : tensor<6x8xf32> to tensor<2x3xf32>
          return %0 : tensor<2x3xf32>
        }
        """,
        [t],
        t[1:5:2, 2:5],
    )


def test_extract_slice_dynamic_and_rank_reducing() -> None:
    t = random(6, 8)
    check(
        """
        func.func @main(%t: tensor<?x?xf32>, %o: index, %n: index, %s: index)
            -> tensor<?xf32> {
          %0 = tensor.extract_slice %t[%o, 3] [%n, 1] [%s, 1]
              : tensor<?x?xf32> to tensor<?xf32>
          return %0 : tensor<?xf32>
        }
        """,
        [t, 1, 3, 2],
        t[1:6:2, 3],
    )


def test_insert_slice_of_another_tensor() -> None:
    t, s = random(6, 8), random(2, 3, seed=1)
    expected = t.copy()
    expected[1:5:2, 2:5] = s
    stats = check(
        """
        func.func @main(%s: tensor<2x3xf32>, %t: tensor<6x8xf32>) -> tensor<6x8xf32> {
          %0 = tensor.insert_slice %s into %t[1, 2] [2, 3] [2, 1]
              : tensor<2x3xf32> into tensor<6x8xf32>
          return %0 : tensor<6x8xf32>
        }
        """,
        [s, t],
        expected,
    )
    np.testing.assert_array_equal(t, expected)
    assert stats.bytes_copied == 4 * (6 + 48)


DOUBLE = """
          %{0}2 = linalg.map ins(%{0} : tensor<4x2xf32>) outs(%{0} : tensor<4x2xf32>)
            (%in: f32, %out: f32) {{
              %sum = arith.addf %in, %in : f32
              linalg.yield %sum : f32
            }}
"""


def test_slices_are_updated_in_place() -> None:
    t = random(4, 6)
    expected = t.copy()
    expected[:, 1:3] *= 2
    expected[:, 4:] *= 2
    stats = check(
        f"""
        func.func @main(%t: tensor<4x6xf32>) -> f32 {{
          %a = tensor.extract_slice %t[0, 1] [4, 2] [1, 1]
              : tensor<4x6xf32> to tensor<4x2xf32>
          {DOUBLE.format("a")}
          %t2 = tensor.insert_slice %a2 into %t[0, 1] [4, 2] [1, 1]
              : tensor<4x2xf32> into tensor<4x6xf32>
          %b = tensor.extract_slice %t2[0, 4] [4, 2] [1, 1]
              : tensor<4x6xf32> to tensor<4x2xf32>
          {DOUBLE.format("b")}
          %t3 = tensor.insert_slice %b2 into %t2[0, 4] [4, 2] [1, 1]
              : tensor<4x2xf32> into tensor<4x6xf32>
          %c1 = arith.constant 1 : index
          %x = tensor.extract %t3[%c1, %c1] : tensor<4x6xf32>
          return %x : f32
        }}
        """,
        [t],
        float(expected[1, 1]),
    )
    np.testing.assert_array_equal(t, expected)
    assert (stats.allocations, stats.copies) == (0, 0)


def test_from_elements() -> None:
    check(
        """
        func.func @main(%a: i32, %b: i32) -> (tensor<2x3xi32>, tensor<i32>) {
          %0 = tensor.from_elements %a, %b, %a, %b, %b, %a : tensor<2x3xi32>
          %1 = tensor.from_elements %b : tensor<i32>
          return %0, %1 : tensor<2x3xi32>, tensor<i32>
        }
        """,
        [3, -4],
        np.array([[3, -4, 3], [-4, -4, 3]], "i4"),
        np.array(-4, "i4"),
    )


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_generate(rows: int) -> None:
    check(
        """
        func.func @main(%n: index) -> tensor<?x3xindex> {
          %c10 = arith.constant 10 : index
          %0 = tensor.generate %n {
            ^bb0(%i: index, %j: index):
              %0 = arith.muli %i, %c10 : index
              %1 = arith.addi %0, %j : index
              tensor.yield %1 : index
          } : tensor<?x3xindex>
          return %0 : tensor<?x3xindex>
        }
        """,
        [rows],
        np.add.outer(10 * np.arange(rows), np.arange(3)),
    )


def test_splat() -> None:
    check(
        """
        func.func @main(%x: f64, %n: index) -> (tensor<3xf64>, tensor<?x2xf64>) {
          %0 = tensor.splat %x : tensor<3xf64>
          %1 = tensor.splat %x[%n] : tensor<?x2xf64>
          return %0, %1 : tensor<3xf64>, tensor<?x2xf64>
        }
        """,
        [2.5, 4],
        np.full(3, 2.5),
        np.full((4, 2), 2.5),
    )


def test_cast_and_dim() -> None:
    t = random(3, 5)
    check(
        """
        func.func @main(%t: tensor<?x5xf32>) -> (index, index, tensor<3x?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %u = tensor.cast %t : tensor<?x5xf32> to tensor<3x?xf32>
          %n = tensor.dim %t, %c0 : tensor<?x5xf32>
          %m = tensor.dim %u, %c1 : tensor<3x?xf32>
          return %n, %m, %u : index, index, tensor<3x?xf32>
        }
        """,
        [t],
        3,
        5,
        t,
    )


def test_expand_shape() -> None:
    t = random(12, 5)
    check(
        """
        func.func @main(%t: tensor<12x5xf32>) -> tensor<3x4x5x1xf32> {
          %0 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [3, 4, 5, 1]
              : tensor<12x5xf32> into tensor<3x4x5x1xf32>
          return %0 : tensor<3x4x5x1xf32>
        }
        """,
        [t],
        t.reshape(3, 4, 5, 1),
    )


def test_expand_shape_dynamic() -> None:
    t = random(12)
    check(
        """
        func.func @main(%t: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
          %0 = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4]
              : tensor<?xf32> into tensor<?x4xf32>
          return %0 : tensor<?x4xf32>
        }
        """,
        [t, 3],
        t.reshape(3, 4),
    )


@pytest.mark.parametrize("step", [1, 2])
def test_collapse_shape_copies_only_what_has_gaps(step: int) -> None:
    t = random(3, 8)
    stats = check(
        f"""
        func.func @main(%t: tensor<3x8xf32>) -> tensor<12xf32> {{
          %0 = tensor.extract_slice %t[0, 0] [3, 4] [1, {step}]
              : tensor<3x8xf32> to tensor<3x4xf32>
          %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
          return %1 : tensor<12xf32>
        }}
        """,
        [t],
        t[:, : 4 * step : step].reshape(12),
    )
    assert stats.allocations >= 1


def test_collapse_shape_to_a_scalar() -> None:
    t = random(1, 1)
    check(
        """
        func.func @main(%t: tensor<1x1xf32>) -> tensor<f32> {
          %0 = tensor.collapse_shape %t [] : tensor<1x1xf32> into tensor<f32>
          return %0 : tensor<f32>
        }
        """,
        [t],
        t.reshape(()),
    )


def test_pad_by_a_constant() -> None:
    t = random(2, 3)
    check(
        """
        func.func @main(%t: tensor<2x3xf32>) -> tensor<5x4xf32> {
          %x = arith.constant -1.0 : f32
          %0 = tensor.pad %t low[1, 0] high[2, 1] {
            ^bb0(%i: index, %j: index):
              tensor.yield %x : f32
          } : tensor<2x3xf32> to tensor<5x4xf32>
          return %0 : tensor<5x4xf32>
        }
        """,
        [t],
        np.pad(t, ((1, 2), (0, 1)), constant_values=-1),
    )


def test_pad_dynamic_by_what_the_position_gives() -> None:
    t = random(2, 3, dtype="i8")
    expected = np.add.outer(np.arange(6), 10 * np.arange(4))
    expected[3:5, 1:4] = t
    check(
        """
        func.func @main(%t: tensor<?x?xindex>, %low: index, %high: index)
            -> tensor<?x?xindex> {
          %c10 = arith.constant 10 : index
          %0 = tensor.pad %t low[%low, 1] high[%high, 0] {
            ^bb0(%i: index, %j: index):
              %0 = arith.muli %j, %c10 : index
              %1 = arith.addi %0, %i : index
              tensor.yield %1 : index
          } : tensor<?x?xindex> to tensor<?x?xindex>
          return %0 : tensor<?x?xindex>
        }
        """,
        [t, 3, 1],
        expected,
    )
