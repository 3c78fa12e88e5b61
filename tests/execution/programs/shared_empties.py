"""Programs in which several ops compute in one tensor.empty, as after elimination of
common subexpressions. Each can have its own buffer: loops yield it without a copy."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<6x6xf64>, %n: index, %i: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %e = tensor.empty() : tensor<6xf64>
      %e0 = tensor.empty() : tensor<6xf64>
      %x0 = linalg.fill ins(%zero : f64) outs(%e0 : tensor<6xf64>) -> tensor<6xf64>
      %e1 = tensor.empty() : tensor<6xf64>
      %p0 = linalg.fill ins(%one : f64) outs(%e1 : tensor<6xf64>) -> tensor<6xf64>
      %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %x0, %p = %p0)
          -> (tensor<6xf64>, tensor<6xf64>) {
        %z = linalg.fill ins(%zero : f64) outs(%e : tensor<6xf64>) -> tensor<6xf64>
        %q = linalg.matvec ins(%a, %p : tensor<6x6xf64>, tensor<6xf64>)
            outs(%z : tensor<6xf64>) -> tensor<6xf64>
        %x1 = linalg.add ins(%x, %q : tensor<6xf64>, tensor<6xf64>)
            outs(%e : tensor<6xf64>) -> tensor<6xf64>
        %p1 = linalg.sub ins(%q, %p : tensor<6xf64>, tensor<6xf64>)
            outs(%e : tensor<6xf64>) -> tensor<6xf64>
        scf.yield %x1, %p1 : tensor<6xf64>, tensor<6xf64>
      }
      %y = tensor.extract %s#0[%i] : tensor<6xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def iteration_with_one_empty_tensor() -> Example:
    a = random(6, 6, dtype="f8") / 3
    x, p = np.zeros(6), np.ones(6)
    for _ in range(5):
        q = a @ p
        x, p = x + q, q - p
    return [a, 5, 2], [x[2]]


@program(
    """
    func.func @main(%a: tensor<8xf64>, %n: index, %i: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f64
      %e0 = tensor.empty() : tensor<8xf64>
      %x0 = linalg.fill ins(%one : f64) outs(%e0 : tensor<8xf64>) -> tensor<8xf64>
      %e = tensor.empty() : tensor<8xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %x0) -> (tensor<8xf64>) {
        %y = linalg.sub ins(%a, %x : tensor<8xf64>, tensor<8xf64>)
            outs(%e : tensor<8xf64>) -> tensor<8xf64>
        scf.yield %y : tensor<8xf64>
      }
      %y = tensor.extract %r[%i] : tensor<8xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def empty_tensor_before_the_loop() -> Example:
    a = random(8, dtype="f8")
    x = np.ones(8)
    for _ in range(7):
        x = a - x
    return [a, 7, 3], [x[3]]


@program(
    """
    func.func @main(%m: index, %n: index, %i: index) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 0.5 : f32
      %e = tensor.empty(%m) : tensor<?xf32>
      %a0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %b0 = linalg.exp ins(%a0 : tensor<?xf32>) outs(%e : tensor<?xf32>)
          -> tensor<?xf32>
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0)
          -> (tensor<?xf32>, tensor<?xf32>) {
        %c = linalg.mul ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
            outs(%e : tensor<?xf32>) -> tensor<?xf32>
        %d = linalg.sub ins(%b, %c : tensor<?xf32>, tensor<?xf32>)
            outs(%e : tensor<?xf32>) -> tensor<?xf32>
        scf.yield %c, %d : tensor<?xf32>, tensor<?xf32>
      }
      %y = tensor.extract %r#0[%i] : tensor<?xf32>
      %z = tensor.extract %r#1[%i] : tensor<?xf32>
      return %y, %z : f32, f32
    }
    """,
    least_copies=0,
)
def empty_tensor_of_any_size() -> Example:
    a = np.float32(0.5)
    b = np.exp(a)
    for _ in range(4):
        a = a * b
        b = b - a
    return [7, 4, 6], [a, b]


