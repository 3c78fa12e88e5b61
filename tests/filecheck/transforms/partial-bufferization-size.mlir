// RUN: xdsl-opt %s -p 'tensor-bufferize,linalg-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s

// The size of a tensor that is a buffer by now is the buffer's.

// CHECK-LABEL: @size
// CHECK:         %[[BUFFER:.*]] = memref.alloc(%n)
// CHECK:         memref.dim %[[BUFFER]], %{{.*}} : memref<?xf32>
// CHECK-NOT:     tensor
func.func @size(%n: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.splat %x[%n] : tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
