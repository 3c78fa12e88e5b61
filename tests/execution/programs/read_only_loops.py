"""Programs whose loops start with a tensor that is used later, and only read it.

Each iteration makes a new tensor, so nothing overwrites the tensor that the loop starts
with: no copy is needed.
"""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<4x4xf64>, %n: index) -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<4x4xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<4x4xf64>) {
        %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
        %p = linalg.matmul ins(%b, %a : tensor<4x4xf64>, tensor<4x4xf64>)
          outs(%f : tensor<4x4xf64>) -> tensor<4x4xf64>
        scf.yield %p : tensor<4x4xf64>
      }
      %x = tensor.extract %r[%c0, %c1] : tensor<4x4xf64>
      %small = arith.cmpf olt, %x, %zero : f64
      %k = arith.select %small, %c0, %c1 : index
      %y = tensor.extract %a[%k, %k] : tensor<4x4xf64>
      return %x, %y : f64, f64
    }
    """,
    least_copies=0,
    rtol=1e-9,
)
def power_of_a_tensor_that_is_used_again() -> Example:
    a = random(4, 4).astype("f8")
    x = np.linalg.matrix_power(a, 4)[0, 1]
    k = 0 if x < 0 else 1
    return [a.copy(), 3], [x, a[k, k]]


@program(
    """
    func.func private @smoothed(%a: tensor<?xf64>, %n: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %half = arith.constant 0.5 : f64
      %m = tensor.dim %a, %c0 : tensor<?xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf64>) {
        %new = tensor.generate %m {
        ^bb0(%j: index):
          %next = arith.addi %j, %c1 : index
          %k = arith.remui %next, %m : index
          %u = tensor.extract %b[%j] : tensor<?xf64>
          %v = tensor.extract %b[%k] : tensor<?xf64>
          %s = arith.addf %u, %v : f64
          %h = arith.mulf %s, %half : f64
          tensor.yield %h : f64
        } : tensor<?xf64>
        scf.yield %new : tensor<?xf64>
      }
      %x = tensor.extract %r[%c0] : tensor<?xf64>
      return %x : f64
    }
    func.func @main(%a: tensor<?xf64>) -> (f64, f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %x = call @smoothed(%a, %c0) : (tensor<?xf64>, index) -> f64
      %y = call @smoothed(%a, %c1) : (tensor<?xf64>, index) -> f64
      %z = call @smoothed(%a, %c4) : (tensor<?xf64>, index) -> f64
      return %x, %y, %z : f64, f64, f64
    }
    """,
    least_copies=0,
    rtol=1e-9,
)
def function_that_smooths_its_argument() -> Example:
    a = random(6).astype("f8")
    found = []
    for n in (0, 1, 4):
        b = a.copy()
        for _ in range(n):
            b = (b + np.roll(b, -1)) / 2
        found.append(b[0])
    return [a.copy()], found


@program(
    """
    func.func @main(%a: tensor<?xi64>, %limit: i64) -> (i64, i64, i64) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %m = tensor.dim %a, %c0 : tensor<?xi64>
      %m64 = arith.index_cast %m : index to i64
      %r:2 = scf.while (%b = %a, %steps = %zero) : (tensor<?xi64>, i64)
          -> (tensor<?xi64>, i64) {
        %first = tensor.extract %b[%c0] : tensor<?xi64>
        %go = arith.cmpi slt, %first, %limit : i64
        scf.condition(%go) %b, %steps : tensor<?xi64>, i64
      } do {
      ^bb0(%b: tensor<?xi64>, %steps: i64):
        %e = tensor.empty(%m) : tensor<?xi64>
        %sum = linalg.add ins(%b, %a : tensor<?xi64>, tensor<?xi64>)
          outs(%e : tensor<?xi64>) -> tensor<?xi64>
        %next = arith.addi %steps, %one : i64
        scf.yield %sum, %next : tensor<?xi64>, i64
      }
      %x = tensor.extract %r#0[%c0] : tensor<?xi64>
      %even = arith.remsi %r#1, %m64 : i64
      %k = arith.index_cast %even : i64 to index
      %y = tensor.extract %a[%k] : tensor<?xi64>
      return %x, %y, %r#1 : i64, i64, i64
    }
    """,
    least_copies=0,
)
def multiples_until_a_limit() -> Example:
    a = np.array([3, 5, 7], "i8")
    return [a.copy(), 20], [21, int(a[6 % 3]), 6]


@program(
    """
    func.func @main(%n: index) -> (tensor<3xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %k = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %k) -> (tensor<3xf64>) {
        %e = tensor.empty() : tensor<3xf64>
        %s = linalg.add ins(%b, %k : tensor<3xf64>, tensor<3xf64>)
          outs(%e : tensor<3xf64>) -> tensor<3xf64>
        scf.yield %s : tensor<3xf64>
      }
      %x = tensor.extract %r[%c1] : tensor<3xf64>
      return %r, %x : tensor<3xf64>, f64
    }
    """,
    least_copies=0,
)
def multiples_of_a_constant() -> Example:
    k = np.array([1.0, 2.0, 4.0])
    return [4], [5 * k, 10.0]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %m = tensor.dim %a, %c0 : tensor<?xf64>
      %e0 = tensor.empty(%m) : tensor<?xf64>
      %zero = arith.constant 0.0 : f64
      %start = linalg.add ins(%a, %a : tensor<?xf64>, tensor<?xf64>)
        outs(%e0 : tensor<?xf64>) -> tensor<?xf64>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %w = %start)
          -> (f64, tensor<?xf64>) {
        %q = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %w) -> (tensor<?xf64>) {
          %e = tensor.empty(%m) : tensor<?xf64>
          %p = linalg.mul ins(%b, %a : tensor<?xf64>, tensor<?xf64>)
            outs(%e : tensor<?xf64>) -> tensor<?xf64>
          scf.yield %p : tensor<?xf64>
        }
        %x = tensor.extract %q[%i] : tensor<?xf64>
        %y = tensor.extract %w[%i] : tensor<?xf64>
        %d = arith.subf %x, %y : f64
        %t = arith.addf %s, %d : f64
        %v = tensor.insert %t into %w[%i] : tensor<?xf64>
        scf.yield %t, %v : f64, tensor<?xf64>
      }
      return %r#0, %r#1 : f64, tensor<?xf64>
    }
    """,
    least_copies=0,
    rtol=1e-9,
)
def inner_loop_that_starts_with_the_state() -> Example:
    a = random(5).astype("f8")
    w, s = 2 * a, 0.0
    for i in range(4):
        s += (w * a**3)[i] - w[i]
        w[i] = s
    return [a.copy(), 4], [s, w]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %n: index, %v: f64)
        -> (tensor<?xf64>, tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %a, %c0 : tensor<?xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf64>) {
        %e = tensor.empty(%m) : tensor<?xf64>
        %p = linalg.add ins(%b, %a : tensor<?xf64>, tensor<?xf64>)
          outs(%e : tensor<?xf64>) -> tensor<?xf64>
        scf.yield %p : tensor<?xf64>
      }
      %w = tensor.insert %v into %r[%c1] : tensor<?xf64>
      %e1 = tensor.empty(%m) : tensor<?xf64>
      %d = linalg.sub ins(%w, %a : tensor<?xf64>, tensor<?xf64>)
        outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      return %w, %d : tensor<?xf64>, tensor<?xf64>
    }
    """,
    least_copies=1,
    rtol=1e-9,
)
def result_that_may_be_the_argument_is_updated() -> Example:
    a = random(4).astype("f8")
    w = a.copy()
    w[1] = 7.0
    return [a.copy(), 0, 7.0], [w, w - a]
