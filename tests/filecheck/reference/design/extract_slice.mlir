// From: Comprehensive Bufferization | Special Handling of tensor.extract_slice
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s

// CHECK-LABEL: @extract_slice(
// CHECK:         tensor.extract_slice {{.*}}__inplace_operands_attr__ = ["false"]
// CHECK:         vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
func.func @extract_slice(%t: tensor<?xf32>, %v: vector<5xf32>, %i: index, %p: f32) -> (tensor<?xf32>, vector<5xf32>) {
  %t1 = tensor.extract_slice %t[0] [5] [1] : tensor<?xf32> to tensor<5xf32>
  %t2 = vector.transfer_write %v, %t[%i] : vector<5xf32>, tensor<?xf32>
  %r = vector.transfer_read %t1[%i], %p : tensor<5xf32>, vector<5xf32>
  return %t2, %r : tensor<?xf32>, vector<5xf32>
}
