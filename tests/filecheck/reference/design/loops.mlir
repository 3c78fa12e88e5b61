// From: Comprehensive Bufferization | Special Handling of scf.for Loops
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics | filecheck %s --check-prefix REFUSED

// CHECK-LABEL: @loop(
// CHECK:         scf.for
// CHECK:           vector.transfer_write {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
// CHECK:           vector.transfer_read {{.*}}__inplace_operands_attr__ = ["true", "none", "none"]
// CHECK:           scf.yield {__inplace_operands_attr__ = ["true"]}
func.func @loop(%A: tensor<?xf32>, %v: vector<5xf32>, %lb: index, %ub: index, %step: index, %p: f32) -> tensor<?xf32> {
  %r = scf.for %i = %lb to %ub step %step iter_args(%t = %A) -> tensor<?xf32> {
    %0 = vector.transfer_write %v, %t[%i] : vector<5xf32>, tensor<?xf32>
    %1 = vector.transfer_read %0[%i], %p : tensor<?xf32>, vector<5xf32>
    vector.print %1 : vector<5xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// REFUSED: Yield operand #0 is not equivalent to the corresponding iter bbArg
// CHECK-LABEL: @hands_on_another(
func.func @hands_on_another(%A: tensor<?xf32>, %B: tensor<?xf32>, %lb: index, %ub: index, %step: index) -> tensor<?xf32> {
  %r = scf.for %i = %lb to %ub step %step iter_args(%t = %A) -> tensor<?xf32> {
    scf.yield %B : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
