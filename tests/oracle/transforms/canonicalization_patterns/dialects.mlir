// After canonicalization and CSE, IR is as small as after mlir-opt's.

func.func @to_tensor_of_to_buffer(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.to_tensor %0 : memref<4xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @to_buffer_of_to_tensor(%t: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_tensor %t : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  return %1 : memref<4xf32>
}

// -----

func.func @to_buffer_of_to_tensor_cast(%t: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = bufferization.to_tensor %t : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %1 : memref<4xf32, strided<[?], offset: ?>>
}

// -----

func.func @to_buffer_of_other_layout(%t: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?x4xf32> {
  %0 = bufferization.to_tensor %t : memref<?x4xf32, strided<[?, 1], offset: ?>> to tensor<?x4xf32>
  %1 = bufferization.to_buffer %0 : tensor<?x4xf32> to memref<?x4xf32>
  return %1 : memref<?x4xf32>
}

// -----

func.func @to_buffer_in_other_space(%t: memref<4xf32, 1>) -> memref<4xf32, strided<[2]>> {
  %0 = bufferization.to_tensor %t : memref<4xf32, 1> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[2]>>
  return %1 : memref<4xf32, strided<[2]>>
}

// -----

func.func @dim_of_to_tensor(%t: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %t : memref<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @load_of_to_buffer(%t: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = memref.load %0[%c0] : memref<?xf32>
  return %1 : f32
}

// -----

func.func @clone_of_freed(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

func.func @freed_clone(%m: memref<?xf32>) {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return
}

// -----

func.func @unused_clone(%m: memref<?xf32>) {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @clone_of_cast(%m: memref<?xf32>) -> memref<*xf32> {
  %0 = memref.cast %m : memref<?xf32> to memref<*xf32>
  %1 = bufferization.clone %0 : memref<*xf32> to memref<*xf32>
  return %1 : memref<*xf32>
}

// -----

func.func @alloc_tensor_constant_size() -> (tensor<?xf32>, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%c4) : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, index
}

// -----

func.func @unused_alloc_tensor_stays() {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  return
}

// -----

func.func @alloc_constant_size(%i: index) -> (memref<?x?xf32>, index, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc(%c4, %i) : memref<?x?xf32>
  %1 = memref.dim %0, %c0 : memref<?x?xf32>
  %2 = memref.dim %0, %c1 : memref<?x?xf32>
  return %0, %1, %2 : memref<?x?xf32>, index, index
}

// -----

func.func @dead_alloc(%f: f32, %i: index) {
  %0 = memref.alloc() : memref<4xf32>
  memref.store %f, %0[%i] : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @self_copy(%m: memref<4xf32>, %e: memref<0xf32>) {
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  memref.copy %e, %e : memref<0xf32> to memref<0xf32>
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  memref.copy %0, %m : memref<?xf32> to memref<4xf32>
  return
}

// -----

func.func @memref_casts(%m: memref<4xf32>, %i: index, %f: f32) -> (memref<4xf32>, f32, memref<?xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.cast %0 : memref<?xf32> to memref<4xf32>
  %2 = memref.load %0[%i] : memref<?xf32>
  memref.store %f, %0[%i] : memref<?xf32>
  %3 = memref.cast %m : memref<4xf32> to memref<*xf32>
  %4 = memref.cast %3 : memref<*xf32> to memref<?xf32>
  return %1, %2, %4 : memref<4xf32>, f32, memref<?xf32>
}

// -----

func.func @subview_constant_sizes(%m: memref<8x8xf32>, %i: index) -> (memref<?x?xf32, strided<[8, 1], offset: ?>>, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = memref.subview %m[%c4, 0] [%c4, %i] [1, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[8, 1], offset: ?>>
  %1 = memref.dim %0, %c0 : memref<?x?xf32, strided<[8, 1], offset: ?>>
  return %0, %1 : memref<?x?xf32, strided<[8, 1], offset: ?>>, index
}

// -----

func.func @whole_subview(%m: memref<8x8xf32>) -> memref<8x8xf32> {
  %0 = memref.subview %m[0, 0] [8, 8] [1, 1] : memref<8x8xf32> to memref<8x8xf32>
  return %0 : memref<8x8xf32>
}

// -----

func.func @subview_of_subview(%m: memref<8x8xf32>) -> memref<2x2xf32, strided<[8, 1], offset: 20>> {
  %0 = memref.subview %m[1, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 10>>
  %1 = memref.subview %0[1, 2] [2, 2] [1, 1] : memref<4x4xf32, strided<[8, 1], offset: 10>> to memref<2x2xf32, strided<[8, 1], offset: 20>>
  return %1 : memref<2x2xf32, strided<[8, 1], offset: 20>>
}

// -----

func.func @subview_of_cast(%m: memref<8x8xf32>, %i: index) -> memref<4x4xf32, strided<[?, 1], offset: ?>> {
  %c = memref.cast %m : memref<8x8xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  %0 = memref.subview %c[%i, 0] [4, 4] [1, 1] : memref<?x8xf32, strided<[?, 1], offset: ?>> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<4x4xf32, strided<[?, 1], offset: ?>>
}

// -----

func.func @tensor_casts(%t: tensor<4xf32>, %u: tensor<?xf32>) -> (tensor<4xf32>, index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.dim %0, %c0 : tensor<?xf32>
  %3 = tensor.cast %u : tensor<?xf32> to tensor<?xf32>
  return %1, %2, %3 : tensor<4xf32>, index, tensor<?xf32>
}

// -----

func.func @slices_constant_sizes(%t: tensor<8x8xf32>, %s: tensor<?x?xf32>) -> (tensor<?x?xf32>, index, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %t[%c4, 0] [%c4, %c4] [1, 1] : tensor<8x8xf32> to tensor<?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %2 = tensor.insert_slice %s into %t[%c4, 0] [%c4, %c4] [1, 1] : tensor<?x?xf32> into tensor<8x8xf32>
  %3 = tensor.extract_slice %t[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> to tensor<8x8xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, index, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

func.func @empty_constant_size(%i: index) -> (tensor<?x?xf32>, index) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty(%c4, %i) : tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, index
}

// -----

func.func @loop_without_iterations(%lb: index, %t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %0:2 = scf.for %i = %lb to %lb step %lb iter_args(%a = %t, %b = %f) -> (tensor<4xf32>, f32) {
    %1 = tensor.insert %b into %a[%i] : tensor<4xf32>
    scf.yield %1, %b : tensor<4xf32>, f32
  }
  return %0#0, %0#1 : tensor<4xf32>, f32
}

// -----

func.func @loop_with_unused_result(%lb: index, %ub: index, %f: f32, %g: f32) -> f32 {
  %0:2 = scf.for %i = %lb to %ub step %lb iter_args(%a = %f, %b = %f) -> (f32, f32) {
    %1 = arith.addf %a, %a : f32
    %2 = arith.addf %b, %b : f32
    scf.yield %1, %2 : f32, f32
  }
  return %0#0 : f32
}

// -----

func.func @empty_loop(%lb: index, %ub: index, %f: f32) {
  scf.for %i = %lb to %ub step %lb { }
  return
}

// -----

func.func @if_with_unused_result(%c: i1, %f: f32, %g: f32) -> f32 {
  %0:2 = scf.if %c -> (f32, f32) {
    %1 = arith.addf %f, %g : f32
    scf.yield %1, %f : f32, f32
  } else {
    %1 = arith.mulf %f, %g : f32
    scf.yield %1, %f : f32, f32
  }
  return %0#0 : f32
}

// -----

func.func @if_with_known_result(%c: i1, %f: f32) -> f32 {
  %0 = scf.if %c -> (f32) { scf.yield %f : f32 } else { scf.yield %f : f32 }
  scf.if %c { }
  return %0 : f32
}

// -----

func.func @loop_with_invariant_argument(%lb: index, %ub: index, %f: f32, %g: f32) -> (f32, f32) {
  %0:3 = scf.for %i = %lb to %ub step %lb iter_args(%a = %f, %b = %g, %c = %f) -> (f32, f32, f32) {
    %1 = arith.addf %a, %b : f32
    scf.yield %1, %b, %c : f32, f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

// -----

func.func @execute_region(%f: f32) -> (f32, f32) {
  %0 = scf.execute_region -> f32 {
    scf.yield %f : f32
  }
  %1 = scf.execute_region -> f32 no_inline {
    %2 = arith.addf %f, %f : f32
    scf.yield %2 : f32
  }
  return %0, %1 : f32, f32
}

// -----

// An argument whose own result is unused, but which another one takes its value from.
func.func @for_argument_yielded_elsewhere(%n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    scf.yield %y, %y : i32, i32
  }
  return %0#0 : i32
}

// -----

func.func private @called(memref<4xf32>, index) -> (memref<4xf32>, index)
func.func @call_of_known_function(%m: memref<4xf32>, %i: index) -> (memref<4xf32>, index) {
  %f = func.constant @called : (memref<4xf32>, index) -> (memref<4xf32>, index)
  %r:2 = func.call_indirect %f(%m, %i) : (memref<4xf32>, index) -> (memref<4xf32>, index)
  return %r#0, %r#1 : memref<4xf32>, index
}
