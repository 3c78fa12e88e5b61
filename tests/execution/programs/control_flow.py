"""Programs whose control flow decides which buffer is needed later: loops that end when
nothing changes, that start with an argument, or that keep the better one of two tensors.

Each says with how many copies it can be executed. What the program itself copies, by
linalg.copy, is not counted.
"""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<?xf64>, %eps: f64) -> (tensor<?xf64>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %last = arith.subi %n, %c1 : index
      %half = arith.constant 0.5 : f64
      %zero = arith.constant 0.0 : f64
      %big = arith.constant 1.0e9 : f64
      %r:3 = scf.while (%old = %a, %err = %big, %k = %c0) : (tensor<?xf64>, f64,
          index) -> (tensor<?xf64>, f64, index) {
        %go = arith.cmpf ogt, %err, %eps : f64
        scf.condition(%go) %old, %err, %k : tensor<?xf64>, f64, index
      } do {
      ^bb0(%old: tensor<?xf64>, %err: f64, %k: index):
        %e = tensor.empty(%n) : tensor<?xf64>
        %cp = linalg.copy ins(%old : tensor<?xf64>) outs(%e : tensor<?xf64>)
            -> tensor<?xf64>
        %w:2 = scf.for %i = %c1 to %last step %c1 iter_args(%x = %cp, %er = %zero)
            -> (tensor<?xf64>, f64) {
          %h = arith.subi %i, %c1 : index
          %j = arith.addi %i, %c1 : index
          %l = tensor.extract %old[%h] : tensor<?xf64>
          %rr = tensor.extract %old[%j] : tensor<?xf64>
          %o = tensor.extract %old[%i] : tensor<?xf64>
          %s = arith.addf %l, %rr : f64
          %m = arith.mulf %s, %half : f64
          %y = tensor.insert %m into %x[%i] : tensor<?xf64>
          %d = arith.subf %m, %o : f64
          %ad = math.absf %d : f64
          %mx = arith.maximumf %ad, %er : f64
          scf.yield %y, %mx : tensor<?xf64>, f64
        }
        %k1 = arith.addi %k, %c1 : index
        scf.yield %w#0, %w#1, %k1 : tensor<?xf64>, f64, index
      }
      return %r#0, %r#2 : tensor<?xf64>, index
    }
    """,
    least_copies=0,
)
def jacobi_in_while_from_argument() -> Example:
    a = random(8, dtype="f8")
    want, error, steps = a.copy(), 1.0, 0
    while error > 1e-3:
        new = want.copy()
        new[1:-1] = (want[:-2] + want[2:]) * 0.5
        error, want, steps = np.abs(new - want).max(), new, steps + 1
    return [a, 1e-3], [want, steps]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %half = arith.constant 0.5 : f64
      %last = arith.subi %n, %c1 : index
      %e = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      cf.br ^head(%c0, %a, %b : index, tensor<?xf64>, tensor<?xf64>)
    ^head(%s: index, %old: tensor<?xf64>, %new: tensor<?xf64>):
      %go = arith.cmpi slt, %s, %steps : index
      cf.cond_br %go, ^in(%c1, %new : index, tensor<?xf64>), ^done
    ^in(%i: index, %x: tensor<?xf64>):
      %more = arith.cmpi slt, %i, %last : index
      cf.cond_br %more, ^work, ^next
    ^work:
      %h = arith.subi %i, %c1 : index
      %j = arith.addi %i, %c1 : index
      %l = tensor.extract %old[%h] : tensor<?xf64>
      %r = tensor.extract %old[%j] : tensor<?xf64>
      %sum = arith.addf %l, %r : f64
      %m = arith.mulf %sum, %half : f64
      %y = tensor.insert %m into %x[%i] : tensor<?xf64>
      cf.br ^in(%j, %y : index, tensor<?xf64>)
    ^next:
      %s1 = arith.addi %s, %c1 : index
      cf.br ^head(%s1, %x, %old : index, tensor<?xf64>, tensor<?xf64>)
    ^done:
      return %old : tensor<?xf64>
    }
    """,
    least_copies=1,
)
def ping_pong_of_blocks() -> Example:
    a = random(9, dtype="f8")
    want = a.copy()
    for _ in range(6):
        want[1:-1] = (want[:-2] + want[2:]) * 0.5
    return [a, 6], [want]


