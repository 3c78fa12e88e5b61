// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=cheapest read-only-loops verify-result}' | filecheck %s

// By the rules of read-only-loops, the first function returns the constant itself, and its
// caller has to copy it. Each function gets the rules that are cheapest for it; what a
// caller expects of a function that it calls indirectly follows the rules of that function.

func.func private @carries_constant(%n: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %constant = arith.constant dense<[-2, 1, -9, -1]> : tensor<4xi32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %constant) -> (tensor<4xi32>) {
    scf.yield %t : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

func.func @writes_result(%n: index, %x: i32) -> tensor<4xi32> {
  %f = func.constant @carries_constant : (index) -> tensor<4xi32>
  %0 = func.call_indirect %f(%n) : (index) -> tensor<4xi32>
  %1 = tensor.insert %x into %0[%n] : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: func.func private @carries_constant(
// CHECK:         memref.get_global
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.copy
