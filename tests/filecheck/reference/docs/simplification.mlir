// From: Bufferization | Buffer Deallocation Simplification Pass
// RUN: xdsl-opt %s -p 'buffer-deallocation-simplification' | filecheck %s

// CHECK-LABEL: @never_retained(
// CHECK:         bufferization.dealloc (%{{.*}} : memref<2xi32>) if (%c)
// CHECK-NOT:     retain
func.func @never_retained(%c: i1, %x: i32, %i: index) -> i1 {
  %alloc = memref.alloc() : memref<2xi32>
  memref.store %x, %alloc[%i] : memref<2xi32>
  %other = memref.alloc() : memref<2xi32>
  %0 = bufferization.dealloc (%alloc : memref<2xi32>) if (%c) retain (%other : memref<2xi32>)
  return %0 : i1
}

// CHECK-LABEL: @split(
// CHECK:         bufferization.dealloc (%[[A:.*]] : memref<2xi32>) if (%c)
// CHECK:         bufferization.dealloc (%[[B:.*]] : memref<3xi32>) if (%d)
func.func @split(%c: i1, %d: i1, %x: i32, %i: index) {
  %a = memref.alloc() : memref<2xi32>
  memref.store %x, %a[%i] : memref<2xi32>
  %b = memref.alloc() : memref<3xi32>
  memref.store %x, %b[%i] : memref<3xi32>
  bufferization.dealloc (%a, %b : memref<2xi32>, memref<3xi32>) if (%c, %d)
  return
}

// CHECK-LABEL: @retained_itself(
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %{{.*}}, %c
func.func @retained_itself(%c: i1) -> (memref<2xi32>, i1) {
  %a = memref.alloc() : memref<2xi32>
  %0 = bufferization.dealloc (%a : memref<2xi32>) if (%c) retain (%a : memref<2xi32>)
  return %a, %0 : memref<2xi32>, i1
}
