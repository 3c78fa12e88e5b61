// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// The op stays, on buffers. Its result is the buffer of its output.

func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK:      func.func @matmul(%a: memref<4x8xf32, strided<[?, ?], offset: ?>>, %b: memref<8x4xf32, strided<[?, ?], offset: ?>>, %c: memref<4x4xf32, strided<[?, ?], offset: ?>>) -> memref<4x4xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:   linalg.matmul ins(%a, %b : memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<8x4xf32, strided<[?, ?], offset: ?>>) outs(%c : memref<4x4xf32, strided<[?, ?], offset: ?>>)
// CHECK-NEXT:   func.return %c : memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: }

// -----

// The body does not use the output's old value: the copy of %o needs no contents.

func.func @overwritten(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %0, %o : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      func.func @overwritten(%a: memref<4xf32, strided<[?], offset: ?>>, %o: memref<4xf32, strided<[?], offset: ?>>) -> (memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32, strided<[?], offset: ?>>) outs(%0 : memref<4xf32>) {
// CHECK-NEXT:   ^bb0(%x: f32, %y: f32):
// CHECK-NEXT:     linalg.yield %x : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0, %o : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// Here it does.

func.func @accumulated(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %o : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      func.func @accumulated(%a: memref<4xf32, strided<[?], offset: ?>>, %o: memref<4xf32, strided<[?], offset: ?>>) -> (memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %o, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32, strided<[?], offset: ?>>) outs(%0 : memref<4xf32>) {
// CHECK-NEXT:   ^bb0(%x: f32, %y: f32):
// CHECK-NEXT:     %s = arith.addf %x, %y : f32
// CHECK-NEXT:     linalg.yield %s : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0, %o : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// Each element is read before it is written, and not needed for another one.

func.func @elementwise(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      func.func @elementwise(%a: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   linalg.exp ins(%a : memref<4xf32, strided<[?], offset: ?>>) outs(%a : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:   func.return %a : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// A transposition needs elements that it has overwritten before.

func.func @transpose(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) permutation = [1, 0]
  return %0 : tensor<4x4xf32>
}

// CHECK:      func.func @transpose(%a: memref<4x4xf32, strided<[?, ?], offset: ?>>) -> memref<4x4xf32> {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:   linalg.transpose ins(%a : memref<4x4xf32, strided<[?, ?], offset: ?>>) outs(%0 : memref<4x4xf32>) permutation = [1, 0]
// CHECK-NEXT:   func.return %0 : memref<4x4xf32>
// CHECK-NEXT: }

// -----

func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK:      func.func @softmax(%a: memref<4x8xf32, strided<[?, ?], offset: ?>>) -> memref<4x8xf32> {
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK-NEXT:   linalg.softmax dimension(1) ins(%a : memref<4x8xf32, strided<[?, ?], offset: ?>>) outs(%e : memref<4x8xf32>)
// CHECK-NEXT:   func.return %e : memref<4x8xf32>
// CHECK-NEXT: }

// -----

// There is no pack of buffers: each element is loaded from where it is.

func.func @pack(%s: tensor<13xf32>, %p: f32) -> tensor<4x4xf32> {
  %d = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.pack %s padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<13xf32> -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK:      func.func @pack(%s: memref<13xf32, strided<[?], offset: ?>>, %p: f32) -> memref<4x4xf32> {
// CHECK-NEXT:   %d = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:   linalg.map outs(%d : memref<4x4xf32>)
// CHECK-NEXT:     (%0: f32) {
// CHECK-NEXT:     %1 = linalg.index 0 : index
// CHECK-NEXT:     %2 = linalg.index 1 : index
// CHECK-NEXT:     %3 = arith.constant 4 : index
// CHECK-NEXT:     %4 = arith.muli %1, %3 : index
// CHECK-NEXT:     %5 = arith.addi %4, %2 : index
// CHECK-NEXT:     %6 = arith.constant 13 : index
// CHECK-NEXT:     %7 = arith.cmpi ult, %5, %6 : index
// CHECK-NEXT:     %8 = scf.if %7 -> (f32) {
// CHECK-NEXT:       %9 = memref.load %s[%5] : memref<13xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       scf.yield %9 : f32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %p : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     linalg.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : memref<4x4xf32>
// CHECK-NEXT: }

// -----

func.func @unpack(%s: tensor<4x4xf32>) -> tensor<13xf32> {
  %d = tensor.empty() : tensor<13xf32>
  %0 = linalg.unpack %s inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<4x4xf32> -> tensor<13xf32>
  return %0 : tensor<13xf32>
}

// CHECK:      func.func @unpack(%s: memref<4x4xf32, strided<[?, ?], offset: ?>>) -> memref<13xf32> {
// CHECK-NEXT:   %d = memref.alloc() {alignment = 64 : i64} : memref<13xf32>
// CHECK-NEXT:   linalg.map outs(%d : memref<13xf32>)
// CHECK-NEXT:     (%0: f32) {
// CHECK-NEXT:     %1 = linalg.index 0 : index
// CHECK-NEXT:     %2 = arith.constant 4 : index
// CHECK-NEXT:     %3 = arith.remui %1, %2 : index
// CHECK-NEXT:     %4 = arith.divui %1, %2 : index
// CHECK-NEXT:     %5 = memref.load %s[%4, %3] : memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     linalg.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : memref<13xf32>
// CHECK-NEXT: }
