"""Layers of networks, and a step of their training."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>)
        -> tensor<?x5xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?x8xf32>
      %e = tensor.empty(%n) : tensor<?x5xf32>
      %bias = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<?x5xf32>)
        dimensions = [0]
      %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x5xf32>)
        outs(%bias : tensor<?x5xf32>) -> tensor<?x5xf32>
      %e2 = tensor.empty(%n) : tensor<?x5xf32>
      %p = linalg.softmax dimension(1) ins(%y : tensor<?x5xf32>)
        outs(%e2 : tensor<?x5xf32>) -> tensor<?x5xf32>
      return %p : tensor<?x5xf32>
    }
    """,
    least_copies=0,
)
def classifier() -> Example:
    x, w, b = random(3, 8), random(8, 5, seed=1), random(5, seed=2)
    e = np.exp(x @ w + b)
    return [x, w, b], [e / e.sum(1, keepdims=True)]


@program(
    """
    #nc = affine_map<(n, c) -> (n, c)>
    #c = affine_map<(n, c) -> (c)>
    func.func @main(%x: tensor<?x6xf64>, %mean: tensor<6xf64>, %var: tensor<6xf64>,
                    %gamma: tensor<6xf64>, %beta: tensor<6xf64>) -> tensor<?x6xf64> {
      %eps = arith.constant 1.0e-5 : f64
      %y = linalg.generic {indexing_maps = [#c, #c, #c, #c, #nc],
                           iterator_types = ["parallel", "parallel"]}
          ins(%mean, %var, %gamma, %beta : tensor<6xf64>, tensor<6xf64>, tensor<6xf64>,
              tensor<6xf64>) outs(%x : tensor<?x6xf64>) {
        ^bb0(%m: f64, %v: f64, %g: f64, %b: f64, %in: f64):
          %centred = arith.subf %in, %m : f64
          %safe = arith.addf %v, %eps : f64
          %scale = math.rsqrt %safe : f64
          %normal = arith.mulf %centred, %scale : f64
          %z = math.fma %normal, %g, %b : f64
          linalg.yield %z : f64
      } -> tensor<?x6xf64>
      return %y : tensor<?x6xf64>
    }
    """,
    least_copies=0,
)
def batch_normalisation() -> Example:
    x, mean, gamma, beta = (random(*s, dtype="f8") for s in [(4, 6), (6,), (6,), (6,)])
    var = random(6, dtype="f8", seed=4) ** 2
    y = (x - mean) / np.sqrt(var + 1e-5) * gamma + beta
    return [x, mean, var, gamma, beta], [y]


@program(
    """
    func.func @main(%x: tensor<1x6x6x3xf32>, %d: tensor<3x3x3xf32>,
                    %p: tensor<1x1x3x4xf32>) -> tensor<1x4x4x4xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x4x4x3xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x3xf32>)
        -> tensor<1x4x4x3xf32>
      %y = linalg.depthwise_conv_2d_nhwc_hwc
        {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%x, %d : tensor<1x6x6x3xf32>, tensor<3x3x3xf32>)
        outs(%z : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
      %e2 = tensor.empty() : tensor<1x4x4x4xf32>
      %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x4x4x4xf32>)
        -> tensor<1x4x4x4xf32>
      %q = linalg.conv_2d_nhwc_hwcf
        {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%y, %p : tensor<1x4x4x3xf32>, tensor<1x1x3x4xf32>)
        outs(%z2 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
      return %q : tensor<1x4x4x4xf32>
    }
    """,
    least_copies=0,
)
def depthwise_separable_convolution() -> Example:
    x, d, p = random(1, 6, 6, 3), random(3, 3, 3), random(1, 1, 3, 4)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    y = np.einsum("nhwcij,ijc->nhwc", windows, d)
    return [x, d, p], [(y @ p[0, 0]).astype("f")]


