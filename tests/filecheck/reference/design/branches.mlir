// From: Comprehensive Bufferization | Phase 2: Bufferization
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @two_buffers(
// CHECK:         %[[R:.*]] = scf.if %c -> (memref<?xf32>) {
// CHECK-NEXT:      scf.yield %t1
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %t2
// CHECK:         func.return %[[R]]
func.func @two_buffers(%c: i1, %t1: tensor<?xf32>, %t2: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %t1 : tensor<?xf32>
  } else {
    scf.yield %t2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
