// From: Comprehensive Bufferization | Op Bufferization Properties
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s

// tensor.cast aliases, and neither reads nor writes.
// CHECK-LABEL: @cast(
// CHECK:         tensor.cast {{.*}}__inplace_operands_attr__ = ["true"]
// CHECK:         tensor.extract
func.func @cast(%t: tensor<?xf32>, %i: index) -> (f32, f32) {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<?xf32>
  return %1, %2 : f32, f32
}

// tensor.insert_slice reads its source, and reads and writes its destination.
// CHECK-LABEL: @insert_slice(
// CHECK:         tensor.insert_slice {{.*}}__inplace_operands_attr__ = ["true", "false"]
func.func @insert_slice(%s: tensor<2xf32>, %t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert_slice %s into %t[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}

// A linalg op reads its inputs and writes its outputs.
// CHECK-LABEL: @linalg(
// CHECK:         linalg.matmul {{.*}}__inplace_operands_attr__ = ["true", "true", "false"]
func.func @linalg(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %i: index) -> (tensor<4x4xf32>, f32) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.extract %c[%i, %i] : tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, f32
}

// An unknown op may read and write.
// CHECK-LABEL: @unknown(
// CHECK:         func.call @unknown_op(%t) {__inplace_operands_attr__ = ["false"]}
func.func private @unknown_op(tensor<4xf32>) -> tensor<4xf32>
func.func @unknown(%t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %0 = call @unknown_op(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
