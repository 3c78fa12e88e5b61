// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

func.func @alloc_tensor(%n: index) -> tensor<4x?xf32> {
  %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK:      func.func @alloc_tensor(%n: index) -> memref<4x?xf32> {
// CHECK-NEXT:   %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32>
// CHECK-NEXT:   func.return %0 : memref<4x?xf32>
// CHECK-NEXT: }

// -----

// A copy is in the memory space of what it copies, unless it states one.

func.func @copies(%n: index, %f: f32, %i: index) -> (f32, f32) {
  %e = bufferization.alloc_tensor(%n) {memory_space = 3 : i64} : tensor<?xf32>
  %t = tensor.insert %f into %e[%i] : tensor<?xf32>
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) {memory_space = 4 : i64} : tensor<?xf32>
  %2 = tensor.extract %0[%i] : tensor<?xf32>
  %3 = tensor.extract %1[%i] : tensor<?xf32>
  return %2, %3 : f32, f32
}

// CHECK:      func.func @copies(%n: index, %f: f32, %i: index) -> (f32, f32) {
// CHECK-NEXT:   %e = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32, 3 : i64>
// CHECK-NEXT:   memref.store %f, %e[%i] : memref<?xf32, 3 : i64>
// CHECK-NEXT:   %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32, 3 : i64>
// CHECK-NEXT:   memref.copy %e, %0 : memref<?xf32, 3 : i64> to memref<?xf32, 3 : i64>
// CHECK-NEXT:   %1 = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32, 4 : i64>
// CHECK-NEXT:   memref.copy %e, %1 : memref<?xf32, 3 : i64> to memref<?xf32, 4 : i64>
// CHECK-NEXT:   %2 = memref.load %0[%i] : memref<?xf32, 3 : i64>
// CHECK-NEXT:   %3 = memref.load %1[%i] : memref<?xf32, 4 : i64>
// CHECK-NEXT:   func.return %2, %3 : f32, f32
// CHECK-NEXT: }

// -----

// A buffer that is `writable` may be written in place.

func.func @writable(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// CHECK:      func.func @writable(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:   memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:   %0 = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT:   func.return %0 : f32
// CHECK-NEXT: }

// -----

// Another one may not.

func.func @not_writable(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// CHECK:      func.func @not_writable(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   memref.store %f, %0[%i] : memref<4xf32>
// CHECK-NEXT:   %1 = memref.load %0[%i] : memref<4xf32>
// CHECK-NEXT:   func.return %1 : f32
// CHECK-NEXT: }

// -----

// It is not known what is done with the buffer, so %t is copied for it.

func.func @to_buffer(%t: tensor<4xf32>, %i: index) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %0 = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %0, %t : f32, tensor<4xf32>
}

// CHECK:      func.func @to_buffer(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> (f32, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %t, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %m = memref.cast %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %1 = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %1, %t : f32, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// It is known not to be written.

func.func @to_buffer_read_only(%t: tensor<4xf32>, %i: index) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %0 = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  return %0, %t : f32, tensor<4xf32>
}

// CHECK:      func.func @to_buffer_read_only(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> (f32, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %0, %t : f32, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// The slice has an offset, the memref that is asked for has none: a cast cannot do.

func.func @to_buffer_of_slice(%t: tensor<16xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[%i][4][1] : tensor<16xf32> to tensor<4xf32>
  %m = bufferization.to_buffer %s read_only : tensor<4xf32> to memref<4xf32>
  %0 = memref.load %m[%i] : memref<4xf32>
  return %0 : f32
}

// CHECK:      func.func @to_buffer_of_slice(%t: memref<16xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:   %s = memref.subview %t[%i] [4] [1] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %s, %m : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %0 = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT:   func.return %0 : f32
// CHECK-NEXT: }

// -----

func.func @materialize(%t: tensor<4xf32>, %d: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      func.func @materialize(%t: memref<4xf32, strided<[?], offset: ?>>, %d: memref<4xf32, strided<[?], offset: ?>>, %m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   memref.copy %t, %m : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   memref.copy %t, %d : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %d : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

func.func @dealloc_tensor(%f: f32, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %t = tensor.insert %f into %e[%i] : tensor<4xf32>
  %0 = tensor.extract %t[%i] : tensor<4xf32>
  bufferization.dealloc_tensor %t : tensor<4xf32>
  return %0 : f32
}

// CHECK:      func.func @dealloc_tensor(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.store %f, %e[%i] : memref<4xf32>
// CHECK-NEXT:   %0 = memref.load %e[%i] : memref<4xf32>
// CHECK-NEXT:   memref.dealloc %e : memref<4xf32>
// CHECK-NEXT:   func.return %0 : f32
// CHECK-NEXT: }
