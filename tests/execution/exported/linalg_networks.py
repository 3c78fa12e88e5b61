"""Networks that come as linalg on tensors."""

from __future__ import annotations

import numpy as np

from tests.execution.exported import reference as ref
from tests.execution.exported.networks import NETWORKS, Network
from tests.execution.harness import random


def linalg_bf16_mlp() -> Network:
    """A layer whose operands are packed in blocks of bf16, and added up in f32."""
    x, w, b = random(8, 8), random(8, 6, seed=1), random(6, seed=2)
    text = """
    #a = affine_map<(m, n, k, mb, nb, kb) -> (m, k, mb, kb)>
    #b = affine_map<(m, n, k, mb, nb, kb) -> (n, k, kb, nb)>
    #c = affine_map<(m, n, k, mb, nb, kb) -> (m, n, mb, nb)>
    #ij = affine_map<(i, j) -> (i, j)>
    #j = affine_map<(i, j) -> (j)>
    func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>)
        -> tensor<8x6xf32> {
      %zero = arith.constant 0.0 : f32
      %x16 = arith.truncf %x : tensor<8x8xf32> to tensor<8x8xbf16>
      %w16 = arith.truncf %w : tensor<8x6xf32> to tensor<8x6xbf16>
      %ex = tensor.empty() : tensor<2x2x4x4xbf16>
      %px = linalg.pack %x16 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %ex
        : tensor<8x8xbf16> -> tensor<2x2x4x4xbf16>
      %ew = tensor.empty() : tensor<3x2x4x2xbf16>
      %pw = linalg.pack %w16 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1]
        inner_tiles = [4, 2] into %ew : tensor<8x6xbf16> -> tensor<3x2x4x2xbf16>
      %ey = tensor.empty() : tensor<2x3x4x2xf32>
      %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x3x4x2xf32>)
        -> tensor<2x3x4x2xf32>
      %py = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types =
          ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
          ins(%px, %pw : tensor<2x2x4x4xbf16>, tensor<3x2x4x2xbf16>)
          outs(%zy : tensor<2x3x4x2xf32>) {
        ^bb0(%p: bf16, %q: bf16, %acc: f32):
          %pf = arith.extf %p : bf16 to f32
          %qf = arith.extf %q : bf16 to f32
          %product = arith.mulf %pf, %qf : f32
          %sum = arith.addf %acc, %product : f32
          linalg.yield %sum : f32
      } -> tensor<2x3x4x2xf32>
      %e = tensor.empty() : tensor<8x6xf32>
      %y = linalg.unpack %py inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %e
        : tensor<2x3x4x2xf32> -> tensor<8x6xf32>
      %r = linalg.generic {indexing_maps = [#j, #ij],
          iterator_types = ["parallel", "parallel"]}
          ins(%b : tensor<6xf32>) outs(%y : tensor<8x6xf32>) {
        ^bb0(%bias: f32, %v: f32):
          %biased = arith.addf %v, %bias : f32
          %positive = arith.maximumf %biased, %zero : f32
          linalg.yield %positive : f32
      } -> tensor<8x6xf32>
      return %r : tensor<8x6xf32>
    }
    """
    expected = np.maximum(ref.rounded_to_bf16(x) @ ref.rounded_to_bf16(w) + b, 0)
    return Network("linalg_bf16_mlp", text, [x, w, b], [expected], 1e-5)


def linalg_attention() -> Network:
    """Heads in a batch, scores scaled in place, softmax, and the sum of the values."""
    q, k, v = (random(2, 5, 4, seed=n) for n in range(3))
    text = """
    #id = affine_map<(b, i, j) -> (b, i, j)>
    func.func @main(%q: tensor<2x5x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x4xf32>)
        -> tensor<2x5x4xf32> {
      %zero = arith.constant 0.0 : f32
      %half = arith.constant 0.5 : f32
      %et = tensor.empty() : tensor<2x4x5xf32>
      %t = linalg.transpose ins(%k : tensor<2x5x4xf32>) outs(%et : tensor<2x4x5xf32>)
        permutation = [0, 2, 1]
      %es = tensor.empty() : tensor<2x5x5xf32>
      %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x5xf32>)
        -> tensor<2x5x5xf32>
      %s = linalg.batch_matmul ins(%q, %t : tensor<2x5x4xf32>, tensor<2x4x5xf32>)
        outs(%zs : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
      %scaled = linalg.generic {indexing_maps = [#id],
          iterator_types = ["parallel", "parallel", "parallel"]}
          outs(%s : tensor<2x5x5xf32>) {
        ^bb0(%e: f32):
          %p = arith.mulf %e, %half : f32
          linalg.yield %p : f32
      } -> tensor<2x5x5xf32>
      %p = linalg.softmax dimension(2) ins(%scaled : tensor<2x5x5xf32>)
        outs(%es : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
      %ey = tensor.empty() : tensor<2x5x4xf32>
      %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x5x4xf32>)
        -> tensor<2x5x4xf32>
      %y = linalg.batch_matmul ins(%p, %v : tensor<2x5x5xf32>, tensor<2x5x4xf32>)
        outs(%zy : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
      return %y : tensor<2x5x4xf32>
    }
    """
    expected = ref.softmax(q @ k.transpose(0, 2, 1) * np.float32(0.5)) @ v
    return Network("linalg_attention", text, [q, k, v], [expected], 1e-4)


NETWORKS["linalg_bf16_mlp"] = linalg_bf16_mlp
NETWORKS["linalg_attention"] = linalg_attention