@program(
    """
    func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, %c0 : tensor<?xi32>
      %m = tensor.dim %b, %c0 : tensor<?xi32>
      %m1 = arith.addi %m, %c1 : index
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %e = tensor.empty(%m1) : tensor<?xi32>
      %p0 = linalg.fill ins(%z : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%prev = %p0) -> (tensor<?xi32>) {
        %ai = tensor.extract %a[%i] : tensor<?xi32>
        %f = tensor.empty(%m1) : tensor<?xi32>
        %q0 = tensor.insert %z into %f[%c0] : tensor<?xi32>
        %row = scf.for %j = %c0 to %m step %c1 iter_args(%cur = %q0) -> (tensor<?xi32>) {
          %j1 = arith.addi %j, %c1 : index
          %bj = tensor.extract %b[%j] : tensor<?xi32>
          %eq = arith.cmpi eq, %ai, %bj : i32
          %v = scf.if %eq -> (i32) {
            %d = tensor.extract %prev[%j] : tensor<?xi32>
            %d1 = arith.addi %d, %o : i32
            scf.yield %d1 : i32
          } else {
            %u = tensor.extract %prev[%j1] : tensor<?xi32>
            %l = tensor.extract %cur[%j] : tensor<?xi32>
            %mx = arith.maxsi %u, %l : i32
            scf.yield %mx : i32
          }
          %c = tensor.insert %v into %cur[%j1] : tensor<?xi32>
          scf.yield %c : tensor<?xi32>
        }
        scf.yield %row : tensor<?xi32>
      }
      %v = tensor.extract %r[%m] : tensor<?xi32>
      return %v : i32
    }
    """,
    least_copies=0,
)
def longest_common_subsequence() -> Example:
    a, b = np.arange(11) * 7 % 5, np.arange(9) * 3 % 5
    rows = np.zeros((12, 10), "i4")
    for i in range(11):
        for j in range(9):
            rows[i + 1, j + 1] = (
                rows[i, j] + 1 if a[i] == b[j] else max(rows[i, j + 1], rows[i + 1, j])
            )
    return [a.astype("i4"), b.astype("i4")], [rows[-1, -1]]


