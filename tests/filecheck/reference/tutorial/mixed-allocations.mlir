// From: Tutorial 2023 | Mixed Allocations
// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline{alloc-ops="memref.alloc" private-function-dynamic-ownership}' | filecheck %s

// CHECK-LABEL: @example(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = bufferization.clone %m
// CHECK:         %[[R:.*]] = arith.select %cond, %[[A]], %[[B]]
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NOT:     memref.dealloc %[[B]]
// CHECK:         func.return %[[R]], %{{.*}} : memref<f64>, i1
func.func private @example(%cond: i1, %m: memref<f64>) -> memref<f64> {
  %0 = memref.alloc() : memref<f64>
  memref.copy %m, %0 : memref<f64> to memref<f64>
  %1 = bufferization.clone %m : memref<f64> to memref<f64>
  %2 = arith.select %cond, %0, %1 : memref<f64>
  return %2 : memref<f64>
}
