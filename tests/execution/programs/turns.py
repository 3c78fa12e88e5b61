"""Programs whose loops compute a new tensor in each iteration, while the one of the
iteration before is not needed any more. None of them needs a copy in a loop, or more than
two buffers for such a tensor."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<6x6xf64>, %b: tensor<6xf64>, %n: index, %i: index)
        -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %e0 = tensor.empty() : tensor<6xf64>
      %x0 = linalg.fill ins(%zero : f64) outs(%e0 : tensor<6xf64>) -> tensor<6xf64>
      %e1 = tensor.empty() : tensor<6xf64>
      %r0 = linalg.copy ins(%b : tensor<6xf64>) outs(%e1 : tensor<6xf64>)
          -> tensor<6xf64>
      %e2 = tensor.empty() : tensor<6xf64>
      %p0 = linalg.copy ins(%b : tensor<6xf64>) outs(%e2 : tensor<6xf64>)
          -> tensor<6xf64>
      %s:3 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %x0, %r = %r0, %p = %p0)
          -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) {
        %e3 = tensor.empty() : tensor<6xf64>
        %z = linalg.fill ins(%zero : f64) outs(%e3 : tensor<6xf64>) -> tensor<6xf64>
        %q = linalg.matvec ins(%a, %p : tensor<6x6xf64>, tensor<6xf64>)
            outs(%z : tensor<6xf64>) -> tensor<6xf64>
        %d0 = tensor.from_elements %zero : tensor<f64>
        %rr = linalg.dot ins(%r, %r : tensor<6xf64>, tensor<6xf64>)
            outs(%d0 : tensor<f64>) -> tensor<f64>
        %rho = tensor.extract %rr[] : tensor<f64>
        %d1 = tensor.from_elements %zero : tensor<f64>
        %pq = linalg.dot ins(%p, %q : tensor<6xf64>, tensor<6xf64>)
            outs(%d1 : tensor<f64>) -> tensor<f64>
        %den = tensor.extract %pq[] : tensor<f64>
        %alpha = arith.divf %rho, %den : f64
        %e4 = tensor.empty() : tensor<6xf64>
        %x1 = linalg.map ins(%x, %p : tensor<6xf64>, tensor<6xf64>)
            outs(%e4 : tensor<6xf64>)
          (%u: f64, %v: f64, %o: f64) {
            %m = arith.mulf %alpha, %v : f64
            %w = arith.addf %u, %m : f64
            linalg.yield %w : f64
          }
        %e5 = tensor.empty() : tensor<6xf64>
        %r1 = linalg.map ins(%r, %q : tensor<6xf64>, tensor<6xf64>)
            outs(%e5 : tensor<6xf64>)
          (%u: f64, %v: f64, %o: f64) {
            %m = arith.mulf %alpha, %v : f64
            %w = arith.subf %u, %m : f64
            linalg.yield %w : f64
          }
        %d2 = tensor.from_elements %zero : tensor<f64>
        %ss = linalg.dot ins(%r1, %r1 : tensor<6xf64>, tensor<6xf64>)
            outs(%d2 : tensor<f64>) -> tensor<f64>
        %next = tensor.extract %ss[] : tensor<f64>
        %beta = arith.divf %next, %rho : f64
        %e6 = tensor.empty() : tensor<6xf64>
        %p1 = linalg.map ins(%r1, %p : tensor<6xf64>, tensor<6xf64>)
            outs(%e6 : tensor<6xf64>)
          (%u: f64, %v: f64, %o: f64) {
            %m = arith.mulf %beta, %v : f64
            %w = arith.addf %u, %m : f64
            linalg.yield %w : f64
          }
        scf.yield %x1, %r1, %p1 : tensor<6xf64>, tensor<6xf64>, tensor<6xf64>
      }
      %y = tensor.extract %s#0[%i] : tensor<6xf64>
      %res = tensor.extract %s#1[%i] : tensor<6xf64>
      return %y, %res : f64, f64
    }
    """,
    least_copies=0,
    rtol=1e-7,
)
def conjugate_gradients_with_new_vectors() -> Example:
    m, b = random(6, 6, dtype="f8"), random(6, dtype="f8", seed=1)
    a = m @ m.T + 6 * np.eye(6)
    x, r, p = np.zeros(6), b.copy(), b.copy()
    for _ in range(4):
        q = a @ p
        rho = r @ r
        alpha = rho / (p @ q)
        x, r = x + alpha * p, r - alpha * q
        p = r + (r @ r) / rho * p
    return [a, b, 4, 2], [x[2], r[2]]