@program(
    """
    func.func @main(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>)
        -> (tensor<?x3x?x?xf32>, tensor<?x3x?x?xf32>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0.0 : f32
      %low = arith.constant 0xFF800000 : f32
      %n = tensor.dim %x, %c0 : tensor<?x2x?x?xf32>
      %h = tensor.dim %x, %c2 : tensor<?x2x?x?xf32>
      %w0 = tensor.dim %x, %c3 : tensor<?x2x?x?xf32>
      %pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
        ^bb0(%i: index, %j: index, %k: index, %l: index):
          tensor.yield %zero : f32
      } : tensor<?x2x?x?xf32> to tensor<?x2x?x?xf32>
      %e = tensor.empty(%n, %h, %w0) : tensor<?x3x?x?xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3x?x?xf32>)
        -> tensor<?x3x?x?xf32>
      %y = linalg.conv_2d_nchw_fchw
        {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%pad, %w : tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>)
        outs(%z : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
      %h2 = arith.divui %h, %c2 : index
      %w2 = arith.divui %w0, %c2 : index
      %window = tensor.empty() : tensor<2x2xf32>
      %e2 = tensor.empty(%n, %h2, %w2) : tensor<?x3x?x?xf32>
      %l2 = linalg.fill ins(%low : f32) outs(%e2 : tensor<?x3x?x?xf32>)
        -> tensor<?x3x?x?xf32>
      %pooled = linalg.pooling_nchw_max
        {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
        ins(%y, %window : tensor<?x3x?x?xf32>, tensor<2x2xf32>)
        outs(%l2 : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
      return %y, %pooled : tensor<?x3x?x?xf32>, tensor<?x3x?x?xf32>
    }
    """,
    # The image, into the padded one.
    least_copies=1,
)
def convolution_and_pooling_of_any_size() -> Example:
    x, w = random(2, 2, 6, 4), random(3, 2, 3, 3)
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    y = np.einsum("nchwij,fcij->nfhw", windows, w).astype("f")
    return [x, w], [y, y.reshape(2, 3, 3, 2, 2, 2).max((3, 5))]


@program(
    """
    func.func private @sigmoid(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
      %one = arith.constant 1.0 : f32
      %y = linalg.map ins(%x : tensor<1x4xf32>) outs(%x : tensor<1x4xf32>)
        (%in: f32, %out: f32) {
          %minus = arith.negf %in : f32
          %e = math.exp %minus : f32
          %d = arith.addf %e, %one : f32
          %r = arith.divf %one, %d : f32
          linalg.yield %r : f32
        }
      return %y : tensor<1x4xf32>
    }
    func.func private @gate(%x: tensor<1x4xf32>, %h: tensor<1x4xf32>,
                            %w: tensor<4x4xf32>, %u: tensor<4x4xf32>) -> tensor<1x4xf32> {
      %zero = arith.constant dense<0.0> : tensor<1x4xf32>
      %a = linalg.matmul ins(%x, %w : tensor<1x4xf32>, tensor<4x4xf32>)
        outs(%zero : tensor<1x4xf32>) -> tensor<1x4xf32>
      %b = linalg.matmul ins(%h, %u : tensor<1x4xf32>, tensor<4x4xf32>)
        outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
      return %b : tensor<1x4xf32>
    }
    func.func @main(%xs: tensor<?x4xf32>, %w: tensor<3x4x4xf32>, %u: tensor<3x4x4xf32>)
        -> tensor<1x4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %h0 = arith.constant dense<0.0> : tensor<1x4xf32>
      %wz = tensor.extract_slice %w[0, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<3x4x4xf32> to tensor<4x4xf32>
      %wr = tensor.extract_slice %w[1, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<3x4x4xf32> to tensor<4x4xf32>
      %wn = tensor.extract_slice %w[2, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<3x4x4xf32> to tensor<4x4xf32>
      %uz = tensor.extract_slice %u[0, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<3x4x4xf32> to tensor<4x4xf32>
      %ur = tensor.extract_slice %u[1, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<3x4x4xf32> to tensor<4x4xf32>
      %un = tensor.extract_slice %u[2, 0, 0] [1, 4, 4] [1, 1, 1]
        : tensor<3x4x4xf32> to tensor<4x4xf32>
      %n = tensor.dim %xs, %c0 : tensor<?x4xf32>
      %r = scf.for %t = %c0 to %n step %c1 iter_args(%h = %h0) -> (tensor<1x4xf32>) {
        %x = tensor.extract_slice %xs[%t, 0] [1, 4] [1, 1]
          : tensor<?x4xf32> to tensor<1x4xf32>
        %a = func.call @gate(%x, %h, %wz, %uz) : (tensor<1x4xf32>, tensor<1x4xf32>,
          tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
        %z = func.call @sigmoid(%a) : (tensor<1x4xf32>) -> tensor<1x4xf32>
        %b = func.call @gate(%x, %h, %wr, %ur) : (tensor<1x4xf32>, tensor<1x4xf32>,
          tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
        %reset = func.call @sigmoid(%b) : (tensor<1x4xf32>) -> tensor<1x4xf32>
        %kept = linalg.mul ins(%reset, %h : tensor<1x4xf32>, tensor<1x4xf32>)
          outs(%reset : tensor<1x4xf32>) -> tensor<1x4xf32>
        %c = func.call @gate(%x, %kept, %wn, %un) : (tensor<1x4xf32>, tensor<1x4xf32>,
          tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
        %next = linalg.map ins(%z, %c : tensor<1x4xf32>, tensor<1x4xf32>)
          outs(%h : tensor<1x4xf32>)
          (%zi: f32, %ci: f32, %hi: f32) {
            %new = math.tanh %ci : f32
            %change = arith.subf %hi, %new : f32
            %y = math.fma %zi, %change, %new : f32
            linalg.yield %y : f32
          }
        scf.yield %next : tensor<1x4xf32>
      }
      return %r : tensor<1x4xf32>
    }
    """,
    least_copies=0,
)
def gated_recurrent_unit() -> Example:
    xs, w, u = random(5, 4), random(3, 4, 4, seed=1), random(3, 4, 4, seed=2)
    h = np.zeros((1, 4), "f")
    for x in xs[:, None]:
        z = 1 / (1 + np.exp(-(x @ w[0] + h @ u[0])))
        r = 1 / (1 + np.exp(-(x @ w[1] + h @ u[1])))
        new = np.tanh(x @ w[2] + (r * h) @ u[2])
        h = z * h + (1 - z) * new
    return [xs, w, u], [h.astype("f")]


