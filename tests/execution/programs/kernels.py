"""Kernels in tiles and in vectors."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    #tile = affine_map<(i)[n] -> (8, n - i)>
    func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
        -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %m = tensor.dim %a, %c0 : tensor<?x?xf32>
      %k = tensor.dim %a, %c1 : tensor<?x?xf32>
      %n = tensor.dim %b, %c1 : tensor<?x?xf32>
      %r = scf.forall (%i, %j) = (0, 0) to (%m, %n) step (8, 8)
          shared_outs(%o = %c) -> (tensor<?x?xf32>) {
        %p = affine.min #tile(%i)[%m]
        %q = affine.min #tile(%j)[%n]
        %ta = tensor.extract_slice %a[%i, 0] [%p, %k] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
        %tb = tensor.extract_slice %b[0, %j] [%k, %q] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
        %tc = tensor.extract_slice %o[%i, %j] [%p, %q] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
        %t = linalg.matmul ins(%ta, %tb : tensor<?x?xf32>, tensor<?x?xf32>)
          outs(%tc : tensor<?x?xf32>) -> tensor<?x?xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %t into %o[%i, %j] [%p, %q] [1, 1]
            : tensor<?x?xf32> into tensor<?x?xf32>
        }
      }
      return %r : tensor<?x?xf32>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def matmul_in_uneven_tiles() -> Example:
    a, b, c = random(13, 9), random(9, 21, seed=1), random(13, 21, seed=2)
    return [a, b, c.copy()], [c + a @ b]


@program(
    """
    func.func @main(%x: tensor<12x20xi32>) -> tensor<20x12xi32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      %c20 = arith.constant 20 : index
      %e = tensor.empty() : tensor<20x12xi32>
      %r = scf.for %i = %c0 to %c12 step %c4 iter_args(%u = %e) -> (tensor<20x12xi32>) {
        %s = scf.for %j = %c0 to %c20 step %c4 iter_args(%v = %u)
            -> (tensor<20x12xi32>) {
          %tile = tensor.extract_slice %x[%i, %j] [4, 4] [1, 1]
            : tensor<12x20xi32> to tensor<4x4xi32>
          %out = tensor.extract_slice %v[%j, %i] [4, 4] [1, 1]
            : tensor<20x12xi32> to tensor<4x4xi32>
          %t = linalg.transpose ins(%tile : tensor<4x4xi32>) outs(%out : tensor<4x4xi32>)
            permutation = [1, 0]
          %w = tensor.insert_slice %t into %v[%j, %i] [4, 4] [1, 1]
            : tensor<4x4xi32> into tensor<20x12xi32>
          scf.yield %w : tensor<20x12xi32>
        }
        scf.yield %s : tensor<20x12xi32>
      }
      return %r : tensor<20x12xi32>
    }
    """,
    least_copies=0,
)
def transposition_in_tiles() -> Example:
    x = random(12, 20, dtype="i4")
    return [x], [x.T.copy()]


@program(
    """
    func.func @main(%a: tensor<10x7xf32>, %b: tensor<7x9xf32>) -> tensor<10x9xf32> {
      %zero = arith.constant 0.0 : f32
      %ea = tensor.empty() : tensor<3x4x4x2xf32>
      %pa = linalg.pack %a padding_value(%zero : f32)
        inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %ea
        : tensor<10x7xf32> -> tensor<3x4x4x2xf32>
      %eb = tensor.empty() : tensor<2x4x5x2xf32>
      %pb = linalg.pack %b padding_value(%zero : f32)
        outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [5, 2] into %eb
        : tensor<7x9xf32> -> tensor<2x4x5x2xf32>
      %ec = tensor.empty() : tensor<3x2x4x5xf32>
      %zc = linalg.fill ins(%zero : f32) outs(%ec : tensor<3x2x4x5xf32>)
        -> tensor<3x2x4x5xf32>
      %pc = linalg.mmt4d ins(%pa, %pb : tensor<3x4x4x2xf32>, tensor<2x4x5x2xf32>)
        outs(%zc : tensor<3x2x4x5xf32>) -> tensor<3x2x4x5xf32>
      %e = tensor.empty() : tensor<10x9xf32>
      %c = linalg.unpack %pc inner_dims_pos = [0, 1] inner_tiles = [4, 5] into %e
        : tensor<3x2x4x5xf32> -> tensor<10x9xf32>
      return %c : tensor<10x9xf32>
    }
    """,
    least_copies=0,
)
def matmul_of_packed_operands() -> Example:
    a, b = random(10, 7), random(7, 9, seed=1)
    return [a, b], [a @ b]


@program(
    """
    func.func @main(%a: f32, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %va = vector.broadcast %a : f32 to vector<8xf32>
      %r = scf.for %i = %c0 to %n step %c8 iter_args(%u = %y) -> (tensor<?xf32>) {
        %vx = vector.transfer_read %x[%i], %zero : tensor<?xf32>, vector<8xf32>
        %vy = vector.transfer_read %u[%i], %zero : tensor<?xf32>, vector<8xf32>
        %z = vector.fma %va, %vx, %vy : vector<8xf32>
        %w = vector.transfer_write %z, %u[%i] : vector<8xf32>, tensor<?xf32>
        scf.yield %w : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def axpy_in_vectors_with_a_tail() -> Example:
    x, y = random(21), random(21, seed=1)
    return [1.5, x, y.copy()], [y + np.float32(1.5) * x]


@program(
    """
    #mk = affine_map<(m, n, k) -> (m, k)>
    #kn = affine_map<(m, n, k) -> (k, n)>
    #mn = affine_map<(m, n, k) -> (m, n)>
    func.func @main(%a: tensor<8x12xf64>, %b: tensor<12x8xf64>) -> tensor<8x8xf64> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      %zero = arith.constant 0.0 : f64
      %none = arith.constant dense<0.0> : vector<4x4xf64>
      %e = tensor.empty() : tensor<8x8xf64>
      %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%u = %e) -> (tensor<8x8xf64>) {
        %s = scf.for %j = %c0 to %c8 step %c4 iter_args(%v = %u) -> (tensor<8x8xf64>) {
          %sum = scf.for %k = %c0 to %c12 step %c4 iter_args(%acc = %none)
              -> (vector<4x4xf64>) {
            %va = vector.transfer_read %a[%i, %k], %zero {in_bounds = [true, true]}
              : tensor<8x12xf64>, vector<4x4xf64>
            %vb = vector.transfer_read %b[%k, %j], %zero {in_bounds = [true, true]}
              : tensor<12x8xf64>, vector<4x4xf64>
            %c = vector.contract {indexing_maps = [#mk, #kn, #mn],
                iterator_types = ["parallel", "parallel", "reduction"],
                kind = #vector.kind<add>} %va, %vb, %acc
              : vector<4x4xf64>, vector<4x4xf64> into vector<4x4xf64>
            scf.yield %c : vector<4x4xf64>
          }
          %w = vector.transfer_write %sum, %v[%i, %j] {in_bounds = [true, true]}
            : vector<4x4xf64>, tensor<8x8xf64>
          scf.yield %w : tensor<8x8xf64>
        }
        scf.yield %s : tensor<8x8xf64>
      }
      return %r : tensor<8x8xf64>
    }
    """,
    least_copies=0,
)
def matmul_in_registers() -> Example:
    a, b = random(8, 12, dtype="f8"), random(12, 8, dtype="f8", seed=1)
    return [a, b], [a @ b]


@program(
    """
    #in = affine_map<(s, i) -> (s * 8 + i)>
    #out = affine_map<(s, i) -> (s)>
    func.func @main(%x: tensor<32xf64>) -> f64 {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<4xf64>
      %split = tensor.expand_shape %x [[0, 1]] output_shape [4, 8]
        : tensor<32xf64> into tensor<4x8xf64>
      %parts = scf.forall (%s) in (4) shared_outs(%o = %e) -> (tensor<4xf64>) {
        %row = tensor.extract_slice %split[%s, 0] [1, 8] [1, 1]
          : tensor<4x8xf64> to tensor<8xf64>
        %start = tensor.splat %zero : tensor<f64>
        %sum = linalg.reduce ins(%row : tensor<8xf64>) outs(%start : tensor<f64>)
          dimensions = [0]
          (%in: f64, %acc: f64) {
            %square = arith.mulf %in, %in : f64
            %next = arith.addf %acc, %square : f64
            linalg.yield %next : f64
          }
        %one = tensor.expand_shape %sum [] output_shape [1]
          : tensor<f64> into tensor<1xf64>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %one into %o[%s] [1] [1]
            : tensor<1xf64> into tensor<4xf64>
        }
      }
      %start = tensor.splat %zero : tensor<f64>
      %total = linalg.reduce {arith.addf} ins(%parts : tensor<4xf64>)
        outs(%start : tensor<f64>) dimensions = [0]
      %r = tensor.extract %total[] : tensor<f64>
      return %r : f64
    }
    """,
    least_copies=0,
)
def reduction_split_in_two_stages() -> Example:
    x = random(32, dtype="f8")
    return [x], [float((x * x).sum())]


@program(
    """
    #id = affine_map<(i, j) -> (i, j)>
    func.func @main(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %e = tensor.empty() : tensor<16x16xf32>
      %r = scf.for %i = %c0 to %c16 step %c4 iter_args(%u = %e) -> (tensor<16x16xf32>) {
        %tx = tensor.extract_slice %x[%i, 0] [4, 16] [1, 1]
          : tensor<16x16xf32> to tensor<4x16xf32>
        %ty = tensor.extract_slice %y[%i, 0] [4, 16] [1, 1]
          : tensor<16x16xf32> to tensor<4x16xf32>
        %buffer = tensor.empty() : tensor<4x16xf32>
        %product = linalg.mul ins(%tx, %ty : tensor<4x16xf32>, tensor<4x16xf32>)
          outs(%buffer : tensor<4x16xf32>) -> tensor<4x16xf32>
        %out = tensor.extract_slice %u[%i, 0] [4, 16] [1, 1]
          : tensor<16x16xf32> to tensor<4x16xf32>
        %sum = linalg.sub ins(%product, %tx : tensor<4x16xf32>, tensor<4x16xf32>)
          outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
        %v = tensor.insert_slice %sum into %u[%i, 0] [4, 16] [1, 1]
          : tensor<4x16xf32> into tensor<16x16xf32>
        scf.yield %v : tensor<16x16xf32>
      }
      return %r : tensor<16x16xf32>
    }
    """,
    least_copies=0,
)
def elementwise_fused_in_tiles() -> Example:
    x, y = random(16, 16), random(16, 16, seed=1)
    return [x, y], [x * y - x]
