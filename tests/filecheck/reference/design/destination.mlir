// From: Comprehensive Bufferization | Destination-Passing Style
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @returned(
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc(%n)
// CHECK-NEXT:    func.return %[[NEW]]
func.func @returned(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
