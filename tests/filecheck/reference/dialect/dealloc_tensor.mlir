// From: 'bufferization' Dialect | bufferization.dealloc_tensor
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @dealloc_tensor(
// CHECK:         %[[T:.*]] = memref.alloc()
// CHECK:         memref.dealloc %[[T]] : memref<1024x1024xf64>
func.func @dealloc_tensor(%f: f64, %i: index) -> f64 {
  %0 = bufferization.alloc_tensor() : tensor<1024x1024xf64>
  %tensor = tensor.insert %f into %0[%i, %i] : tensor<1024x1024xf64>
  %1 = tensor.extract %tensor[%i, %i] : tensor<1024x1024xf64>
  bufferization.dealloc_tensor %tensor : tensor<1024x1024xf64>
  return %1 : f64
}