@program(
    """
    func.func private @step(%old: tensor<?xf64>, %new: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %old, %c0 : tensor<?xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %new) -> (tensor<?xf64>) {
        %j0 = arith.addi %i, %c1 : index
        %j = arith.remui %j0, %n : index
        %a = tensor.extract %old[%i] : tensor<?xf64>
        %b = tensor.extract %old[%j] : tensor<?xf64>
        %s = arith.subf %a, %b : f64
        %y = tensor.insert %s into %x[%i] : tensor<?xf64>
        scf.yield %y : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    func.func @main(%a: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %r:2 = scf.while (%u = %a, %k = %c0) : (tensor<?xf64>, index) -> (tensor<?xf64>,
          index) {
        %go = arith.cmpi slt, %k, %steps : index
        scf.condition(%go) %u, %k : tensor<?xf64>, index
      } do {
      ^bb0(%u: tensor<?xf64>, %k: index):
        %e = tensor.empty(%n) : tensor<?xf64>
        %w = func.call @step(%u, %e) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
        %k1 = arith.addi %k, %c1 : index
        scf.yield %w, %k1 : tensor<?xf64>, index
      }
      return %r#0 : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def steps_by_function_in_while() -> Example:
    a = random(7, dtype="f8")
    want = a.copy()
    for _ in range(10):
        want = want - np.roll(want, -1)
    return [a, 10], [want]


@program(
    """
    func.func @main(%a: tensor<?x?xf64>, %x0: tensor<?xf64>, %eps: f64)
        -> (tensor<?xf64>, f64, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %x0, %c0 : tensor<?xf64>
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %r:4 = scf.while (%x = %x0, %l = %zero, %err = %one, %k = %c0) : (tensor<?xf64>,
          f64, f64, index) -> (tensor<?xf64>, f64, f64, index) {
        %go = arith.cmpf ogt, %err, %eps : f64
        scf.condition(%go) %x, %l, %err, %k : tensor<?xf64>, f64, f64, index
      } do {
      ^bb0(%x: tensor<?xf64>, %l: f64, %err: f64, %k: index):
        %e = tensor.empty(%n) : tensor<?xf64>
        %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
        %y = linalg.matvec ins(%a, %x : tensor<?x?xf64>, tensor<?xf64>) outs(%f
            : tensor<?xf64>) -> tensor<?xf64>
        %m = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %v = tensor.extract %y[%i] : tensor<?xf64>
          %av = math.absf %v : f64
          %s1 = arith.maximumf %s, %av : f64
          scf.yield %s1 : f64
        }
        %z = linalg.map ins(%y : tensor<?xf64>) outs(%y : tensor<?xf64>) (%in: f64,
            %o: f64) {
          %q = arith.divf %in, %m : f64
          linalg.yield %q : f64
        }
        %d = arith.subf %m, %l : f64
        %ad = math.absf %d : f64
        %k1 = arith.addi %k, %c1 : index
        scf.yield %z, %m, %ad, %k1 : tensor<?xf64>, f64, f64, index
      }
      return %r#0, %r#1, %r#3 : tensor<?xf64>, f64, index
    }
    """,
    least_copies=0,
)
def power_iteration_in_while() -> Example:
    matrix = np.abs(random(5, 5, dtype="f8"))
    x = np.abs(random(5, dtype="f8"))
    want, last, error, steps = x.copy(), 0.0, 1.0, 0
    while error > 1e-9:
        product = matrix @ want
        largest = np.abs(product).max()
        error, last, steps = abs(largest - last), largest, steps + 1
        want = product / largest
    return [matrix, x, 1e-9], [want, last, steps]


@program(
    """
    func.func @main(%t: tensor<?xf64>, %eps: f64) -> (tensor<?xf64>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xf64>
      %half = arith.constant 0.5 : f64
      %zero = arith.constant 0.0 : f64
      %last = arith.subi %n, %c1 : index
      %r:2 = scf.while (%x = %t, %k = %c0) : (tensor<?xf64>, index) -> (tensor<?xf64>,
          index) {
        %e = tensor.empty(%n) : tensor<?xf64>
        %s0 = linalg.copy ins(%x : tensor<?xf64>) outs(%e : tensor<?xf64>)
            -> tensor<?xf64>
        %s:2 = scf.for %i = %c1 to %last step %c1 iter_args(%y = %s0, %er = %zero)
            -> (tensor<?xf64>, f64) {
          %h = arith.subi %i, %c1 : index
          %j = arith.addi %i, %c1 : index
          %l = tensor.extract %x[%h] : tensor<?xf64>
          %m = tensor.extract %x[%j] : tensor<?xf64>
          %o = tensor.extract %x[%i] : tensor<?xf64>
          %q = arith.addf %l, %m : f64
          %p = arith.mulf %q, %half : f64
          %d = arith.subf %p, %o : f64
          %ad = math.absf %d : f64
          %e1 = arith.maximumf %er, %ad : f64
          %z = tensor.insert %p into %y[%i] : tensor<?xf64>
          scf.yield %z, %e1 : tensor<?xf64>, f64
        }
        %go = arith.cmpf ogt, %s#1, %eps : f64
        %k1 = arith.addi %k, %c1 : index
        scf.condition(%go) %s#0, %k1 : tensor<?xf64>, index
      } do {
      ^bb0(%x: tensor<?xf64>, %k: index):
        scf.yield %x, %k : tensor<?xf64>, index
      }
      return %r#0, %r#1 : tensor<?xf64>, index
    }
    """,
    least_copies=0,
)
def jacobi_in_first_region() -> Example:
    a = random(8, dtype="f8")
    want, error, steps = a.copy(), 1.0, 0
    while error > 1e-3:
        new = want.copy()
        new[1:-1] = (want[:-2] + want[2:]) * 0.5
        error, want, steps = np.abs(new - want).max(), new, steps + 1
    return [a, 1e-3], [want, steps]


@program(
    """
    func.func private @wht(%t: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %n = tensor.dim %t, %c0 : tensor<?xf64>
      %small = arith.cmpi slt, %n, %c2 : index
      %r = scf.if %small -> (tensor<?xf64>) {
        scf.yield %t : tensor<?xf64>
      } else {
        %h = arith.divui %n, %c2 : index
        %a = tensor.extract_slice %t[0] [%h] [1] : tensor<?xf64> to tensor<?xf64>
        %b = tensor.extract_slice %t[%h] [%h] [1] : tensor<?xf64> to tensor<?xf64>
        %x = func.call @wht(%a) : (tensor<?xf64>) -> tensor<?xf64>
        %y = func.call @wht(%b) : (tensor<?xf64>) -> tensor<?xf64>
        %u = tensor.insert_slice %x into %t[0] [%h] [1] : tensor<?xf64> into tensor<?xf64>
        %w = tensor.insert_slice %y into %u[%h] [%h] [1]
            : tensor<?xf64> into tensor<?xf64>
        %z = scf.for %i = %c0 to %h step %c1 iter_args(%q = %w) -> (tensor<?xf64>) {
          %j = arith.addi %i, %h : index
          %p0 = tensor.extract %q[%i] : tensor<?xf64>
          %p1 = tensor.extract %q[%j] : tensor<?xf64>
          %s = arith.addf %p0, %p1 : f64
          %d = arith.subf %p0, %p1 : f64
          %q1 = tensor.insert %s into %q[%i] : tensor<?xf64>
          %q2 = tensor.insert %d into %q1[%j] : tensor<?xf64>
          scf.yield %q2 : tensor<?xf64>
        }
        scf.yield %z : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    func.func @main(%a: tensor<?xf64>) -> tensor<?xf64> {
      %r = func.call @wht(%a) : (tensor<?xf64>) -> tensor<?xf64>
      return %r : tensor<?xf64>
    }
    """,
    least_copies=1,
)
def transform_of_halves() -> Example:
    x = random(8, dtype="f8")
    h = np.array([[1.0]])
    for _ in range(3):
        h = np.block([[h, h], [h, -h]])
    return [x], [h @ x]


@program(
    """
    func.func @main(%c: tensor<?x?xf64>) -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %c, %c0 : tensor<?x?xf64>
      %m = tensor.dim %c, %c1 : tensor<?x?xf64>
      %big = arith.constant 1.0e9 : f64
      %zero = arith.constant 0.0 : f64
      %e0 = tensor.empty(%m) : tensor<?xf64>
      %b0 = linalg.fill ins(%zero : f64) outs(%e0 : tensor<?xf64>) -> tensor<?xf64>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %b0, %val = %big)
          -> (tensor<?xf64>, f64) {
        %e = tensor.empty(%m) : tensor<?xf64>
        %p:3 = scf.for %j = %c0 to %m step %c1 iter_args(%x = %e, %s = %zero,
            %q = %zero) -> (tensor<?xf64>, f64, f64) {
          %v = tensor.extract %c[%i, %j] : tensor<?x?xf64>
          %s1 = arith.addf %s, %v : f64
          %y = tensor.insert %s1 into %x[%j] : tensor<?xf64>
          %q1 = arith.maximumf %q, %v : f64
          scf.yield %y, %s1, %q1 : tensor<?xf64>, f64, f64
        }
        %better = arith.cmpf olt, %p#1, %val : f64
        %nb = arith.select %better, %p#0, %best : tensor<?xf64>
        %nv = arith.select %better, %p#1, %val : f64
        scf.yield %nb, %nv : tensor<?xf64>, f64
      }
      return %r#0, %r#1 : tensor<?xf64>, f64
    }
    """,
    least_copies=0,
)
def best_of_rows() -> Example:
    costs = random(9, 4, dtype="f8")
    sums = costs.cumsum(1)
    best = sums[:, -1].argmin()
    return [costs], [sums[best].copy(), sums[best, -1]]


@program(
    """
    func.func private @pick(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %x = tensor.extract %a[%c0] : tensor<?xf64>
      %y = tensor.extract %b[%c0] : tensor<?xf64>
      %lt = arith.cmpf olt, %x, %y : f64
      %r = scf.if %lt -> (tensor<?xf64>) {
        scf.yield %b : tensor<?xf64>
      } else {
        scf.yield %a : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    func.func @main(%d: tensor<?x?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %d, %c0 : tensor<?x?xf64>
      %m = tensor.dim %d, %c1 : tensor<?x?xf64>
      %zero = arith.constant 0.0 : f64
      %e0 = tensor.empty(%m) : tensor<?xf64>
      %b0 = linalg.fill ins(%zero : f64) outs(%e0 : tensor<?xf64>) -> tensor<?xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%best = %b0) -> (tensor<?xf64>) {
        %e = tensor.empty(%m) : tensor<?xf64>
        %p = scf.for %j = %c0 to %m step %c1 iter_args(%x = %e) -> (tensor<?xf64>) {
          %v = tensor.extract %d[%i, %j] : tensor<?x?xf64>
          %w = arith.mulf %v, %v : f64
          %y = tensor.insert %w into %x[%j] : tensor<?xf64>
          scf.yield %y : tensor<?xf64>
        }
        %q = func.call @pick(%p, %best) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
        scf.yield %q : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def best_of_rows_by_function() -> Example:
    rows = np.abs(random(8, 8, dtype="f8"))
    return [rows], [rows[rows[:, 0].argmax()] ** 2]


@program(
    """
    func.func @main(%n: index) -> (tensor<?xi32>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %e0 = tensor.empty(%n) : tensor<?xi32>
      %a0 = linalg.fill ins(%z : i32) outs(%e0 : tensor<?xi32>) -> tensor<?xi32>
      %a = tensor.insert %o into %a0[%c2] : tensor<?xi32>
      %e1 = tensor.empty(%n) : tensor<?xi32>
      %b = linalg.fill ins(%z : i32) outs(%e1 : tensor<?xi32>) -> tensor<?xi32>
      cf.br ^head(%a, %b, %c0 : tensor<?xi32>, tensor<?xi32>, index)
    ^head(%x: tensor<?xi32>, %y: tensor<?xi32>, %k: index):
      %go = arith.cmpi slt, %k, %n : index
      cf.cond_br %go, ^body, ^exit
    ^body:
      %k1 = arith.addi %k, %c1 : index
      %w = scf.for %i = %c1 to %n step %c1 iter_args(%u = %y) -> (tensor<?xi32>) {
        %h = arith.subi %i, %c1 : index
        %p = tensor.extract %x[%h] : tensor<?xi32>
        %q = tensor.extract %x[%i] : tensor<?xi32>
        %s = arith.addi %p, %q : i32
        %t = tensor.insert %s into %u[%i] : tensor<?xi32>
        scf.yield %t : tensor<?xi32>
      }
      %ki = arith.index_cast %k : index to i32
      %m = arith.remsi %ki, %two : i32
      %odd = arith.cmpi eq, %m, %o : i32
      cf.cond_br %odd, ^swap, ^same
    ^swap:
      cf.br ^head(%w, %x, %k1 : tensor<?xi32>, tensor<?xi32>, index)
    ^same:
      cf.br ^head(%x, %w, %k1 : tensor<?xi32>, tensor<?xi32>, index)
    ^exit:
      return %x, %k : tensor<?xi32>, index
    }
    """,
    least_copies=0,
)
def blocks_that_swap_at_times() -> Example:
    x, y = np.zeros(7, "i4"), np.zeros(7, "i4")
    x[2] = 1
    for k in range(7):
        y[1:] = x[:-1] + x[1:]
        if k % 2 == 1:
            x, y = y, x
    return [7], [x, 7]


@program(
    """
    func.func @main(%x: f64, %n: index, %at: index, %k: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
      %e = tensor.empty() : tensor<4xf64>
      %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (tensor<4xf64>) {
        %reset = arith.cmpi eq, %i, %at : index
        %b = scf.if %reset -> (tensor<4xf64>) {
          scf.yield %start : tensor<4xf64>
        } else {
          %j = arith.remui %i, %c4 : index
          %v = tensor.extract %a[%j] : tensor<4xf64>
          %w = arith.addf %v, %x : f64
          %u = tensor.insert %w into %a[%j] : tensor<4xf64>
          scf.yield %u : tensor<4xf64>
        }
        scf.yield %b : tensor<4xf64>
      }
      %y = tensor.extract %r[%k] : tensor<4xf64>
      return %y : f64
    }
    """,
    least_copies=1,
)
def reset_to_a_constant() -> Example:
    a = np.full(4, 0.5)
    for i in range(20):
        if i == 9:
            a = np.array([1.0, 2.0, 3.0, 4.0])
        else:
            a[i % 4] += 0.5
    return [0.5, 20, 9, 2], [a[2]]


@program(
    """
    func.func @main(%t: tensor<?xi32>, %start: tensor<?xi32>, %n: index, %k: index)
        -> (i32, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %one = arith.constant 1 : i32
      %r:2 = scf.while (%a = %t, %i = %c0)
          : (tensor<?xi32>, index) -> (tensor<?xi32>, index) {
        %go = arith.cmpi ult, %i, %n : index
        scf.condition(%go) %a, %i : tensor<?xi32>, index
      } do {
      ^bb0(%a: tensor<?xi32>, %i: index):
        %m = arith.remui %i, %c7 : index
        %b = scf.index_switch %m -> tensor<?xi32>
        case 3 {
          scf.yield %start : tensor<?xi32>
        }
        case 4 {
          scf.yield %a : tensor<?xi32>
        }
        default {
          %v = tensor.extract %a[%c1] : tensor<?xi32>
          %w = arith.addi %v, %one : i32
          %u = tensor.insert %w into %a[%c1] : tensor<?xi32>
          scf.yield %u : tensor<?xi32>
        }
        %j = arith.addi %i, %c1 : index
        scf.yield %b, %j : tensor<?xi32>, index
      }
      %x = tensor.extract %r#0[%k] : tensor<?xi32>
      %y = tensor.extract %start[%k] : tensor<?xi32>
      return %x, %y : i32, i32
    }
    """,
    least_copies=2,
)
def reset_to_an_argument() -> Example:
    t, start = random(5, dtype="i4"), random(5, dtype="i4", seed=1)
    a = t.copy()
    for i in range(12):
        if i % 7 == 3:
            a = start.copy()
        elif i % 7 != 4:
            a[1] += 1
    return [t, start, 12, 1], [a[1], start[1]]


@program(
    """
    func.func private @sum(%x: tensor<?xf64>, %depth: index) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %is_leaf = arith.cmpi eq, %depth, %c0 : index
      %r = scf.if %is_leaf -> (tensor<?xf64>) {
        scf.yield %x : tensor<?xf64>
      } else {
        %size = tensor.dim %x, %c0 : tensor<?xf64>
        %less = arith.subi %depth, %c1 : index
        %a = func.call @sum(%x, %less) : (tensor<?xf64>, index) -> tensor<?xf64>
        %b = func.call @sum(%x, %less) : (tensor<?xf64>, index) -> tensor<?xf64>
        %e = tensor.empty(%size) : tensor<?xf64>
        %y = linalg.add ins(%a, %b : tensor<?xf64>, tensor<?xf64>)
            outs(%e : tensor<?xf64>) -> tensor<?xf64>
        scf.yield %y : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    func.func @main(%x: tensor<?xf64>, %depth: index, %k: index) -> f64 {
      %r = func.call @sum(%x, %depth) : (tensor<?xf64>, index) -> tensor<?xf64>
      %y = tensor.extract %r[%k] : tensor<?xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def sums_of_what_recursion_returns() -> Example:
    x = random(5, dtype="f8")
    return [x, 3, 2], [8 * x[2]]
