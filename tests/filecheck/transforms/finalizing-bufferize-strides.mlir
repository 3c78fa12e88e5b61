// RUN: xdsl-opt %s -p finalizing-bufferize --split-input-file | filecheck %s

// Strides that no cast can give are those of the allocation.

// CHECK-LABEL: @gaps
// CHECK:         %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, strided<[2]>>
// CHECK-NEXT:    memref.copy %{{.*}}, %[[NEW]]
// CHECK-NEXT:    return %[[NEW]]
func.func @gaps(%m: memref<4xf32>) -> memref<4xf32, strided<[2]>> {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[2]>>
  return %1 : memref<4xf32, strided<[2]>>
}

// -----

// Strides that are not known are left to a cast.

// CHECK-LABEL: @unknown_strides
// CHECK:         %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    memref.copy %{{.*}}, %[[NEW]]
// CHECK-NEXT:    memref.cast %[[NEW]] : memref<4xf32, 1 : i64> to memref<4xf32, strided<[?], offset: ?>, 1 : i64>
func.func @unknown_strides(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>, 1> {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>, 1>
  return %1 : memref<4xf32, strided<[?], offset: ?>, 1>
}
