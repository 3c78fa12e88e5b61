// Ops of the bufferization dialect.

func.func @alloc_tensor(%n: index, %f: f32) -> (tensor<4x?xf32>, tensor<f32>) {
  %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  %1 = bufferization.alloc_tensor() : tensor<f32>
  return %0, %1 : tensor<4x?xf32>, tensor<f32>
}

// -----

func.func @alloc_tensor_unused(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %1 = bufferization.alloc_tensor() : tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

func.func @alloc_tensor_copy(%t: tensor<?x4x?xf32>, %f: f32, %i: index) -> (tensor<?x4x?xf32>, tensor<?x4x?xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<?x4x?xf32>
  %1 = tensor.insert %f into %0[%i, %i, %i] : tensor<?x4x?xf32>
  return %0, %1 : tensor<?x4x?xf32>, tensor<?x4x?xf32>
}

// -----

func.func @alloc_tensor_has_undefined_contents(%f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @memory_space(%f: f32, %n: index, %i: index) -> (f32, f32) {
  %0 = bufferization.alloc_tensor(%n) {memory_space = 3 : i64} : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = bufferization.alloc_tensor() copy(%1) : tensor<?xf32>
  %3 = bufferization.alloc_tensor() copy(%1) {memory_space = "other"} : tensor<?xf32>
  %4 = tensor.insert %f into %2[%i] : tensor<?xf32>
  %5 = tensor.insert %f into %3[%i] : tensor<?xf32>
  %6 = tensor.extract %4[%i] : tensor<?xf32>
  %7 = tensor.extract %5[%i] : tensor<?xf32>
  return %6, %7 : f32, f32
}

// -----

func.func @memory_space_of_views(%f: f32, %i: index) -> (f32, f32, f32) {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<8x8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = tensor.extract_slice %1[2, 2][4, 4][1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 2, 4] : tensor<4x4xf32> into tensor<2x2x4xf32>
  %4 = tensor.collapse_shape %2 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %5 = tensor.cast %1 : tensor<8x8xf32> to tensor<?x?xf32>
  %6 = tensor.extract %3[%i, %i, %i] : tensor<2x2x4xf32>
  %7 = tensor.extract %4[%i] : tensor<16xf32>
  %8 = tensor.extract %5[%i, %i] : tensor<?x?xf32>
  return %6, %7, %8 : f32, f32, f32
}

// -----

func.func @memory_space_of_copies(%f: f32, %i: index) -> (f32, f32) {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert %f into %1[%i] : tensor<8xf32>
  %3 = tensor.pad %1 low[1] high[2] {
  ^bb0(%j: index):
    tensor.yield %f : f32
  } : tensor<8xf32> to tensor<11xf32>
  %4 = tensor.extract %2[%i] : tensor<8xf32>
  %5 = tensor.extract %3[%i] : tensor<11xf32>
  return %4, %5 : f32, f32
}

// -----

func.func @to_tensor(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @to_tensor_is_not_writable(%m: memref<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %0 = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @to_tensor_writable(%m: memref<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %0 = bufferization.to_tensor %m restrict writable : memref<?xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @to_tensor_layout(%m: memref<4x4xf32, strided<[8, 1], offset: 2>, 5>, %f: f32, %i: index) -> f32 {
  %0 = bufferization.to_tensor %m restrict writable : memref<4x4xf32, strided<[8, 1], offset: 2>, 5> to tensor<4x4xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<4x4xf32>
  %2 = tensor.extract_slice %1[1, 1][2, 2][1, 2] : tensor<4x4xf32> to tensor<2x2xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %4 = tensor.extract %3[%i] : tensor<4xf32>
  return %4 : f32
}

// -----

func.func @to_tensor_copied(%m: memref<4x?xf32, strided<[?, 1], offset: 2>, 5>, %f: f32, %i: index) -> (f32, f32) {
  %0 = bufferization.to_tensor %m restrict : memref<4x?xf32, strided<[?, 1], offset: 2>, 5> to tensor<4x?xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<4x?xf32>
  %2 = tensor.extract %0[%i, %i] : tensor<4x?xf32>
  %3 = tensor.extract %1[%i, %i] : tensor<4x?xf32>
  return %2, %3 : f32, f32
}

// -----

func.func @to_tensor_unranked(%m: memref<*xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %m restrict : memref<*xf32> to tensor<*xf32>
  %1 = tensor.dim %0, %c0 : tensor<*xf32>
  return %1 : index
}

// -----

// MLIR-REJECTS: MLIR's One-Shot Analysis rejects a tensor whose buffer may have other
// aliases; here the tensor is a copy if the buffer is written afterwards.

func.func @to_tensor_without_restrict(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @to_buffer_read_only(%t: tensor<4xf32>, %f: f32, %i: index) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %0 = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0, %1 : f32, tensor<4xf32>
}

// -----

func.func @to_buffer(%t: tensor<4xf32>, %f: f32, %i: index) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.store %f, %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  %0 = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %0, %t : f32, tensor<4xf32>
}

// -----

func.func @to_buffer_of_new(%f: f32) -> memref<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}

// -----

func.func @to_buffer_of_layout(%f: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %0 = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %0 : f32
}

// -----

func.func @to_buffer_that_needs_a_copy(%f: f32, %n: index) -> memref<4x?xf32> {
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %s = tensor.extract_slice %t[2, 0][4, %n][1, 1] : tensor<8x?xf32> to tensor<4x?xf32>
  %m = bufferization.to_buffer %s : tensor<4x?xf32> to memref<4x?xf32>
  return %m : memref<4x?xf32>
}

// -----

func.func @to_buffer_of_constant() -> memref<2xf32> {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %m = bufferization.to_buffer %t read_only : tensor<2xf32> to memref<2xf32>
  return %m : memref<2xf32>
}

// -----

func.func @to_buffer_of_to_tensor(%m: memref<?xf32>) -> memref<?xf32> {
  %t = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %r = bufferization.to_buffer %t read_only : tensor<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}

// -----

func.func @materialize_in_buffer(%t: tensor<5xf32>, %m: memref<5xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}

// -----

func.func @materialize_new_in_buffer(%f: f32, %m: memref<5xf32, 3>) {
  %e = tensor.empty() : tensor<5xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<5xf32>, memref<5xf32, 3>) -> ()
  return
}

// -----

func.func @materialize_in_tensor(%t: tensor<5xf32>, %d: tensor<5xf32>) -> tensor<5xf32> {
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @materialize_in_itself(%t: tensor<5xf32>, %f: f32, %i: index) -> tensor<5xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<5xf32>
  %1 = bufferization.materialize_in_destination %0 in %t : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

func.func @materialize_in_slice(%t: tensor<16xf32>, %f: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.extract_slice %t[2][4][1] : tensor<16xf32> to tensor<4xf32>
  %0 = bufferization.materialize_in_destination %w in %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[2][4][1] : tensor<4xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// REJECTED: read-only

func.func @materialize_in_constant(%t: tensor<2xf32>) -> tensor<2xf32> {
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// REJECTED: RaW conflict

func.func @materialize_where_the_old_is_read(%t: tensor<2xf32>, %d: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %d : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @dealloc_tensor(%f: f32, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() : tensor<5xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %0 = tensor.extract %t[%i] : tensor<5xf32>
  bufferization.dealloc_tensor %t : tensor<5xf32>
  return %0 : f32
}

// -----

func.func @clone(%m: memref<5xf32>, %i: index, %t: tensor<5xf32>) -> (f32, f32) {
  %c = bufferization.clone %m : memref<5xf32> to memref<5xf32>
  %0 = memref.load %c[%i] : memref<5xf32>
  %1 = tensor.extract %t[%i] : tensor<5xf32>
  memref.dealloc %c : memref<5xf32>
  return %0, %1 : f32, f32
}
