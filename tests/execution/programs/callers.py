"""Programs that call functions which return new tensors.

The caller allocates them, so a loop of calls uses two buffers in turn.
"""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func private @halves(%a: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %half = arith.constant 0.5 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %e) -> (tensor<?xf64>) {
        %k = arith.subi %n, %i : index
        %last = arith.subi %k, %c1 : index
        %x = tensor.extract %a[%last] : tensor<?xf64>
        %y = arith.mulf %x, %half : f64
        %new = tensor.insert %y into %b[%i] : tensor<?xf64>
        scf.yield %new : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    func.func @main(%a: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %steps step %c1 iter_args(%b = %a) -> (tensor<?xf64>) {
        %new = func.call @halves(%b) : (tensor<?xf64>) -> tensor<?xf64>
        scf.yield %new : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def halves_in_reverse_by_function() -> Example:
    a = random(6).astype("f8")
    return [a.copy(), 9], [a[::-1] / 2**9]


@program(
    """
    func.func private @step(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %x, %c0 : tensor<?x?xf64>
      %n = tensor.dim %x, %c1 : tensor<?x?xf64>
      %e = tensor.empty(%n, %m) : tensor<?x?xf64>
      %t = linalg.transpose ins(%x : tensor<?x?xf64>) outs(%e : tensor<?x?xf64>)
        permutation = [1, 0]
      %r = linalg.add ins(%t, %t : tensor<?x?xf64>, tensor<?x?xf64>)
        outs(%t : tensor<?x?xf64>) -> tensor<?x?xf64>
      return %r : tensor<?x?xf64>
    }
    func.func @main(%a: tensor<?x?xf64>, %limit: f64) -> (f64, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:2 = scf.while (%x = %a, %k = %c0) : (tensor<?x?xf64>, index)
          -> (tensor<?x?xf64>, index) {
        %v = tensor.extract %x[%c0, %c0] : tensor<?x?xf64>
        %go = arith.cmpf olt, %v, %limit : f64
        scf.condition(%go) %x, %k : tensor<?x?xf64>, index
      } do {
      ^bb0(%x: tensor<?x?xf64>, %k: index):
        %new = func.call @step(%x) : (tensor<?x?xf64>) -> tensor<?x?xf64>
        %next = arith.addi %k, %c1 : index
        scf.yield %new, %next : tensor<?x?xf64>, index
      }
      %v = tensor.extract %r#0[%c0, %c1] : tensor<?x?xf64>
      return %v, %r#1 : f64, index
    }
    """,
    least_copies=0,
)
def transposed_by_function_in_while() -> Example:
    a = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return [a.copy(), 20.0], [(a.T * 32)[0, 1], 5]


@program(
    """
    func.func private @outer(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?x?xi64> {
      %c0 = arith.constant 0 : index
      %m = tensor.dim %x, %c0 : tensor<?xi64>
      %n = tensor.dim %y, %c0 : tensor<?xi64>
      %r = tensor.generate %m, %n {
      ^bb0(%i: index, %j: index):
        %u = tensor.extract %x[%i] : tensor<?xi64>
        %v = tensor.extract %y[%j] : tensor<?xi64>
        %p = arith.muli %u, %v : i64
        tensor.yield %p : i64
      } : tensor<?x?xi64>
      return %r : tensor<?x?xi64>
    }
    func.func private @padded(%x: tensor<?xi64>) -> tensor<?xi64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i64
      %n = tensor.dim %x, %c0 : tensor<?xi64>
      %more = arith.addi %n, %c1 : index
      %e = tensor.empty(%more) : tensor<?xi64>
      %f = linalg.fill ins(%one : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %f) -> (tensor<?xi64>) {
        %u = tensor.extract %x[%i] : tensor<?xi64>
        %w = tensor.insert %u into %b[%i] : tensor<?xi64>
        scf.yield %w : tensor<?xi64>
      }
      return %r : tensor<?xi64>
    }
    func.func @main(%x: tensor<?xi64>, %y: tensor<?xi64>, %steps: index) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %s = scf.for %i = %c0 to %steps step %c1 iter_args(%s = %zero) -> (i64) {
        %p = func.call @padded(%x) : (tensor<?xi64>) -> tensor<?xi64>
        %o = func.call @outer(%p, %y)
          : (tensor<?xi64>, tensor<?xi64>) -> tensor<?x?xi64>
        %v = tensor.extract %o[%i, %c1] : tensor<?x?xi64>
        %t = arith.addi %s, %v : i64
        scf.yield %t : i64
      }
      return %s : i64
    }
    """,
    least_copies=0,
)
def outer_products_by_functions() -> Example:
    x, y = np.array([2, 3, 5], "i8"), np.array([7, 11], "i8")
    padded = np.append(x, 1)
    return [x.copy(), y.copy(), 4], [int(np.outer(padded, y)[:, 1].sum())]
