// From: 'bufferization' Dialect | bufferization.to_memref
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @to_buffer(
// CHECK-SAME:    %t: memref<4x?xf32>
// CHECK-NEXT:    memref.load %t
func.func @to_buffer(%t: tensor<4x?xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32>
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  return %0 : f32
}
