func.func @dim_of_transfer_write(%t: tensor<?xf32>, %v: vector<4xf32>, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @read_of_written(%t: tensor<?xf32>, %v: vector<4xf32>, %i: index, %x: f32) -> vector<4xf32> {
  %0 = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<?xf32>
  %1 = vector.transfer_read %0[%i], %x {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

func.func @read_of_written_partly_outside(%t: tensor<?xf32>, %v: vector<4xf32>, %i: index, %x: f32) -> vector<4xf32> {
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
  %1 = vector.transfer_read %0[%i], %x : tensor<?xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

func.func @read_of_cast_buffer(%m: memref<8xf32>, %i: index, %x: f32) -> vector<4xf32> {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %1 = vector.transfer_read %0[%i], %x : memref<?xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

func.func @write_to_cast_buffer(%m: memref<8xf32>, %i: index, %v: vector<4xf32>) {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  vector.transfer_write %v, %0[%i] : vector<4xf32>, memref<?xf32>
  return
}

// -----

func.func @read_of_cast_tensor(%t: tensor<8xf32>, %i: index, %x: f32) -> vector<4xf32> {
  %0 = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %1 = vector.transfer_read %0[%i], %x : tensor<?xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

func.func @write_to_cast_tensor(%t: tensor<8xf32>, %i: index, %v: vector<4xf32>) -> tensor<8xf32> {
  %0 = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %1 = vector.transfer_write %v, %0[%i] : vector<4xf32>, tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

func.func @dead_vector_ops(%t: tensor<8xf32>, %m: memref<8xf32>, %i: index, %v: vector<4xf32>, %x: f32) {
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
  %2 = vector.create_mask %i : vector<4xi1>
  %3 = vector.reduction <add>, %v : vector<4xf32> into f32
  %4 = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  return
}
