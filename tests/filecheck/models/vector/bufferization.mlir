// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

func.func @transfers(%t: tensor<?xf32>, %i: index, %j: index, %f: f32) -> tensor<?xf32> {
  %v = vector.transfer_read %t[%i], %f : tensor<?xf32>, vector<4xf32>
  %0 = vector.transfer_write %v, %t[%j] : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK:      func.func @transfers(%t: memref<?xf32, strided<[?], offset: ?>>, %i: index, %j: index, %f: f32) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %v = vector.transfer_read %t[%i], %f : memref<?xf32, strided<[?], offset: ?>>, vector<4xf32>
// CHECK-NEXT:   vector.transfer_write %v, %t[%j] : vector<4xf32>, memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %t : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// The vector replaces all of the tensor: the copy for %t needs no contents.

func.func @write_everything(%t: tensor<4x8xf32>, %v: vector<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] : vector<4x8xf32>, tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK:      func.func @write_everything(%t: memref<4x8xf32, strided<[?, ?], offset: ?>>, %v: vector<4x8xf32>) -> (memref<4x8xf32>, memref<4x8xf32, strided<[?, ?], offset: ?>>) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK-NEXT:   vector.transfer_write %v, %0[%c0, %c0] : vector<4x8xf32>, memref<4x8xf32>
// CHECK-NEXT:   func.return %0, %t : memref<4x8xf32>, memref<4x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: }

// -----

// It replaces one row, the others are copied.

func.func @write_row(%t: tensor<4x8xf32>, %v: vector<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] : vector<8xf32>, tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK:      func.func @write_row(%t: memref<4x8xf32, strided<[?, ?], offset: ?>>, %v: vector<8xf32>) -> (memref<4x8xf32>, memref<4x8xf32, strided<[?, ?], offset: ?>>) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK-NEXT:   memref.copy %t, %0 : memref<4x8xf32, strided<[?, ?], offset: ?>> to memref<4x8xf32>
// CHECK-NEXT:   vector.transfer_write %v, %0[%c0, %c0] : vector<8xf32>, memref<4x8xf32>
// CHECK-NEXT:   func.return %0, %t : memref<4x8xf32>, memref<4x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: }

// -----

// vector.mask does not yield buffers, and holds one op: the copy is made before it.

func.func @mask(%t: tensor<8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>
  return %0, %t : tensor<8xf32>, tensor<8xf32>
}

// CHECK:      func.func @mask(%t: memref<8xf32, strided<[?], offset: ?>>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:   memref.copy %t, %0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:   vector.mask %m { vector.transfer_write %v, %0[%i] {in_bounds = [true]} : vector<4xf32>, memref<8xf32> } : vector<4xi1>
// CHECK-NEXT:   func.return %0, %t : memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

func.func @gather(%t: tensor<?xf32>, %i: index, %v: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.gather %t[%i] [%v], %m, %p : tensor<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK:      func.func @gather(%t: memref<?xf32, strided<[?], offset: ?>>, %i: index, %v: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:   %0 = vector.gather %t[%i] [%v], %m, %p : memref<?xf32, strided<[?], offset: ?>>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:   func.return %0 : vector<4xf32>
// CHECK-NEXT: }
