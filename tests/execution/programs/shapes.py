"""Sizes that are known only at run time, functions, and control flow between blocks."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %ab = tensor.concat dim(0) %a, %b, %a
        : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
      return %ab : tensor<?x3xf32>
    }
    """,
    # Each part.
    least_copies=3,
)
def concatenation() -> Example:
    a, b = random(2, 3), random(4, 3)
    return [a, b], [np.concatenate([a, b, a])]


@program(
    """
    func.func @main(%t: tensor<?xf64>, %limit: f64) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %e, %k = %c0)
          -> (tensor<?xf64>, index) {
        %x = tensor.extract %t[%i] : tensor<?xf64>
        %keep = arith.cmpf ogt, %x, %limit : f64
        %s:2 = scf.if %keep -> (tensor<?xf64>, index) {
          %v = tensor.insert %x into %u[%k] : tensor<?xf64>
          %k1 = arith.addi %k, %c1 : index
          scf.yield %v, %k1 : tensor<?xf64>, index
        } else {
          scf.yield %u, %k : tensor<?xf64>, index
        }
        scf.yield %s#0, %s#1 : tensor<?xf64>, index
      }
      %kept = tensor.extract_slice %r#0[0] [%r#1] [1] : tensor<?xf64> to tensor<?xf64>
      return %kept : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def selection_of_unknown_size() -> Example:
    t = random(30, dtype="f8")
    return [t, 0.2], [t[t > 0.2]]


@program(
    """
    func.func @main(%t: tensor<?x6xi32>) -> (tensor<?x3x2xi32>, tensor<?xi32>) {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %t, %c0 : tensor<?x6xi32>
      %a = tensor.expand_shape %t [[0], [1, 2]] output_shape [%n, 3, 2]
        : tensor<?x6xi32> into tensor<?x3x2xi32>
      %e = tensor.empty(%n) : tensor<2x?x3xi32>
      %p = linalg.transpose ins(%a : tensor<?x3x2xi32>) outs(%e : tensor<2x?x3xi32>)
        permutation = [2, 0, 1]
      %flat = tensor.collapse_shape %p [[0, 1, 2]] : tensor<2x?x3xi32> into tensor<?xi32>
      return %a, %flat : tensor<?x3x2xi32>, tensor<?xi32>
    }
    """,
    # The argument is returned.
    least_copies=1,
)
def reshapes() -> Example:
    t = random(4, 6, dtype="i4")
    a = t.reshape(4, 3, 2)
    return [t], [a, a.transpose(2, 0, 1).reshape(-1)]


@program(
    """
    func.func @main(%n: index) -> tensor<?xindex> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %true = arith.constant true
      %false = arith.constant false
      %all = tensor.empty(%n) : tensor<?xi1>
      %start = linalg.fill ins(%true : i1) outs(%all : tensor<?xi1>) -> tensor<?xi1>
      %sieve = scf.for %i = %c2 to %n step %c1 iter_args(%s = %start) -> (tensor<?xi1>) {
        %prime = tensor.extract %s[%i] : tensor<?xi1>
        %t = scf.if %prime -> (tensor<?xi1>) {
          %square = arith.muli %i, %i : index
          %u = scf.for %j = %square to %n step %i iter_args(%v = %s) -> (tensor<?xi1>) {
            %w = tensor.insert %false into %v[%j] : tensor<?xi1>
            scf.yield %w : tensor<?xi1>
          }
          scf.yield %u : tensor<?xi1>
        } else {
          scf.yield %s : tensor<?xi1>
        }
        scf.yield %t : tensor<?xi1>
      }
      %count = scf.for %i = %c2 to %n step %c1 iter_args(%k = %c0) -> (index) {
        %prime = tensor.extract %sieve[%i] : tensor<?xi1>
        %one = arith.index_castui %prime : i1 to index
        %k1 = arith.addi %k, %one : index
        scf.yield %k1 : index
      }
      %e = tensor.empty(%count) : tensor<?xindex>
      %r:2 = scf.for %i = %c2 to %n step %c1 iter_args(%u = %e, %k = %c0)
          -> (tensor<?xindex>, index) {
        %prime = tensor.extract %sieve[%i] : tensor<?xi1>
        %s:2 = scf.if %prime -> (tensor<?xindex>, index) {
          %v = tensor.insert %i into %u[%k] : tensor<?xindex>
          %k1 = arith.addi %k, %c1 : index
          scf.yield %v, %k1 : tensor<?xindex>, index
        } else {
          scf.yield %u, %k : tensor<?xindex>, index
        }
        scf.yield %s#0, %s#1 : tensor<?xindex>, index
      }
      return %r#0 : tensor<?xindex>
    }
    """,
    least_copies=0,
)
def sieve() -> Example:
    return [50], [np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47])]


@program(
    """
    func.func @main(%t: tensor<?xi16>) -> (tensor<?xi16>, tensor<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xi16>
      %ev = tensor.empty(%n) : tensor<?xi16>
      %el = tensor.empty(%n) : tensor<?xindex>
      %r:4 = scf.while (%i = %c0, %k = %c0, %v = %ev, %l = %el)
          : (index, index, tensor<?xi16>, tensor<?xindex>)
          -> (index, index, tensor<?xi16>, tensor<?xindex>) {
        %go = arith.cmpi ult, %i, %n : index
        scf.condition(%go) %i, %k, %v, %l : index, index, tensor<?xi16>, tensor<?xindex>
      } do {
      ^bb0(%i: index, %k: index, %v: tensor<?xi16>, %l: tensor<?xindex>):
        %x = tensor.extract %t[%i] : tensor<?xi16>
        %end = scf.while (%j = %i) : (index) -> (index) {
          %inside = arith.cmpi ult, %j, %n : index
          %same = scf.if %inside -> (i1) {
            %y = tensor.extract %t[%j] : tensor<?xi16>
            %eq = arith.cmpi eq, %x, %y : i16
            scf.yield %eq : i1
          } else {
            scf.yield %inside : i1
          }
          scf.condition(%same) %j : index
        } do {
        ^bb0(%j: index):
          %j1 = arith.addi %j, %c1 : index
          scf.yield %j1 : index
        }
        %run = arith.subi %end, %i : index
        %v1 = tensor.insert %x into %v[%k] : tensor<?xi16>
        %l1 = tensor.insert %run into %l[%k] : tensor<?xindex>
        %k1 = arith.addi %k, %c1 : index
        scf.yield %end, %k1, %v1, %l1 : index, index, tensor<?xi16>, tensor<?xindex>
      }
      %values = tensor.extract_slice %r#2[0] [%r#1] [1] : tensor<?xi16> to tensor<?xi16>
      %runs = tensor.extract_slice %r#3[0] [%r#1] [1] : tensor<?xindex> to tensor<?xindex>
      return %values, %runs : tensor<?xi16>, tensor<?xindex>
    }
    """,
    least_copies=0,
)
def run_lengths() -> Example:
    values, runs = np.array([5, -2, 5, 7], "i2"), np.array([3, 1, 4, 2])
    return [np.repeat(values, runs)], [values, runs]


@program(
    """
    func.func @main(%a: tensor<*xf32>, %sizes: tensor<2xindex>) -> tensor<?x?xf32> {
      %r = tensor.reshape %a(%sizes) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
      %two = arith.constant 2.0 : f32
      %y = linalg.map ins(%r : tensor<?x?xf32>) outs(%r : tensor<?x?xf32>)
        (%in: f32, %out: f32) {
          %z = arith.mulf %in, %two : f32
          linalg.yield %z : f32
        }
      return %y : tensor<?x?xf32>
    }
    """,
    least_copies=0,
)
def reshape_of_any_rank() -> Example:
    a = random(3, 4, 2)
    return [a, np.array([6, 4])], [2 * a.reshape(6, 4)]


# Functions that pass tensors


@program(
    """
    func.func private @swap(%a: tensor<?xi32>, %b: tensor<?xi32>)
        -> (tensor<?xi32>, tensor<?xi32>) {
      return %b, %a : tensor<?xi32>, tensor<?xi32>
    }
    func.func private @add_to_first(%a: tensor<?xi32>, %x: i32) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %old = tensor.extract %a[%c0] : tensor<?xi32>
      %new = arith.addi %old, %x : i32
      %r = tensor.insert %new into %a[%c0] : tensor<?xi32>
      return %r : tensor<?xi32>
    }
    func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>, %n: index)
        -> (tensor<?xi32>, tensor<?xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ten = arith.constant 10 : i32
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b)
          -> (tensor<?xi32>, tensor<?xi32>) {
        %w = func.call @add_to_first(%u, %ten) : (tensor<?xi32>, i32) -> tensor<?xi32>
        %s:2 = func.call @swap(%w, %v) : (tensor<?xi32>, tensor<?xi32>)
          -> (tensor<?xi32>, tensor<?xi32>)
        scf.yield %s#0, %s#1 : tensor<?xi32>, tensor<?xi32>
      }
      return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
    }
    """,
    # Both arguments are updated and returned.
    least_copies=2,
)
def functions_that_swap_and_update() -> Example:
    a, b = random(3, dtype="i4"), random(3, dtype="i4", seed=1)
    first, second = a.copy(), b.copy()
    for _ in range(5):
        first[0] += 10
        first, second = second, first
    return [a, b, 5], [first, second]


@program(
    """
    func.func private @new(%n: index, %x: f64) -> tensor<?xf64> {
      %t = tensor.splat %x[%n] : tensor<?xf64>
      return %t : tensor<?xf64>
    }
    func.func private @either(%c: i1, %a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
      %seven = arith.constant 7.0 : f64
      %r = scf.if %c -> (tensor<?xf64>) {
        %b = func.call @new(%n, %seven) : (index, f64) -> tensor<?xf64>
        scf.yield %b : tensor<?xf64>
      } else {
        scf.yield %a : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    func.func @main(%a: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
      %true = arith.constant true
      %false = arith.constant false
      %x = call @either(%true, %a, %n) : (i1, tensor<?xf64>, index) -> tensor<?xf64>
      %y = call @either(%false, %a, %n) : (i1, tensor<?xf64>, index) -> tensor<?xf64>
      return %x, %y : tensor<?xf64>, tensor<?xf64>
    }
    """,
    # The argument is returned.
    least_copies=1,
)
def function_that_returns_a_new_or_the_given_tensor() -> Example:
    a = random(4, dtype="f8")
    return [a, 3], [np.full(3, 7.0), a]


@program(
    """
    func.func private @power(%a: tensor<3x3xf64>, %n: index) -> tensor<3x3xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant dense<0.0> : tensor<3x3xf64>
      %one = arith.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]>
        : tensor<3x3xf64>
      %r:3 = scf.while (%k = %n, %b = %a, %p = %one)
          : (index, tensor<3x3xf64>, tensor<3x3xf64>)
          -> (index, tensor<3x3xf64>, tensor<3x3xf64>) {
        %go = arith.cmpi ugt, %k, %c0 : index
        scf.condition(%go) %k, %b, %p : index, tensor<3x3xf64>, tensor<3x3xf64>
      } do {
      ^bb0(%k: index, %b: tensor<3x3xf64>, %p: tensor<3x3xf64>):
        %bit = arith.andi %k, %c1 : index
        %odd = arith.cmpi eq, %bit, %c1 : index
        %q = scf.if %odd -> (tensor<3x3xf64>) {
          %pb = linalg.matmul ins(%p, %b : tensor<3x3xf64>, tensor<3x3xf64>)
            outs(%zero : tensor<3x3xf64>) -> tensor<3x3xf64>
          scf.yield %pb : tensor<3x3xf64>
        } else {
          scf.yield %p : tensor<3x3xf64>
        }
        %bb = linalg.matmul ins(%b, %b : tensor<3x3xf64>, tensor<3x3xf64>)
          outs(%zero : tensor<3x3xf64>) -> tensor<3x3xf64>
        %half = arith.shrui %k, %c1 : index
        scf.yield %half, %bb, %q : index, tensor<3x3xf64>, tensor<3x3xf64>
      }
      return %r#2 : tensor<3x3xf64>
    }
    func.func @main(%a: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>) {
      %c5 = arith.constant 5 : index
      %c12 = arith.constant 12 : index
      %x = call @power(%a, %c5) : (tensor<3x3xf64>, index) -> tensor<3x3xf64>
      %y = call @power(%a, %c12) : (tensor<3x3xf64>, index) -> tensor<3x3xf64>
      return %x, %y : tensor<3x3xf64>, tensor<3x3xf64>
    }
    """,
    # The constant in each of two calls, which may return it.
    least_copies=0,
)
def power_of_a_matrix() -> Example:
    a = random(3, 3, dtype="f8")
    return [a], [np.linalg.matrix_power(a, 5), np.linalg.matrix_power(a, 12)]


# Control flow between blocks


@program(
    """
    func.func @main(%n: i64) -> (tensor<64xi64>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %three = arith.constant 3 : i64
      %e = arith.constant dense<0> : tensor<64xi64>
      cf.br ^head(%n, %c0, %e : i64, index, tensor<64xi64>)
    ^head(%x: i64, %i: index, %t: tensor<64xi64>):
      %u = tensor.insert %x into %t[%i] : tensor<64xi64>
      %i1 = arith.addi %i, %c1 : index
      %done = arith.cmpi eq, %x, %one : i64
      cf.cond_br %done, ^exit, ^step
    ^step:
      %bit = arith.andi %x, %one : i64
      %odd = arith.cmpi ne, %bit, %zero : i64
      cf.cond_br %odd, ^odd, ^even
    ^odd:
      %y = arith.muli %x, %three : i64
      %z = arith.addi %y, %one : i64
      cf.br ^head(%z, %i1, %u : i64, index, tensor<64xi64>)
    ^even:
      %h = arith.shrui %x, %one : i64
      cf.br ^head(%h, %i1, %u : i64, index, tensor<64xi64>)
    ^exit:
      return %u, %i1 : tensor<64xi64>, index
    }
    """,
    least_copies=0,
)
def sequence_of_collatz() -> Example:
    steps = [25]
    while steps[-1] != 1:
        x = steps[-1]
        steps.append(3 * x + 1 if x % 2 else x // 2)
    return [25], [np.pad(np.array(steps), (0, 64 - len(steps))), len(steps)]


@program(
    """
    func.func @main(%code: tensor<?xi32>, %memory: tensor<4xi32>) -> tensor<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      cf.br ^next(%c0, %c0, %memory : index, index, tensor<4xi32>)
    ^next(%at: index, %p: index, %m: tensor<4xi32>):
      %op = tensor.extract %code[%at] : tensor<?xi32>
      %after = arith.addi %at, %c1 : index
      %cell = tensor.extract %m[%p] : tensor<4xi32>
      cf.switch %op : i32, [
        default: ^stop,
        1: ^increase,
        2: ^decrease,
        3: ^right,
        4: ^left,
        5: ^back_unless_zero
      ]
    ^increase:
      %more = arith.addi %cell, %one : i32
      cf.br ^write(%more : i32)
    ^decrease:
      %less = arith.subi %cell, %one : i32
      cf.br ^write(%less : i32)
    ^write(%x: i32):
      %m1 = tensor.insert %x into %m[%p] : tensor<4xi32>
      cf.br ^next(%after, %p, %m1 : index, index, tensor<4xi32>)
    ^right:
      %p1 = arith.addi %p, %c1 : index
      cf.br ^next(%after, %p1, %m : index, index, tensor<4xi32>)
    ^left:
      %p2 = arith.subi %p, %c1 : index
      cf.br ^next(%after, %p2, %m : index, index, tensor<4xi32>)
    ^back_unless_zero:
      %z = arith.cmpi eq, %cell, %zero : i32
      cf.cond_br %z, ^next(%after, %p, %m : index, index, tensor<4xi32>),
                     ^next(%c0, %p, %m : index, index, tensor<4xi32>)
    ^stop:
      return %m : tensor<4xi32>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def interpreter() -> Example:
    # Moves cell 0 into cell 1 doubled, one at a time.
    code = np.array([2, 3, 1, 1, 4, 5, 0], "i4")
    memory = np.array([6, 0, 9, 9], "i4")
    return [code, memory.copy()], [np.array([0, 12, 9, 9], "i4")]


