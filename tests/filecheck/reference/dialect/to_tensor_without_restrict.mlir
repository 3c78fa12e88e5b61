// From: 'bufferization' Dialect | bufferization.to_tensor
// RUN: xdsl-opt %s -p 'one-shot-bufferize' --verify-diagnostics | filecheck %s --check-prefix REFUSED

// REFUSED: restrict
func.func @not_restrict(%m: memref<4xf32>, %f: f32, %idx: index) -> f32 {
  %t = bufferization.to_tensor %m writable : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%idx] : tensor<4xf32>
  %e = tensor.extract %r[%idx] : tensor<4xf32>
  return %e : f32
}
