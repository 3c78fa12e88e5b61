// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// Constants become globals, one for each value.

func.func @constants(%i: index) -> (f32, f32, f32) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  %1 = tensor.extract %b[%i] : tensor<2xf32>
  %2 = tensor.extract %c[%i] : tensor<2xf32>
  return %0, %1, %2 : f32, f32, f32
}

// CHECK:      memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 3.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: func.func @constants(%i: index) -> (f32, f32, f32) {
// CHECK-NEXT:   %a = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:   %b = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:   %c = memref.get_global @__constant_2xf32_0 : memref<2xf32>
// CHECK-NEXT:   %0 = memref.load %a[%i] : memref<2xf32>
// CHECK-NEXT:   %1 = memref.load %b[%i] : memref<2xf32>
// CHECK-NEXT:   %2 = memref.load %c[%i] : memref<2xf32>
// CHECK-NEXT:   func.return %0, %1, %2 : f32, f32, f32
// CHECK-NEXT: }

// -----

// They are not written: what is written is a copy.

func.func @write(%i: index, %f: f32) -> tensor<2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.insert %f into %a[%i] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK:      memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: func.func @write(%i: index, %f: f32) -> memref<2xf32> {
// CHECK-NEXT:   %a = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:   memref.copy %a, %0 : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:   memref.store %f, %0[%i] : memref<2xf32>
// CHECK-NEXT:   func.return %0 : memref<2xf32>
// CHECK-NEXT: }

// -----

// Names that are taken are left alone, and so is a global of the same contents that is not
// constant.

memref.global "private" @__constant_2xf32 : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}

func.func @names(%i: index) -> f32 {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  return %0 : f32
}

// CHECK:      memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: func.func @names(%i: index) -> f32 {
// CHECK-NEXT:   %a = memref.get_global @__constant_2xf32_0 : memref<2xf32>
// CHECK-NEXT:   %0 = memref.load %a[%i] : memref<2xf32>
// CHECK-NEXT:   func.return %0 : f32
// CHECK-NEXT: }

// -----

func.func @select(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      func.func @select(%c: i1, %a: memref<4xf32, strided<[?], offset: ?>>, %b: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %0 = arith.select %c, %a, %b : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// Buffers of different layouts are cast to what they have in common.

func.func @select_layouts(%c: i1, %f: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %a = tensor.extract_slice %w[2][4][1] : tensor<16xf32> to tensor<4xf32>
  %b = tensor.extract_slice %w[3][4][2] : tensor<16xf32> to tensor<4xf32>
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// CHECK:      func.func @select_layouts(%c: i1, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT:   linalg.fill ins(%f : f32) outs(%e : memref<16xf32>)
// CHECK-NEXT:   %a = memref.subview %e[2] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:   %b = memref.subview %e[3] [4] [2] : memref<16xf32> to memref<4xf32, strided<[2], offset: 3>>
// CHECK-NEXT:   %0 = memref.cast %a : memref<4xf32, strided<[1], offset: 2>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %1 = memref.cast %b : memref<4xf32, strided<[2], offset: 3>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %2 = arith.select %c, %0, %1 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %3 = memref.load %2[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %3 : f32
// CHECK-NEXT: }
