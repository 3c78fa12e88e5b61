// From: Bufferization | Buffer Deallocation
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline' | filecheck %s --check-prefix FREED

// CHECK-LABEL: @new_tensor_in_branch(
// CHECK:         %[[RESULT:.*]] = scf.if %c -> (memref<?xf32>) {
// CHECK:           %[[NEW:.*]] = memref.alloc(%sz)
// CHECK:           scf.yield %[[NEW]]
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %another_tensor
// FREED-LABEL: @new_tensor_in_branch(
// FREED:         memref.load
// FREED:         scf.if %c {
// FREED-NEXT:      memref.dealloc
func.func @new_tensor_in_branch(%c: i1, %sz: index, %another_tensor: tensor<?xf32>) -> f32 {
  %0 = scf.if %c -> (tensor<?xf32>) {
    %1 = tensor.generate %sz {
    ^bb0(%i: index):
      %cst = arith.constant 1.0 : f32
      tensor.yield %cst : f32
    } : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %another_tensor : tensor<?xf32>
  }
  %i = arith.constant 0 : index
  %r = tensor.extract %0[%i] : tensor<?xf32>
  return %r : f32
}

// A copy that a conflict needs is yielded. The op that reads is a tensor.extract here.
// CHECK-LABEL: @copy_in_branch(
// CHECK:         scf.if %c -> (memref<?xf32>, f32) {
// CHECK:           %[[COPY:.*]] = memref.alloc(
// CHECK:           memref.copy %another_tensor, %[[COPY]]
// CHECK:           memref.store %cst, %[[COPY]][%idx]
// CHECK:           memref.load %another_tensor[%idx]
// CHECK:           scf.yield %[[COPY]]
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %yet_another_tensor
func.func @copy_in_branch(%c: i1, %cst: f32, %idx: index, %another_tensor: tensor<?xf32>, %yet_another_tensor: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %0, %r = scf.if %c -> (tensor<?xf32>, f32) {
    %1 = tensor.insert %cst into %another_tensor[%idx] : tensor<?xf32>
    %2 = tensor.extract %another_tensor[%idx] : tensor<?xf32>
    scf.yield %1, %2 : tensor<?xf32>, f32
  } else {
    scf.yield %yet_another_tensor, %zero : tensor<?xf32>, f32
  }
  return %0, %r : tensor<?xf32>, f32
}
