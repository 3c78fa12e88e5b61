// From: Tutorial 2023 | Read-after-Write Conflict Detection
// RUN: xdsl-opt %s -p 'one-shot-bufferize,cse' | filecheck %s

// CHECK-LABEL: @conflict(
// CHECK:         %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
// CHECK-COUNT-3: memref.store %{{.*}}, %[[M]]
// CHECK:         %[[M2:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
// CHECK-NEXT:    memref.copy %[[M]], %[[M2]]
// CHECK-NEXT:    memref.store %f3, %[[M2]][%idx] : memref<3xf32>
// CHECK:         memref.load %[[M]][%idx2] : memref<3xf32>
func.func @conflict(%f0: f32, %f1: f32, %f2: f32, %f3: f32, %idx: index, %idx2: index) -> (f32, f32) {
  %0 = tensor.from_elements %f0, %f1, %f2 : tensor<3xf32>
  %1 = tensor.insert %f3 into %0[%idx] : tensor<3xf32>
  %r = tensor.extract %0[%idx2] : tensor<3xf32>
  %s = tensor.extract %1[%idx2] : tensor<3xf32>
  return %r, %s : f32, f32
}

// Aliasing is taken into account; the copy is in one of two places.
// CHECK-LABEL: @conflict_with_alias(
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @conflict_with_alias(%f0: f32, %f1: f32, %f2: f32, %f3: f32, %idx: index, %idx2: index) -> (f32, f32) {
  %0 = tensor.from_elements %f0, %f1, %f2 : tensor<3xf32>
  %alias = tensor.extract_slice %0[1][2][1] : tensor<3xf32> to tensor<2xf32>
  %1 = tensor.insert %f3 into %0[%idx] : tensor<3xf32>
  %r = tensor.extract %alias[%idx2] : tensor<2xf32>
  %s = tensor.extract %1[%idx2] : tensor<3xf32>
  return %r, %s : f32, f32
}

// The read happens before the write.
// CHECK-LABEL: @read_before_write(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @read_before_write(%f0: f32, %f1: f32, %f2: f32, %f3: f32, %idx: index, %idx2: index) -> (f32, f32) {
  %0 = tensor.from_elements %f0, %f1, %f2 : tensor<3xf32>
  %r = tensor.extract %0[%idx2] : tensor<3xf32>
  %1 = tensor.insert %f3 into %0[%idx] : tensor<3xf32>
  %s = tensor.extract %1[%idx2] : tensor<3xf32>
  return %r, %s : f32, f32
}

// Read and write operate on disjoint subsets.
// CHECK-LABEL: @disjoint(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @disjoint(%m: memref<8xf32>, %f: f32, %i: index) -> (f32, f32) {
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %c = tensor.insert %f into %a[%i] : tensor<4xf32>
  %d = tensor.insert_slice %c into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %r = tensor.extract %d[%i] : tensor<8xf32>
  return %r, %f : f32, f32
}

// In a loop, the write of one iteration comes before the read of the next.
// CHECK-LABEL: @in_loop(
// CHECK:         scf.for
// CHECK:           memref.alloc
// CHECK:           memref.copy
func.func @in_loop(%m: memref<8xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
    %r = tensor.extract %t[%i] : tensor<8xf32>
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    %q = tensor.extract %w[%c0] : tensor<8xf32>
    %a = arith.addf %r, %q : f32
    scf.yield %a : f32
  }
  return %sum : f32
}

// Every thread needs a buffer of its own for what it writes.
// CHECK-LABEL: @parallel_region(
// CHECK:         scf.forall
// CHECK:           memref.alloc
func.func @parallel_region(%m: memref<8xf32>, %out: memref<8xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %r = scf.forall (%i) in (8) shared_outs(%s = %o) -> tensor<8xf32> {
    %w = tensor.insert %f into %t[%c0] : tensor<8xf32>
    %e = tensor.extract_slice %w[0] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  bufferization.materialize_in_destination %r in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
