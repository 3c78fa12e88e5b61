// A vector of lower rank at offset 0 replaces a row: the other rows are still needed.
// DIFFERS: mlir-opt assumes that the complete tensor is overwritten, and does not copy it

func.func @write_row(%t: tensor<4x8xf32>, %v: vector<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Transposed, the vector covers 8 rows of 4 elements each.
// DIFFERS: mlir-opt compares the shapes as if nothing was transposed

func.func @write_transposed(%u: tensor<4x8xf32>, %w: vector<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %w, %u[%c0, %c0] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, tensor<4x8xf32>
  return %0, %u : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// DIFFERS: mlir-opt ignores the mask, and does not copy the elements that it excludes

func.func @write_everything_masked(%t: tensor<8xf32>, %v: vector<8xf32>, %m: vector<8xi1>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0], %m : vector<8xf32>, tensor<8xf32>
  return %0, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

// The copy is made in front of the mask, which can hold but one op.
// MLIR-REJECTS: in mlir-opt, the body of vector.mask must be in place

func.func @mask_write_out_of_place(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32> } : vector<4xi1> -> tensor<?x8xf32>
  return %0, %t : tensor<?x8xf32>, tensor<?x8xf32>
}
