// From: 'bufferization' Dialect | bufferization.clone
// RUN: xdsl-opt %s -p 'convert-bufferization-to-memref' | filecheck %s

// CHECK-LABEL: @clone(
// CHECK:         %[[SIZE:.*]] = memref.dim %arg0
// CHECK:         %[[COPY:.*]] = memref.alloc(%[[SIZE]])
// CHECK-NEXT:    memref.copy %arg0, %[[COPY]]
func.func @clone(%arg0: memref<?xf32>) -> memref<?xf32> {
  %arg1 = bufferization.clone %arg0 : memref<?xf32> to memref<?xf32>
  return %arg1 : memref<?xf32>
}
