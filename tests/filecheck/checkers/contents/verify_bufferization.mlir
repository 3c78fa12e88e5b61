// RUN: xdsl-opt %s --split-input-file -p 'verify-bufferization{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p 'verify-bufferization{bufferize-function-boundaries},one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s --check-prefix=BUFFERS

// The pass looks, and changes nothing.

// CHECK: func.func @copy_is_needed(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
// CHECK-NEXT: tensor.insert %x into %t[%i]
// CHECK-NEXT: tensor.extract %t[%i]
// CHECK-NEXT: func.return
// BUFFERS: func.func @copy_is_needed(%t: memref<4xf32
// BUFFERS: memref.copy
func.func @copy_is_needed(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}

// -----

// A tile is updated in place.

// CHECK: func.func @tile(
// CHECK-NOT: check.mark
// BUFFERS: func.func @tile(
// BUFFERS-NOT: memref.alloc
func.func @tile(%t: tensor<?xf32>, %n: index, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %n step %c4 iter_args(%a = %t) -> (tensor<?xf32>) {
    %1 = tensor.extract_slice %a[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%x : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.insert_slice %2 into %a[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
