// C = A B in tiles of 32 x 32 x 32, like the output of a tiling pass: loops that extract a
// tile of each tensor, multiply, and insert the tile back.
//
// On tensors, every insert makes a new matrix. Bufferization proves that each iteration may
// work on a view of the single result buffer: extract_slice becomes memref.subview,
// insert_slice disappears, and there is one allocation and no copy.

func.func @main(%a: tensor<128x96xf64>, %b: tensor<96x160xf64>) -> tensor<128x160xf64> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  %c160 = arith.constant 160 : index
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<128x160xf64>
  %c = linalg.fill ins(%zero : f64) outs(%empty : tensor<128x160xf64>)
      -> tensor<128x160xf64>
  %product = scf.for %i = %c0 to %c128 step %c32
      iter_args(%c_i = %c) -> (tensor<128x160xf64>) {
    %rows = scf.for %j = %c0 to %c160 step %c32
        iter_args(%c_j = %c_i) -> (tensor<128x160xf64>) {
      %tiles = scf.for %k = %c0 to %c96 step %c32
          iter_args(%c_k = %c_j) -> (tensor<128x160xf64>) {
        %a_tile = tensor.extract_slice %a[%i, %k] [32, 32] [1, 1]
            : tensor<128x96xf64> to tensor<32x32xf64>
        %b_tile = tensor.extract_slice %b[%k, %j] [32, 32] [1, 1]
            : tensor<96x160xf64> to tensor<32x32xf64>
        %c_tile = tensor.extract_slice %c_k[%i, %j] [32, 32] [1, 1]
            : tensor<128x160xf64> to tensor<32x32xf64>
        %updated = linalg.matmul
            ins(%a_tile, %b_tile : tensor<32x32xf64>, tensor<32x32xf64>)
            outs(%c_tile : tensor<32x32xf64>) -> tensor<32x32xf64>
        %inserted = tensor.insert_slice %updated into %c_k[%i, %j] [32, 32] [1, 1]
            : tensor<32x32xf64> into tensor<128x160xf64>
        scf.yield %inserted : tensor<128x160xf64>
      }
      scf.yield %tiles : tensor<128x160xf64>
    }
    scf.yield %rows : tensor<128x160xf64>
  }
  return %product : tensor<128x160xf64>
}