@program(
    """
    func.func @main(%table: tensor<?x4xf32>, %words: tensor<?xi32>) -> tensor<?x4xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %words, %c0 : tensor<?xi32>
      %e = tensor.empty(%n) : tensor<?x4xf32>
      %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?x4xf32>) {
        %word = tensor.extract %words[%i] : tensor<?xi32>
        %row = arith.index_cast %word : i32 to index
        %v = tensor.extract_slice %table[%row, 0] [1, 4] [1, 1]
          : tensor<?x4xf32> to tensor<1x4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %v into %o[%i, 0] [1, 4] [1, 1]
            : tensor<1x4xf32> into tensor<?x4xf32>
        }
      }
      return %r : tensor<?x4xf32>
    }
    """,
    # Each row out of the table.
    least_copies=5,
)
def embedding() -> Example:
    table, words = random(7, 4), np.array([3, 3, 0, 6, 1], "i4")
    return [table, words], [table[words]]


@program(
    """
    #ij = affine_map<(i, j) -> (i, j)>
    #i = affine_map<(i, j) -> (i)>
    #j = affine_map<(i, j) -> (j)>
    func.func @main(%x: tensor<?x8xf32>, %g: tensor<8xf32>) -> tensor<?x8xf32> {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %eight = arith.constant 8.0 : f32
      %eps = arith.constant 1.0e-6 : f32
      %n = tensor.dim %x, %c0 : tensor<?x8xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %squares = linalg.generic {indexing_maps = [#ij, #i],
                                 iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<?x8xf32>) outs(%z : tensor<?xf32>) {
        ^bb0(%a: f32, %s: f32):
          %b = arith.mulf %a, %a : f32
          %c = arith.addf %s, %b : f32
          linalg.yield %c : f32
      } -> tensor<?xf32>
      %y = linalg.generic {indexing_maps = [#i, #j, #ij],
                           iterator_types = ["parallel", "parallel"]}
          ins(%squares, %g : tensor<?xf32>, tensor<8xf32>) outs(%x : tensor<?x8xf32>) {
        ^bb0(%s: f32, %gain: f32, %a: f32):
          %mean = arith.divf %s, %eight : f32
          %safe = arith.addf %mean, %eps : f32
          %scale = math.rsqrt %safe : f32
          %b = arith.mulf %a, %scale : f32
          %c = arith.mulf %b, %gain : f32
          linalg.yield %c : f32
      } -> tensor<?x8xf32>
      %residual = linalg.add ins(%x, %y : tensor<?x8xf32>, tensor<?x8xf32>)
        outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
      return %residual : tensor<?x8xf32>
    }
    """,
    least_copies=0,
)
def residual_block_with_normalisation() -> Example:
    x, g = random(4, 8), random(8)
    scale = 1 / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6)
    return [x.copy(), g], [(x + x * scale * g).astype("f")]


