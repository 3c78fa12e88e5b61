// From: Comprehensive Bufferization | Notation and Definitions
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @write(
// CHECK-SAME:    %A: memref<?xf32>
// CHECK-NEXT:    vector.transfer_write %v, %A[%i]
// CHECK-SAME:      memref<?xf32>
// CHECK-NEXT:    func.return %A
func.func @write(%A: tensor<?xf32>, %v: vector<5xf32>, %i: index) -> tensor<?xf32> {
  %0 = vector.transfer_write %v, %A[%i] : vector<5xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
