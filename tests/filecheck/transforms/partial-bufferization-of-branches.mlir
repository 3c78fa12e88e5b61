// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p 'one-shot-bufferize{dialect-filter=scf,tensor,bufferization verify-result}' | filecheck %s

// A branch that is left on tensors forwards a buffer under another name. It is copied if it
// is overwritten before it is read under that name.

// CHECK-LABEL: @forwarded_and_overwritten
// CHECK:         memref.copy %t, %[[COPY:[0-9]+]]
// CHECK-NEXT:    %[[TENSOR:.*]] = bufferization.to_tensor %[[COPY]]
// CHECK-NEXT:    cf.br ^{{.*}}(%[[TENSOR]] : tensor<3xi32>)
// CHECK:         memref.store %x, %t
func.func @forwarded_and_overwritten(%x: i32, %i: index) -> (i32, i32) {
  %t = tensor.from_elements %x, %x, %x : tensor<3xi32>
  cf.br ^bb1(%t : tensor<3xi32>)
^bb1(%a: tensor<3xi32>):
  %u = tensor.insert %x into %t[%i] : tensor<3xi32>
  %e = tensor.extract %u[%i] : tensor<3xi32>
  %f = tensor.extract %a[%i] : tensor<3xi32>
  return %e, %f : i32, i32
}

// -----

// CHECK-LABEL: @forwarded_and_read
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @forwarded_and_read(%x: i32, %i: index) -> (i32, i32) {
  %t = tensor.from_elements %x, %x, %x : tensor<3xi32>
  cf.br ^bb1(%t : tensor<3xi32>)
^bb1(%a: tensor<3xi32>):
  %e = tensor.extract %t[%i] : tensor<3xi32>
  %f = tensor.extract %a[%i] : tensor<3xi32>
  return %e, %f : i32, i32
}

// -----

// Branches in a region are bufferized with the op that has it, whatever the filter says of
// them: what they forward is known.

// CHECK-LABEL: @in_region
// CHECK:         scf.execute_region
// CHECK:         memref.copy %t, %[[COPY:[0-9]+]]
// CHECK:         cf.br ^[[BB1:.*]](%[[COPY]]
// CHECK:         memref.store %x, %a
func.func @in_region(%x: i32, %i: index) -> (i32, i32) {
  %t = tensor.from_elements %x, %x, %x : tensor<3xi32>
  %r:2 = scf.execute_region -> (i32, i32) {
    cf.br ^bb1(%t : tensor<3xi32>)
  ^bb1(%a: tensor<3xi32>):
    %u = tensor.insert %x into %a[%i] : tensor<3xi32>
    %e = tensor.extract %u[%i] : tensor<3xi32>
    %f = tensor.extract %t[%i] : tensor<3xi32>
    scf.yield %e, %f : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// -----

// What an unknown op returns may be its operand.

// CHECK-LABEL: @unknown_op
// CHECK:         memref.copy %t, %[[COPY:[0-9]+]]
// CHECK-NEXT:    %[[TENSOR:.*]] = bufferization.to_tensor %[[COPY]]
// CHECK-NEXT:    %g = "test.unknown"(%[[TENSOR]])
// CHECK:         memref.store %x, %t
func.func @unknown_op(%x: i32, %i: index) -> (i32, i32) {
  %t = tensor.from_elements %x, %x, %x : tensor<3xi32>
  %g = "test.unknown"(%t) : (tensor<3xi32>) -> tensor<3xi32>
  %u = tensor.insert %x into %t[%i] : tensor<3xi32>
  %e = tensor.extract %u[%i] : tensor<3xi32>
  %f = tensor.extract %g[%i] : tensor<3xi32>
  return %e, %f : i32, i32
}
