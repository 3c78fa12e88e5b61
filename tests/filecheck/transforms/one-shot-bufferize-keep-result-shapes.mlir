// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries keep-result-shapes}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s --check-prefix DROPPED

// CHECK-LABEL: func.func @static(
// CHECK-SAME:      -> memref<4xf32, strided<[?], offset: ?>> {
// DROPPED-LABEL: func.func @static(
// DROPPED-SAME:      -> memref<?xf32, strided<[?], offset: ?>> {
func.func @static(%t: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:      -> memref<?xf32, strided<[?], offset: ?>> {
// DROPPED-LABEL: func.func @dynamic(
// DROPPED-SAME:      -> memref<4xf32, strided<[?], offset: ?>> {
func.func @dynamic(%t: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The layout is inferred as without the option.

// CHECK-LABEL: func.func @layout(
// CHECK-SAME:      -> memref<4xf32> {
// DROPPED-LABEL: func.func @layout(
// DROPPED-SAME:      -> memref<4xf32> {
func.func @layout(%x: f32) -> tensor<4xf32> {
  %0 = tensor.splat %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
