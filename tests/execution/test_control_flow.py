"""scf and cf on tensors, and functions that pass them: from tensors to numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random


@pytest.mark.parametrize("count", [0, 1, 6])
def test_for_updates_in_place(count: int) -> None:
    t = random(6, dtype="f8")
    expected = t.copy()
    expected[:count] *= 2
    stats = check(
        """
        func.func @main(%t: tensor<6xf64>, %n: index) -> f64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %0 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<6xf64>) {
            %x = tensor.extract %u[%i] : tensor<6xf64>
            %y = arith.addf %x, %x : f64
            %v = tensor.insert %y into %u[%i] : tensor<6xf64>
            scf.yield %v : tensor<6xf64>
          }
          %r = tensor.extract %0[%c0] : tensor<6xf64>
          return %r : f64
        }
        """,
        [t, count],
        expected[0],
    )
    np.testing.assert_array_equal(t, expected)
    assert stats.allocations == 0


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_for_swaps_its_tensors(count: int) -> None:
    a, b = random(3, seed=1), random(3, seed=2)
    results = (a, b) if count % 2 == 0 else (b, a)
    check(
        """
        func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>, %n: index)
            -> (tensor<3xf32>, tensor<3xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
              -> (tensor<3xf32>, tensor<3xf32>) {
            scf.yield %y, %x : tensor<3xf32>, tensor<3xf32>
          }
          return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
        }
        """,
        [a, b, count],
        *(r.copy() for r in results),
    )


@pytest.mark.parametrize("count", [0, 1, 4])
def test_for_yields_a_new_tensor_each_time(count: int) -> None:
    check(
        """
        func.func @main(%n: index) -> tensor<2xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %one = arith.constant 1.0 : f32
          %t = tensor.splat %one : tensor<2xf32>
          %0 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<2xf32>) {
            %x = tensor.extract %u[%c1] : tensor<2xf32>
            %y = arith.addf %x, %x : f32
            %v = tensor.from_elements %x, %y : tensor<2xf32>
            scf.yield %v : tensor<2xf32>
          }
          return %0 : tensor<2xf32>
        }
        """,
        [count],
        np.array([max(2.0 ** (count - 1), 1), 2.0**count], "f"),
    )


@pytest.mark.parametrize("condition", [True, False])
def test_if_writes_in_one_branch(condition: bool) -> None:
    t = random(3)
    expected = t.copy()
    if condition:
        expected[1] = 5
    check(
        """
        func.func @main(%t: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
          %c1 = arith.constant 1 : index
          %five = arith.constant 5.0 : f32
          %0 = scf.if %c -> (tensor<3xf32>) {
            %u = tensor.insert %five into %t[%c1] : tensor<3xf32>
            scf.yield %u : tensor<3xf32>
          } else {
            scf.yield %t : tensor<3xf32>
          }
          return %0 : tensor<3xf32>
        }
        """,
        [t, condition],
        expected,
    )


@pytest.mark.parametrize("condition", [True, False])
def test_if_chooses_between_a_new_tensor_and_an_argument(condition: bool) -> None:
    t = random(4)
    check(
        """
        func.func @main(%t: tensor<4xf32>, %c: i1, %x: f32) -> (tensor<4xf32>, f32) {
          %c0 = arith.constant 0 : index
          %0 = scf.if %c -> (tensor<4xf32>) {
            %u = tensor.splat %x : tensor<4xf32>
            scf.yield %u : tensor<4xf32>
          } else {
            scf.yield %t : tensor<4xf32>
          }
          %1 = tensor.insert %x into %0[%c0] : tensor<4xf32>
          %old = tensor.extract %t[%c0] : tensor<4xf32>
          return %1, %old : tensor<4xf32>, f32
        }
        """,
        [t, condition, 2.0],
        np.full(4, 2, "f") if condition else np.array([2, *t[1:]], "f"),
        float(t[0]),
    )


@pytest.mark.parametrize("condition", [True, False])
def test_select(condition: bool) -> None:
    a, b = random(3, seed=1), random(3, seed=2)
    check(
        """
        func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
          %0 = arith.select %c, %a, %b : tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        """,
        [a, b, condition],
        (a if condition else b).copy(),
    )


@pytest.mark.parametrize("limit", [0.0, 3.0, 100.0])
def test_while(limit: float) -> None:
    t = random(4) + 1
    expected = t.copy()
    while expected[0] < limit:
        expected *= 2
    check(
        """
        func.func @main(%t: tensor<4xf32>, %limit: f32) -> tensor<4xf32> {
          %c0 = arith.constant 0 : index
          %0 = scf.while (%u = %t) : (tensor<4xf32>) -> tensor<4xf32> {
            %x = tensor.extract %u[%c0] : tensor<4xf32>
            %goes_on = arith.cmpf olt, %x, %limit : f32
            scf.condition(%goes_on) %u : tensor<4xf32>
          } do {
          ^bb0(%u: tensor<4xf32>):
            %v = linalg.map ins(%u : tensor<4xf32>) outs(%u : tensor<4xf32>)
              (%x: f32, %out: f32) {
                %y = arith.addf %x, %x : f32
                linalg.yield %y : f32
              }
            scf.yield %v : tensor<4xf32>
          }
          return %0 : tensor<4xf32>
        }
        """,
        [t, limit],
        expected,
    )


def test_nested_loops_with_a_condition() -> None:
    t = random(5, 4, dtype="f8")
    expected = np.where((np.add.outer(np.arange(5), np.arange(4)) % 2) == 0, 0, t)
    check(
        """
        func.func @main(%t: tensor<?x?xf64>) -> tensor<?x?xf64> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %zero = arith.constant 0.0 : f64
          %h = tensor.dim %t, %c0 : tensor<?x?xf64>
          %w = tensor.dim %t, %c1 : tensor<?x?xf64>
          %0 = scf.for %i = %c0 to %h step %c1 iter_args(%a = %t) -> (tensor<?x?xf64>) {
            %1 = scf.for %j = %c0 to %w step %c1 iter_args(%b = %a) -> (tensor<?x?xf64>) {
              %s = arith.addi %i, %j : index
              %r = arith.remui %s, %c2 : index
              %even = arith.cmpi eq, %r, %c0 : index
              %2 = scf.if %even -> (tensor<?x?xf64>) {
                %3 = tensor.insert %zero into %b[%i, %j] : tensor<?x?xf64>
                scf.yield %3 : tensor<?x?xf64>
              } else {
                scf.yield %b : tensor<?x?xf64>
              }
              scf.yield %2 : tensor<?x?xf64>
            }
            scf.yield %1 : tensor<?x?xf64>
          }
          return %0 : tensor<?x?xf64>
        }
        """,
        [t],
        expected,
    )


# Functions


def test_call_that_writes_its_argument() -> None:
    t = random(3)
    expected = t.copy()
    expected[0] = 1
    check(
        """
        func.func private @set(%t: tensor<3xf32>) -> tensor<3xf32> {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1.0 : f32
          %0 = tensor.insert %one into %t[%c0] : tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        func.func @main(%t: tensor<3xf32>) -> (tensor<3xf32>, f32) {
          %c0 = arith.constant 0 : index
          %0 = call @set(%t) : (tensor<3xf32>) -> tensor<3xf32>
          %old = tensor.extract %t[%c0] : tensor<3xf32>
          return %0, %old : tensor<3xf32>, f32
        }
        """,
        [t.copy()],
        expected,
        float(t[0]),
    )


@pytest.mark.parametrize("dynamic", ["", "{private-function-dynamic-ownership}"])
def test_call_that_returns_one_of_two(dynamic: str) -> None:
    t = random(4)
    for condition in (True, False):
        check(
            """
            func.func private @choose(%c: i1, %t: tensor<4xf32>, %x: f32)
                -> tensor<4xf32> {
              %u = tensor.splat %x : tensor<4xf32>
              %0 = arith.select %c, %t, %u : tensor<4xf32>
              return %0 : tensor<4xf32>
            }
            func.func @main(%c: i1, %t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
              %0 = call @choose(%c, %t, %x) : (i1, tensor<4xf32>, f32) -> tensor<4xf32>
              return %0 : tensor<4xf32>
            }
            """,
            [condition, t, 3.0],
            t.copy() if condition else np.full(4, 3, "f"),
            pipeline=(
                "one-shot-bufferize{bufferize-function-boundaries},"
                f"buffer-deallocation-pipeline{dynamic},lower-to-llvm-pipeline"
            ),
        )


def test_chain_of_calls_in_a_loop() -> None:
    t = random(8, dtype="f8")
    expected = t.copy()
    for i in range(5):
        expected = expected[::-1] + i
    check(
        """
        #reverse = affine_map<(i) -> (7 - i)>
        #id = affine_map<(i) -> (i)>
        func.func private @reverse(%t: tensor<8xf64>) -> tensor<8xf64> {
          %e = tensor.empty() : tensor<8xf64>
          %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
              outs(%e : tensor<8xf64>) {
            ^bb0(%out: f64):
              %i = linalg.index 0 : index
              %c7 = arith.constant 7 : index
              %j = arith.subi %c7, %i : index
              %x = tensor.extract %t[%j] : tensor<8xf64>
              linalg.yield %x : f64
          } -> tensor<8xf64>
          return %0 : tensor<8xf64>
        }
        func.func private @add(%t: tensor<8xf64>, %x: f64) -> tensor<8xf64> {
          %0 = linalg.map ins(%t : tensor<8xf64>) outs(%t : tensor<8xf64>)
            (%in: f64, %out: f64) {
              %s = arith.addf %in, %x : f64
              linalg.yield %s : f64
            }
          return %0 : tensor<8xf64>
        }
        func.func @main(%t: tensor<8xf64>) -> tensor<8xf64> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c5 = arith.constant 5 : index
          %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%u = %t) -> (tensor<8xf64>) {
            %n = arith.index_cast %i : index to i64
            %x = arith.sitofp %n : i64 to f64
            %v = func.call @reverse(%u) : (tensor<8xf64>) -> tensor<8xf64>
            %w = func.call @add(%v, %x) : (tensor<8xf64>, f64) -> tensor<8xf64>
            scf.yield %w : tensor<8xf64>
          }
          return %0 : tensor<8xf64>
        }
        """,
        [t],
        expected,
    )


def test_external_function() -> None:
    t = random(4)
    seen: list[np.ndarray] = []

    def scale(x: np.ndarray, by: float) -> np.ndarray:
        seen.append(x.copy())
        return (x * by).astype("f")

    check(
        """
        func.func private @scale(tensor<?xf32>, f64) -> tensor<?xf32>
        func.func @main(%t: tensor<?xf32>) -> tensor<?xf32> {
          %x = arith.constant 3.0 : f64
          %0 = call @scale(%t, %x) : (tensor<?xf32>, f64) -> tensor<?xf32>
          %1 = call @scale(%0, %x) : (tensor<?xf32>, f64) -> tensor<?xf32>
          return %1 : tensor<?xf32>
        }
        """,
        [t],
        9 * t,
        functions={"scale": scale},
    )
    np.testing.assert_allclose(seen[1], 3 * t, rtol=1e-6)


def test_no_tensors_at_all() -> None:
    check(
        """
        func.func @main(%n: i32) -> i32 {
          %one = arith.constant 1 : i32
          %0 = scf.while (%x = %n) : (i32) -> i32 {
            %big = arith.cmpi sgt, %x, %one : i32
            scf.condition(%big) %x : i32
          } do {
          ^bb0(%x: i32):
            %y = arith.shrsi %x, %one : i32
            scf.yield %y : i32
          }
          return %0 : i32
        }
        """,
        [1000],
        1,
    )


def test_results_through_parameters() -> None:
    """Passes may change a function's signature; it is called as it is in the end."""
    t, out = random(3, 4), np.full((3, 4), np.nan, "f")
    stats = check(
        """
        func.func @main(%t: tensor<3x4xf32> {bufferization.writable = false})
            -> tensor<3x4xf32> {
          %e = tensor.empty() : tensor<3x4xf32>
          %0 = linalg.map ins(%t : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>)
            (%in: f32, %out: f32) {
              %sum = arith.addf %in, %in : f32
              linalg.yield %sum : f32
            }
          return %0 : tensor<3x4xf32>
        }
        """,
        [t, out],
        pipeline="one-shot-bufferize{bufferize-function-boundaries "
        "function-boundary-type-conversion=identity-layout-map},"
        "buffer-results-to-out-params{modify-public-functions hoist-static-allocs},"
        "buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    )
    np.testing.assert_array_equal(out, 2 * t)
    assert stats.allocations == 0
