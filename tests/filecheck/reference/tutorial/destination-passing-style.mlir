// From: Tutorial 2023 | Destination Passing Style (DPS)
// RUN: xdsl-opt %s -p 'one-shot-bufferize,cse' | filecheck %s

// CHECK-LABEL: @in_place(
// CHECK-NEXT:    memref.store %f, %m[%idx] : memref<5xf32>
func.func @in_place(%m: memref<5xf32>, %f: f32, %idx: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<5xf32> to tensor<5xf32>
  %r = tensor.insert %f into %t[%idx] : tensor<5xf32>
  %e = tensor.extract %r[%idx] : tensor<5xf32>
  return %e : f32
}

// There is no guarantee that the result ends up in the destination's buffer.
// CHECK-LABEL: @out_of_place(
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
// CHECK-NEXT:    memref.copy %m, %[[NEW]]
// CHECK-NEXT:    memref.store %f, %[[NEW]][%idx] : memref<5xf32>
func.func @out_of_place(%m: memref<5xf32>, %f: f32, %idx: index) -> (f32, f32) {
  %t = bufferization.to_tensor %m restrict writable : memref<5xf32> to tensor<5xf32>
  %r = tensor.insert %f into %t[%idx] : tensor<5xf32>
  %e = tensor.extract %r[%idx] : tensor<5xf32>
  %old = tensor.extract %t[%idx] : tensor<5xf32>
  return %e, %old : f32, f32
}

// CHECK-LABEL: @from_elements(
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
// CHECK:         memref.store %f0, %[[M]][%[[C0]]] : memref<3xf32>
// CHECK:         memref.store %f1, %[[M]][%[[C1]]] : memref<3xf32>
// CHECK:         memref.store %f2, %[[M]][%[[C2]]] : memref<3xf32>
// CHECK:         bufferization.to_tensor %[[M]]
func.func @from_elements(%f0: f32, %f1: f32, %f2: f32) -> tensor<3xf32> {
  %r = tensor.from_elements %f0, %f1, %f2 : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: @insert_slice(
// CHECK-NEXT:    %[[VIEW:.*]] = memref.subview %m2[1] [5] [1] : memref<10xf32> to memref<5xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    memref.copy %m, %[[VIEW]]
func.func @insert_slice(%m: memref<5xf32>, %m2: memref<10xf32>, %idx: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<5xf32> to tensor<5xf32>
  %t2 = bufferization.to_tensor %m2 restrict writable : memref<10xf32> to tensor<10xf32>
  %r = tensor.insert_slice %t into %t2[1][5][1] : tensor<5xf32> into tensor<10xf32>
  %e = tensor.extract %r[%idx] : tensor<10xf32>
  return %e : f32
}
