// From: Comprehensive Bufferization | Special Handling of scf.if Branches
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s

// CHECK-LABEL: @branches(
// CHECK:         scf.if
// CHECK:           scf.yield {__inplace_operands_attr__ = ["true"]} %t
// CHECK:         } else {
// CHECK:           vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
// CHECK:           scf.yield {__inplace_operands_attr__ = ["true"]}
func.func @branches(%c: i1, %t: tensor<?xf32>, %v: vector<5xf32>, %i: index, %p: f32) -> vector<5xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %t : tensor<?xf32>
  } else {
    %0 = vector.transfer_write %v, %t[%i] : vector<5xf32>, tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  %1 = vector.transfer_read %r[%i], %p : tensor<?xf32>, vector<5xf32>
  return %1 : vector<5xf32>
}
