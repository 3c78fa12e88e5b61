// PASSES: one-shot-bufferize{bufferize-function-boundaries use-encoding-for-memory-space}

// The encoding of a tensor is the memory space of its buffer.

func.func @elements(%t: tensor<4xf32, 1 : i64>, %f: f32, %i: index) -> (tensor<4xf32, 1 : i64>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32, 1 : i64>
  %1 = tensor.extract %t[%i] : tensor<4xf32, 1 : i64>
  return %0, %1 : tensor<4xf32, 1 : i64>, f32
}

// -----

func.func @slices(%t: tensor<16xf32, 1 : i64>, %f: f32, %i: index) -> tensor<16xf32, 1 : i64> {
  %0 = tensor.extract_slice %t[%i][4][1] : tensor<16xf32, 1 : i64> to tensor<4xf32, 1 : i64>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32, 1 : i64>) -> tensor<4xf32, 1 : i64>
  %2 = tensor.insert_slice %1 into %t[%i][4][1] : tensor<4xf32, 1 : i64> into tensor<16xf32, 1 : i64>
  return %2 : tensor<16xf32, 1 : i64>
}

// -----

func.func @reshapes(%t: tensor<4x5xf32, 1 : i64>, %i: index) -> f32 {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32, 1 : i64> into tensor<20xf32, 1 : i64>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 10] : tensor<20xf32, 1 : i64> into tensor<2x10xf32, 1 : i64>
  %2 = tensor.cast %1 : tensor<2x10xf32, 1 : i64> to tensor<?x10xf32, 1 : i64>
  %3 = tensor.extract %2[%i, %i] : tensor<?x10xf32, 1 : i64>
  return %3 : f32
}

// -----

func.func @new(%n: index, %f: f32, %i: index) -> (tensor<?xf32, 1 : i64>, f32, f32) {
  %0 = tensor.empty(%n) : tensor<?xf32, 1 : i64>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32, 1 : i64>) -> tensor<?xf32, 1 : i64>
  %2 = tensor.from_elements %f, %f : tensor<2xf32, 1 : i64>
  %3 = tensor.extract %2[%i] : tensor<2xf32, 1 : i64>
  %4 = bufferization.alloc_tensor() copy(%2) {memory_space = 2 : i64} : tensor<2xf32, 1 : i64>
  %5 = tensor.insert %f into %4[%i] : tensor<2xf32, 1 : i64>
  %6 = tensor.extract %5[%i] : tensor<2xf32, 1 : i64>
  return %1, %3, %6 : tensor<?xf32, 1 : i64>, f32, f32
}

// -----

func.func @constant(%i: index) -> f32 {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, 1 : i64>
  %1 = tensor.extract %0[%i] : tensor<2xf32, 1 : i64>
  return %1 : f32
}

// -----

func.func @pad(%t: tensor<4xf32, 1 : i64>, %f: f32) -> tensor<6xf32, 1 : i64> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32, 1 : i64> to tensor<6xf32, 1 : i64>
  return %0 : tensor<6xf32, 1 : i64>
}

// -----

// MLIR-REJECTS: mlir-opt does not implement a memory space for this op

func.func @splat(%f: f32) -> tensor<6xf32, 1 : i64> {
  %0 = tensor.splat %f : tensor<6xf32, 1 : i64>
  return %0 : tensor<6xf32, 1 : i64>
}

// -----

// MLIR-REJECTS: mlir-opt does not implement a memory space for this op

func.func @generate(%f: f32) -> tensor<6xf32, 1 : i64> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<6xf32, 1 : i64>
  return %0 : tensor<6xf32, 1 : i64>
}

// -----

func.func @from_unranked(%t: tensor<*xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
