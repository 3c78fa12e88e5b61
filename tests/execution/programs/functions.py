"""Programs whose functions update what they are given, in loops and recursions.

They say with how many copies they can be executed. One is needed where the public
function @main returns the buffer of an argument: its caller gets a buffer that nobody
else has.
"""

from __future__ import annotations

import itertools

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func private @diagonals(%r: index, %c: index) -> (index, index) {
      %c7 = arith.constant 7 : index
      %c26 = arith.constant 26 : index
      %sum = arith.addi %r, %c : index
      %rising = arith.addi %sum, %c7 : index
      %base = arith.addi %c26, %r : index
      %falling = arith.subi %base, %c : index
      return %rising, %falling : index, index
    }

    func.func private @mark(%b: tensor<?xi1>, %r: index, %c: index, %v: i1)
        -> tensor<?xi1> {
      %rising, %falling = func.call @diagonals(%r, %c)
          : (index, index) -> (index, index)
      %0 = tensor.insert %v into %b[%c] : tensor<?xi1>
      %1 = tensor.insert %v into %0[%rising] : tensor<?xi1>
      %2 = tensor.insert %v into %1[%falling] : tensor<?xi1>
      return %2 : tensor<?xi1>
    }

    func.func private @is_free(%b: tensor<?xi1>, %r: index, %c: index) -> i1 {
      %true = arith.constant true
      %rising, %falling = func.call @diagonals(%r, %c)
          : (index, index) -> (index, index)
      %0 = tensor.extract %b[%c] : tensor<?xi1>
      %1 = tensor.extract %b[%rising] : tensor<?xi1>
      %2 = tensor.extract %b[%falling] : tensor<?xi1>
      %3 = arith.ori %0, %1 : i1
      %4 = arith.ori %3, %2 : i1
      %5 = arith.xori %4, %true : i1
      return %5 : i1
    }

    func.func private @place(%b: tensor<?xi1>, %r: index) -> (tensor<?xi1>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %true = arith.constant true
      %false = arith.constant false
      %done = arith.cmpi eq, %r, %c7 : index
      %all:2 = scf.if %done -> (tensor<?xi1>, i32) {
        scf.yield %b, %one : tensor<?xi1>, i32
      } else {
        %next = arith.addi %r, %c1 : index
        %found:2 = scf.for %c = %c0 to %c7 step %c1 iter_args(%u = %b, %n = %zero)
            -> (tensor<?xi1>, i32) {
          %ok = func.call @is_free(%u, %r, %c) : (tensor<?xi1>, index, index) -> i1
          %tried:2 = scf.if %ok -> (tensor<?xi1>, i32) {
            %0 = func.call @mark(%u, %r, %c, %true)
              : (tensor<?xi1>, index, index, i1) -> tensor<?xi1>
            %1:2 = func.call @place(%0, %next)
              : (tensor<?xi1>, index) -> (tensor<?xi1>, i32)
            %2 = func.call @mark(%1#0, %r, %c, %false)
              : (tensor<?xi1>, index, index, i1) -> tensor<?xi1>
            %m = arith.addi %n, %1#1 : i32
            scf.yield %2, %m : tensor<?xi1>, i32
          } else {
            scf.yield %u, %n : tensor<?xi1>, i32
          }
          scf.yield %tried#0, %tried#1 : tensor<?xi1>, i32
        }
        scf.yield %found#0, %found#1 : tensor<?xi1>, i32
      }
      return %all#0, %all#1 : tensor<?xi1>, i32
    }

    func.func @main(%size: index) -> i32 {
      %c0 = arith.constant 0 : index
      %false = arith.constant false
      %e = tensor.empty(%size) : tensor<?xi1>
      %b = linalg.fill ins(%false : i1) outs(%e : tensor<?xi1>) -> tensor<?xi1>
      %r:2 = call @place(%b, %c0) : (tensor<?xi1>, index) -> (tensor<?xi1>, i32)
      return %r#1 : i32
    }
    """,
    least_copies=0,
)
def seven_queens() -> Example:
    found = sum(
        len({r + c for r, c in enumerate(p)})
        == 7
        == len({r - c for r, c in enumerate(p)})
        for p in itertools.permutations(range(7))
    )
    return [40], [found]


@program(
    """
    func.func private @merge(%a: tensor<?xi32>, %t: tensor<?xi32>, %lo: index,
        %mid: index, %hi: index) -> (tensor<?xi32>, tensor<?xi32>) {
      %c1 = arith.constant 1 : index
      %m:3 = scf.for %k = %lo to %hi step %c1 iter_args(%u = %t, %i = %lo, %j = %mid)
          -> (tensor<?xi32>, index, index) {
        %left_done = arith.cmpi uge, %i, %mid : index
        %right_left = arith.cmpi ult, %j, %hi : index
        %last = arith.subi %hi, %c1 : index
        %jj = arith.minui %j, %last : index
        %ii = arith.minui %i, %last : index
        %x = tensor.extract %a[%ii] : tensor<?xi32>
        %y = tensor.extract %a[%jj] : tensor<?xi32>
        %smaller = arith.cmpi slt, %y, %x : i32
        %0 = arith.ori %smaller, %left_done : i1
        %right = arith.andi %0, %right_left : i1
        %v = arith.select %right, %y, %x : i32
        %w = tensor.insert %v into %u[%k] : tensor<?xi32>
        %i1 = arith.addi %i, %c1 : index
        %j1 = arith.addi %j, %c1 : index
        %in = arith.select %right, %i, %i1 : index
        %jn = arith.select %right, %j1, %j : index
        scf.yield %w, %in, %jn : tensor<?xi32>, index, index
      }
      %b = scf.for %k = %lo to %hi step %c1 iter_args(%u = %a) -> (tensor<?xi32>) {
        %v = tensor.extract %m#0[%k] : tensor<?xi32>
        %w = tensor.insert %v into %u[%k] : tensor<?xi32>
        scf.yield %w : tensor<?xi32>
      }
      return %b, %m#0 : tensor<?xi32>, tensor<?xi32>
    }

    func.func private @sort(%a: tensor<?xi32>, %t: tensor<?xi32>, %lo: index, %hi: index)
        -> (tensor<?xi32>, tensor<?xi32>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %size = arith.subi %hi, %lo : index
      %many = arith.cmpi ugt, %size, %c1 : index
      %r:2 = scf.if %many -> (tensor<?xi32>, tensor<?xi32>) {
        %sum = arith.addi %lo, %hi : index
        %mid = arith.divui %sum, %c2 : index
        %0:2 = func.call @sort(%a, %t, %lo, %mid)
          : (tensor<?xi32>, tensor<?xi32>, index, index)
          -> (tensor<?xi32>, tensor<?xi32>)
        %1:2 = func.call @sort(%0#0, %0#1, %mid, %hi)
          : (tensor<?xi32>, tensor<?xi32>, index, index)
          -> (tensor<?xi32>, tensor<?xi32>)
        %2:2 = func.call @merge(%1#0, %1#1, %lo, %mid, %hi)
          : (tensor<?xi32>, tensor<?xi32>, index, index, index)
          -> (tensor<?xi32>, tensor<?xi32>)
        scf.yield %2#0, %2#1 : tensor<?xi32>, tensor<?xi32>
      } else {
        scf.yield %a, %t : tensor<?xi32>, tensor<?xi32>
      }
      return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
    }

    func.func @main(%a: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xi32>
      %t = tensor.empty(%n) : tensor<?xi32>
      %r:2 = call @sort(%a, %t, %c0, %n)
        : (tensor<?xi32>, tensor<?xi32>, index, index) -> (tensor<?xi32>, tensor<?xi32>)
      return %r#0 : tensor<?xi32>
    }
    """,
    least_copies=1,
)
def recursive_merge_sort() -> Example:
    a = random(23, dtype="i4")
    return [a.copy()], [np.sort(a)]


@program(
    """
    func.func private @wht(%x: tensor<?xi32>, %lo: index, %n: index) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %one = arith.cmpi eq, %n, %c1 : index
      %r = scf.if %one -> (tensor<?xi32>) {
        scf.yield %x : tensor<?xi32>
      } else {
        %half = arith.divui %n, %c2 : index
        %mid = arith.addi %lo, %half : index
        %0 = func.call @wht(%x, %lo, %half)
          : (tensor<?xi32>, index, index) -> tensor<?xi32>
        %1 = func.call @wht(%0, %mid, %half)
          : (tensor<?xi32>, index, index) -> tensor<?xi32>
        %2 = scf.for %i = %c0 to %half step %c1 iter_args(%u = %1) -> (tensor<?xi32>) {
          %p = arith.addi %lo, %i : index
          %q = arith.addi %mid, %i : index
          %a = tensor.extract %u[%p] : tensor<?xi32>
          %b = tensor.extract %u[%q] : tensor<?xi32>
          %s = arith.addi %a, %b : i32
          %d = arith.subi %a, %b : i32
          %v = tensor.insert %s into %u[%p] : tensor<?xi32>
          %w = tensor.insert %d into %v[%q] : tensor<?xi32>
          scf.yield %w : tensor<?xi32>
        }
        scf.yield %2 : tensor<?xi32>
      }
      return %r : tensor<?xi32>
    }

    func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xi32>
      %r = call @wht(%x, %c0, %n) : (tensor<?xi32>, index, index) -> tensor<?xi32>
      return %r : tensor<?xi32>
    }
    """,
    least_copies=1,
)
def walsh_hadamard_transform() -> Example:
    x = random(16, dtype="i4")
    h = np.array([[1]])
    for _ in range(4):
        h = np.block([[h, h], [h, -h]])
    return [x.copy()], [(h @ x).astype("i4")]


@program(
    """
    func.func private @count(%t: tensor<16xi32>, %x: index) -> tensor<16xi32> {
      %c16 = arith.constant 16 : index
      %one = arith.constant 1 : i32
      %i = arith.remui %x, %c16 : index
      %a = tensor.extract %t[%i] : tensor<16xi32>
      %b = arith.addi %a, %one : i32
      %u = tensor.insert %b into %t[%i] : tensor<16xi32>
      return %u : tensor<16xi32>
    }

    func.func @main(%start: index) -> tensor<16xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %e = tensor.empty() : tensor<16xi32>
      %t = linalg.fill ins(%zero : i32) outs(%e : tensor<16xi32>) -> tensor<16xi32>
      %r:2 = scf.while (%u = %t, %x = %start)
          : (tensor<16xi32>, index) -> (tensor<16xi32>, index) {
        %more = arith.cmpi ne, %x, %c1 : index
        scf.condition(%more) %u, %x : tensor<16xi32>, index
      } do {
      ^bb0(%u: tensor<16xi32>, %x: index):
        %v = func.call @count(%u, %x) : (tensor<16xi32>, index) -> tensor<16xi32>
        %rest = arith.remui %x, %c2 : index
        %even = arith.cmpi eq, %rest, %c0 : index
        %half = arith.divui %x, %c2 : index
        %three = arith.muli %x, %c3 : index
        %odd = arith.addi %three, %c1 : index
        %y = arith.select %even, %half, %odd : index
        scf.yield %v, %y : tensor<16xi32>, index
      }
      return %r#0 : tensor<16xi32>
    }
    """,
    least_copies=0,
)
def collatz_histogram_by_a_function() -> Example:
    counts, x = np.zeros(16, "i4"), 27
    while x != 1:
        counts[x % 16] += 1
        x = 3 * x + 1 if x % 2 else x // 2
    return [27], [counts]


@program(
    """
    func.func private @step(%t: tensor<2xi64>) -> tensor<2xi64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = tensor.extract %t[%c0] : tensor<2xi64>
      %b = tensor.extract %t[%c1] : tensor<2xi64>
      %r = arith.remsi %a, %b : i64
      %u = tensor.insert %b into %t[%c0] : tensor<2xi64>
      %v = tensor.insert %r into %u[%c1] : tensor<2xi64>
      return %v : tensor<2xi64>
    }

    func.func @main(%t: tensor<2xi64>) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      cf.br ^loop(%t : tensor<2xi64>)
    ^loop(%u: tensor<2xi64>):
      %b = tensor.extract %u[%c1] : tensor<2xi64>
      %done = arith.cmpi eq, %b, %zero : i64
      cf.cond_br %done, ^end, ^body
    ^body:
      %v = call @step(%u) : (tensor<2xi64>) -> tensor<2xi64>
      cf.br ^loop(%v : tensor<2xi64>)
    ^end:
      %a = tensor.extract %u[%c0] : tensor<2xi64>
      return %a : i64
    }
    """,
    least_copies=0,
)
def greatest_common_divisor_by_a_function() -> Example:
    return [np.array([2 * 3 * 5 * 7 * 11, 3 * 7 * 13 * 17])], [21]


@program(
    """
    func.func private @row(%m: tensor<?x8xf32>, %i: index) -> tensor<8xf32> {
      %r = tensor.extract_slice %m[%i, 0] [1, 8] [1, 1]
        : tensor<?x8xf32> to tensor<8xf32>
      return %r : tensor<8xf32>
    }

    func.func @main(%m: tensor<?x8xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %m, %c0 : tensor<?x8xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %row = func.call @row(%m, %i) : (tensor<?x8xf32>, index) -> tensor<8xf32>
        %t = scf.for %j = %c0 to %c8 step %c1 iter_args(%u = %s) -> (f32) {
          %x = tensor.extract %row[%j] : tensor<8xf32>
          %v = arith.addf %u, %x : f32
          scf.yield %v : f32
        }
        scf.yield %t : f32
      }
      return %r : f32
    }
    """,
    least_copies=0,
)
def sum_of_rows_that_a_function_returns() -> Example:
    m = random(5, 8)
    return [m], [float(m.sum())]


@program(
    """
    func.func private @positive(%t: tensor<?xf32>, %want: i1) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %t, %c0 : tensor<?xf32>
      %r = scf.if %want -> (tensor<?xf32>) {
        %zero = arith.constant 0.0 : f32
        %new = tensor.generate %n {
        ^bb0(%i: index):
          %x = tensor.extract %t[%i] : tensor<?xf32>
          %y = arith.maximumf %x, %zero : f32
          tensor.yield %y : f32
        } : tensor<?xf32>
        scf.yield %new : tensor<?xf32>
      } else {
        scf.yield %t : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }

    func.func @main(%t: tensor<?xf32>, %a: i1, %b: i1, %i: index) -> f32 {
      %0 = call @positive(%t, %a) : (tensor<?xf32>, i1) -> tensor<?xf32>
      %1 = call @positive(%0, %b) : (tensor<?xf32>, i1) -> tensor<?xf32>
      %2 = call @positive(%1, %a) : (tensor<?xf32>, i1) -> tensor<?xf32>
      %x = tensor.extract %2[%i] : tensor<?xf32>
      return %x : f32
    }
    """,
    least_copies=0,
)
def new_or_given_three_times() -> Example:
    t = np.array([-1, -2, 3], "f")
    return [t, False, True, 1], [0.0]


@program(
    """
    func.func private @even(%t: tensor<?xi32>, %n: index) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %done = arith.cmpi eq, %n, %c0 : index
      cf.cond_br %done, ^end(%t : tensor<?xi32>), ^more
    ^more:
      %m = arith.subi %n, %c1 : index
      %r = call @odd(%t, %m) : (tensor<?xi32>, index) -> tensor<?xi32>
      %x = arith.index_cast %n : index to i32
      %s = tensor.insert %x into %r[%m] : tensor<?xi32>
      cf.br ^end(%s : tensor<?xi32>)
    ^end(%u: tensor<?xi32>):
      return %u : tensor<?xi32>
    }

    func.func private @odd(%t: tensor<?xi32>, %n: index) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %done = arith.cmpi eq, %n, %c0 : index
      %r = scf.if %done -> (tensor<?xi32>) {
        scf.yield %t : tensor<?xi32>
      } else {
        %m = arith.subi %n, %c1 : index
        %s = tensor.insert %zero into %t[%m] : tensor<?xi32>
        %u = func.call @even(%s, %m) : (tensor<?xi32>, index) -> tensor<?xi32>
        scf.yield %u : tensor<?xi32>
      }
      return %r : tensor<?xi32>
    }

    func.func @main(%t: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %t, %c0 : tensor<?xi32>
      %r = call @even(%t, %n) : (tensor<?xi32>, index) -> tensor<?xi32>
      return %r : tensor<?xi32>
    }
    """,
    least_copies=1,
)
def functions_that_call_each_other() -> Example:
    t = np.zeros(9, "i4")
    t[:] = [n if (9 - n) % 2 == 0 else 0 for n in range(1, 10)]
    return [np.full(9, -1, "i4")], [t]


@program(
    """
    func.func private @table(%n: index, %memo: tensor<?xi64>)
        -> (i64, tensor<?xi64>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i64
      %known = tensor.extract %memo[%n] : tensor<?xi64>
      %is_known = arith.cmpi ne, %known, %zero : i64
      %r:2 = scf.if %is_known -> (i64, tensor<?xi64>) {
        scf.yield %known, %memo : i64, tensor<?xi64>
      } else {
        %a = arith.subi %n, %c1 : index
        %b = arith.subi %n, %c2 : index
        %x:2 = func.call @table(%a, %memo) : (index, tensor<?xi64>)
          -> (i64, tensor<?xi64>)
        %y:2 = func.call @table(%b, %x#1) : (index, tensor<?xi64>)
          -> (i64, tensor<?xi64>)
        %s = arith.addi %x#0, %y#0 : i64
        %m = tensor.insert %s into %y#1[%n] : tensor<?xi64>
        scf.yield %s, %m : i64, tensor<?xi64>
      }
      return %r#0, %r#1 : i64, tensor<?xi64>
    }

    func.func @main(%n: index) -> (i64, tensor<?xi64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %size = arith.addi %n, %c1 : index
      %e = tensor.empty(%size) : tensor<?xi64>
      %f = linalg.fill ins(%zero : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
      %g = tensor.insert %one into %f[%c0] : tensor<?xi64>
      %h = tensor.insert %one into %g[%c1] : tensor<?xi64>
      %r:2 = call @table(%n, %h) : (index, tensor<?xi64>) -> (i64, tensor<?xi64>)
      return %r#0, %r#1 : i64, tensor<?xi64>
    }
    """,
    least_copies=0,
)
def fibonacci_with_a_table() -> Example:
    table = [1, 1]
    while len(table) < 31:
        table.append(table[-1] + table[-2])
    return [30], [table[30], np.array(table)]


@program(
    """
    func.func private @build(%n: index) -> tensor<?xindex> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %none = arith.cmpi eq, %n, %c0 : index
      %r = scf.if %none -> (tensor<?xindex>) {
        %e = tensor.empty(%c1) : tensor<?xindex>
        %f = tensor.insert %c1 into %e[%c0] : tensor<?xindex>
        scf.yield %f : tensor<?xindex>
      } else {
        %m = arith.subi %n, %c1 : index
        %above = func.call @build(%m) : (index) -> tensor<?xindex>
        %size = arith.addi %n, %c1 : index
        %row = tensor.generate %size {
        ^bb0(%i: index):
          %first = arith.cmpi eq, %i, %c0 : index
          %last = arith.cmpi eq, %i, %n : index
          %edge = arith.ori %first, %last : i1
          %x = scf.if %edge -> (index) {
            scf.yield %c1 : index
          } else {
            %j = arith.subi %i, %c1 : index
            %a = tensor.extract %above[%j] : tensor<?xindex>
            %b = tensor.extract %above[%i] : tensor<?xindex>
            %s = arith.addi %a, %b : index
            scf.yield %s : index
          }
          tensor.yield %x : index
        } : tensor<?xindex>
        scf.yield %row : tensor<?xindex>
      }
      return %r : tensor<?xindex>
    }

    func.func @main(%n: index) -> tensor<?xindex> {
      %r = call @build(%n) : (index) -> tensor<?xindex>
      return %r : tensor<?xindex>
    }
    """,
    least_copies=0,
)
def pascals_triangle_row_by_row() -> Example:
    return [6], [np.array([1, 6, 15, 20, 15, 6, 1])]


@program(
    """
    func.func private @sift(%h: tensor<?xi32>, %root: index, %n: index)
        -> tensor<?xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r:2 = scf.while (%u = %h, %i = %root)
          : (tensor<?xi32>, index) -> (tensor<?xi32>, index) {
        %double = arith.muli %i, %c2 : index
        %child = arith.addi %double, %c1 : index
        %inside = arith.cmpi ult, %child, %n : index
        scf.condition(%inside) %u, %i : tensor<?xi32>, index
      } do {
      ^bb0(%u: tensor<?xi32>, %i: index):
        %double = arith.muli %i, %c2 : index
        %left = arith.addi %double, %c1 : index
        %right = arith.addi %double, %c2 : index
        %last = arith.subi %n, %c1 : index
        %other = arith.minui %right, %last : index
        %a = tensor.extract %u[%left] : tensor<?xi32>
        %b = tensor.extract %u[%other] : tensor<?xi32>
        %is_right = arith.cmpi sgt, %b, %a : i32
        %child = arith.select %is_right, %other, %left : index
        %x = tensor.extract %u[%i] : tensor<?xi32>
        %y = tensor.extract %u[%child] : tensor<?xi32>
        %down = arith.cmpi slt, %x, %y : i32
        %s = scf.if %down -> (tensor<?xi32>) {
          %v = func.call @exchange(%u, %i, %child)
            : (tensor<?xi32>, index, index) -> tensor<?xi32>
          scf.yield %v : tensor<?xi32>
        } else {
          scf.yield %u : tensor<?xi32>
        }
        %next = arith.select %down, %child, %n : index
        scf.yield %s, %next : tensor<?xi32>, index
      }
      return %r#0 : tensor<?xi32>
    }

    func.func private @exchange(%t: tensor<?xi32>, %i: index, %j: index)
        -> tensor<?xi32> {
      %a = tensor.extract %t[%i] : tensor<?xi32>
      %b = tensor.extract %t[%j] : tensor<?xi32>
      %u = tensor.insert %b into %t[%i] : tensor<?xi32>
      %v = tensor.insert %a into %u[%j] : tensor<?xi32>
      return %v : tensor<?xi32>
    }

    func.func @main(%t: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xi32>
      %heap = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<?xi32>) {
        %k = arith.subi %n, %i : index
        %root = arith.subi %k, %c1 : index
        %v = func.call @sift(%u, %root, %n)
          : (tensor<?xi32>, index, index) -> tensor<?xi32>
        scf.yield %v : tensor<?xi32>
      }
      %sorted = scf.for %i = %c1 to %n step %c1 iter_args(%u = %heap)
          -> (tensor<?xi32>) {
        %k = arith.subi %n, %i : index
        %v = func.call @exchange(%u, %c0, %k)
          : (tensor<?xi32>, index, index) -> tensor<?xi32>
        %w = func.call @sift(%v, %c0, %k)
          : (tensor<?xi32>, index, index) -> tensor<?xi32>
        scf.yield %w : tensor<?xi32>
      }
      return %sorted : tensor<?xi32>
    }
    """,
    least_copies=1,
)
def heap_sort() -> Example:
    t = random(17, dtype="i4")
    return [t.copy()], [np.sort(t)]


@program(
    """
    func.func private @find(%parent: tensor<?xindex>, %x: index)
        -> (index, tensor<?xindex>) {
      %p = tensor.extract %parent[%x] : tensor<?xindex>
      %is_root = arith.cmpi eq, %p, %x : index
      %r:2 = scf.if %is_root -> (index, tensor<?xindex>) {
        scf.yield %x, %parent : index, tensor<?xindex>
      } else {
        %0:2 = func.call @find(%parent, %p)
          : (tensor<?xindex>, index) -> (index, tensor<?xindex>)
        %1 = tensor.insert %0#0 into %0#1[%x] : tensor<?xindex>
        scf.yield %0#0, %1 : index, tensor<?xindex>
      }
      return %r#0, %r#1 : index, tensor<?xindex>
    }

    func.func private @unite(%parent: tensor<?xindex>, %x: index, %y: index)
        -> tensor<?xindex> {
      %a:2 = call @find(%parent, %x)
        : (tensor<?xindex>, index) -> (index, tensor<?xindex>)
      %b:2 = call @find(%a#1, %y)
        : (tensor<?xindex>, index) -> (index, tensor<?xindex>)
      %r = tensor.insert %a#0 into %b#1[%b#0] : tensor<?xindex>
      return %r : tensor<?xindex>
    }

    func.func @main(%n: index, %edges: tensor<?x2xindex>) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %edges, %c0 : tensor<?x2xindex>
      %start = tensor.generate %n {
      ^bb0(%i: index):
        tensor.yield %i : index
      } : tensor<?xindex>
      %joined = scf.for %i = %c0 to %m step %c1 iter_args(%u = %start)
          -> (tensor<?xindex>) {
        %x = tensor.extract %edges[%i, %c0] : tensor<?x2xindex>
        %y = tensor.extract %edges[%i, %c1] : tensor<?x2xindex>
        %v = func.call @unite(%u, %x, %y)
          : (tensor<?xindex>, index, index) -> tensor<?xindex>
        scf.yield %v : tensor<?xindex>
      }
      %roots = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
        %p = tensor.extract %joined[%i] : tensor<?xindex>
        %is_root = arith.cmpi eq, %p, %i : index
        %one = arith.select %is_root, %c1, %c0 : index
        %next = arith.addi %k, %one : index
        scf.yield %next : index
      }
      return %roots : index
    }
    """,
    least_copies=0,
)
def connected_components() -> Example:
    edges = np.array([[0, 1], [2, 3], [1, 3], [5, 6], [0, 2]])
    return [8, edges], [4]


@program(
    """
    func.func private @strike(%s: tensor<?xi1>, %p: index) -> tensor<?xi1> {
      %c0 = arith.constant 0 : index
      %false = arith.constant false
      %n = tensor.dim %s, %c0 : tensor<?xi1>
      %first = arith.muli %p, %p : index
      %r = scf.for %i = %first to %n step %p iter_args(%u = %s) -> (tensor<?xi1>) {
        %v = tensor.insert %false into %u[%i] : tensor<?xi1>
        scf.yield %v : tensor<?xi1>
      }
      return %r : tensor<?xi1>
    }

    func.func @main(%n: index) -> tensor<?xi1> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %true = arith.constant true
      %false = arith.constant false
      %e = tensor.empty(%n) : tensor<?xi1>
      %f = linalg.fill ins(%true : i1) outs(%e : tensor<?xi1>) -> tensor<?xi1>
      %g = tensor.insert %false into %f[%c0] : tensor<?xi1>
      %h = tensor.insert %false into %g[%c1] : tensor<?xi1>
      %r = scf.for %p = %c2 to %n step %c1 iter_args(%s = %h) -> (tensor<?xi1>) {
        %prime = tensor.extract %s[%p] : tensor<?xi1>
        %t = scf.if %prime -> (tensor<?xi1>) {
          %u = func.call @strike(%s, %p) : (tensor<?xi1>, index) -> tensor<?xi1>
          scf.yield %u : tensor<?xi1>
        } else {
          scf.yield %s : tensor<?xi1>
        }
        scf.yield %t : tensor<?xi1>
      }
      return %r : tensor<?xi1>
    }
    """,
    least_copies=0,
)
def sieve_by_a_function() -> Example:
    primes = [n > 1 and all(n % d for d in range(2, n)) for n in range(40)]
    return [40], [np.array(primes)]


@program(
    """
    func.func private @act(%t: tensor<?xi32>, %op: i32, %i: index) -> tensor<?xi32> {
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %case = arith.index_cast %op : i32 to index
      %r = scf.index_switch %case -> tensor<?xi32>
      case 0 {
        %a = tensor.insert %zero into %t[%i] : tensor<?xi32>
        scf.yield %a : tensor<?xi32>
      }
      case 1 {
        %x = tensor.extract %t[%i] : tensor<?xi32>
        %y = arith.addi %x, %one : i32
        %b = tensor.insert %y into %t[%i] : tensor<?xi32>
        scf.yield %b : tensor<?xi32>
      }
      default {
        scf.yield %t : tensor<?xi32>
      }
      return %r : tensor<?xi32>
    }

    func.func @main(%t: tensor<?xi32>, %ops: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xi32>
      %m = tensor.dim %ops, %c0 : tensor<?xi32>
      %r = scf.for %k = %c0 to %m step %c1 iter_args(%u = %t) -> (tensor<?xi32>) {
        %op = tensor.extract %ops[%k] : tensor<?xi32>
        %i = arith.remui %k, %n : index
        %v = func.call @act(%u, %op, %i) : (tensor<?xi32>, i32, index) -> tensor<?xi32>
        scf.yield %v : tensor<?xi32>
      }
      return %r : tensor<?xi32>
    }
    """,
    least_copies=1,
)
def clear_or_increment() -> Example:
    t, ops = np.array([5, 6, 7], "i4"), np.array([0, 1, 2, 1, 1, 0, 1], "i4")
    u = t.copy()
    for k, op in enumerate(ops):
        u[k % 3] = {0: 0, 1: u[k % 3] + 1, 2: u[k % 3]}[int(op)]
    return [t, ops], [u]


@program(
    """
    func.func private @either(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>)
        -> tensor<?xf32> {
      %r = scf.if %c -> (tensor<?xf32>) {
        scf.yield %a : tensor<?xf32>
      } else {
        scf.yield %b : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }

    func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %x = tensor.extract %a[%i] : tensor<?xf32>
        %y = tensor.extract %b[%i] : tensor<?xf32>
        %c = arith.cmpf ogt, %x, %y : f32
        %t = func.call @either(%c, %a, %b)
          : (i1, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        %z = tensor.extract %t[%i] : tensor<?xf32>
        %u = arith.addf %s, %z : f32
        scf.yield %u : f32
      }
      return %r : f32
    }
    """,
    least_copies=0,
)
def sum_of_the_larger_ones() -> Example:
    a, b = random(9), random(9, seed=1)
    return [a, b], [float(np.maximum(a, b).sum())]


@program(
    """
    func.func private @both(%t: tensor<?xf32>, %x: f32)
        -> (tensor<?xf32>, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %t, %c0 : tensor<?xf32>
      %new = tensor.generate %n {
      ^bb0(%i: index):
        %a = tensor.extract %t[%i] : tensor<?xf32>
        %b = arith.mulf %a, %x : f32
        tensor.yield %b : f32
      } : tensor<?xf32>
      %old = tensor.insert %x into %t[%c0] : tensor<?xf32>
      return %old, %new : tensor<?xf32>, tensor<?xf32>
    }

    func.func @main(%t: tensor<?xf32>, %x: f32) -> (f32, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %0:2 = call @both(%t, %x)
        : (tensor<?xf32>, f32) -> (tensor<?xf32>, tensor<?xf32>)
      %1:2 = call @both(%0#1, %x)
        : (tensor<?xf32>, f32) -> (tensor<?xf32>, tensor<?xf32>)
      %y = tensor.extract %0#0[%c0] : tensor<?xf32>
      %z = tensor.extract %1#0[%c0] : tensor<?xf32>
      %s = arith.addf %y, %z : f32
      return %s, %1#1 : f32, tensor<?xf32>
    }
    """,
    least_copies=0,
)
def the_argument_and_a_new_one() -> Example:
    t = random(6)
    return [t.copy(), 2.0], [4.0, 4 * t]


@program(
    """
    func.func private @set(%m: tensor<?x?xindex>, %i: index, %j: index)
        -> tensor<?x?xindex> {
      %x = arith.muli %i, %j : index
      %r = tensor.insert %x into %m[%i, %j] : tensor<?x?xindex>
      return %r : tensor<?x?xindex>
    }

    func.func private @row(%m: tensor<?x?xindex>, %i: index) -> tensor<?x?xindex> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %m, %c1 : tensor<?x?xindex>
      %r = scf.for %j = %c0 to %n step %c1 iter_args(%u = %m) -> (tensor<?x?xindex>) {
        %v = func.call @set(%u, %i, %j)
          : (tensor<?x?xindex>, index, index) -> tensor<?x?xindex>
        scf.yield %v : tensor<?x?xindex>
      }
      return %r : tensor<?x?xindex>
    }

    func.func @main(%n: index, %m: index) -> tensor<?x?xindex> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty(%n, %m) : tensor<?x?xindex>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %e) -> (tensor<?x?xindex>) {
        %v = func.call @row(%u, %i) : (tensor<?x?xindex>, index) -> tensor<?x?xindex>
        scf.yield %v : tensor<?x?xindex>
      }
      return %r : tensor<?x?xindex>
    }
    """,
    least_copies=0,
)
def multiplication_table() -> Example:
    return [4, 7], [np.outer(np.arange(4), np.arange(7))]


@program(
    """
    func.func private @exchange(%a: tensor<?xf32>, %b: tensor<?xf32>)
        -> (tensor<?xf32>, tensor<?xf32>) {
      return %b, %a : tensor<?xf32>, tensor<?xf32>
    }

    func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %i: index, %x: f32)
        -> (f32, f32) {
      %0:2 = call @exchange(%a, %b)
        : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      %1 = tensor.insert %x into %0#0[%i] : tensor<?xf32>
      %2:2 = call @exchange(%1, %0#1)
        : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      %y = tensor.extract %2#0[%i] : tensor<?xf32>
      %z = tensor.extract %2#1[%i] : tensor<?xf32>
      return %y, %z : f32, f32
    }
    """,
    least_copies=0,
)
def exchanged_and_exchanged_back() -> Example:
    a, b = random(4), random(4, seed=1)
    return [a.copy(), b.copy(), 2, 9.0], [float(a[2]), 9.0]


@program(
    """
    func.func private @digits(%t: tensor<?xi32>, %k: index, %n: i32)
        -> (tensor<?xi32>, index) {
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %ten = arith.constant 10 : i32
      %more = arith.cmpi ne, %n, %zero : i32
      %r:2 = scf.if %more -> (tensor<?xi32>, index) {
        %rest = arith.divui %n, %ten : i32
        %0:2 = func.call @digits(%t, %k, %rest)
          : (tensor<?xi32>, index, i32) -> (tensor<?xi32>, index)
        %digit = arith.remui %n, %ten : i32
        %1 = tensor.insert %digit into %0#0[%0#1] : tensor<?xi32>
        %next = arith.addi %0#1, %c1 : index
        scf.yield %1, %next : tensor<?xi32>, index
      } else {
        scf.yield %t, %k : tensor<?xi32>, index
      }
      return %r#0, %r#1 : tensor<?xi32>, index
    }

    func.func @main(%size: index, %n: i32) -> (tensor<?xi32>, index) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %e = tensor.empty(%size) : tensor<?xi32>
      %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
      %r:2 = call @digits(%f, %c0, %n)
        : (tensor<?xi32>, index, i32) -> (tensor<?xi32>, index)
      return %r#0, %r#1 : tensor<?xi32>, index
    }
    """,
    least_copies=0,
)
def digits_from_the_first_to_the_last() -> Example:
    return [6, 90125], [np.array([9, 0, 1, 2, 5, 0], "i4"), 5]


@program(
    """
    func.func private @level(%t: tensor<?xf32>, %i: index) -> tensor<?xf32> {
      %c1 = arith.constant 1 : index
      %half = arith.constant 0.5 : f32
      %j = arith.addi %i, %c1 : index
      %a = tensor.extract %t[%i] : tensor<?xf32>
      %b = tensor.extract %t[%j] : tensor<?xf32>
      %s = arith.addf %a, %b : f32
      %m = arith.mulf %s, %half : f32
      %u = tensor.insert %m into %t[%i] : tensor<?xf32>
      %v = tensor.insert %m into %u[%j] : tensor<?xf32>
      return %v : tensor<?xf32>
    }

    func.func @main(%t: tensor<?xf32>, %limit: f32) -> (tensor<?xf32>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xf32>
      %last = arith.subi %n, %c1 : index
      %r:2 = scf.while (%u = %t, %k = %c0)
          : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
        %a = tensor.extract %u[%c0] : tensor<?xf32>
        %b = tensor.extract %u[%last] : tensor<?xf32>
        %d = arith.subf %a, %b : f32
        %steep = arith.cmpf ogt, %d, %limit : f32
        scf.condition(%steep) %u, %k : tensor<?xf32>, index
      } do {
      ^bb0(%u: tensor<?xf32>, %k: index):
        %v = scf.for %i = %c0 to %last step %c1 iter_args(%w = %u) -> (tensor<?xf32>) {
          %x = func.call @level(%w, %i) : (tensor<?xf32>, index) -> tensor<?xf32>
          scf.yield %x : tensor<?xf32>
        }
        %next = arith.addi %k, %c1 : index
        scf.yield %v, %next : tensor<?xf32>, index
      }
      return %r#0, %r#1 : tensor<?xf32>, index
    }
    """,
    least_copies=1,
)
def levelled_until_it_is_flat() -> Example:
    t = np.array([8, 4, 2, 1], "f")
    u, steps = t.copy(), 0
    while u[0] - u[-1] > 0.5:
        for i in range(3):
            u[i : i + 2] = (u[i] + u[i + 1]) / 2
        steps += 1
    return [t, 0.5], [u, steps]
