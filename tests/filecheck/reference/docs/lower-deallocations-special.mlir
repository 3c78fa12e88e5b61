// From: Bufferization | Lower Deallocations Pass: Specialized Lowerings
// RUN: xdsl-opt %s -p 'bufferization-lower-deallocations' | filecheck %s

// CHECK-LABEL: @one_memref(
// CHECK-NEXT:    scf.if %arg1 {
// CHECK-NEXT:      memref.dealloc %arg0 : memref<2xf32>
func.func @one_memref(%arg0: memref<2xf32>, %arg1: i1) {
  bufferization.dealloc (%arg0 : memref<2xf32>) if (%arg1)
  return
}

// CHECK-LABEL: @retained(
// CHECK-DAG:     memref.extract_aligned_pointer_as_index %m
// CHECK-DAG:     memref.extract_aligned_pointer_as_index %r0
// CHECK-DAG:     memref.extract_aligned_pointer_as_index %r1
// CHECK:         %[[SHOULD:.*]] = arith.andi %{{.*}}, %cond
// CHECK:         scf.if %[[SHOULD]] {
// CHECK-NEXT:      memref.dealloc %m : memref<2xf32>
// CHECK:         %[[R0:.*]] = arith.andi %{{.*}}, %cond
// CHECK:         %[[R1:.*]] = arith.andi %{{.*}}, %cond
// CHECK:         func.return %[[R0]], %[[R1]] : i1, i1
func.func @retained(%m: memref<2xf32>, %cond: i1, %r0: memref<1xf32>, %r1: memref<2xf32>) -> (i1, i1) {
  %0:2 = bufferization.dealloc (%m : memref<2xf32>) if (%cond) retain (%r0, %r1 : memref<1xf32>, memref<2xf32>)
  return %0#0, %0#1 : i1, i1
}
