"""Programs whose loops exchange buffers, or replace one by a new one in each iteration.

Each says with how many copies it can be executed: none in a loop. One is needed where a
loop starts with an argument of the public function @main, which it must not write to.
What the program itself copies, by linalg.copy, is not counted.
"""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %half = arith.constant 0.5 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %last = arith.subi %n, %c1 : index
      %e = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %r:2 = scf.for %s = %c0 to %steps step %c1 iter_args(%old = %a, %new = %b)
          -> (tensor<?xf64>, tensor<?xf64>) {
        %w = scf.for %i = %c1 to %last step %c1 iter_args(%x = %new)
            -> (tensor<?xf64>) {
          %h = arith.subi %i, %c1 : index
          %j = arith.addi %i, %c1 : index
          %left = tensor.extract %old[%h] : tensor<?xf64>
          %right = tensor.extract %old[%j] : tensor<?xf64>
          %sum = arith.addf %left, %right : f64
          %mean = arith.mulf %sum, %half : f64
          %y = tensor.insert %mean into %x[%i] : tensor<?xf64>
          scf.yield %y : tensor<?xf64>
        }
        scf.yield %w, %old : tensor<?xf64>, tensor<?xf64>
      }
      return %r#0 : tensor<?xf64>
    }
    """,
    least_copies=1,
)
def ping_pong_stencil() -> Example:
    a = random(9, dtype="f8")
    want = a.copy()
    for _ in range(7):
        want[1:-1] = (want[:-2] + want[2:]) * 0.5
    return [a, 7], [want]


@program(
    """
    func.func @main(%steps: index) -> tensor<12xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c11 = arith.constant 11 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %e0 = tensor.empty() : tensor<12xi32>
      %f0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<12xi32>) -> tensor<12xi32>
      %p = tensor.insert %one into %f0[%c5] : tensor<12xi32>
      %e1 = tensor.empty() : tensor<12xi32>
      %f1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<12xi32>) -> tensor<12xi32>
      %q = tensor.insert %one into %f1[%c5] : tensor<12xi32>
      %e2 = tensor.empty() : tensor<12xi32>
      %s = linalg.fill ins(%zero : i32) outs(%e2 : tensor<12xi32>) -> tensor<12xi32>
      %r:3 = scf.for %t = %c0 to %steps step %c1
          iter_args(%before = %p, %now = %q, %next = %s)
          -> (tensor<12xi32>, tensor<12xi32>, tensor<12xi32>) {
        %w = scf.for %i = %c1 to %c11 step %c1 iter_args(%x = %next)
            -> (tensor<12xi32>) {
          %h = arith.subi %i, %c1 : index
          %j = arith.addi %i, %c1 : index
          %left = tensor.extract %now[%h] : tensor<12xi32>
          %right = tensor.extract %now[%j] : tensor<12xi32>
          %past = tensor.extract %before[%i] : tensor<12xi32>
          %sum = arith.addi %left, %right : i32
          %y = arith.subi %sum, %past : i32
          %u = tensor.insert %y into %x[%i] : tensor<12xi32>
          scf.yield %u : tensor<12xi32>
        }
        scf.yield %now, %w, %before : tensor<12xi32>, tensor<12xi32>, tensor<12xi32>
      }
      return %r#1 : tensor<12xi32>
    }
    """,
    least_copies=0,
)
def three_buffer_wave() -> Example:
    before = np.zeros(12, "i4")
    before[5] = 1
    now, following = before.copy(), np.zeros(12, "i4")
    for _ in range(8):
        following[1:-1] = now[:-2] + now[2:] - before[1:-1]
        before, now, following = now, following, before
    return [8], [now.copy()]


@program(
    """
    func.func @main(%piles: tensor<?xi32>) -> (tensor<?xi32>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %true = arith.constant true
      %false = arith.constant false
      %n = tensor.dim %piles, %c0 : tensor<?xi32>
      %last = arith.subi %n, %c1 : index
      %e = tensor.empty(%n) : tensor<?xi32>
      %b = linalg.fill ins(%zero : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
      %r:4 = scf.while (%old = %piles, %new = %b, %go = %true, %k = %c0)
          : (tensor<?xi32>, tensor<?xi32>, i1, index)
          -> (tensor<?xi32>, tensor<?xi32>, i1, index) {
        scf.condition(%go) %old, %new, %go, %k
          : tensor<?xi32>, tensor<?xi32>, i1, index
      } do {
      ^bb0(%old: tensor<?xi32>, %new: tensor<?xi32>, %go: i1, %k: index):
        %w:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %new, %any = %false)
            -> (tensor<?xi32>, i1) {
          %here = tensor.extract %old[%i] : tensor<?xi32>
          %falls = arith.cmpi sgt, %here, %one : i32
          %lost = arith.select %falls, %one, %zero : i32
          %twice = arith.addi %lost, %lost : i32
          %kept = arith.subi %here, %twice : i32
          %first = arith.cmpi eq, %i, %c0 : index
          %end = arith.cmpi eq, %i, %last : index
          %h0 = arith.subi %i, %c1 : index
          %h = arith.select %first, %c0, %h0 : index
          %j0 = arith.addi %i, %c1 : index
          %j = arith.select %end, %last, %j0 : index
          %left = tensor.extract %old[%h] : tensor<?xi32>
          %right = tensor.extract %old[%j] : tensor<?xi32>
          %lf = arith.cmpi sgt, %left, %one : i32
          %rf = arith.cmpi sgt, %right, %one : i32
          %lg = arith.select %lf, %one, %zero : i32
          %rg = arith.select %rf, %one, %zero : i32
          %lgain = arith.select %first, %zero, %lg : i32
          %rgain = arith.select %end, %zero, %rg : i32
          %gain = arith.addi %lgain, %rgain : i32
          %v = arith.addi %kept, %gain : i32
          %y = tensor.insert %v into %x[%i] : tensor<?xi32>
          %also = arith.ori %any, %falls : i1
          scf.yield %y, %also : tensor<?xi32>, i1
        }
        %k1 = arith.addi %k, %c1 : index
        scf.yield %w#0, %old, %w#1, %k1 : tensor<?xi32>, tensor<?xi32>, i1, index
      }
      return %r#0, %r#3 : tensor<?xi32>, index
    }
    """,
    least_copies=1,
)
def sandpile() -> Example:
    piles = np.array([0, 0, 9, 0, 0, 4, 0, 0, 0], "i4")
    want, steps = piles.copy(), 0
    while True:
        falls = (want > 1).astype("i4")
        following = want - 2 * falls
        following[1:] += falls[:-1]
        following[:-1] += falls[1:]
        want, steps = following, steps + 1
        if not falls.any():
            return [piles], [want, steps]


@program(
    """
    func.func @main(%t: tensor<?xi8>) -> tensor<?xi8> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %n = tensor.dim %t, %c0 : tensor<?xi8>
      %last = arith.subi %n, %c1 : index
      %e = tensor.empty(%n) : tensor<?xi8>
      %b = linalg.copy ins(%t : tensor<?xi8>) outs(%e : tensor<?xi8>) -> tensor<?xi8>
      %e2 = tensor.empty(%n) : tensor<?xi8>
      %b2 = linalg.copy ins(%t : tensor<?xi8>) outs(%e2 : tensor<?xi8>) -> tensor<?xi8>
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %b, %v = %b2)
          -> (tensor<?xi8>, tensor<?xi8>) {
        %odd = arith.remui %k, %c2 : index
        %copied = linalg.copy ins(%u : tensor<?xi8>) outs(%v : tensor<?xi8>)
          -> tensor<?xi8>
        %w = scf.for %i = %odd to %last step %c2 iter_args(%x = %copied)
            -> (tensor<?xi8>) {
          %j = arith.addi %i, %c1 : index
          %l = tensor.extract %u[%i] : tensor<?xi8>
          %m = tensor.extract %u[%j] : tensor<?xi8>
          %low = arith.minsi %l, %m : i8
          %high = arith.maxsi %l, %m : i8
          %y = tensor.insert %low into %x[%i] : tensor<?xi8>
          %z = tensor.insert %high into %y[%j] : tensor<?xi8>
          scf.yield %z : tensor<?xi8>
        }
        %moved = arith.cmpi ult, %k, %n : index
        %q:2 = scf.if %moved -> (tensor<?xi8>, tensor<?xi8>) {
          scf.yield %w, %u : tensor<?xi8>, tensor<?xi8>
        } else {
          scf.yield %u, %w : tensor<?xi8>, tensor<?xi8>
        }
        scf.yield %q#0, %q#1 : tensor<?xi8>, tensor<?xi8>
      }
      return %r#0 : tensor<?xi8>
    }
    """,
    least_copies=0,
)
def odd_even_sort() -> Example:
    t = random(10, dtype="i1")
    return [t], [np.sort(t)]


@program(
    """
    func.func @main(%a: tensor<?x?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %far = arith.constant 1.0 : f64
      %small = arith.constant 1.0e-12 : f64
      %n = tensor.dim %b, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %x0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %y0 = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %r:4 = scf.while (%x = %x0, %y = %y0, %d = %far, %k = %c0)
          : (tensor<?xf64>, tensor<?xf64>, f64, index)
          -> (tensor<?xf64>, tensor<?xf64>, f64, index) {
        %go = arith.cmpf ogt, %d, %small : f64
        scf.condition(%go) %x, %y, %d, %k
          : tensor<?xf64>, tensor<?xf64>, f64, index
      } do {
      ^bb0(%x: tensor<?xf64>, %y: tensor<?xf64>, %d: f64, %k: index):
        %w:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %y, %worst = %zero)
            -> (tensor<?xf64>, f64) {
          %bi = tensor.extract %b[%i] : tensor<?xf64>
          %rest = scf.for %j = %c0 to %n step %c1 iter_args(%s = %bi) -> (f64) {
            %aij = tensor.extract %a[%i, %j] : tensor<?x?xf64>
            %xj = tensor.extract %x[%j] : tensor<?xf64>
            %p = arith.mulf %aij, %xj : f64
            %t = arith.subf %s, %p : f64
            scf.yield %t : f64
          }
          %aii = tensor.extract %a[%i, %i] : tensor<?x?xf64>
          %xi = tensor.extract %x[%i] : tensor<?xf64>
          %step = arith.divf %rest, %aii : f64
          %v = arith.addf %xi, %step : f64
          %size = math.absf %rest : f64
          %more = arith.maximumf %worst, %size : f64
          %z = tensor.insert %v into %u[%i] : tensor<?xf64>
          scf.yield %z, %more : tensor<?xf64>, f64
        }
        %k1 = arith.addi %k, %c1 : index
        scf.yield %w#0, %x, %w#1, %k1 : tensor<?xf64>, tensor<?xf64>, f64, index
      }
      %done = arith.cmpi ult, %r#3, %c1 : index
      %steps = arith.select %done, %c1, %c0 : index
      return %r#0, %steps : tensor<?xf64>, index
    }
    """,
    least_copies=0,
)
def jacobi_with_residual() -> Example:
    a = np.diag(np.arange(4.0, 9.0))
    a[0, 1] = a[3, 2] = 0.5
    b = random(5, dtype="f8")
    return [a, b], [np.linalg.solve(a, b), 0]


@program(
    """
    func.func @main(%a: tensor<16xf32>, %outer: index, %inner: index)
        -> (tensor<16xf32>, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<16xf32>
      %b = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      %r:3 = scf.for %s = %c0 to %outer step %c1
          iter_args(%u = %a, %v = %b, %sum = %zero)
          -> (tensor<16xf32>, tensor<16xf32>, f32) {
        %q:2 = scf.for %t = %c0 to %inner step %c1 iter_args(%old = %u, %new = %v)
            -> (tensor<16xf32>, tensor<16xf32>) {
          %w = scf.for %i = %c0 to %c15 step %c1 iter_args(%x = %new)
              -> (tensor<16xf32>) {
            %j = arith.addi %i, %c1 : index
            %l = tensor.extract %old[%i] : tensor<16xf32>
            %m = tensor.extract %old[%j] : tensor<16xf32>
            %d = arith.subf %m, %l : f32
            %y = tensor.insert %d into %x[%i] : tensor<16xf32>
            scf.yield %y : tensor<16xf32>
          }
          %f = tensor.extract %old[%c0] : tensor<16xf32>
          %z = tensor.insert %f into %w[%c15] : tensor<16xf32>
          scf.yield %z, %old : tensor<16xf32>, tensor<16xf32>
        }
        %g = tensor.extract %q#0[%c1] : tensor<16xf32>
        %total = arith.addf %sum, %g : f32
        scf.yield %q#1, %q#0, %total : tensor<16xf32>, tensor<16xf32>, f32
      }
      return %r#1, %r#2 : tensor<16xf32>, f32
    }
    """,
    rtol=1e-4,
    least_copies=1,
)
def nested_time_loops() -> Example:
    a = np.round(random(16) * 8)
    u, v, total = a.copy(), np.zeros(16, "f4"), np.float32(0)
    for _ in range(3):
        for _ in range(2):
            following = v.copy()
            following[:-1] = u[1:] - u[:-1]
            following[-1] = u[0]
            u, v = following, u
        total += u[1]
        u, v = v, u
    return [a, 3, 2], [v, total]


@program(
    """
    func.func @main(%a: tensor<?xi64>, %steps: index) -> (tensor<?xi64>, tensor<?xi64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i64
      %n = tensor.dim %a, %c0 : tensor<?xi64>
      %e = tensor.empty(%n) : tensor<?xi64>
      %x0 = linalg.fill ins(%zero : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
      %e1 = tensor.empty(%n) : tensor<?xi64>
      %y0 = linalg.copy ins(%a : tensor<?xi64>) outs(%e1 : tensor<?xi64>)
        -> tensor<?xi64>
      %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %x0, %y = %y0)
          -> (tensor<?xi64>, tensor<?xi64>) {
        %bit = arith.remui %i, %c2 : index
        %odd = arith.cmpi eq, %bit, %c1 : index
        %q:2 = scf.if %odd -> (tensor<?xi64>, tensor<?xi64>) {
          %k = arith.index_cast %i : index to i64
          %v = tensor.insert %k into %x[%c0] : tensor<?xi64>
          scf.yield %y, %v : tensor<?xi64>, tensor<?xi64>
        } else {
          %o = tensor.extract %x[%c0] : tensor<?xi64>
          %w = tensor.insert %o into %y[%c1] : tensor<?xi64>
          scf.yield %x, %w : tensor<?xi64>, tensor<?xi64>
        }
        scf.yield %q#0, %q#1 : tensor<?xi64>, tensor<?xi64>
      }
      return %r#0, %r#1 : tensor<?xi64>, tensor<?xi64>
    }
    """,
    least_copies=0,
)
def exchange_in_branch() -> Example:
    a = np.arange(4, dtype="i8")
    x, y = np.zeros(4, "i8"), a.copy()
    for i in range(6):
        if i % 2:
            x[0] = i
            x, y = y, x
        else:
            y[1] = x[0]
    return [a, 6], [x, y]


@program(
    """
    func.func @main(%x: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %limit = arith.constant 100.0 : f64
      %n = tensor.dim %x, %c0 : tensor<?xf64>
      %last = arith.subi %n, %c1 : index
      %e0 = tensor.empty(%n) : tensor<?xf64>
      %y0 = linalg.exp ins(%x : tensor<?xf64>) outs(%e0 : tensor<?xf64>) -> tensor<?xf64>
      %r = scf.while (%y = %y0) : (tensor<?xf64>) -> tensor<?xf64> {
        %s0 = tensor.empty() : tensor<f64>
        %s1 = linalg.fill ins(%zero : f64) outs(%s0 : tensor<f64>) -> tensor<f64>
        %s2 = linalg.reduce ins(%y : tensor<?xf64>) outs(%s1 : tensor<f64>)
          dimensions = [0] (%a: f64, %b: f64) {
            %sum = arith.addf %a, %b : f64
            linalg.yield %sum : f64
          }
        %s = tensor.extract %s2[] : tensor<f64>
        %small = arith.cmpf olt, %s, %limit : f64
        scf.condition(%small) %y : tensor<?xf64>
      } do {
      ^bb0(%y: tensor<?xf64>):
        %e = tensor.empty(%n) : tensor<?xf64>
        %new = linalg.map outs(%e : tensor<?xf64>) (%out: f64) {
          %i = linalg.index 0 : index
          %j = arith.subi %last, %i : index
          %a = tensor.extract %y[%i] : tensor<?xf64>
          %b = tensor.extract %y[%j] : tensor<?xf64>
          %sum = arith.addf %a, %b : f64
          linalg.yield %sum : f64
        }
        scf.yield %new : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def sums_with_the_reversed_until_they_are_large() -> Example:
    """The condition needs a buffer, which must not keep those of the body apart."""
    x = np.array([0.5, 1.25, 2.0, 0.25, 1.0])
    y = np.exp(x)
    while y.sum() < 100:
        y = y + y[::-1]
    return [x], [y]


@program(
    """
    func.func private @step(%y: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %y, %c0 : tensor<?xf64>
      %last = arith.subi %n, %c1 : index
      %e = tensor.empty(%n) : tensor<?xf64>
      %new = linalg.map outs(%e : tensor<?xf64>) (%out: f64) {
        %i = linalg.index 0 : index
        %j = arith.subi %last, %i : index
        %a = tensor.extract %y[%i] : tensor<?xf64>
        %b = tensor.extract %y[%j] : tensor<?xf64>
        %sum = arith.addf %a, %b : f64
        linalg.yield %sum : f64
      }
      return %new : tensor<?xf64>
    }
    func.func @main(%x: tensor<?xf64>, %m: index, %k: index) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %u = scf.for %i = %c0 to %m step %c1 iter_args(%y = %x) -> (tensor<?xf64>) {
        %new = func.call @step(%y) : (tensor<?xf64>) -> tensor<?xf64>
        scf.yield %new : tensor<?xf64>
      }
      %v = scf.for %i = %c0 to %k step %c1 iter_args(%y = %u) -> (tensor<?xf64>) {
        %new = func.call @step(%y) : (tensor<?xf64>) -> tensor<?xf64>
        scf.yield %new : tensor<?xf64>
      }
      %n = tensor.dim %x, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %r = linalg.sub ins(%v, %u : tensor<?xf64>, tensor<?xf64>)
        outs(%e : tensor<?xf64>) -> tensor<?xf64>
      return %r : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def two_loops_of_which_the_first_starts_with_an_argument() -> Example:
    """What the first loop exchanges with its result is not needed in the second."""
    x = np.array([0.5, 1.25, 2.0, 0.25, 1.0])
    u = x
    for _ in range(4):
        u = u + u[::-1]
    v = u
    for _ in range(5):
        v = v + v[::-1]
    return [x, 4, 5], [v - u]
