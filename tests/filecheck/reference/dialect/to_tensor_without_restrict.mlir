// From: 'bufferization' Dialect | bufferization.to_tensor
// RUN: xdsl-opt %s -p 'one-shot-bufferize' | filecheck %s

// CHECK-LABEL: @not_restrict(
// CHECK:         %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %m, %[[COPY]]
// CHECK-NEXT:    memref.store %f, %[[COPY]][%idx]
func.func @not_restrict(%m: memref<4xf32>, %f: f32, %idx: index) -> f32 {
  %t = bufferization.to_tensor %m writable : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%idx] : tensor<4xf32>
  %e = tensor.extract %r[%idx] : tensor<4xf32>
  return %e : f32
}
