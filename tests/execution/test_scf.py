"""scf.forall, parallel, index_switch, execute_region and a while that swaps tensors."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random


@pytest.mark.parametrize("tiles", [1, 4])
def test_forall_writes_tiles_of_a_shared_tensor(tiles: int) -> None:
    a, b = random(8, 6), random(6, 4, seed=1)
    size = 8 // tiles
    stats = check(
        f"""
        func.func @main(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>) -> tensor<8x4xf32> {{
          %zero = arith.constant 0.0 : f32
          %size = arith.constant {size} : index
          %e = tensor.empty() : tensor<8x4xf32>
          %0 = scf.forall (%i) in ({tiles}) shared_outs(%o = %e) -> (tensor<8x4xf32>) {{
            %row = arith.muli %i, %size : index
            %at = tensor.extract_slice %a[%row, 0] [{size}, 6] [1, 1]
                : tensor<8x6xf32> to tensor<{size}x6xf32>
            %ot = tensor.extract_slice %o[%row, 0] [{size}, 4] [1, 1]
                : tensor<8x4xf32> to tensor<{size}x4xf32>
            %z = linalg.fill ins(%zero : f32) outs(%ot : tensor<{size}x4xf32>)
                -> tensor<{size}x4xf32>
            %c = linalg.matmul ins(%at, %b : tensor<{size}x6xf32>, tensor<6x4xf32>)
                outs(%z : tensor<{size}x4xf32>) -> tensor<{size}x4xf32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %c into %o[%row, 0] [{size}, 4] [1, 1]
                  : tensor<{size}x4xf32> into tensor<8x4xf32>
            }}
          }}
          return %0 : tensor<8x4xf32>
        }}
        """,
        [a, b],
        a @ b,
    )
    assert (stats.allocations, stats.copies) == (1, 0)


def test_parallel_reads_tensors_and_reduces() -> None:
    t = random(5, 4, dtype="f8")
    check(
        """
        func.func @main(%t: tensor<?x?xf64>) -> f64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0.0 : f64
          %h = tensor.dim %t, %c0 : tensor<?x?xf64>
          %w = tensor.dim %t, %c1 : tensor<?x?xf64>
          %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%h, %w) step (%c1, %c1)
              init (%zero) -> f64 {
            %x = tensor.extract %t[%i, %j] : tensor<?x?xf64>
            scf.reduce(%x : f64) {
              ^bb0(%a: f64, %b: f64):
                %s = arith.addf %a, %b : f64
                scf.reduce.return %s : f64
            }
          }
          return %sum : f64
        }
        """,
        [t],
        float(t.sum()),
    )


@pytest.mark.parametrize("case", [0, 3, 7])
def test_index_switch(case: int) -> None:
    t = random(4)
    expected = {0: t, 3: np.full(4, 2, "f")}.get(case, np.array([*t[:3], 9], "f"))
    check(
        """
        func.func @main(%t: tensor<4xf32>, %case: index) -> tensor<4xf32> {
          %0 = scf.index_switch %case -> tensor<4xf32>
          case 0 {
            scf.yield %t : tensor<4xf32>
          }
          case 3 {
            %two = arith.constant 2.0 : f32
            %u = tensor.splat %two : tensor<4xf32>
            scf.yield %u : tensor<4xf32>
          }
          default {
            %c3 = arith.constant 3 : index
            %nine = arith.constant 9.0 : f32
            %u = tensor.insert %nine into %t[%c3] : tensor<4xf32>
            scf.yield %u : tensor<4xf32>
          }
          return %0 : tensor<4xf32>
        }
        """,
        [t.copy(), case],
        expected.copy(),
    )


@pytest.mark.parametrize("condition", [True, False])
def test_execute_region(condition: bool) -> None:
    t = random(3)
    expected = t.copy()
    expected[0] = 1 if condition else 2
    check(
        """
        func.func @main(%t: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1.0 : f32
          %two = arith.constant 2.0 : f32
          %x = scf.execute_region -> f32 {
            cf.cond_br %c, ^a, ^b
          ^a:
            scf.yield %one : f32
          ^b:
            scf.yield %two : f32
          }
          %0 = scf.execute_region -> tensor<3xf32> {
            %u = tensor.insert %x into %t[%c0] : tensor<3xf32>
            scf.yield %u : tensor<3xf32>
          }
          return %0 : tensor<3xf32>
        }
        """,
        [t.copy(), condition],
        expected,
    )


def test_while_carries_two_tensors_that_change_places() -> None:
    a, b = random(3, seed=1), random(3, seed=2)
    check(
        """
        func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>, %n: index)
            -> (tensor<3xf32>, tensor<3xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %one = arith.constant 1.0 : f32
          %0:3 = scf.while (%i = %c0, %x = %a, %y = %b)
              : (index, tensor<3xf32>, tensor<3xf32>)
              -> (index, tensor<3xf32>, tensor<3xf32>) {
            %more = arith.cmpi ult, %i, %n : index
            scf.condition(%more) %i, %x, %y : index, tensor<3xf32>, tensor<3xf32>
          } do {
          ^bb0(%i: index, %x: tensor<3xf32>, %y: tensor<3xf32>):
            %j = arith.addi %i, %c1 : index
            %z = tensor.insert %one into %x[%c0] : tensor<3xf32>
            scf.yield %j, %y, %z : index, tensor<3xf32>, tensor<3xf32>
          }
          return %0#1, %0#2 : tensor<3xf32>, tensor<3xf32>
        }
        """,
        [a.copy(), b.copy(), 3],
        np.array([1, *b[1:]], "f"),
        np.array([1, *a[1:]], "f"),
    )
