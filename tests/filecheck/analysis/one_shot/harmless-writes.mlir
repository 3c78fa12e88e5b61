// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map verify-result}' | filecheck %s

// Writes that change nothing, or only what nobody looks at, need no copy where MLIR does
// not see them: in a later block than the definition, and before a read through the memref
// of a bufferization.to_buffer.

// CHECK-LABEL: func.func @slice_inserted_where_it_was(
// CHECK-NOT:     memref.alloc
// CHECK:         memref.load
func.func @slice_inserted_where_it_was(%t: tensor<4x?xf32>, %n: index, %i: index) -> f32 {
  cf.br ^bb1
^bb1:
  %0 = scf.forall (%j) in (%n) shared_outs(%o = %t) -> (tensor<4x?xf32>) {
    %s = tensor.extract_slice %o[%j, 0] [1, 3] [1, 1] : tensor<4x?xf32> to tensor<3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, 0] [1, 3] [1, 1]
        : tensor<3xf32> into tensor<4x?xf32>
    }
  }
  %1 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  func.return %1 : f32
}

// What is inserted is not what was there.
// CHECK-LABEL: func.func @slice_inserted_elsewhere(
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @slice_inserted_elsewhere(%t: tensor<4x?xf32>, %n: index, %i: index) -> f32 {
  cf.br ^bb1
^bb1:
  %0 = scf.forall (%j) in (%n) shared_outs(%o = %t) -> (tensor<4x?xf32>) {
    %s = tensor.extract_slice %o[%i, 0] [1, 3] [1, 1] : tensor<4x?xf32> to tensor<3xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, 0] [1, 3] [1, 1]
        : tensor<3xf32> into tensor<4x?xf32>
    }
  }
  %1 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  func.return %1 : f32
}

// CHECK-LABEL: func.func @reshaped_and_not_used(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @reshaped_and_not_used(%t: tensor<2x2xf32>, %x: f32, %i: index) -> f32 {
  cf.br ^bb1
^bb1:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %2 = tensor.extract %0[%i, %i] : tensor<2x2xf32>
  func.return %2 : f32
}

// CHECK-LABEL: func.func @reshaped_and_read(
// CHECK:         memref.alloc
// CHECK:         return
func.func @reshaped_and_read(%t: tensor<2x2xf32>, %x: f32, %i: index) -> (f32, f32) {
  cf.br ^bb1
^bb1:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %2 = tensor.extract %0[%i, %i] : tensor<2x2xf32>
  %3 = tensor.extract %1[%i] : tensor<4xf32>
  func.return %2, %3 : f32, f32
}

// CHECK-LABEL: func.func @memref_read_after_idle_loop(
// CHECK-NOT:     memref.alloc
// CHECK:         memref.load
func.func @memref_read_after_idle_loop(%t: tensor<4xf32>, %i: index, %n: index) -> f32 {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %0 = scf.for %j = %i to %n step %n iter_args(%a = %t) -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  }
  %1 = memref.load %m[%i] : memref<4xf32>
  func.return %1 : f32
}

// CHECK-LABEL: func.func @memref_read_after_write(
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @memref_read_after_write(%t: tensor<4xf32>, %i: index, %n: index, %x: f32) -> (f32, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %0 = scf.for %j = %i to %n step %n iter_args(%a = %t) -> (tensor<4xf32>) {
    %2 = tensor.insert %x into %a[%j] : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %1 = memref.load %m[%i] : memref<4xf32>
  %3 = tensor.extract %0[%i] : tensor<4xf32>
  func.return %1, %3 : f32, f32
}
