// From: Comprehensive Bufferization | Order of Analysis (Heuristic)
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s

// CHECK-LABEL: @insertion_last(
// CHECK:         vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "false", "none"]
// CHECK:         tensor.insert_slice {{.*}}__inplace_operands_attr__ = ["true", "true"]
func.func @insertion_last(%t: tensor<100xf32>, %s: tensor<50xf32>, %v: vector<5xf32>, %i: index) -> (tensor<100xf32>, tensor<100xf32>) {
  %0 = vector.transfer_write %v, %t[%i] : vector<5xf32>, tensor<100xf32>
  %1 = tensor.insert_slice %s into %t[0] [50] [1] : tensor<50xf32> into tensor<100xf32>
  return %0, %1 : tensor<100xf32>, tensor<100xf32>
}
