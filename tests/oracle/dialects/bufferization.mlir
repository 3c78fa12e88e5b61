// Every op of the bufferization dialect in each of its forms.

func.func @bufferization_clone(%m: memref<?xf32>) {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @bufferization_clone_2(%u: memref<*xf32>) {
  %1 = bufferization.clone %u : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @bufferization_materialize_in_destination(%t: tensor<?xf32>) {
  %2 = bufferization.materialize_in_destination %t in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @bufferization_materialize_in_destination_2(%m: memref<?xf32>, %t: tensor<?xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @bufferization_materialize_in_destination_3(%m: memref<?xf32>, %t: tensor<?xf32>) {
  bufferization.materialize_in_destination %t in writable %m {foo} : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @bufferization_dealloc_tensor(%t: tensor<?xf32>) {
  bufferization.dealloc_tensor %t : tensor<?xf32>
  return
}

// -----

func.func @bufferization_to_tensor_2(%u: memref<*xf32>) {
  %4 = bufferization.to_tensor %u {foo} : memref<*xf32> to tensor<*xf32>
  return
}

// -----

func.func @bufferization_to_buffer(%t: tensor<?xf32>) {
  %5 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>, 1>
  return
}

// -----

func.func @bufferization_to_buffer_2(%ut: tensor<*xf32>) {
  %6 = bufferization.to_buffer %ut read_only : tensor<*xf32> to memref<*xf32>
  return
}

// -----

func.func @bufferization_alloc_tensor() {
  %7 = bufferization.alloc_tensor() : tensor<4xf32>
  return
}

// -----

func.func @bufferization_alloc_tensor_2(%i: index) {
  %8 = bufferization.alloc_tensor(%i) : tensor<?xf32>
  return
}

// -----

func.func @bufferization_alloc_tensor_3(%t: tensor<?xf32>) {
  %9 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  return
}

// -----

func.func @bufferization_alloc_tensor_4(%i: index) {
  %10 = bufferization.alloc_tensor(%i) size_hint=%i : tensor<?xf32>
  return
}

// -----

func.func @dealloc(%m: memref<?xf32>, %u: memref<*xf32>, %c: i1) {
  bufferization.dealloc (%m, %u : memref<?xf32>, memref<*xf32>) if (%c, %c)
  return
}

// -----

func.func @dealloc_retain(%m: memref<?xf32>, %u: memref<*xf32>, %c: i1) -> (i1, i1) {
  %0:2 = bufferization.dealloc (%m : memref<?xf32>) if (%c) retain (%m, %u : memref<?xf32>, memref<*xf32>)
  return %0#0, %0#1 : i1, i1
}

// -----

func.func @dealloc_only_retain(%m: memref<?xf32>) -> i1 {
  %0 = bufferization.dealloc retain (%m : memref<?xf32>)
  return %0 : i1
}

// -----

func.func @dealloc_nothing() {
  bufferization.dealloc
  return
}

// -----

func.func @attributes(%t: tensor<?xf32> {bufferization.writable = false, bufferization.access = "read"},
    %u: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}) {
  return
}

// -----

func.func @to_tensor_of_a_layout(%l: memref<?xf32, strided<[?], offset: ?>, 1>) {
  %0 = bufferization.to_tensor %l restrict writable
      : memref<?xf32, strided<[?], offset: ?>, 1> to tensor<?xf32>
  return
}

// -----

func.func @properties_among_attributes(%m: memref<8xf32>) -> tensor<8xf32> {
  %0 = bufferization.to_tensor %m {restrict, writable} : memref<8xf32> to tensor<8xf32>
  %1 = bufferization.to_buffer %0 {read_only} : tensor<8xf32> to memref<8xf32>
  bufferization.materialize_in_destination %0 in %m {restrict, writable}
      : (tensor<8xf32>, memref<8xf32>) -> ()
  return %0 : tensor<8xf32>
}
