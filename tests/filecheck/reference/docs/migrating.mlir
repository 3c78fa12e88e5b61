// From: Bufferization | Migrating from Dialect Conversion-based Bufferization
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops dialect-filter=tensor,bufferization unknown-type-conversion=identity-layout-map},linalg-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s

// CHECK-LABEL: @two_ways(
// CHECK:         memref.store
// CHECK:         linalg.fill ins(%f : f32) outs(%{{.*}} : memref<4xf32>)
func.func @two_ways(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