@program(
    """
    func.func @main(%a: tensor<4xi64>, %n: index, %m: index) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %e = tensor.empty() : tensor<4xi64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i64) {
        %i = arith.index_cast %k : index to i64
        %e0 = tensor.empty() : tensor<4xi64>
        %x0 = linalg.fill ins(%i : i64) outs(%e0 : tensor<4xi64>) -> tensor<4xi64>
        %s = scf.for %l = %c0 to %m step %c1 iter_args(%x = %x0) -> (tensor<4xi64>) {
          %o = linalg.fill ins(%one : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
          %p = linalg.add ins(%o, %a : tensor<4xi64>, tensor<4xi64>)
              outs(%o : tensor<4xi64>) -> tensor<4xi64>
          %y = linalg.mul ins(%x, %p : tensor<4xi64>, tensor<4xi64>)
              outs(%e : tensor<4xi64>) -> tensor<4xi64>
          scf.yield %y : tensor<4xi64>
        }
        %y = tensor.extract %s[%c1] : tensor<4xi64>
        %next = arith.addi %sum, %y : i64
        scf.yield %next : i64
      }
      return %r : i64
    }
    """,
    least_copies=0,
)
def empty_tensor_before_two_loops() -> Example:
    a = random(4, dtype="i8") % 5
    total = sum(i * int(a[1] + 1) ** 3 for i in range(4))
    return [a, 4, 3], [total]


