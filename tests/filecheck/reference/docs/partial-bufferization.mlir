// From: Bufferization | Dialect Conversion-based Bufferization: Example
// RUN: xdsl-opt %s -p 'arith-bufferize,scf-bufferize,linalg-bufferize,bufferization-bufferize,tensor-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'arith-bufferize,scf-bufferize,linalg-bufferize,bufferization-bufferize,tensor-bufferize' | filecheck %s --check-prefix PARTIAL
// RUN: xdsl-opt %s -p 'func-bufferize,finalizing-bufferize' --verify-diagnostics | filecheck %s --check-prefix LEFT

// Partial passes leave casts; the finalizing pass eliminates them.
// CHECK-LABEL:   @program(
// CHECK-SAME:      %t: memref<?xf32>
// CHECK-NOT:       bufferization.
// CHECK:           memref.get_global
// CHECK:           scf.if
// CHECK:           memref.cast
// PARTIAL-LABEL: @program(
// PARTIAL-SAME:    %t: tensor<?xf32>
// PARTIAL:         bufferization.to_buffer %t
// PARTIAL:         bufferization.to_tensor
// LEFT:          a tensor is left
func.func @program(%t: tensor<?xf32>, %c: i1) -> tensor<4xf32> {
  %cst = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %cst : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
