"""Programs that read a tensor after another was computed from it, in many ways: the order
of the text asks for a copy, the order of evaluation does not.

Results are scalars, so that no copy is for the caller of @main. A linalg.copy in the
program counts as one.
"""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    #id = affine_map<(i) -> (i)>
    #none = affine_map<(i) -> ()>
    func.func @main(%a: tensor<16xf64>, %b: tensor<16xf64>) -> (f64, f64) {
      %zero = arith.constant dense<0.0> : tensor<f64>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %z = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<16xf64>
      %x0 = linalg.map { arith.addf } ins(%a, %b : tensor<16xf64>, tensor<16xf64>)
        outs(%e : tensor<16xf64>)
      %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = %x0, %sum = %z)
          -> (tensor<16xf64>, f64) {
        %next = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
            ins(%b : tensor<16xf64>) outs(%x : tensor<16xf64>) {
          ^bb0(%p: f64, %q: f64):
            %s = arith.addf %p, %q : f64
            linalg.yield %s : f64
        } -> tensor<16xf64>
        %f = tensor.empty() : tensor<f64>
        %start = linalg.fill ins(%z : f64) outs(%f : tensor<f64>) -> tensor<f64>
        %norm = linalg.dot ins(%x, %x : tensor<16xf64>, tensor<16xf64>)
          outs(%start : tensor<f64>) -> tensor<f64>
        %n = tensor.extract %norm[] : tensor<f64>
        %more = arith.addf %sum, %n : f64
        scf.yield %next, %more : tensor<16xf64>, f64
      }
      %last = tensor.extract %r#0[%c1] : tensor<16xf64>
      return %r#1, %last : f64, f64
    }
    """,
    rtol=1e-9,
    least_copies=0,
)
def norms_before_each_step() -> Example:
    a, b = random(16, dtype="f8"), random(16, dtype="f8", seed=1)
    x, total = a + b, 0.0
    for _ in range(4):
        total += float(x @ x)
        x = x + b
    return [a, b], [total, float(x[1])]


@program(
    """
    func.func private @sum(%t: tensor<?xi32>, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
        %x = tensor.extract %t[%i] : tensor<?xi32>
        %y = arith.addi %s, %x : i32
        scf.yield %y : i32
      }
      return %0 : i32
    }
    func.func private @rotate(%t: tensor<?xi32>, %n: index) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %first = tensor.extract %t[%c0] : tensor<?xi32>
      %last = arith.subi %n, %c1 : index
      %0 = scf.for %i = %c0 to %last step %c1 iter_args(%u = %t) -> (tensor<?xi32>) {
        %j = arith.addi %i, %c1 : index
        %x = tensor.extract %u[%j] : tensor<?xi32>
        %v = tensor.insert %x into %u[%i] : tensor<?xi32>
        scf.yield %v : tensor<?xi32>
      }
      %1 = tensor.insert %first into %0[%last] : tensor<?xi32>
      return %1 : tensor<?xi32>
    }
    func.func @main(%n: index) -> (i32, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %t = tensor.generate %n {
        ^bb0(%i: index):
          %x = arith.index_cast %i : index to i32
          %y = arith.muli %x, %x : i32
          tensor.yield %y : i32
      } : tensor<?xi32>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t, %sum = %zero)
          -> (tensor<?xi32>, i32) {
        %v = func.call @rotate(%u, %n) : (tensor<?xi32>, index) -> tensor<?xi32>
        %s = func.call @sum(%u, %i) : (tensor<?xi32>, index) -> i32
        %more = arith.addi %sum, %s : i32
        scf.yield %v, %more : tensor<?xi32>, i32
      }
      %x = tensor.extract %r#0[%c1] : tensor<?xi32>
      return %r#1, %x : i32, i32
    }
    """,
    least_copies=0,
)
def sums_of_rotations() -> Example:
    n = 7
    t = [i * i for i in range(n)]
    total = 0
    for i in range(n):
        total += sum(t[:i])
        t = t[1:] + t[:1]
    return [n], [total, t[1]]


@program(
    """
    func.func @main(%a: tensor<6x6xf32>, %i: index, %j: index) -> (f32, f32, f32) {
      %e = tensor.empty() : tensor<6x6xf32>
      %t = linalg.copy ins(%a : tensor<6x6xf32>) outs(%e : tensor<6x6xf32>)
        -> tensor<6x6xf32>
      %row = tensor.extract_slice %t[%i, 0] [1, 6] [1, 1]
        : tensor<6x6xf32> to tensor<6xf32>
      %two = arith.constant 2.0 : f32
      %doubled = linalg.map outs(%row : tensor<6xf32>) (%old: f32) {
        %0 = linalg.index 0 : index
        %x = tensor.extract %a[%i, %0] : tensor<6x6xf32>
        %y = arith.mulf %x, %two : f32
        linalg.yield %y : f32
      }
      %u = tensor.insert_slice %doubled into %t[%i, 0] [1, 6] [1, 1]
        : tensor<6xf32> into tensor<6x6xf32>
      %before = tensor.extract %t[%i, %j] : tensor<6x6xf32>
      %column = tensor.extract_slice %t[0, %j] [6, 1] [1, 1]
        : tensor<6x6xf32> to tensor<6xf32>
      %other = tensor.extract %column[%j] : tensor<6xf32>
      %after = tensor.extract %u[%i, %j] : tensor<6x6xf32>
      return %before, %other, %after : f32, f32, f32
    }
    """,
    least_copies=1,
)
def row_doubled_and_read_before() -> Example:
    a = random(6, 6)
    return [a, 2, 3], [a[2, 3], a[3, 3], 2 * a[2, 3]]


@program(
    """
    func.func @main(%n: index, %c: i1) -> (i32, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0 : i32
      %ten = arith.constant 10 : i32
      %t = tensor.generate %n {
        ^bb0(%i: index):
          %x = arith.index_cast %i : index to i32
          tensor.yield %x : i32
      } : tensor<?xi32>
      %u = scf.if %c -> (tensor<?xi32>) {
        %0 = tensor.insert %ten into %t[%c3] : tensor<?xi32>
        scf.yield %0 : tensor<?xi32>
      } else {
        %0 = tensor.insert %zero into %t[%c3] : tensor<?xi32>
        scf.yield %0 : tensor<?xi32>
      }
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
        %x = tensor.extract %t[%i] : tensor<?xi32>
        %y = arith.addi %s, %x : i32
        scf.yield %y : i32
      }
      %x = tensor.extract %u[%c3] : tensor<?xi32>
      return %sum, %x : i32, i32
    }
    """,
    least_copies=0,
)
def sum_of_what_a_branch_updates() -> Example:
    return [9, True], [sum(range(9)), 10]


@program(
    """
    #id = affine_map<(i) -> (i)>
    func.func @main(%n: index, %steps: index) -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %h = arith.constant 0.1 : f64
      %one = arith.constant 1.0 : f64
      %x0 = tensor.splat %one[%n] : tensor<?xf64>
      %v0 = tensor.splat %h[%n] : tensor<?xf64>
      %r:3 = scf.while (%x = %x0, %v = %v0, %k = %c0)
          : (tensor<?xf64>, tensor<?xf64>, index)
          -> (tensor<?xf64>, tensor<?xf64>, index) {
        %go = arith.cmpi ult, %k, %steps : index
        scf.condition(%go) %x, %v, %k : tensor<?xf64>, tensor<?xf64>, index
      } do {
      ^bb0(%x: tensor<?xf64>, %v: tensor<?xf64>, %k: index):
        %x1 = linalg.map ins(%v : tensor<?xf64>) outs(%x : tensor<?xf64>)
          (%vi: f64, %xi: f64) {
            %y = math.fma %h, %vi, %xi : f64
            linalg.yield %y : f64
          }
        %v1 = linalg.map ins(%x1 : tensor<?xf64>) outs(%v : tensor<?xf64>)
          (%xi: f64, %vi: f64) {
            %p = arith.mulf %h, %xi : f64
            %y = arith.subf %vi, %p : f64
            linalg.yield %y : f64
          }
        %k1 = arith.addi %k, %c1 : index
        scf.yield %x1, %v1, %k1 : tensor<?xf64>, tensor<?xf64>, index
      }
      %x = tensor.extract %r#0[%c0] : tensor<?xf64>
      %moved = tensor.insert %one into %r#0[%c0] : tensor<?xf64>
      %z = tensor.extract %moved[%c0] : tensor<?xf64>
      %again = tensor.extract %r#0[%c0] : tensor<?xf64>
      %same = arith.subf %again, %x : f64
      %w = arith.addf %same, %z : f64
      return %x, %w : f64, f64
    }
    """,
    rtol=1e-9,
    least_copies=0,
)
def leapfrog_read_after_an_update() -> Example:
    x, v = 1.0, 0.1
    for _ in range(11):
        x += 0.1 * v
        v -= 0.1 * x
    return [5, 11], [x, 1.0]


@program(
    """
    func.func @main(%t: tensor<1x32xf32>, %r: tensor<1x32xf32>, %i: index)
        -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %s = tensor.extract_slice %t[0, 0] [1, 32] [1, 1]
        : tensor<1x32xf32> to tensor<32xf32>
      %0 = tensor.insert_slice %r into %t[0, 0] [1, 32] [1, 1]
        : tensor<1x32xf32> into tensor<1x32xf32>
      %x = tensor.extract %0[%c0, %i] : tensor<1x32xf32>
      %u = tensor.insert %x into %0[%c0, %c0] : tensor<1x32xf32>
      %y = tensor.extract %u[%c0, %c0] : tensor<1x32xf32>
      %at = arith.fptosi %y : f32 to i32
      %at1 = arith.index_cast %at : i32 to index
      %z = tensor.extract %s[%at1] : tensor<32xf32>
      return %y, %z : f32, f32
    }
    """,
    least_copies=1,
)
def row_replaced_and_read_at_what_replaced_it() -> Example:
    t = np.arange(32, dtype="f4").reshape(1, 32)
    r = np.full((1, 32), 5, "f4")
    return [t, r, 3], [np.float32(5), np.float32(5)]


@program(
    """
    func.func @main(%rows: tensor<?x2xf64>, %at: tensor<?xindex>, %all: tensor<?xi1>,
                    %i: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %n = tensor.dim %at, %c0 : tensor<?xindex>
      %m = tensor.dim %rows, %c0 : tensor<?x2xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %rows) -> (tensor<?x2xf64>) {
        %j = tensor.extract %at[%k] : tensor<?xindex>
        %c = tensor.extract %all[%k] : tensor<?xi1>
        %row = tensor.extract_slice %s[%j, 0] [1, 2] [1, 1]
            : tensor<?x2xf64> to tensor<2xf64>
        %t = scf.if %c -> (tensor<?x2xf64>) {
          %u = scf.for %l = %c0 to %m step %c1 iter_args(%v = %s) -> (tensor<?x2xf64>) {
            %x = tensor.extract_slice %v[%l, 0] [1, 2] [1, 1]
                : tensor<?x2xf64> to tensor<2xf64>
            %y = linalg.add ins(%x, %row : tensor<2xf64>, tensor<2xf64>)
                outs(%x : tensor<2xf64>) -> tensor<2xf64>
            %w = tensor.insert_slice %y into %v[%l, 0] [1, 2] [1, 1]
                : tensor<2xf64> into tensor<?x2xf64>
            scf.yield %w : tensor<?x2xf64>
          }
          scf.yield %u : tensor<?x2xf64>
        } else {
          %u = tensor.insert %zero into %s[%j, %c0] : tensor<?x2xf64>
          scf.yield %u : tensor<?x2xf64>
        }
        scf.yield %t : tensor<?x2xf64>
      }
      %z = tensor.extract %r[%i, %c1] : tensor<?x2xf64>
      return %z : f64
    }
    """,
    least_copies=2,
)
def row_added_to_all_or_reset() -> Example:
    rows, at = random(4, 2, dtype="f8"), np.array([1, 0, 3, 2, 1])
    added = np.array([0, 1, 0, 0, 1], bool)
    expected = rows.copy()
    for j, is_added in zip(at, added, strict=True):
        if is_added:
            expected += expected[j].copy()
        else:
            expected[j, 0] = 0
    return [rows, at, added, 2], [expected[2, 1]]
