// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// Elements are loaded and stored.

func.func @elements(%t: tensor<?xf32>, %f: f32, %i: index) -> (f32, tensor<?xf32>) {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0, %1 : f32, tensor<?xf32>
}

// CHECK:      func.func @elements(%t: memref<?xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (f32, memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.load %t[%i] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   memref.store %f, %t[%i] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %0, %t : f32, memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// A size may be asked for after the tensor was overwritten: it stays the same.

func.func @shape(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, index, index) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.dim %t, %i : tensor<?xf32>
  %2 = tensor.rank %t : tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, index, index
}

// CHECK:      func.func @shape(%t: memref<?xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<?xf32, strided<[?], offset: ?>>, index, index) {
// CHECK-NEXT:   memref.store %f, %t[%i] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %0 = memref.dim %t, %i : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %1 = memref.rank %t : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %t, %0, %1 : memref<?xf32, strided<[?], offset: ?>>, index, index
// CHECK-NEXT: }

// -----

// The new tensor gets a buffer of its own only where it is used.

func.func @empty(%n: index, %f: f32, %i: index) -> tensor<4x?xf32> {
  %unused = tensor.empty() : tensor<8xf32>
  %0 = tensor.empty(%n) : tensor<4x?xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// CHECK:      func.func @empty(%n: index, %f: f32, %i: index) -> memref<4x?xf32> {
// CHECK-NEXT:   %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32>
// CHECK-NEXT:   memref.store %f, %0[%i, %i] : memref<4x?xf32>
// CHECK-NEXT:   func.return %0 : memref<4x?xf32>
// CHECK-NEXT: }

// -----

func.func @from_elements(%a: f32, %b: f32) -> tensor<1x2xf32> {
  %0 = tensor.from_elements %a, %b : tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CHECK:      func.func @from_elements(%a: f32, %b: f32) -> memref<1x2xf32> {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<1x2xf32>
// CHECK-NEXT:   %1 = arith.constant 0 : index
// CHECK-NEXT:   %2 = arith.constant 1 : index
// CHECK-NEXT:   memref.store %a, %0[%1, %1] : memref<1x2xf32>
// CHECK-NEXT:   memref.store %b, %0[%1, %2] : memref<1x2xf32>
// CHECK-NEXT:   func.return %0 : memref<1x2xf32>
// CHECK-NEXT: }

// -----

func.func @splat(%a: f32, %n: index) -> tensor<?xf32> {
  %0 = tensor.splat %a[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK:      func.func @splat(%a: f32, %n: index) -> memref<?xf32> {
// CHECK-NEXT:   %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   linalg.map outs(%0 : memref<?xf32>)
// CHECK-NEXT:     (%1: f32) {
// CHECK-NEXT:     linalg.yield %a : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0 : memref<?xf32>
// CHECK-NEXT: }

// -----

// The body reads another tensor, as a buffer.

func.func @generate(%t: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %t[%j, %i] : tensor<3x4xf32>
    tensor.yield %e : f32
  } : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK:      func.func @generate(%t: memref<3x4xf32, strided<[?, ?], offset: ?>>) -> memref<4x3xf32> {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4x3xf32>
// CHECK-NEXT:   linalg.map outs(%0 : memref<4x3xf32>)
// CHECK-NEXT:     (%1: f32) {
// CHECK-NEXT:     %i = linalg.index 0 : index
// CHECK-NEXT:     %j = linalg.index 1 : index
// CHECK-NEXT:     %e = memref.load %t[%j, %i] : memref<3x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     linalg.yield %e : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0 : memref<4x3xf32>
// CHECK-NEXT: }

// -----

func.func @pad(%t: tensor<?x5xf32>, %low: index, %f: f32) -> tensor<?x8xf32> {
  %0 = tensor.pad %t low[%low, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x5xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK:      func.func @pad(%t: memref<?x5xf32, strided<[?, ?], offset: ?>>, %low: index, %f: f32) -> memref<?x8xf32> {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %t, %0 : memref<?x5xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   %2 = affine.apply affine_map<(d0, d1) -> ((d1 + (d0 + 2)))> (%1, %low)
// CHECK-NEXT:   %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?x8xf32>
// CHECK-NEXT:   linalg.map outs(%3 : memref<?x8xf32>)
// CHECK-NEXT:     (%4: f32) {
// CHECK-NEXT:     %i = linalg.index 0 : index
// CHECK-NEXT:     %j = linalg.index 1 : index
// CHECK-NEXT:     linalg.yield %f : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %5 = memref.subview %3[%low, 1] [%1, 5] [1, 1] : memref<?x8xf32> to memref<?x5xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:   memref.copy %t, %5 : memref<?x5xf32, strided<[?, ?], offset: ?>> to memref<?x5xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:   func.return %3 : memref<?x8xf32>
// CHECK-NEXT: }

// -----

// A cast keeps the layout.

func.func @cast(%t: tensor<4x5xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<?x5xf32>
  return %1 : f32
}

// CHECK:      func.func @cast(%t: memref<4x5xf32, strided<[?, ?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:   %0 = memref.cast %t : memref<4x5xf32, strided<[?, ?], offset: ?>> to memref<?x5xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   %1 = memref.load %0[%i, %i] : memref<?x5xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   func.return %1 : f32
// CHECK-NEXT: }

// -----

// What the layout of an unranked tensor is, is not known.

func.func @cast_from_unranked(%t: tensor<*xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<4x?xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<4x?xf32>
  return %1 : f32
}

// CHECK:      func.func @cast_from_unranked(%t: memref<*xf32>, %i: index) -> f32 {
// CHECK-NEXT:   %0 = memref.cast %t : memref<*xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   %1 = memref.load %0[%i, %i] : memref<4x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   func.return %1 : f32
// CHECK-NEXT: }

// -----

func.func @gather(%t: tensor<4x8xf32>, %c: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %0 = tensor.gather %t[%c] gather_dims([1]) unique : (tensor<4x8xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// CHECK:      func.func @gather(%t: memref<4x8xf32, strided<[?, ?], offset: ?>>, %c: memref<5x1xi32, strided<[?, ?], offset: ?>>) -> memref<5x4xf32> {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<5x4xf32>
// CHECK-NEXT:   linalg.map outs(%0 : memref<5x4xf32>)
// CHECK-NEXT:     (%1: f32) {
// CHECK-NEXT:     %2 = linalg.index 0 : index
// CHECK-NEXT:     %3 = linalg.index 1 : index
// CHECK-NEXT:     %4 = arith.constant 0 : index
// CHECK-NEXT:     %5 = memref.load %c[%2, %4] : memref<5x1xi32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %6 = arith.index_cast %5 : i32 to index
// CHECK-NEXT:     %7 = memref.load %t[%3, %6] : memref<4x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     linalg.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0 : memref<5x4xf32>
// CHECK-NEXT: }

// -----

func.func @scatter(%s: tensor<5x4xf32>, %t: tensor<4x8xf32>, %c: tensor<5x1xindex>) -> tensor<4x8xf32> {
  %0 = tensor.scatter %s into %t[%c] scatter_dims([1]) unique : (tensor<5x4xf32>, tensor<4x8xf32>, tensor<5x1xindex>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK:      func.func @scatter(%s: memref<5x4xf32, strided<[?, ?], offset: ?>>, %t: memref<4x8xf32, strided<[?, ?], offset: ?>>, %c: memref<5x1xindex, strided<[?, ?], offset: ?>>) -> memref<4x8xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 5 : index
// CHECK-NEXT:   %2 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %3 = %0 to %1 step %2 {
// CHECK-NEXT:     %4 = arith.constant 0 : index
// CHECK-NEXT:     %5 = arith.constant 4 : index
// CHECK-NEXT:     %6 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %7 = %4 to %5 step %6 {
// CHECK-NEXT:       %8 = memref.load %s[%3, %7] : memref<5x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:       %9 = arith.constant 0 : index
// CHECK-NEXT:       %10 = memref.load %c[%3, %9] : memref<5x1xindex, strided<[?, ?], offset: ?>>
// CHECK-NEXT:       memref.store %8, %t[%7, %10] : memref<4x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : memref<4x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: }

// -----

func.func @bitcast(%t: tensor<4xf32>) -> tensor<4xi32> {
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK:      func.func @bitcast(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xi32> {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xi32>
// CHECK-NEXT:   linalg.map { arith.bitcast } ins(%t : memref<4xf32, strided<[?], offset: ?>>) outs(%0 : memref<4xi32>)
// CHECK-NEXT:   func.return %0 : memref<4xi32>
// CHECK-NEXT: }
