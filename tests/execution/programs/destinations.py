"""Programs whose functions compute in what their callers allocate, and programs with
values that nothing uses. None of them needs a copy, but for one that is noted."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func private @midpoint(%a: tensor<6xf64>, %b: tensor<6xf64>) -> tensor<6xf64> {
      %half = arith.constant 0.5 : f64
      %e = tensor.empty() : tensor<6xf64>
      %m = linalg.map ins(%a, %b : tensor<6xf64>, tensor<6xf64>)
          outs(%e : tensor<6xf64>)
        (%x: f64, %y: f64, %out: f64) {
          %s = arith.addf %x, %y : f64
          %h = arith.mulf %s, %half : f64
          linalg.yield %h : f64
        }
      return %m : tensor<6xf64>
    }
    func.func private @sum(%a: tensor<6xf64>) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %zero = arith.constant 0.0 : f64
      %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %zero) -> (f64) {
        %x = tensor.extract %a[%i] : tensor<6xf64>
        %t = arith.addf %s, %x : f64
        scf.yield %t : f64
      }
      return %r : f64
    }
    func.func @main(%a: tensor<6xf64>, %b: tensor<6xf64>, %n: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (f64) {
        %m = func.call @midpoint(%a, %b)
          : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
        %q = func.call @midpoint(%a, %m)
          : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
        %s = func.call @sum(%q) : (tensor<6xf64>) -> f64
        %t = arith.addf %total, %s : f64
        scf.yield %t : f64
      }
      return %r : f64
    }
    """,
    least_copies=0,
)
def midpoints_by_calls_in_a_loop() -> Example:
    a, b = random(6, dtype="f8"), random(6, dtype="f8", seed=1)
    return [a, b, 9], [9 * ((a + (a + b) / 2) / 2).sum()]


@program(
    """
    func.func private @shifted(%a: tensor<?xi32>, %n: index, %by: i32) -> tensor<?xi32> {
      %e = tensor.empty(%n) : tensor<?xi32>
      %r = linalg.map ins(%a : tensor<?xi32>) outs(%e : tensor<?xi32>)
        (%x: i32, %out: i32) {
          %y = arith.addi %x, %by : i32
          linalg.yield %y : i32
        }
      return %r : tensor<?xi32>
    }
    func.func private @twice(%a: tensor<?xi32>, %n: index, %by: i32) -> tensor<?xi32> {
      %0 = call @shifted(%a, %n, %by) : (tensor<?xi32>, index, i32) -> tensor<?xi32>
      %1 = call @shifted(%0, %n, %by) : (tensor<?xi32>, index, i32) -> tensor<?xi32>
      return %1 : tensor<?xi32>
    }
    func.func @main(%a: tensor<?xi32>, %by: i32) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xi32>
      %0 = call @twice(%a, %n, %by) : (tensor<?xi32>, index, i32) -> tensor<?xi32>
      %1 = call @twice(%0, %n, %by) : (tensor<?xi32>, index, i32) -> tensor<?xi32>
      return %1 : tensor<?xi32>
    }
    """,
    least_copies=0,
)
def shifts_of_any_size_by_calls_of_calls() -> Example:
    a = random(11, dtype="i4")
    return [a, 7], [a + 28]


@program(
    """
    func.func private @powers(%k: index, %x: i32) -> tensor<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %done = arith.cmpi eq, %k, %c0 : index
      %r = scf.if %done -> (tensor<4xi32>) {
        %one = tensor.splat %x : tensor<4xi32>
        scf.yield %one : tensor<4xi32>
      } else {
        %less = arith.subi %k, %c1 : index
        %t = func.call @powers(%less, %x) : (index, i32) -> tensor<4xi32>
        %m = linalg.map ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>)
          (%v: i32, %out: i32) {
            %w = arith.muli %v, %x : i32
            linalg.yield %w : i32
          }
        scf.yield %m : tensor<4xi32>
      }
      return %r : tensor<4xi32>
    }
    func.func @main(%k: index, %x: i32) -> tensor<4xi32> {
      %r = call @powers(%k, %x) : (index, i32) -> tensor<4xi32>
      return %r : tensor<4xi32>
    }
    """,
    least_copies=0,
)
def powers_by_recursion() -> Example:
    return [5, 3], [np.full(4, 3**6, "i4")]


@program(
    """
    func.func private @both(%a: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
      %e = tensor.empty() : tensor<5xf32>
      %s = linalg.exp ins(%a : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
      %f = tensor.empty() : tensor<5xf32>
      %t = linalg.negf ins(%a : tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
      return %s, %t : tensor<5xf32>, tensor<5xf32>
    }
    func.func @main(%a: tensor<5xf32>, %n: index) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %r:3 = scf.while (%i = %c0, %p = %zero, %q = %zero)
          : (index, f32, f32) -> (index, f32, f32) {
        %more = arith.cmpi ult, %i, %n : index
        scf.condition(%more) %i, %p, %q : index, f32, f32
      } do {
      ^bb0(%i: index, %p: f32, %q: f32):
        %b:2 = func.call @both(%a) : (tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
        %x = tensor.extract %b#0[%c1] : tensor<5xf32>
        %y = tensor.extract %b#1[%c0] : tensor<5xf32>
        %s = arith.addf %p, %x : f32
        %t = arith.addf %q, %y : f32
        %j = arith.addi %i, %c1 : index
        scf.yield %j, %s, %t : index, f32, f32
      }
      return %r#1, %r#2 : f32, f32
    }
    """,
    least_copies=0,
)
def two_results_of_a_call_in_a_while() -> Example:
    a = random(5)
    return [a, 4], [4 * np.exp(a[1]), -4 * a[0]]


@program(
    """
    func.func private @row(%i: index) -> tensor<3xi64> {
      %e = tensor.empty() : tensor<3xi64>
      %k = arith.index_cast %i : index to i64
      %r = linalg.fill ins(%k : i64) outs(%e : tensor<3xi64>) -> tensor<3xi64>
      return %r : tensor<3xi64>
    }
    func.func @main(%n: index) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      cf.br ^loop(%c0, %zero : index, i64)
    ^loop(%i: index, %sum: i64):
      %r = call @row(%i) : (index) -> tensor<3xi64>
      %x = tensor.extract %r[%c1] : tensor<3xi64>
      %next = arith.addi %sum, %x : i64
      %j = arith.addi %i, %c1 : index
      %more = arith.cmpi ult, %j, %n : index
      cf.cond_br %more, ^loop(%j, %next : index, i64), ^end
    ^end:
      return %next : i64
    }
    """,
    least_copies=0,
)
def results_of_calls_in_a_loop_of_blocks() -> Example:
    return [6], [15]


@program(
    """
    func.func @main(%t: tensor<8xi32>, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %u = %t)
          -> (i32, tensor<8xi32>) {
        %x = tensor.extract %t[%i] : tensor<8xi32>
        %s1 = arith.addi %s, %x : i32
        %v = tensor.insert %s1 into %t[%i] : tensor<8xi32>
        scf.yield %s1, %v : i32, tensor<8xi32>
      }
      return %r#0 : i32
    }
    """,
    least_copies=0,
)
def update_that_nobody_uses() -> Example:
    t = random(8, dtype="i4")
    return [t, 8], [t.sum(dtype="i4")]


@program(
    """
    func.func @main(%t: tensor<8xi32>, %c: i1, %i: index) -> i32 {
      %seven = arith.constant 7 : i32
      %e = tensor.empty() : tensor<8xi32>
      %sum = linalg.add ins(%t, %t : tensor<8xi32>, tensor<8xi32>)
          outs(%e : tensor<8xi32>) -> tensor<8xi32>
      %r:2 = scf.if %c -> (tensor<8xi32>, i32) {
        %v = tensor.insert %seven into %t[%i] : tensor<8xi32>
        %x = tensor.extract %t[%i] : tensor<8xi32>
        scf.yield %v, %x : tensor<8xi32>, i32
      } else {
        scf.yield %sum, %seven : tensor<8xi32>, i32
      }
      return %r#1 : i32
    }
    """,
    least_copies=0,
)
def branch_with_a_result_that_nobody_uses() -> Example:
    t = random(8, dtype="i4")
    return [t, True, 3], [t[3]]


@program(
    """
    func.func @main(%t: tensor<8xi32>, %n: index) -> tensor<8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %nine = arith.constant 9 : i32
      cf.br ^loop(%c0, %t, %t : index, tensor<8xi32>, tensor<8xi32>)
    ^loop(%i: index, %u: tensor<8xi32>, %w: tensor<8xi32>):
      %v = tensor.insert %nine into %u[%i] : tensor<8xi32>
      %old = tensor.insert %nine into %t[%i] : tensor<8xi32>
      %j = arith.addi %i, %c1 : index
      %more = arith.cmpi ult, %j, %n : index
      cf.cond_br %more, ^loop(%j, %v, %old : index, tensor<8xi32>, tensor<8xi32>), ^end
    ^end:
      return %v : tensor<8xi32>
    }
    """,
    # What is returned is an argument.
    least_copies=1,
)
def argument_of_a_block_that_nobody_uses() -> Example:
    t = random(8, dtype="i4")
    expected = t.copy()
    expected[:5] = 9
    return [t, 5], [expected]


@program(
    """
    func.func @main(%xs: tensor<?x4xf64>, %route: tensor<?xi1>, %w: tensor<4x4xf64>)
        -> tensor<?x4xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<4xf64>
      %n = tensor.dim %xs, %c0 : tensor<?x4xf64>
      %o = tensor.empty(%n) : tensor<?x4xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %o) -> (tensor<?x4xf64>) {
        %x = tensor.extract_slice %xs[%i, 0] [1, 4] [1, 1]
            : tensor<?x4xf64> to tensor<4xf64>
        %k = tensor.extract %route[%i] : tensor<?xi1>
        %y = scf.if %k -> (tensor<4xf64>) {
          %z = linalg.fill ins(%zero : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
          %p = linalg.vecmat ins(%x, %w : tensor<4xf64>, tensor<4x4xf64>)
              outs(%z : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %p : tensor<4xf64>
        } else {
          %p = linalg.exp ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>)
              -> tensor<4xf64>
          scf.yield %p : tensor<4xf64>
        }
        %u = tensor.insert_slice %y into %t[%i, 0] [1, 4] [1, 1]
            : tensor<4xf64> into tensor<?x4xf64>
        scf.yield %u : tensor<?x4xf64>
      }
      return %r : tensor<?x4xf64>
    }
    """,
    least_copies=0,
)
def rows_of_one_of_two_experts() -> Example:
    xs, w = random(5, 4, dtype="f8"), random(4, 4, dtype="f8")
    route = np.array([True, False, False, True, True])
    return [xs, route, w], [np.where(route[:, None], xs @ w, np.exp(xs))]