@program(
    """
    func.func @main(%x: tensor<4x3x?x8xf32>) -> tensor<4x3x?x8xf32> {
      %half = arith.constant 0.5 : f32
      %one = arith.constant 1.0 : f32
      %scale = arith.constant 0.70710678 : f32
      %y = linalg.map ins(%x : tensor<4x3x?x8xf32>) outs(%x : tensor<4x3x?x8xf32>)
        (%in: f32, %out: f32) {
          %a = arith.mulf %in, %scale : f32
          %b = math.erf %a : f32
          %c = arith.addf %b, %one : f32
          %d = arith.mulf %in, %half : f32
          %e = arith.mulf %c, %d : f32
          linalg.yield %e : f32
        }
      return %y : tensor<4x3x?x8xf32>
    }
    """,
    least_copies=0,
)
def gaussian_error_linear_unit() -> Example:
    from math import erf

    x = random(4, 3, 2, 8)
    y = x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return [x.copy()], [y.astype("f")]


@program(
    """
    #ij = affine_map<(i, j) -> (i, j)>
    #i = affine_map<(i, j) -> (i)>
    func.func @main(%logits: tensor<?x5xf64>, %labels: tensor<?xindex>) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %n = tensor.dim %logits, %c0 : tensor<?x5xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      %sums = linalg.generic {indexing_maps = [#ij, #i],
                              iterator_types = ["parallel", "reduction"]}
          ins(%logits : tensor<?x5xf64>) outs(%z : tensor<?xf64>) {
        ^bb0(%a: f64, %s: f64):
          %b = math.exp %a : f64
          %c = arith.addf %s, %b : f64
          linalg.yield %c : f64
      } -> tensor<?xf64>
      %loss = scf.for %i = %c0 to %n step %c1 iter_args(%l = %zero) -> (f64) {
        %s = tensor.extract %sums[%i] : tensor<?xf64>
        %log = math.log %s : f64
        %label = tensor.extract %labels[%i] : tensor<?xindex>
        %x = tensor.extract %logits[%i, %label] : tensor<?x5xf64>
        %d = arith.subf %log, %x : f64
        %next = arith.addf %l, %d : f64
        scf.yield %next : f64
      }
      return %loss : f64
    }
    """,
    least_copies=0,
)
def cross_entropy() -> Example:
    x, labels = random(6, 5, dtype="f8"), np.array([0, 4, 2, 2, 1, 3])
    loss = (np.log(np.exp(x).sum(1)) - x[np.arange(6), labels]).sum()
    return [x, labels], [float(loss)]


