// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// Neither splitting nor joining dimensions of a contiguous tensor copies.

func.func @expand_and_collapse(%n: index, %f: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %0 = tensor.expand_shape %w [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<?x2x3xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK:      func.func @expand_and_collapse(%n: index, %f: f32) -> memref<?xf32> {
// CHECK-NEXT:   %e = memref.alloc(%n) {alignment = 64 : i64} : memref<?x6xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<?x6xf32>)
// CHECK-NEXT:   %0 = memref.expand_shape %e [[0 : i64], [1 : i64, 2 : i64]] output_shape [%n, 2, 3] : memref<?x6xf32> into memref<?x2x3xf32>
// CHECK-NEXT:   %1 = memref.collapse_shape %0 [[0 : i64, 1 : i64, 2 : i64]] : memref<?x2x3xf32> into memref<?xf32>
// CHECK-NEXT:   func.return %1 : memref<?xf32>
// CHECK-NEXT: }

// -----

// The strides of a slice are split as well.

func.func @expand_slice(%f: f32) -> tensor<2x2x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[1, 2][4, 4][1, 2] : tensor<8x16xf32> to tensor<4x4xf32>
  %0 = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 2, 4] : tensor<4x4xf32> into tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}

// CHECK:      func.func @expand_slice(%f: f32) -> memref<2x2x4xf32, strided<[32, 16, 2], offset: 18>> {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<8x16xf32>)
// CHECK-NEXT:   %s = memref.subview %e[1, 2] [4, 4] [1, 2] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 2], offset: 18>>
// CHECK-NEXT:   %0 = memref.expand_shape %s [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 4] : memref<4x4xf32, strided<[16, 2], offset: 18>> into memref<2x2x4xf32, strided<[32, 16, 2], offset: 18>>
// CHECK-NEXT:   func.return %0 : memref<2x2x4xf32, strided<[32, 16, 2], offset: 18>>
// CHECK-NEXT: }

// -----

// Whole rows lie one behind the other and can be joined.

func.func @collapse_rows(%f: f32) -> tensor<48xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[1, 0][3, 16][1, 1] : tensor<8x16xf32> to tensor<3x16xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<3x16xf32> into tensor<48xf32>
  return %0 : tensor<48xf32>
}

// CHECK:      func.func @collapse_rows(%f: f32) -> memref<48xf32, strided<[1], offset: 16>> {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<8x16xf32>)
// CHECK-NEXT:   %s = memref.subview %e[1, 0] [3, 16] [1, 1] : memref<8x16xf32> to memref<3x16xf32, strided<[16, 1], offset: 16>>
// CHECK-NEXT:   %0 = memref.collapse_shape %s [[0 : i64, 1 : i64]] : memref<3x16xf32, strided<[16, 1], offset: 16>> into memref<48xf32, strided<[1], offset: 16>>
// CHECK-NEXT:   func.return %0 : memref<48xf32, strided<[1], offset: 16>>
// CHECK-NEXT: }

// -----

// Parts of rows have to be copied together.

func.func @collapse_parts_of_rows(%f: f32) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[1, 0][3, 4][1, 1] : tensor<8x16xf32> to tensor<3x4xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK:      func.func @collapse_parts_of_rows(%f: f32) -> memref<12xf32> {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<8x16xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<8x16xf32>)
// CHECK-NEXT:   %s = memref.subview %e[1, 0] [3, 4] [1, 1] : memref<8x16xf32> to memref<3x4xf32, strided<[16, 1], offset: 16>>
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<3x4xf32>
// CHECK-NEXT:   memref.copy %s, %0 : memref<3x4xf32, strided<[16, 1], offset: 16>> to memref<3x4xf32>
// CHECK-NEXT:   %1 = memref.collapse_shape %0 [[0 : i64, 1 : i64]] : memref<3x4xf32> into memref<12xf32>
// CHECK-NEXT:   func.return %1 : memref<12xf32>
// CHECK-NEXT: }

// -----

// Nothing is known of how an argument lies in memory.

func.func @collapse_argument(%t: tensor<4x?xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK:      func.func @collapse_argument(%t: memref<4x?xf32, strided<[?, ?], offset: ?>>) -> memref<?xf32> {
// CHECK-NEXT:   %0 = arith.constant 1 : index
// CHECK-NEXT:   %1 = memref.dim %t, %0 : memref<4x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   %2 = memref.alloc(%1) {alignment = 64 : i64} : memref<4x?xf32>
// CHECK-NEXT:   memref.copy %t, %2 : memref<4x?xf32, strided<[?, ?], offset: ?>> to memref<4x?xf32>
// CHECK-NEXT:   %3 = memref.collapse_shape %2 [[0 : i64, 1 : i64]] : memref<4x?xf32> into memref<?xf32>
// CHECK-NEXT:   func.return %3 : memref<?xf32>
// CHECK-NEXT: }

// -----

func.func @reshape(%n: index, %shape: tensor<2xindex>, %f: f32) -> tensor<?x?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = tensor.reshape %w(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK:      func.func @reshape(%n: index, %shape: memref<2xindex, strided<[?], offset: ?>>, %f: f32) -> memref<?x?xf32> {
// CHECK-NEXT:   %e = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<?xf32>)
// CHECK-NEXT:   %0 = memref.reshape %e(%shape) : (memref<?xf32>, memref<2xindex, strided<[?], offset: ?>>) -> memref<?x?xf32>
// CHECK-NEXT:   func.return %0 : memref<?x?xf32>
// CHECK-NEXT: }
