"""Programs that compute a tensor and insert it into another one: it can be computed in
its place there, also if it comes out of a loop or a branch. None needs a copy."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%a: tensor<4xf64>, %b: tensor<4xf64>, %i: index) -> f64 {
      %whole = tensor.empty() : tensor<12xf64>
      %e0 = tensor.empty() : tensor<4xf64>
      %x = linalg.add ins(%a, %b : tensor<4xf64>, tensor<4xf64>)
          outs(%e0 : tensor<4xf64>) -> tensor<4xf64>
      %e1 = tensor.empty() : tensor<4xf64>
      %y = linalg.sub ins(%a, %b : tensor<4xf64>, tensor<4xf64>)
          outs(%e1 : tensor<4xf64>) -> tensor<4xf64>
      %e2 = tensor.empty() : tensor<4xf64>
      %z = linalg.mul ins(%x, %y : tensor<4xf64>, tensor<4xf64>)
          outs(%e2 : tensor<4xf64>) -> tensor<4xf64>
      %u = tensor.insert_slice %x into %whole[0] [4] [1]
          : tensor<4xf64> into tensor<12xf64>
      %v = tensor.insert_slice %y into %u[4] [4] [1]
          : tensor<4xf64> into tensor<12xf64>
      %w = tensor.insert_slice %z into %v[8] [4] [1]
          : tensor<4xf64> into tensor<12xf64>
      %r = tensor.extract %w[%i] : tensor<12xf64>
      return %r : f64
    }
    """,
    least_copies=0,
)
def three_parts_that_are_joined() -> Example:
    a, b = random(4, dtype="f8"), random(4, dtype="f8", seed=1)
    return [a, b, 10], [np.concatenate([a + b, a - b, (a + b) * (a - b)])[10]]


@program(
    """
    func.func @main(%t: tensor<16xf64>, %c: i1, %x: f64, %i: index) -> f64 {
      %r = scf.if %c -> (tensor<4xf64>) {
        %e = tensor.empty() : tensor<4xf64>
        %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
        scf.yield %f : tensor<4xf64>
      } else {
        %e = tensor.empty() : tensor<4xf64>
        %a = tensor.extract_slice %t[0] [4] [1] : tensor<16xf64> to tensor<4xf64>
        %f = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>)
            -> tensor<4xf64>
        scf.yield %f : tensor<4xf64>
      }
      %u = tensor.insert_slice %r into %t[8] [4] [1]
          : tensor<4xf64> into tensor<16xf64>
      %y = tensor.extract %u[%i] : tensor<16xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def part_that_a_branch_computes() -> Example:
    t = random(16, dtype="f8")
    return [t, False, 2.5, 9], [np.exp(t[1])]


@program(
    """
    func.func @main(%a: tensor<5xf64>, %n: index, %i: index, %j: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %half = arith.constant 0.5 : f64
      %whole = tensor.empty() : tensor<3x5xf64>
      %all = linalg.fill ins(%half : f64) outs(%whole : tensor<3x5xf64>)
          -> tensor<3x5xf64>
      %e = tensor.empty() : tensor<5xf64>
      %s = linalg.fill ins(%half : f64) outs(%e : tensor<5xf64>) -> tensor<5xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %s) -> (tensor<5xf64>) {
        %w = linalg.add ins(%a, %v : tensor<5xf64>, tensor<5xf64>)
            outs(%v : tensor<5xf64>) -> tensor<5xf64>
        scf.yield %w : tensor<5xf64>
      }
      %u = tensor.insert_slice %r into %all[1, 0] [1, 5] [1, 1]
          : tensor<5xf64> into tensor<3x5xf64>
      %y = tensor.extract %u[%i, %j] : tensor<3x5xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def row_that_a_loop_sums_up() -> Example:
    a = random(5, dtype="f8")
    return [a, 4, 1, 3], [0.5 + 4 * a[3]]


@program(
    """
    #next = affine_map<(d0) -> (d0 + 1)>
    func.func @main(%t: tensor<?x6xf64>, %last: index, %j: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %last step %c1 iter_args(%s = %t) -> (tensor<?x6xf64>) {
        %n = affine.apply #next(%i)
        %a = tensor.extract_slice %s[%i, 0] [1, 6] [1, 1]
            : tensor<?x6xf64> to tensor<6xf64>
        %e = tensor.empty() : tensor<6xf64>
        %b = linalg.exp ins(%a : tensor<6xf64>) outs(%e : tensor<6xf64>)
            -> tensor<6xf64>
        %e1 = tensor.empty() : tensor<6xf64>
        %c = linalg.sub ins(%a, %b : tensor<6xf64>, tensor<6xf64>)
            outs(%e1 : tensor<6xf64>) -> tensor<6xf64>
        %d = tensor.insert_slice %c into %s[%n, 0] [1, 6] [1, 1]
            : tensor<6xf64> into tensor<?x6xf64>
        scf.yield %d : tensor<?x6xf64>
      }
      %y = tensor.extract %r[%last, %j] : tensor<?x6xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def each_row_from_the_row_before() -> Example:
    t = random(5, 6, dtype="f8")
    x = t[0, 4]
    for _ in range(4):
        x = x - np.exp(x)
    return [t, 4, 4], [x]


@program(
    """
    func.func @main(%a: tensor<?xf32>, %n: index, %m: index, %i: index) -> f32 {
      %x = arith.constant 1.5 : f32
      %c = arith.cmpi slt, %n, %m : index
      %size = arith.addi %n, %m : index
      %whole = tensor.empty(%size) : tensor<?xf32>
      %p = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %y = linalg.exp ins(%p : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %u = tensor.insert_slice %y into %whole[0] [%n] [1]
          : tensor<?xf32> into tensor<?xf32>
      %z = scf.if %c -> (tensor<?xf32>) {
        %e1 = tensor.empty(%m) : tensor<?xf32>
        %f = linalg.fill ins(%x : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
        scf.yield %f : tensor<?xf32>
      } else {
        %e1 = tensor.empty(%m) : tensor<?xf32>
        %q = tensor.extract_slice %a[%n] [%m] [1] : tensor<?xf32> to tensor<?xf32>
        %f = linalg.negf ins(%q : tensor<?xf32>) outs(%e1 : tensor<?xf32>)
            -> tensor<?xf32>
        scf.yield %f : tensor<?xf32>
      }
      %v = tensor.insert_slice %z into %u[%n] [%m] [1]
          : tensor<?xf32> into tensor<?xf32>
      %r = tensor.extract %v[%i] : tensor<?xf32>
      return %r : f32
    }
    """,
    least_copies=0,
)
def two_parts_of_any_size() -> Example:
    a = random(9)
    return [a, 5, 4, 7], [-a[7]]


@program(
    """
    func.func @main(%a: tensor<6x6xf64>, %b: tensor<6x6xf64>, %i: index, %j: index)
        -> f64 {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c6 = arith.constant 6 : index
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<6x6xf64>
      %r = scf.for %k = %c0 to %c6 step %c2 iter_args(%s = %e) -> (tensor<6x6xf64>) {
        %q = scf.for %l = %c0 to %c6 step %c2 iter_args(%t = %s) -> (tensor<6x6xf64>) {
          %x = tensor.extract_slice %a[%k, 0] [2, 6] [1, 1]
              : tensor<6x6xf64> to tensor<2x6xf64>
          %y = tensor.extract_slice %b[0, %l] [6, 2] [1, 1]
              : tensor<6x6xf64> to tensor<6x2xf64>
          %e1 = tensor.empty() : tensor<2x2xf64>
          %z = linalg.fill ins(%zero : f64) outs(%e1 : tensor<2x2xf64>)
              -> tensor<2x2xf64>
          %p = linalg.matmul ins(%x, %y : tensor<2x6xf64>, tensor<6x2xf64>)
              outs(%z : tensor<2x2xf64>) -> tensor<2x2xf64>
          %u = tensor.insert_slice %p into %t[%k, %l] [2, 2] [1, 1]
              : tensor<2x2xf64> into tensor<6x6xf64>
          scf.yield %u : tensor<6x6xf64>
        }
        scf.yield %q : tensor<6x6xf64>
      }
      %y = tensor.extract %r[%i, %j] : tensor<6x6xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def product_tile_by_tile() -> Example:
    a, b = random(6, 6, dtype="f8"), random(6, 6, dtype="f8", seed=1)
    return [a, b, 3, 5], [(a @ b)[3, 5]]


@program(
    """
    func.func @main(%a: tensor<6x4xf64>, %n: index, %i: index) -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0.0 : f64
      %e0 = tensor.empty() : tensor<6x4xf64>
      %e1 = tensor.empty() : tensor<6xf64>
      %r:2 = scf.forall (%k) in (6) shared_outs(%s = %e0, %t = %e1)
          -> (tensor<6x4xf64>, tensor<6xf64>) {
        %x = tensor.extract_slice %a[%k, 0] [1, 4] [1, 1]
            : tensor<6x4xf64> to tensor<4xf64>
        %e2 = tensor.empty() : tensor<4xf64>
        %f = linalg.fill ins(%zero : f64) outs(%e2 : tensor<4xf64>) -> tensor<4xf64>
        %y = scf.for %l = %c0 to %n step %c1 iter_args(%v = %f) -> (tensor<4xf64>) {
          %w = linalg.add ins(%x, %v : tensor<4xf64>, tensor<4xf64>)
              outs(%v : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %w : tensor<4xf64>
        }
        %c = arith.cmpi ult, %k, %c3 : index
        %z = scf.if %c -> (tensor<f64>) {
          %e = tensor.empty() : tensor<f64>
          %g = linalg.fill ins(%zero : f64) outs(%e : tensor<f64>) -> tensor<f64>
          scf.yield %g : tensor<f64>
        } else {
          %e = tensor.empty() : tensor<f64>
          %g = linalg.fill ins(%zero : f64) outs(%e : tensor<f64>) -> tensor<f64>
          %h = linalg.reduce ins(%x : tensor<4xf64>) outs(%g : tensor<f64>)
              dimensions = [0] (%in: f64, %sum: f64) {
            %q = arith.addf %in, %sum : f64
            linalg.yield %q : f64
          }
          scf.yield %h : tensor<f64>
        }
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %y into %s[%k, 0] [1, 4] [1, 1]
              : tensor<4xf64> into tensor<6x4xf64>
          tensor.parallel_insert_slice %z into %t[%k] [1] [1]
              : tensor<f64> into tensor<6xf64>
        }
      }
      %p = tensor.extract %r#0[%i, %c3] : tensor<6x4xf64>
      %q = tensor.extract %r#1[%i] : tensor<6xf64>
      return %p, %q : f64, f64
    }
    """,
    least_copies=0,
)
def rows_and_sums_of_threads() -> Example:
    a = random(6, 4, dtype="f8")
    return [a, 3, 4], [3 * a[4, 3], a[4].sum()]


@program(
    """
    func.func @main(%a: tensor<?x6xf64>, %b: tensor<6x?xf64>, %m: index, %n: index,
                    %i: index, %j: index) -> f64 {
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty(%m, %n) : tensor<?x?xf64>
      %rows = arith.divui %m, %c2 : index
      %columns = arith.divui %n, %c2 : index
      %r = scf.forall (%k) in (%rows) shared_outs(%s = %e) -> (tensor<?x?xf64>) {
        %row = arith.muli %k, %c2 : index
        %x = tensor.extract_slice %a[%row, 0] [2, 6] [1, 1]
            : tensor<?x6xf64> to tensor<2x6xf64>
        %e0 = tensor.empty(%n) : tensor<2x?xf64>
        %q = scf.forall (%l) in (%columns) shared_outs(%t = %e0) -> (tensor<2x?xf64>) {
          %column = arith.muli %l, %c2 : index
          %y = tensor.extract_slice %b[0, %column] [6, 2] [1, 1]
              : tensor<6x?xf64> to tensor<6x2xf64>
          %e1 = tensor.empty() : tensor<2x2xf64>
          %z = linalg.fill ins(%zero : f64) outs(%e1 : tensor<2x2xf64>)
              -> tensor<2x2xf64>
          %p = linalg.matmul ins(%x, %y : tensor<2x6xf64>, tensor<6x2xf64>)
              outs(%z : tensor<2x2xf64>) -> tensor<2x2xf64>
          scf.forall.in_parallel {
            tensor.parallel_insert_slice %p into %t[0, %column] [2, 2] [1, 1]
                : tensor<2x2xf64> into tensor<2x?xf64>
          }
        }
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %q into %s[%row, 0] [2, %n] [1, 1]
              : tensor<2x?xf64> into tensor<?x?xf64>
        }
      }
      %y = tensor.extract %r[%i, %j] : tensor<?x?xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def product_by_nested_threads() -> Example:
    a, b = random(4, 6, dtype="f8"), random(6, 8, dtype="f8", seed=1)
    return [a, b, 4, 8, 3, 5], [(a @ b)[3, 5]]


@program(
    """
    func.func @main(%a: tensor<16xf64>, %n: index, %i: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty(%n) : tensor<?x3xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?x3xf64>) {
        %x = tensor.extract %a[%k] : tensor<16xf64>
        %y = arith.mulf %x, %x : f64
        %z = arith.mulf %x, %y : f64
        %row = tensor.from_elements %x, %y, %z : tensor<3xf64>
        %u = tensor.insert_slice %row into %t[%k, 0] [1, 3] [1, 1]
            : tensor<3xf64> into tensor<?x3xf64>
        scf.yield %u : tensor<?x3xf64>
      }
      %c2 = arith.constant 2 : index
      %s = tensor.extract %r[%i, %c2] : tensor<?x3xf64>
      return %s : f64
    }
    """,
    least_copies=0,
)
def rows_of_powers() -> Example:
    a = random(16, dtype="f8")
    return [a, 5, 3], [a[3] ** 3]


@program(
    """
    func.func @main(%a: tensor<6x8xf64>, %i: index, %j: index) -> f64 {
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<6x12xf64>
      %r = scf.forall (%k) in (6) shared_outs(%t = %e) -> (tensor<6x12xf64>) {
        %row = tensor.extract_slice %a[%k, 0] [1, 8] [1, 1]
            : tensor<6x8xf64> to tensor<8xf64>
        %e0 = tensor.empty() : tensor<8xf64>
        %x = linalg.exp ins(%row : tensor<8xf64>) outs(%e0 : tensor<8xf64>)
            -> tensor<8xf64>
        %padded = tensor.pad %x low[1] high[3] {
        ^bb0(%p: index):
          tensor.yield %zero : f64
        } : tensor<8xf64> to tensor<12xf64>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %padded into %t[%k, 0] [1, 12] [1, 1]
              : tensor<12xf64> into tensor<6x12xf64>
        }
      }
      %c0 = arith.constant 0 : index
      %s = tensor.extract %r[%i, %j] : tensor<6x12xf64>
      %border = tensor.extract %r[%i, %c0] : tensor<6x12xf64>
      %y = arith.subf %s, %border : f64
      return %y : f64
    }
    """,
    least_copies=0,
)
def padded_rows_of_threads() -> Example:
    a = random(6, 8, dtype="f8")
    return [a, 4, 3], [np.exp(a[4, 2])]


@program(
    """
    func.func @main(%x: tensor<?x4xf64>, %known: tensor<?xi1>, %i: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %ones = arith.constant dense<1.0> : tensor<4xf64>
      %n = tensor.dim %x, %c0 : tensor<?x4xf64>
      %e = tensor.empty(%n) : tensor<?x4xf64>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<?x4xf64>) {
        %c = tensor.extract %known[%k] : tensor<?xi1>
        %row = scf.if %c -> (tensor<4xf64>) {
          %y = tensor.generate {
          ^bb0(%j: index):
            %l = arith.subi %c3, %j : index
            %z = tensor.extract %x[%k, %l] : tensor<?x4xf64>
            tensor.yield %z : f64
          } : tensor<4xf64>
          scf.yield %y : tensor<4xf64>
        } else {
          scf.yield %ones : tensor<4xf64>
        }
        %u = tensor.insert_slice %row into %t[%k, 0] [1, 4] [1, 1]
            : tensor<4xf64> into tensor<?x4xf64>
        scf.yield %u : tensor<?x4xf64>
      }
      %s = tensor.extract %r[%i, %c0] : tensor<?x4xf64>
      %one = tensor.extract %r[%c1, %c0] : tensor<?x4xf64>
      %y = arith.addf %s, %one : f64
      return %y : f64
    }
    """,
    least_copies=0,
)
def mirrored_rows_or_ones() -> Example:
    x = random(5, 4, dtype="f8")
    return [x, np.array([1, 0, 1, 0, 1], bool), 4], [x[4, 3] + 1]


@program(
    """
    func.func @main(%x: tensor<8x8xf64>, %w: tensor<3x3xf64>, %i: index, %j: index)
        -> f64 {
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<8x8xf64>
      %p = linalg.exp ins(%x : tensor<8x8xf64>) outs(%e : tensor<8x8xf64>)
          -> tensor<8x8xf64>
      %q = tensor.pad %p low[1, 1] high[1, 1] {
      ^bb0(%k: index, %l: index):
        tensor.yield %zero : f64
      } : tensor<8x8xf64> to tensor<10x10xf64>
      %f = linalg.fill ins(%zero : f64) outs(%e : tensor<8x8xf64>) -> tensor<8x8xf64>
      %y = linalg.conv_2d ins(%q, %w : tensor<10x10xf64>, tensor<3x3xf64>)
          outs(%f : tensor<8x8xf64>) -> tensor<8x8xf64>
      %z = linalg.abs ins(%y : tensor<8x8xf64>) outs(%e : tensor<8x8xf64>)
          -> tensor<8x8xf64>
      %v = tensor.pad %z low[1, 1] high[1, 1] {
      ^bb0(%k: index, %l: index):
        tensor.yield %zero : f64
      } : tensor<8x8xf64> to tensor<10x10xf64>
      %g = linalg.conv_2d ins(%v, %w : tensor<10x10xf64>, tensor<3x3xf64>)
          outs(%f : tensor<8x8xf64>) -> tensor<8x8xf64>
      %s = linalg.add ins(%g, %p : tensor<8x8xf64>, tensor<8x8xf64>)
          outs(%e : tensor<8x8xf64>) -> tensor<8x8xf64>
      %r = tensor.extract %s[%i, %j] : tensor<8x8xf64>
      return %r : f64
    }
    """,
    least_copies=0,
)
def two_padded_convolutions() -> Example:
    x, w = random(8, 8, dtype="f8"), random(3, 3, dtype="f8", seed=1)

    def convolve(a: np.ndarray) -> np.ndarray:
        padded = np.pad(a, 1)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
        return np.einsum("ijkl,kl->ij", windows, w)

    exp = np.exp(x)
    return [x, w, 4, 7], [(convolve(np.abs(convolve(exp))) + exp)[4, 7]]
