// From: 'bufferization' Dialect | bufferization.materialize_in_destination
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' --verify-diagnostics | filecheck %s --check-prefix REFUSED

// REFUSED: would write to read-only buffer
func.func @in_read_only(%source: tensor<4xf32>, %dest: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %0 = bufferization.materialize_in_destination %source in %dest : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