@program(
    """
    func.func @main(%t: tensor<?xf32>, %limit: f32) -> (index, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %t, %c0 : tensor<?xf32>
      cf.br ^head(%c0, %zero, %t : index, f32, tensor<?xf32>)
    ^head(%i: index, %sum: f32, %u: tensor<?xf32>):
      %inside = arith.cmpi ult, %i, %n : index
      cf.cond_br %inside, ^body, ^exit(%n, %u : index, tensor<?xf32>)
    ^body:
      %x = tensor.extract %u[%i] : tensor<?xf32>
      %next = arith.addf %sum, %x : f32
      %enough = arith.cmpf ogt, %next, %limit : f32
      cf.cond_br %enough, ^found, ^on
    ^found:
      %e = tensor.empty(%c1) : tensor<?xf32>
      %last = linalg.fill ins(%next : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      cf.br ^exit(%i, %last : index, tensor<?xf32>)
    ^on:
      %v = tensor.insert %next into %u[%i] : tensor<?xf32>
      %i1 = arith.addi %i, %c1 : index
      cf.br ^head(%i1, %next, %v : index, f32, tensor<?xf32>)
    ^exit(%at: index, %r: tensor<?xf32>):
      return %at, %r : index, tensor<?xf32>
    }
    """,
    least_copies=0,
)
def loop_with_two_exits() -> Example:
    t = np.arange(1, 9).astype("f")
    return [t.copy(), 12.0], [4, np.array([15], "f")]