@program(
    """
    func.func private @moved(%a: tensor<?xf64>, %n: index, %by: f64) -> tensor<?xf64> {
      %e = tensor.empty(%n) : tensor<?xf64>
      %r = linalg.map ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        (%x: f64, %out: f64) {
          %m = arith.mulf %x, %x : f64
          %y = arith.addf %m, %by : f64
          linalg.yield %y : f64
        }
      return %r : tensor<?xf64>
    }
    func.func @main(%a: tensor<?xf64>, %by: f64, %steps: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %r = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %a) -> (tensor<?xf64>) {
        %y = func.call @moved(%x, %n, %by)
          : (tensor<?xf64>, index, f64) -> tensor<?xf64>
        scf.yield %y : tensor<?xf64>
      }
      %z = tensor.extract %r[%c1] : tensor<?xf64>
      return %z : f64
    }
    """,
    least_copies=0,
)
def quadratic_map_of_an_argument_by_a_function() -> Example:
    a = random(9, dtype="f8")
    x = a[1]
    for _ in range(12):
        x = x * x - 0.7
    return [a, -0.7, 12], [x]


@program(
    """
    func.func @main(%a: tensor<5xi64>, %n: index) -> (i64, i64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %e0 = tensor.empty() : tensor<5xi64>
      %p0 = linalg.fill ins(%one : i64) outs(%e0 : tensor<5xi64>) -> tensor<5xi64>
      %e1 = tensor.empty() : tensor<5xi64>
      %q0 = linalg.fill ins(%two : i64) outs(%e1 : tensor<5xi64>) -> tensor<5xi64>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0)
          -> (tensor<5xi64>, tensor<5xi64>) {
        %e2 = tensor.empty() : tensor<5xi64>
        %s = linalg.add ins(%p, %a : tensor<5xi64>, tensor<5xi64>)
            outs(%e2 : tensor<5xi64>) -> tensor<5xi64>
        %e3 = tensor.empty() : tensor<5xi64>
        %t = linalg.sub ins(%q, %s : tensor<5xi64>, tensor<5xi64>)
            outs(%e3 : tensor<5xi64>) -> tensor<5xi64>
        scf.yield %s, %t : tensor<5xi64>, tensor<5xi64>
      }
      %x = tensor.extract %r#0[%c1] : tensor<5xi64>
      %y = tensor.extract %r#1[%c1] : tensor<5xi64>
      return %x, %y : i64, i64
    }
    """,
    least_copies=0,
)
def two_sums_from_iteration_to_iteration() -> Example:
    a = random(5, dtype="i8")
    p, q = np.ones(5, "i8"), np.full(5, 2, "i8")
    for _ in range(6):
        p = p + a
        q = q - p
    return [a, 6], [int(p[1]), int(q[1])]


@program(
    """
    func.func @main(%a: tensor<4x4xf64>, %outer: index, %inner: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f64
      %half = arith.constant 0.5 : f64
      %r = scf.for %i = %c0 to %outer step %c1 iter_args(%sum = %zero) -> (f64) {
        %e0 = tensor.empty() : tensor<4xf64>
        %k = arith.index_cast %i : index to i64
        %f = arith.sitofp %k : i64 to f64
        %x0 = linalg.fill ins(%f : f64) outs(%e0 : tensor<4xf64>) -> tensor<4xf64>
        %x = scf.for %j = %c0 to %inner step %c1 iter_args(%v = %x0)
            -> (tensor<4xf64>) {
          %e1 = tensor.empty() : tensor<4xf64>
          %b = linalg.fill ins(%half : f64) outs(%e1 : tensor<4xf64>) -> tensor<4xf64>
          %w = linalg.matvec ins(%a, %v : tensor<4x4xf64>, tensor<4xf64>)
              outs(%b : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %w : tensor<4xf64>
        }
        %y = tensor.extract %x[%c2] : tensor<4xf64>
        %next = arith.addf %sum, %y : f64
        scf.yield %next : f64
      }
      return %r : f64
    }
    """,
    least_copies=0,
)
def fixed_points_in_nested_loops() -> Example:
    a = random(4, 4, dtype="f8") / 4
    total = 0.0
    for i in range(3):
        x = np.full(4, float(i))
        for _ in range(5):
            x = a @ x + 0.5
        total += x[2]
    return [a, 3, 5], [total]


