// From: Tutorial 2023 | New bufferization.dealloc operation
// RUN: xdsl-opt %s -p 'buffer-deallocation-simplification,canonicalize' | filecheck %s

// CHECK-LABEL: @ownership_of_retained(
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %{{.*}}, %{{.*}}, %own1, %{{.*}} : memref<2xf32>, memref<2xf32>, i1, i1
func.func @ownership_of_retained(%own1: i1, %x: f32, %i: index) -> (memref<2xf32>, memref<2xf32>, i1, i1) {
  %m1 = memref.alloc() : memref<2xf32>
  %other = memref.alloc() : memref<2xf32>
  memref.store %x, %m1[%i] : memref<2xf32>
  %0:2 = bufferization.dealloc (%m1 : memref<2xf32>) if (%own1) retain (%m1, %other : memref<2xf32>, memref<2xf32>)
  return %m1, %other, %0#0, %0#1 : memref<2xf32>, memref<2xf32>, i1, i1
}