@program(
    """
    func.func @main(%x: tensor<?x3xf64>, %y: tensor<?xf64>, %w0: tensor<3xf64>,
                    %rate: f64, %epochs: index) -> tensor<3xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %n = tensor.dim %x, %c0 : tensor<?x3xf64>
      %r = scf.for %epoch = %c0 to %epochs step %c1 iter_args(%w = %w0)
          -> (tensor<3xf64>) {
        %e = tensor.empty(%n) : tensor<?xf64>
        %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
        %guess = linalg.matvec ins(%x, %w : tensor<?x3xf64>, tensor<3xf64>)
          outs(%z : tensor<?xf64>) -> tensor<?xf64>
        %error = linalg.sub ins(%guess, %y : tensor<?xf64>, tensor<?xf64>)
          outs(%guess : tensor<?xf64>) -> tensor<?xf64>
        %e3 = tensor.empty() : tensor<3xf64>
        %z3 = linalg.fill ins(%zero : f64) outs(%e3 : tensor<3xf64>) -> tensor<3xf64>
        %gradient = linalg.vecmat ins(%error, %x : tensor<?xf64>, tensor<?x3xf64>)
          outs(%z3 : tensor<3xf64>) -> tensor<3xf64>
        %next = linalg.map ins(%gradient : tensor<3xf64>) outs(%w : tensor<3xf64>)
          (%g: f64, %old: f64) {
            %step = arith.mulf %g, %rate : f64
            %new = arith.subf %old, %step : f64
            linalg.yield %new : f64
          }
        scf.yield %next : tensor<3xf64>
      }
      return %r : tensor<3xf64>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def gradient_descent() -> Example:
    x, y = random(8, 3, dtype="f8"), random(8, dtype="f8", seed=1)
    w0 = random(3, dtype="f8", seed=2)
    w = w0.copy()
    for _ in range(20):
        w -= 0.1 * (x @ w - y) @ x
    return [x, y, w0, 0.1, 20], [w]


@program(
    """
    func.func @main(%a: tensor<4x6xi8>, %b: tensor<6x5xi8>, %za: i32, %zb: i32,
                    %scale: f32) -> tensor<4x5xi8> {
      %zero = arith.constant 0 : i32
      %low = arith.constant -128 : i32
      %high = arith.constant 127 : i32
      %e = tensor.empty() : tensor<4x5xi32>
      %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
      %c = linalg.quantized_matmul
        ins(%a, %b, %za, %zb : tensor<4x6xi8>, tensor<6x5xi8>, i32, i32)
        outs(%z : tensor<4x5xi32>) -> tensor<4x5xi32>
      %e8 = tensor.empty() : tensor<4x5xi8>
      %r = linalg.map ins(%c : tensor<4x5xi32>) outs(%e8 : tensor<4x5xi8>)
        (%in: i32, %out: i8) {
          %f = arith.sitofp %in : i32 to f32
          %g = arith.mulf %f, %scale : f32
          %rounded = math.roundeven %g : f32
          %i = arith.fptosi %rounded : f32 to i32
          %up = arith.maxsi %i, %low : i32
          %down = arith.minsi %up, %high : i32
          %t = arith.trunci %down : i32 to i8
          linalg.yield %t : i8
        }
      return %r : tensor<4x5xi8>
    }
    """,
    least_copies=0,
)
def quantized_layer() -> Example:
    a, b = random(4, 6, dtype="i1"), random(6, 5, dtype="i1", seed=1)
    c = (a.astype("i4") - 3) @ (b.astype("i4") + 7)
    scaled = np.rint(c.astype("f") * np.float32(0.02))
    return [a, b, 3, -7, 0.02], [np.clip(scaled, -128, 127).astype("i1")]


@program(
    """
    func.func @main(%length: index) -> tensor<?x6xf32> {
      %c2 = arith.constant 2 : index
      %base = arith.constant 10000.0 : f32
      %six = arith.constant 6.0 : f32
      %t = tensor.generate %length {
        ^bb0(%i: index, %j: index):
          %odd = arith.remui %j, %c2 : index
          %even = arith.subi %j, %odd : index
          %n = arith.index_cast %even : index to i32
          %f = arith.sitofp %n : i32 to f32
          %power = arith.divf %f, %six : f32
          %divisor = math.powf %base, %power : f32
          %p = arith.index_cast %i : index to i32
          %position = arith.sitofp %p : i32 to f32
          %angle = arith.divf %position, %divisor : f32
          %which = arith.index_cast %odd : index to i1
          %s = math.sin %angle : f32
          %c = math.cos %angle : f32
          %y = arith.select %which, %c, %s : f32
          tensor.yield %y : f32
      } : tensor<?x6xf32>
      return %t : tensor<?x6xf32>
    }
    """,
    rtol=1e-4,
    least_copies=0,
)
def positional_encoding() -> Example:
    i, j = np.mgrid[:7, :6]
    angle = i / 10000 ** ((j - j % 2) / 6)
    return [7], [np.where(j % 2, np.cos(angle), np.sin(angle)).astype("f")]


@program(
    """
    func.func @main(%x: tensor<2x11x3xf32>, %w: tensor<3x3x4xf32>)
        -> (tensor<2x4x4xf32>, tensor<2x2x4xf32>) {
      %zero = arith.constant dense<0.0> : tensor<2x4x4xf32>
      %y = linalg.conv_1d_nwc_wcf
        {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
        ins(%x, %w : tensor<2x11x3xf32>, tensor<3x3x4xf32>)
        outs(%zero : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
      %none = arith.constant dense<0.0> : tensor<2x2x4xf32>
      %window = tensor.empty() : tensor<2xf32>
      %sum = linalg.pooling_nwc_sum
        {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
        ins(%y, %window : tensor<2x4x4xf32>, tensor<2xf32>)
        outs(%none : tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
      return %y, %sum : tensor<2x4x4xf32>, tensor<2x2x4xf32>
    }
    """,
    least_copies=0,
)
def strided_dilated_convolution() -> Example:
    x, w = random(2, 11, 3), random(3, 3, 4)
    y = np.zeros((2, 4, 4), "f")
    for out in range(4):
        for k in range(3):
            y[:, out] += x[:, 2 * out + 2 * k] @ w[k]
    return [x, w], [y, y.reshape(2, 2, 2, 4).sum(2)]
