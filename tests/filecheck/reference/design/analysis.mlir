// From: Comprehensive Bufferization | Phase 1: Analysis
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s

// CHECK-LABEL: @read_of_old_value(
// CHECK:         vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "false", "none"]
// CHECK:         vector.transfer_read
func.func @read_of_old_value(%o: tensor<?xf32>, %v: vector<5xf32>, %i: index, %p: f32) -> (tensor<?xf32>, vector<5xf32>) {
  %0 = vector.transfer_write %v, %o[%i] : vector<5xf32>, tensor<?xf32>
  %1 = vector.transfer_read %o[%i], %p : tensor<?xf32>, vector<5xf32>
  return %0, %1 : tensor<?xf32>, vector<5xf32>
}

// %o2 is another name of %o.
// CHECK-LABEL: @write_to_alias(
// CHECK:         tensor.cast {{.*}}__inplace_operands_attr__ = ["false"]
func.func @write_to_alias(%o: tensor<?xf32>, %v: vector<5xf32>, %i: index, %p: f32) -> (tensor<5xf32>, vector<5xf32>) {
  %o2 = tensor.cast %o : tensor<?xf32> to tensor<5xf32>
  %0 = vector.transfer_write %v, %o2[%i] : vector<5xf32>, tensor<5xf32>
  %1 = vector.transfer_read %o[%i], %p : tensor<?xf32>, vector<5xf32>
  return %0, %1 : tensor<5xf32>, vector<5xf32>
}

// The first write is before the last write to what is read.
// CHECK-LABEL: @second_write(
// CHECK:         vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
// CHECK:         vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
func.func @second_write(%A: tensor<?xf32>, %v: vector<5xf32>, %i: index, %p: f32) -> (tensor<?xf32>, vector<5xf32>) {
  %0 = vector.transfer_write %v, %A[%i] : vector<5xf32>, tensor<?xf32>
  %1 = vector.transfer_write %v, %0[%i] : vector<5xf32>, tensor<?xf32>
  %2 = vector.transfer_read %1[%i], %p : tensor<?xf32>, vector<5xf32>
  return %1, %2 : tensor<?xf32>, vector<5xf32>
}
