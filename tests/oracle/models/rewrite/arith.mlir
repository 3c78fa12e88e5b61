// Programs on which analysis and rewrite have not both the same outcome as in mlir-opt.

// The global of the same contents may have others by the time the constant is read.
// DIFFERS: mlir-opt uses a global that is not constant for the constant

memref.global "private" @variable : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}

func.func @constant_and_variable(%i: index, %f: f32) -> f32 {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %m = memref.get_global @variable : memref<2xf32>
  memref.store %f, %m[%i] : memref<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  return %0 : f32
}

// -----
// REJECTED: different memory spaces

func.func @select_memory_spaces(%c: i1, %i: index) -> f32 {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() : tensor<4xf32>
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// REJECTED: was not bufferized

func.func @addf(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = arith.addf %t, %t : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %2 : f32
}

// -----

// REJECTED: only i1 condition

func.func @select_elements(%c: tensor<4xi1>, %t: tensor<4xf32>, %u: tensor<4xf32>, %i: index) -> f32 {
  %0 = arith.select %c, %t, %u : tensor<4xi1>, tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %2 : f32
}

// -----

// REJECTED: was not bufferized

func.func @index_castui(%t: tensor<?x4xi32>, %i: index) -> index {
  %0 = arith.index_castui %t : tensor<?x4xi32> to tensor<?x4xindex>
  %1 = tensor.extract %0[%i, %i] : tensor<?x4xindex>
  return %1 : index
}
