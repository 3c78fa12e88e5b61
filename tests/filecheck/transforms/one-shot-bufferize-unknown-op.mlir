// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics -p one-shot-bufferize | filecheck %s

// CHECK: arith.addf: op was not bufferized
// CHECK-SAME: Run convert-elementwise-to-linalg first, or run with allow-unknown-ops.
func.func @arith(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %t, %t : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// CHECK: math.exp: op was not bufferized
// CHECK-SAME: Run convert-elementwise-to-linalg first
func.func @math(%t: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %0 = math.exp %t : tensor<?x4xf64>
  func.return %0 : tensor<?x4xf64>
}

// -----

// CHECK: tosa.reciprocal: op was not bufferized
// CHECK-SAME: Run tosa-to-linalg first
func.func @tosa(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.reciprocal %t : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// CHECK: mine.op: op was not bufferized
// CHECK-SAME: Attach a model to it (pydoc xdsl_bufferization.base_models says how), lower it to ops that can be bufferized first, or run with allow-unknown-ops.
func.func @other(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mine.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
