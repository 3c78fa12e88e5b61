// From: Tutorial 2023 | tensor.empty
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @empty(
// CHECK-NEXT:    memref.alloc() {alignment = 64 : i64} : memref<5xf32>
func.func @empty() -> tensor<5xf32> {
  %r = tensor.empty() : tensor<5xf32>
  return %r : tensor<5xf32>
}
