// A perceptron of three layers that classifies a batch of 32 images of 28 x 28 pixels:
// 784 -> 256 -> 128 -> 10, relu between the layers, softmax at the end.
//
// The program does not say where tensors are in memory. Bufferization computes bias and
// relu in the matmul's buffer, and softmax in the buffer of the logits. It allocates five
// buffers, one for each matmul and two for the maxima and sums of the rows, and copies
// nothing.
//
//   make demo
//   python -m xdsl_bufferization.jit examples/mlp.mlir --call main \
//       --arg x.npy --arg w1.npy --arg b1.npy --arg w2.npy --arg b2.npy \
//       --arg w3.npy --arg b3.npy

#matrix = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @main(
    %x: tensor<32x784xf32>,
    %w1: tensor<784x256xf32>, %b1: tensor<256xf32>,
    %w2: tensor<256x128xf32>, %b2: tensor<128xf32>,
    %w3: tensor<128x10xf32>, %b3: tensor<10xf32>) -> tensor<32x10xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32

  // relu(x w1 + b1)
  %e1 = tensor.empty() : tensor<32x256xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<32x256xf32>) -> tensor<32x256xf32>
  %m1 = linalg.matmul ins(%x, %w1 : tensor<32x784xf32>, tensor<784x256xf32>)
      outs(%f1 : tensor<32x256xf32>) -> tensor<32x256xf32>
  %h1 = linalg.generic {indexing_maps = [#column, #matrix],
                        iterator_types = ["parallel", "parallel"]}
      ins(%b1 : tensor<256xf32>) outs(%m1 : tensor<32x256xf32>) {
    ^bb0(%b: f32, %m: f32):
      %sum = arith.addf %m, %b : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
  } -> tensor<32x256xf32>

  // relu(h1 w2 + b2)
  %e2 = tensor.empty() : tensor<32x128xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %m2 = linalg.matmul ins(%h1, %w2 : tensor<32x256xf32>, tensor<256x128xf32>)
      outs(%f2 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %h2 = linalg.generic {indexing_maps = [#column, #matrix],
                        iterator_types = ["parallel", "parallel"]}
      ins(%b2 : tensor<128xf32>) outs(%m2 : tensor<32x128xf32>) {
    ^bb0(%b: f32, %m: f32):
      %sum = arith.addf %m, %b : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
  } -> tensor<32x128xf32>

  // h2 w3 + b3
  %e3 = tensor.empty() : tensor<32x10xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<32x10xf32>) -> tensor<32x10xf32>
  %m3 = linalg.matmul ins(%h2, %w3 : tensor<32x128xf32>, tensor<128x10xf32>)
      outs(%f3 : tensor<32x10xf32>) -> tensor<32x10xf32>
  %logits = linalg.generic {indexing_maps = [#column, #matrix],
                            iterator_types = ["parallel", "parallel"]}
      ins(%b3 : tensor<10xf32>) outs(%m3 : tensor<32x10xf32>) {
    ^bb0(%b: f32, %m: f32):
      %sum = arith.addf %m, %b : f32
      linalg.yield %sum : f32
  } -> tensor<32x10xf32>

  // softmax of each row
  %er = tensor.empty() : tensor<32xf32>
  %fr = linalg.fill ins(%minus_infinity : f32) outs(%er : tensor<32xf32>)
      -> tensor<32xf32>
  %max = linalg.reduce ins(%logits : tensor<32x10xf32>) outs(%fr : tensor<32xf32>)
      dimensions = [1]
    (%in: f32, %so_far: f32) {
      %larger = arith.maximumf %in, %so_far : f32
      linalg.yield %larger : f32
    }
  %exps = linalg.generic {indexing_maps = [#row, #matrix],
                          iterator_types = ["parallel", "parallel"]}
      ins(%max : tensor<32xf32>) outs(%logits : tensor<32x10xf32>) {
    ^bb0(%m: f32, %logit: f32):
      %shifted = arith.subf %logit, %m : f32
      %exp = math.exp %shifted : f32
      linalg.yield %exp : f32
  } -> tensor<32x10xf32>
  %es = tensor.empty() : tensor<32xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<32xf32>) -> tensor<32xf32>
  %sums = linalg.reduce ins(%exps : tensor<32x10xf32>) outs(%fs : tensor<32xf32>)
      dimensions = [1]
    (%in: f32, %so_far: f32) {
      %sum = arith.addf %in, %so_far : f32
      linalg.yield %sum : f32
    }
  %probabilities = linalg.generic {indexing_maps = [#row, #matrix],
                                   iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<32xf32>) outs(%exps : tensor<32x10xf32>) {
    ^bb0(%sum: f32, %exp: f32):
      %probability = arith.divf %exp, %sum : f32
      linalg.yield %probability : f32
  } -> tensor<32x10xf32>
  return %probabilities : tensor<32x10xf32>
}
