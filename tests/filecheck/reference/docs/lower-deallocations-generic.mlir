// From: Bufferization | Lower Deallocations Pass: Generic Lowering
// RUN: xdsl-opt %s -p 'bufferization-lower-deallocations' | filecheck %s

// CHECK-LABEL: @conversion(
// CHECK:         memref.alloc() : memref<2xindex>
// CHECK:         memref.extract_aligned_pointer_as_index %m0
// CHECK:         memref.extract_aligned_pointer_as_index %m1
// CHECK:         memref.extract_aligned_pointer_as_index %r0
// CHECK:         memref.extract_aligned_pointer_as_index %r1
// CHECK:         func.call @dealloc_helper(
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      memref.dealloc %m0
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      memref.dealloc %m1
// CHECK:         %[[R0:.*]] = memref.load
// CHECK:         %[[R1:.*]] = memref.load
// CHECK-COUNT-5: memref.dealloc
// CHECK:         func.return %[[R0]], %[[R1]]
func.func @conversion(%m0: memref<2xf32>, %m1: memref<5xf32>, %cond0: i1, %cond1: i1, %r0: memref<1xf32>, %r1: memref<2xf32>) -> (i1, i1) {
  %0:2 = bufferization.dealloc (%m0, %m1 : memref<2xf32>, memref<5xf32>) if (%cond0, %cond1) retain (%r0, %r1 : memref<1xf32>, memref<2xf32>)
  return %0#0, %0#1 : i1, i1
}

// CHECK-LABEL: func.func private @dealloc_helper(
// CHECK-SAME:    memref<?xindex>, %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xi1>, %{{.*}}: memref<?xi1>, %{{.*}}: memref<?xi1>)
// CHECK:         memref.dim
// CHECK:         memref.dim
// CHECK:         scf.for
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xi1>
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           memref.load
// CHECK:           scf.for {{.*}} iter_args
// CHECK:             arith.cmpi eq
// CHECK:             scf.if
// CHECK:               arith.ori
// CHECK:             arith.cmpi ne
// CHECK:             arith.andi
// CHECK:           scf.for {{.*}} iter_args
// CHECK:             arith.cmpi ne
// CHECK:             arith.andi
// CHECK:           arith.andi
// CHECK:           memref.store
