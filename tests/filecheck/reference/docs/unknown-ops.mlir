// From: Bufferization | Using One-Shot Bufferize
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}' --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --allow-unregistered-dialect --verify-diagnostics | filecheck %s --check-prefix REFUSED

// REFUSED: my_dialect.some_op: op was not bufferized: it does not implement BufferizableOpInterface

// CHECK-LABEL: @unknown(
// CHECK:         %[[TENSOR:.*]] = bufferization.to_tensor %t
// CHECK-NEXT:    "my_dialect.some_op"(%[[TENSOR]])
// CHECK-NEXT:    bufferization.to_buffer
func.func @unknown(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "my_dialect.some_op"(%t) : (tensor<?xf32>) -> (tensor<?xf32>)
  return %0 : tensor<?xf32>
}
