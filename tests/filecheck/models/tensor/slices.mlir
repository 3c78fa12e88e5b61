// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// A slice is a view.

func.func @extract(%t: tensor<8x16xf32>, %i: index, %n: index) -> tensor<2x?xf32> {
  %0 = tensor.extract_slice %t[%i, 2][2, %n][3, 1] : tensor<8x16xf32> to tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK:      func.func @extract(%t: memref<8x16xf32, strided<[?, ?], offset: ?>>, %i: index, %n: index) -> memref<2x?xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:   %0 = memref.subview %t[%i, 2] [2, %n] [3, 1] : memref<8x16xf32, strided<[?, ?], offset: ?>> to memref<2x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   func.return %0 : memref<2x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: }

// -----

// Unit dimensions may be left out of its type.

func.func @extract_row(%t: tensor<8x16xf32>, %i: index) -> tensor<16xf32> {
  %0 = tensor.extract_slice %t[%i, 0][1, 16][1, 1] : tensor<8x16xf32> to tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK:      func.func @extract_row(%t: memref<8x16xf32, strided<[?, ?], offset: ?>>, %i: index) -> memref<16xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %0 = memref.subview %t[%i, 0] [1, 16] [1, 1] : memref<8x16xf32, strided<[?, ?], offset: ?>> to memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %0 : memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// What is known of the offset and the strides of the slice is in its type.

func.func @layout(%f: f32) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = tensor.extract_slice %w[1, 2][2, 2][3, 4] : tensor<8x16xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK:      func.func @layout(%f: f32) -> memref<2x2xf32, strided<[48, 4], offset: 18>> {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<8x16xf32>)
// CHECK-NEXT:   %0 = memref.subview %e[1, 2] [2, 2] [3, 4] : memref<8x16xf32> to memref<2x2xf32, strided<[48, 4], offset: 18>>
// CHECK-NEXT:   func.return %0 : memref<2x2xf32, strided<[48, 4], offset: 18>>
// CHECK-NEXT: }

// -----

// A tile is updated where it is. The copy to itself is what canonicalization removes.

func.func @update_tile(%t: tensor<16xf32>, %f: f32, %i: index) -> tensor<16xf32> {
  %0 = tensor.extract_slice %t[%i][4][1] : tensor<16xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%i][4][1] : tensor<4xf32> into tensor<16xf32>
  return %2 : tensor<16xf32>
}

// CHECK:      func.func @update_tile(%t: memref<16xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<16xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %0 = memref.subview %t[%i] [4] [1] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%0 : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:   %1 = memref.subview %t[%i] [4] [1] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   memref.copy %0, %1 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %t : memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// The tensor is read later: only the slice is copied, not all of it; and not its contents,
// which are overwritten.

func.func @copy_of_slice(%t: tensor<16xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.extract_slice %t[%i][4][1] : tensor<16xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<16xf32>
  return %1, %2 : tensor<4xf32>, f32
}

// CHECK:      func.func @copy_of_slice(%t: memref<16xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:   %0 = memref.subview %t[%i] [4] [1] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
// CHECK-NEXT:   %2 = memref.load %t[%i] : memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %1, %2 : memref<4xf32>, f32
// CHECK-NEXT: }

// -----

func.func @insert_row(%t: tensor<8x?xf32>, %s: tensor<?xf32>, %i: index, %n: index) -> tensor<8x?xf32> {
  %0 = tensor.insert_slice %s into %t[%i, 0][1, %n][1, 1] : tensor<?xf32> into tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// CHECK:      func.func @insert_row(%t: memref<8x?xf32, strided<[?, ?], offset: ?>>, %s: memref<?xf32, strided<[?], offset: ?>>, %i: index, %n: index) -> memref<8x?xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:   %0 = memref.subview %t[%i, 0] [1, %n] [1, 1] : memref<8x?xf32, strided<[?, ?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   memref.copy %s, %0 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %t : memref<8x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: }

// -----

// All of the tensor is replaced, so the copy that is made for %t needs no contents.

func.func @insert_everything(%t: tensor<16xf32>, %s: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = tensor.insert_slice %s into %t[0][16][1] : tensor<16xf32> into tensor<16xf32>
  return %0, %t : tensor<16xf32>, tensor<16xf32>
}

// CHECK:      func.func @insert_everything(%t: memref<16xf32, strided<[?], offset: ?>>, %s: memref<16xf32, strided<[?], offset: ?>>) -> (memref<16xf32>, memref<16xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT:   %1 = memref.subview %0[0] [16] [1] : memref<16xf32> to memref<16xf32, strided<[1]>>
// CHECK-NEXT:   memref.copy %s, %1 : memref<16xf32, strided<[?], offset: ?>> to memref<16xf32, strided<[1]>>
// CHECK-NEXT:   func.return %0, %t : memref<16xf32>, memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// Threads copy their tiles into the shared buffer.

func.func @parallel_insert(%t: tensor<64xf32>, %f: f32) -> tensor<64xf32> {
  %r = scf.forall (%i) = (0) to (64) step (4) shared_outs(%o = %t) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %0 into %o[%i][4][1] : tensor<4xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}

// CHECK:      func.func @parallel_insert(%t: memref<64xf32, strided<[?], offset: ?>>, %f: f32) -> memref<64xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   scf.forall (%i) = (0) to (64) step (4) {
// CHECK-NEXT:     %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
// CHECK-NEXT:     %0 = memref.subview %t[%i] [4] [1] : memref<64xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %e, %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : memref<64xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }
