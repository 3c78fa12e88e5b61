// From: Bufferization | Debugging Buffer Copies
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only print-conflicts}' | filecheck %s --check-prefix CONFLICT

// CHECK-LABEL: @conflict(
// CHECK:         tensor.insert {{.*}}__inplace_operands_attr__ = ["none", "false", "none"]
// CHECK:         tensor.insert {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
// CONFLICT-LABEL: @conflict(
// CONFLICT-SAME:    DEF
// CONFLICT:         tensor.insert {{.*}}WRITE
// CONFLICT:         tensor.extract {{.*}}READ
func.func @conflict(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %t[%i] : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, f32
}

// A buffer that is not writable.
// CHECK-LABEL: @read_only(
// CHECK:         tensor.insert {{.*}}__inplace_operands_attr__ = ["none", "false", "none"]
func.func @read_only(%f: f32, %i: index) -> tensor<4xf32> {
  %cst = arith.constant dense<0.0> : tensor<4xf32>
  %0 = tensor.insert %f into %cst[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