@program(
    """
    func.func @main(%a: tensor<7xf64>, %n: index) -> tensor<7xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<7xf64>) {
        %even = arith.remui %i, %c1 : index
        %less = arith.cmpi eq, %even, %c0 : index
        %e = tensor.empty() : tensor<7xf64>
        %y = linalg.abs ins(%x : tensor<7xf64>) outs(%e : tensor<7xf64>)
            -> tensor<7xf64>
        %e1 = tensor.empty() : tensor<7xf64>
        %z = linalg.add ins(%y, %x : tensor<7xf64>, tensor<7xf64>)
            outs(%e1 : tensor<7xf64>) -> tensor<7xf64>
        scf.yield %z : tensor<7xf64>
      }
      return %r : tensor<7xf64>
    }
    """,
    least_copies=0,
)
def sum_with_the_absolute_value_that_is_returned() -> Example:
    a = random(7, dtype="f8")
    x = a
    for _ in range(5):
        x = np.abs(x) + x
    return [a, 5], [x]


@program(
    """
    func.func @main(%n: index, %i: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 0.75 : f32
      %e0 = tensor.empty(%n) : tensor<?xf32>
      %a = linalg.fill ins(%x : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %a) -> (tensor<?xf32>) {
        %e1 = tensor.empty(%n) : tensor<?xf32>
        %y = linalg.exp ins(%v : tensor<?xf32>) outs(%e1 : tensor<?xf32>)
            -> tensor<?xf32>
        %e2 = tensor.empty(%n) : tensor<?xf32>
        %z = linalg.div ins(%v, %y : tensor<?xf32>, tensor<?xf32>)
            outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
        scf.yield %z : tensor<?xf32>
      }
      %z = tensor.extract %r[%i] : tensor<?xf32>
      return %z : f32
    }
    """,
    least_copies=0,
)
def decay_of_any_size() -> Example:
    x = np.float32(0.75)
    for _ in range(6):
        x = x / np.exp(x)
    return [6, 3], [x]


@program(
    """
    func.func @main(%n: index, %i: index) -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 0.25 : f64
      %y = arith.constant 0.5 : f64
      %e0 = tensor.empty() : tensor<6xf64>
      %u0 = linalg.fill ins(%x : f64) outs(%e0 : tensor<6xf64>) -> tensor<6xf64>
      %e1 = tensor.empty() : tensor<6xf64>
      %u1 = linalg.fill ins(%y : f64) outs(%e1 : tensor<6xf64>) -> tensor<6xf64>
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%q = %u0, %p = %u1)
          -> (tensor<6xf64>, tensor<6xf64>) {
        %e2 = tensor.empty() : tensor<6xf64>
        %m = linalg.mul ins(%p, %q : tensor<6xf64>, tensor<6xf64>)
            outs(%e2 : tensor<6xf64>) -> tensor<6xf64>
        %e3 = tensor.empty() : tensor<6xf64>
        %s = linalg.sub ins(%m, %p : tensor<6xf64>, tensor<6xf64>)
            outs(%e3 : tensor<6xf64>) -> tensor<6xf64>
        scf.yield %p, %s : tensor<6xf64>, tensor<6xf64>
      }
      %v = tensor.extract %r#0[%i] : tensor<6xf64>
      %w = tensor.extract %r#1[%i] : tensor<6xf64>
      return %v, %w : f64, f64
    }
    """,
    least_copies=0,
)
def recurrence_over_two_states() -> Example:
    q, p = 0.25, 0.5
    for _ in range(6):
        q, p = p, p * q - p
    return [6, 4], [q, p]