@program(
    """
    func.func @main(%a: tensor<3x3xf64>, %n: index, %i: index, %j: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %e = tensor.empty() : tensor<3x3xf64>
      %x0 = linalg.fill ins(%one : f64) outs(%e : tensor<3x3xf64>) -> tensor<3x3xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %x0) -> (tensor<3x3xf64>) {
        %z = linalg.fill ins(%zero : f64) outs(%e : tensor<3x3xf64>)
            -> tensor<3x3xf64>
        %y = linalg.matmul ins(%a, %x : tensor<3x3xf64>, tensor<3x3xf64>)
            outs(%z : tensor<3x3xf64>) -> tensor<3x3xf64>
        scf.yield %y : tensor<3x3xf64>
      }
      %y = tensor.extract %r[%i, %j] : tensor<3x3xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def power_of_a_matrix_with_one_empty_tensor() -> Example:
    a = random(3, 3, dtype="f8")
    x = np.linalg.matrix_power(a, 5) @ np.ones((3, 3))
    return [a, 5, 1, 2], [x[1, 2]]


@program(
    """
    func.func @main(%x: tensor<5x5xf64>, %q: tensor<5x2xf64>, %k: tensor<5x2xf64>,
                    %v: tensor<5x2xf64>) -> tensor<5x6xf64> {
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<5x2xf64>
      %z = linalg.fill ins(%zero : f64) outs(%e : tensor<5x2xf64>) -> tensor<5x2xf64>
      %a = linalg.matmul ins(%x, %q : tensor<5x5xf64>, tensor<5x2xf64>)
          outs(%z : tensor<5x2xf64>) -> tensor<5x2xf64>
      %b = linalg.matmul ins(%x, %k : tensor<5x5xf64>, tensor<5x2xf64>)
          outs(%z : tensor<5x2xf64>) -> tensor<5x2xf64>
      %c = linalg.matmul ins(%x, %v : tensor<5x5xf64>, tensor<5x2xf64>)
          outs(%z : tensor<5x2xf64>) -> tensor<5x2xf64>
      %r = tensor.concat dim(1) %a, %b, %c
          : (tensor<5x2xf64>, tensor<5x2xf64>, tensor<5x2xf64>) -> tensor<5x6xf64>
      return %r : tensor<5x6xf64>
    }
    """,
    least_copies=0,
)
def heads_from_one_filled_tensor() -> Example:
    x = random(5, 5, dtype="f8")
    weights = [random(5, 2, dtype="f8") for _ in range(3)]
    return [x, *weights], [x @ np.concatenate(weights, 1)]


@program(
    """
    func.func @main(%m: tensor<4x4xf64>, %a: tensor<8x4xf64>) -> tensor<8x4xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zeros = arith.constant dense<0.0> : tensor<4xf64>
      %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %a) -> (tensor<8x4xf64>) {
        %x = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1]
            : tensor<8x4xf64> to tensor<4xf64>
        %y = linalg.matvec ins(%m, %x : tensor<4x4xf64>, tensor<4xf64>)
            outs(%zeros : tensor<4xf64>) -> tensor<4xf64>
        %z = linalg.vecmat ins(%x, %m : tensor<4xf64>, tensor<4x4xf64>)
            outs(%zeros : tensor<4xf64>) -> tensor<4xf64>
        %s = linalg.sub ins(%y, %z : tensor<4xf64>, tensor<4xf64>)
            outs(%x : tensor<4xf64>) -> tensor<4xf64>
        %u = tensor.insert_slice %s into %t[%i, 0] [1, 4] [1, 1]
            : tensor<4xf64> into tensor<8x4xf64>
        scf.yield %u : tensor<8x4xf64>
      }
      return %r : tensor<8x4xf64>
    }
    """,
    least_copies=1,
)
def rows_from_one_constant() -> Example:
    """The caller keeps its argument: one copy of it is returned."""
    m, a = random(4, 4, dtype="f8"), random(8, 4, dtype="f8")
    return [m, a.copy()], [a @ m.T - a @ m]


@program(
    """
    func.func @main(%a: tensor<16x16xf64>, %b: tensor<16xf64>, %tolerance: f64,
                    %most: index) -> (tensor<16xf64>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %e = tensor.empty() : tensor<16xf64>
      %s = tensor.empty() : tensor<f64>
      %start = linalg.fill ins(%zero : f64) outs(%e : tensor<16xf64>) -> tensor<16xf64>
      %x:3 = scf.while (%xi = %start, %error = %one, %i = %c0)
          : (tensor<16xf64>, f64, index) -> (tensor<16xf64>, f64, index) {
        %wrong = arith.cmpf ogt, %error, %tolerance : f64
        %more = arith.cmpi slt, %i, %most : index
        %go = arith.andi %wrong, %more : i1
        scf.condition(%go) %xi, %error, %i : tensor<16xf64>, f64, index
      } do {
      ^bb0(%xi: tensor<16xf64>, %error: f64, %i: index):
        %z = linalg.fill ins(%zero : f64) outs(%e : tensor<16xf64>) -> tensor<16xf64>
        %ax = linalg.matvec ins(%a, %xi : tensor<16x16xf64>, tensor<16xf64>)
          outs(%z : tensor<16xf64>) -> tensor<16xf64>
        %r = linalg.sub ins(%b, %ax : tensor<16xf64>, tensor<16xf64>)
          outs(%e : tensor<16xf64>) -> tensor<16xf64>
        %new = linalg.add ins(%xi, %r : tensor<16xf64>, tensor<16xf64>)
          outs(%e : tensor<16xf64>) -> tensor<16xf64>
        %sz = linalg.fill ins(%zero : f64) outs(%s : tensor<f64>) -> tensor<f64>
        %n = linalg.dot ins(%r, %r : tensor<16xf64>, tensor<16xf64>)
          outs(%sz : tensor<f64>) -> tensor<f64>
        %error1 = tensor.extract %n[] : tensor<f64>
        %i1 = arith.addi %i, %c1 : index
        scf.yield %new, %error1, %i1 : tensor<16xf64>, f64, index
      }
      return %x#0, %x#2 : tensor<16xf64>, index
    }
    """,
    least_copies=0,
)
def richardson_in_two_tensors() -> Example:
    """All ops compute in the same two tensors, and scf.while carries one of them."""
    a = np.eye(16) + 0.02 * random(16, 16, dtype="f8")
    b = random(16, dtype="f8")
    x, error, count = np.zeros(16), 1.0, 0
    while error > 1e-12 and count < 50:
        r = b - a @ x
        x, error, count = x + r, r @ r, count + 1
    return [a, b, 1e-12, 50], [x, count]
