// vector.gather and vector.mask.

func.func @gather(%t: tensor<?x8xf32>, %i: index, %v: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>, %f: f32) -> (vector<4xf32>, tensor<?x8xf32>) {
  %1 = tensor.insert %f into %t[%i, %i] : tensor<?x8xf32>
  %0 = "vector.gather"(%t, %i, %i, %v, %m, %p) <{operandSegmentSizes = array<i32: 1, 2, 1, 1, 1>}> : (tensor<?x8xf32>, index, index, vector<4xindex>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return %0, %1 : vector<4xf32>, tensor<?x8xf32>
}

// -----

func.func @mask_write(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> tensor<?x8xf32> {
  %0 = "vector.mask"(%m) ({
    %1 = vector.transfer_write %v, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32>
    "vector.yield"(%1) : (tensor<?x8xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @mask_read(%t: tensor<?x8xf32>, %i: index, %f: f32, %m: vector<4xi1>) -> vector<4xf32> {
  %0 = "vector.mask"(%m) ({
    %1 = vector.transfer_read %t[%i, %i], %f {in_bounds = [true]} : tensor<?x8xf32>, vector<4xf32>
    "vector.yield"(%1) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @mask_write_read_by_mask(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index, %f: f32, %m: vector<4xi1>) -> (tensor<?x8xf32>, vector<4xf32>) {
  %0 = "vector.mask"(%m) ({
    %1 = vector.transfer_write %v, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32>
    "vector.yield"(%1) : (tensor<?x8xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<?x8xf32>
  %2 = "vector.mask"(%m) ({
    %3 = vector.transfer_read %0[%i, %i], %f {in_bounds = [true]} : tensor<?x8xf32>, vector<4xf32>
    "vector.yield"(%3) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  return %0, %2 : tensor<?x8xf32>, vector<4xf32>
}

// -----

// The copy is made in front of the mask, which can hold but one op.
// MLIR-REJECTS: the body of vector.mask has to be in place there

func.func @mask_write_out_of_place(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = "vector.mask"(%m) ({
    %1 = vector.transfer_write %v, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32>
    "vector.yield"(%1) : (tensor<?x8xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<?x8xf32>
  return %0, %t : tensor<?x8xf32>, tensor<?x8xf32>
}
