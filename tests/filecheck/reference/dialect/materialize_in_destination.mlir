// From: 'bufferization' Dialect | bufferization.materialize_in_destination
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse,canonicalize' | filecheck %s --check-prefix NOCOPY

// CHECK-LABEL: @in_tensor(
// CHECK:         memref.copy %source, %dest
// CHECK:         func.return %dest
func.func @in_tensor(%source: tensor<4xf32>, %dest: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.materialize_in_destination %source in %dest : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @in_buffer(
// CHECK:         memref.copy %source, %dest
func.func @in_buffer(%source: tensor<4xf32>, %dest: memref<4xf32>) {
  bufferization.materialize_in_destination %source in restrict writable %dest : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// CHECK-LABEL:  @computed(
// CHECK:          linalg.fill
// CHECK:          memref.copy
// NOCOPY-LABEL: @computed(
// NOCOPY-NEXT:    linalg.fill ins(%f : f32) outs(%dest : memref<4xf32>)
// NOCOPY-NEXT:    func.return
func.func @computed(%f: f32, %dest: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %dest : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
