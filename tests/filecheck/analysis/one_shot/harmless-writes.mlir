// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops verify-result}' | filecheck %s

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

// Other threads read what is inserted again, maybe from a buffer of its own.
// CHECK-LABEL: func.func @slice_inserted_while_others_read(
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @slice_inserted_while_others_read(%t: tensor<4x?xf32>, %n: index, %i: index)
    -> tensor<4x?xf32> {
  cf.br ^bb1
^bb1:
  %0 = scf.forall (%j) in (%n) shared_outs(%o = %t) -> (tensor<4x?xf32>) {
    %s = tensor.extract_slice %o[%j, 0] [1, 3] [1, 1] : tensor<4x?xf32> to tensor<3xf32>
    %e = tensor.extract %t[%i, %i] : tensor<4x?xf32>
    func.call @use(%e) : (f32) -> ()
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j, 0] [1, 3] [1, 1]
        : tensor<3xf32> into tensor<4x?xf32>
    }
  }
  func.return %t : tensor<4x?xf32>
}

func.func private @use(f32)

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

// In the second iteration, %s is inserted where it was extracted, so it must not change,
// although nobody reads %u.
// CHECK-LABEL: func.func @slice_changed_before_it_is_inserted(
// CHECK:         cf.cond_br
// CHECK:         %[[COPY:.*]] = memref.alloc
// CHECK-NEXT:    memref.copy %{{.*}}, %[[COPY]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[COPY]]
func.func @slice_changed_before_it_is_inserted(
    %t: tensor<3x4xi32>, %start: tensor<3x4xi32>, %i: index, %n: index) -> tensor<3x4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tensor.extract_slice %t[0, 0] [%c2, 4] [1, 1] : tensor<3x4xi32> to tensor<?x4xi32>
  cf.br ^head(%c0, %start : index, tensor<3x4xi32>)
^head(%k: index, %sum: tensor<3x4xi32>):
  %more = arith.cmpi ult, %k, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %u = tensor.insert_slice %s into %t[0, 0] [%c2, 4] [1, 1] : tensor<?x4xi32> into tensor<3x4xi32>
  %x = tensor.extract %t[%c0, %i] : tensor<3x4xi32>
  %y = arith.addi %x, %x : i32
  %s2 = tensor.insert %y into %s[%c0, %i] : tensor<?x4xi32>
  %next = tensor.insert %x into %sum[%k, %i] : tensor<3x4xi32>
  %k1 = arith.addi %k, %c1 : index
  cf.br ^head(%k1, %next : index, tensor<3x4xi32>)
^end:
  func.return %sum : tensor<3x4xi32>
}

// CHECK-LABEL: func.func @copied_and_not_used(
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%t :
func.func @copied_and_not_used(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  cf.br ^bb1
^bb1:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %2 = tensor.pad %t low[1] high[0] {
  ^bb0(%j: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<5xf32>
  %3 = tensor.concat dim(0) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %4 = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %5 = tensor.extract %0[%i] : tensor<4xf32>
  func.return %5 : f32
}

// CHECK-LABEL: func.func @copied_and_read(
// CHECK-NOT:     linalg.fill ins(%{{.*}} : f32) outs(%t :
// CHECK:         return
func.func @copied_and_read(%t: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
  cf.br ^bb1
^bb1:
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  %3 = tensor.extract %1[%i] : tensor<4xf32>
  func.return %2, %3 : f32, f32
}

// The loop writes %b, which never is the buffer of %t.
// CHECK-LABEL: func.func @loop_writes_other_iter_arg(
// CHECK:         iter_args(%a = %t,
func.func @loop_writes_other_iter_arg(%t: tensor<4xf32>, %i: index, %n: index, %x: f32) -> (f32, f32, f32) {
  cf.br ^bb1
^bb1:
  %s = tensor.splat %x : tensor<4xf32>
  %0, %1 = scf.for %j = %i to %n step %n iter_args(%a = %t, %b = %s) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %x into %b[%j] : tensor<4xf32>
    scf.yield %a, %w : tensor<4xf32>, tensor<4xf32>
  }
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  %3 = tensor.extract %0[%i] : tensor<4xf32>
  %4 = tensor.extract %1[%i] : tensor<4xf32>
  func.return %2, %3, %4 : f32, f32, f32
}

// The next iteration writes what this one calls %a.
// CHECK-LABEL: func.func @loop_writes_iter_arg_later(
// CHECK-NOT:     iter_args(%a = %t,
// CHECK:         return
func.func @loop_writes_iter_arg_later(%t: tensor<4xf32>, %i: index, %n: index, %x: f32) -> (f32, f32, f32) {
  cf.br ^bb1
^bb1:
  %s = tensor.splat %x : tensor<4xf32>
  %0, %1 = scf.for %j = %i to %n step %n iter_args(%a = %t, %b = %s) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %x into %b[%j] : tensor<4xf32>
    scf.yield %w, %a : tensor<4xf32>, tensor<4xf32>
  }
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  %3 = tensor.extract %0[%i] : tensor<4xf32>
  %4 = tensor.extract %1[%i] : tensor<4xf32>
  func.return %2, %3, %4 : f32, f32, f32
}
