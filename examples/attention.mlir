// One attention head: softmax(Q K^T / sqrt(64)) V, for any batch and any sequence length.
//
// The logits, their exponentials and the weights reuse the buffer of the scores. With the
// transposed keys, the maxima and sums of the rows, and the result, five buffers are
// allocated, and nothing is copied.

#scores = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>

func.func @main(%q: tensor<?x?x64xf32>, %k: tensor<?x?x64xf32>, %v: tensor<?x?x64xf32>)
    -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %batch = tensor.dim %q, %c0 : tensor<?x?x64xf32>
  %queries = tensor.dim %q, %c1 : tensor<?x?x64xf32>
  %keys = tensor.dim %k, %c1 : tensor<?x?x64xf32>

  // scores = Q K^T
  %kt_empty = tensor.empty(%batch, %keys) : tensor<?x64x?xf32>
  %kt = linalg.transpose ins(%k : tensor<?x?x64xf32>) outs(%kt_empty : tensor<?x64x?xf32>)
      permutation = [0, 2, 1]
  %s_empty = tensor.empty(%batch, %queries, %keys) : tensor<?x?x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x?x?xf32>)
      -> tensor<?x?x?xf32>
  %scores = linalg.batch_matmul ins(%q, %kt : tensor<?x?x64xf32>, tensor<?x64x?xf32>)
      outs(%s_zero : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>

  // weights = softmax(scores / sqrt(64)), over the keys
  %max_empty = tensor.empty(%batch, %queries) : tensor<?x?xf32>
  %max_start = linalg.fill ins(%minus_infinity : f32) outs(%max_empty : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  %max = linalg.reduce ins(%scores : tensor<?x?x?xf32>) outs(%max_start : tensor<?x?xf32>)
      dimensions = [2]
    (%in: f32, %so_far: f32) {
      %larger = arith.maximumf %in, %so_far : f32
      linalg.yield %larger : f32
    }
  %exps = linalg.generic {indexing_maps = [#row, #scores],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%max : tensor<?x?xf32>) outs(%scores : tensor<?x?x?xf32>) {
    ^bb0(%m: f32, %score: f32):
      %shifted = arith.subf %score, %m : f32
      %scaled = arith.mulf %shifted, %scale : f32
      %exp = math.exp %scaled : f32
      linalg.yield %exp : f32
  } -> tensor<?x?x?xf32>
  %sum_empty = tensor.empty(%batch, %queries) : tensor<?x?xf32>
  %sum_start = linalg.fill ins(%zero : f32) outs(%sum_empty : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  %sums = linalg.reduce ins(%exps : tensor<?x?x?xf32>) outs(%sum_start : tensor<?x?xf32>)
      dimensions = [2]
    (%in: f32, %so_far: f32) {
      %sum = arith.addf %in, %so_far : f32
      linalg.yield %sum : f32
    }
  %weights = linalg.generic {indexing_maps = [#row, #scores],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<?x?xf32>) outs(%exps : tensor<?x?x?xf32>) {
    ^bb0(%sum: f32, %exp: f32):
      %weight = arith.divf %exp, %sum : f32
      linalg.yield %weight : f32
  } -> tensor<?x?x?xf32>

  // weights V
  %o_empty = tensor.empty(%batch, %queries) : tensor<?x?x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<?x?x64xf32>)
      -> tensor<?x?x64xf32>
  %output = linalg.batch_matmul ins(%weights, %v : tensor<?x?x?xf32>, tensor<?x?x64xf32>)
      outs(%o_zero : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %output : tensor<?x?x64xf32>
}
