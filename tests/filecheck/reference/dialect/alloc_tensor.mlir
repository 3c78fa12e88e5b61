// From: 'bufferization' Dialect | bufferization.alloc_tensor
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'canonicalize' | filecheck %s --check-prefix SYNTAX

// CHECK-LABEL: @matmul(
// CHECK:         %[[C:.*]] = memref.alloc(%d1, %d2)
// CHECK-NEXT:    linalg.matmul {{.*}} outs(%[[C]] : memref<?x?xf32>)
// CHECK-NEXT:    func.return %[[C]]
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %d1: index, %d2: index) -> tensor<?x?xf32> {
  %c = bufferization.alloc_tensor(%d1, %d2) : tensor<?x?xf32>
  %0 = linalg.matmul
      ins(%a, %b: tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%c: tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The copy operand gives contents and sizes.
// CHECK-LABEL: @copy(
// CHECK:         %[[SIZE:.*]] = memref.dim %t
// CHECK:         %[[C:.*]] = memref.alloc(%[[SIZE]])
// CHECK-NEXT:    memref.copy %t, %[[C]]
func.func @copy(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  return %c : tensor<?xf32>
}

// CHECK-LABEL: @memory_space(
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<4xf32, 3 : i64>
func.func @memory_space(%f: f32, %i: index) -> f32 {
  %c = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %0 = tensor.insert %f into %c[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// SYNTAX-LABEL: @size_hint(
// SYNTAX:         bufferization.alloc_tensor(%d1, %d2) size_hint = %noe : tensor<?x?xf32>
func.func @size_hint(%d1: index, %d2: index, %noe: index) -> tensor<?x?xf32> {
  %c = bufferization.alloc_tensor(%d1, %d2) size_hint = %noe : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
