// From: Tutorial 2023 | memref.realloc Lowering
// RUN: xdsl-opt %s -p 'expand-realloc' | filecheck %s

// CHECK-LABEL: @realloc(
// CHECK:         %[[DIM:.*]] = memref.dim %alloc
// CHECK:         %[[SMALLER:.*]] = arith.cmpi ult, %[[DIM]], %size : index
// CHECK:         scf.if %[[SMALLER]] -> (memref<?xf32>) {
// CHECK:           %[[NEW:.*]] = memref.alloc(%size) : memref<?xf32>
// CHECK:           %[[VIEW:.*]] = memref.subview %[[NEW]][0] [%[[DIM]]] [1]
// CHECK:           memref.copy %alloc, %[[VIEW]]
// CHECK:           memref.dealloc %alloc
// CHECK:           scf.yield %[[NEW]]
// CHECK:         } else {
// CHECK:           %[[CAST:.*]] = memref.reinterpret_cast %alloc to offset: [0], sizes: [%size], strides: [1]
// CHECK:           scf.yield %[[CAST]]
func.func @realloc(%alloc: memref<?xf32>, %size: index) -> memref<?xf32> {
  %realloc = memref.realloc %alloc (%size) : memref<?xf32> to memref<?xf32>
  return %realloc : memref<?xf32>
}
