// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics --split-input-file | filecheck %s

// CHECK:      tosa.reciprocal: op was not bufferized: it does not implement BufferizableOpInterface.
// CHECK-SAME: Run tosa-to-linalg first
// CHECK:      at {{.*}} in @unknown_op:
// CHECK:      tosa.reciprocal
func.func @unknown_op(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.reciprocal %t : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// CHECK:      bufferization.to_tensor: to_tensor ops without `restrict` are not supported
// CHECK-SAME: Add `restrict`
// CHECK:      at {{.*}} in @no_restrict:
func.func @no_restrict(%m: memref<*xf32>, %i: index) -> index {
  %0 = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>
  %1 = tensor.dim %0, %i : tensor<*xf32>
  func.return %1 : index
}

// -----

// CHECK:      bufferization.materialize_in_destination: not bufferizable under the given constraints: cannot avoid RaW conflict
// CHECK:      at {{.*}} in @read_later:
// CHECK:      this read would see a wrong value
// CHECK:      tensor.extract
// CHECK:      because of this write
// CHECK:      bufferization.materialize_in_destination
func.func @read_later(%a: tensor<4xf32>, %t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %0 = bufferization.materialize_in_destination %a in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, f32
}

// -----

// CHECK:      not bufferizable under the given constraints: would write to read-only buffer
func.func @read_only(%a: tensor<4xf32>, %t: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %0 = bufferization.materialize_in_destination %a in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// CHECK:      func.func @no_return: expected at least one func.return op
func.func @no_return(%t: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^loop
^loop:
  cf.br ^loop
}

// -----

// CHECK: invalid value for 'bufferization.access': "sometimes" is none of none, read, write, read-write
func.func private @access(tensor<4xf32> {bufferization.access = "sometimes"})
