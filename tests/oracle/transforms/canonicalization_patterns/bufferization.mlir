func.func @to_tensor_back(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @to_buffer_of_cast_from_unranked(%t: tensor<*xf32>) -> memref<?xf32> {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @cast_of_to_tensor(%m: memref<?xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @store_to_to_buffer(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %x, %0[%i] : memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}

// -----

func.func @unused_alloc_tensor_copy(%t: tensor<4xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  return
}

// -----

func.func @alloc_tensor_with_constant_size(%n: index) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %0 = bufferization.alloc_tensor(%c4, %n) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dim_of_alloc_tensor(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = bufferization.alloc_tensor(%n, %n) : tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}

// -----

func.func @clone_without_uses(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @clone_to_other_type(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = memref.cast %m : memref<?xf32> to memref<4xf32>
  %1 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
  %2 = memref.cast %1 : memref<4xf32> to memref<?xf32>
  return %2 : memref<?xf32>
}
