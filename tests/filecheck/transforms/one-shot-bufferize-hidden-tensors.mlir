// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops bufferize-function-boundaries verify-result}' --split-input-file | filecheck %s

// An op that stays on tensors may put a buffer into a value of another type, or give it to
// whatever its region is for. It is copied if it is written later.

// CHECK-LABEL: func.func @packed(
// CHECK:         memref.copy %t, %[[COPY:.*]] :
// CHECK-NEXT:    %[[T:.*]] = bufferization.to_tensor %[[COPY]]
// CHECK-NEXT:    "test.op"(%[[T]])
// CHECK-NEXT:    memref.store %x, %t
func.func @packed(%t: tensor<4xi32>, %x: i32, %i: index) -> (i32, i32) {
  %v = "test.op"(%t) : (tensor<4xi32>) -> tuple<tensor<4xi32>>
  %u = tensor.insert %x into %t[%i] : tensor<4xi32>
  %r = "test.op"(%v) : (tuple<tensor<4xi32>>) -> tensor<4xi32>
  %e = tensor.extract %u[%i] : tensor<4xi32>
  %g = tensor.extract %r[%i] : tensor<4xi32>
  return %e, %g : i32, i32
}

// -----

// CHECK-LABEL: func.func @written_before(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @written_before(%t: tensor<4xi32>, %x: i32, %i: index) -> i32 {
  %u = tensor.insert %x into %t[%i] : tensor<4xi32>
  %v = "test.op"(%u) : (tensor<4xi32>) -> tuple<tensor<4xi32>>
  %r = "test.op"(%v) : (tuple<tensor<4xi32>>) -> tensor<4xi32>
  %g = tensor.extract %r[%i] : tensor<4xi32>
  return %g : i32
}

// -----

// CHECK-LABEL: func.func @in_a_loop(
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:           memref.copy
// CHECK:           "test.op"
func.func @in_a_loop(%t: tensor<4xi32>, %x: i32, %i: index, %n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %w = "test.op"() : () -> tuple<tensor<4xi32>>
  %z:2 = scf.for %k = %i to %n step %c1 iter_args(%a = %t, %h = %w)
      -> (tensor<4xi32>, tuple<tensor<4xi32>>) {
    %u = tensor.insert %x into %a[%k] : tensor<4xi32>
    %v = "test.op"(%u) : (tensor<4xi32>) -> tuple<tensor<4xi32>>
    scf.yield %u, %v : tensor<4xi32>, tuple<tensor<4xi32>>
  }
  %r = "test.op"(%z#1) : (tuple<tensor<4xi32>>) -> tensor<4xi32>
  %g = tensor.extract %r[%i] : tensor<4xi32>
  return %g : i32
}

// -----

// CHECK-LABEL: func.func @by_a_region(
// CHECK:         "test.op"() ({
// CHECK:           memref.copy %t
// CHECK:         memref.store
func.func @by_a_region(%t: tensor<4xi32>, %x: i32, %i: index) -> (i32, i32) {
  %v = "test.op"() ({
    "test.termop"(%t) : (tensor<4xi32>) -> ()
  }) : () -> tuple<tensor<4xi32>>
  %u = tensor.insert %x into %t[%i] : tensor<4xi32>
  %r = "test.op"(%v) : (tuple<tensor<4xi32>>) -> tensor<4xi32>
  %e = tensor.extract %u[%i] : tensor<4xi32>
  %g = tensor.extract %r[%i] : tensor<4xi32>
  return %e, %g : i32, i32
}
