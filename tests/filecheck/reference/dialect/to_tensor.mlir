// From: 'bufferization' Dialect | bufferization.to_tensor
// RUN: xdsl-opt %s -p 'one-shot-bufferize' | filecheck %s

// CHECK-LABEL: @writable(
// CHECK-NEXT:    memref.store %f, %m[%idx] : memref<4xf32>
// CHECK:         memref.load %m[%idx]
func.func @writable(%m: memref<4xf32>, %f: f32, %idx: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%idx] : tensor<4xf32>
  %e = tensor.extract %r[%idx] : tensor<4xf32>
  return %e : f32
}

// CHECK-LABEL: @not_writable(
// CHECK:         %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %m, %[[COPY]]
// CHECK-NEXT:    memref.store %f, %[[COPY]][%idx]
func.func @not_writable(%m: memref<4xf32>, %f: f32, %idx: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%idx] : tensor<4xf32>
  %e = tensor.extract %r[%idx] : tensor<4xf32>
  return %e : f32
}
