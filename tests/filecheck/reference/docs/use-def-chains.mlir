// From: Bufferization | Destination-Passing Style
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @one_chain(
// CHECK-NOT:     memref.copy
// CHECK:         func.return %t
func.func @one_chain(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.insert %f into %1[%i] : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-LABEL: @chain_splits(
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @chain_splits(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
