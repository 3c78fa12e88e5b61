// RUN: xdsl-opt %s -p eliminate-empty-tensors | filecheck %s

// A program that is partly on memrefs: the tensor of a buffer that is written afterwards is
// copied first.

// CHECK-LABEL: func.func @of_buffer
// CHECK-NEXT:    %a = bufferization.to_tensor %m restrict
// CHECK-NEXT:    %0 = bufferization.alloc_tensor() copy(%a)
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    %1 = tensor.extract_slice %0[1] [2] [1]
// CHECK:         %f = linalg.fill ins(%x : f32) outs(%1 : tensor<2xf32>)
func.func @of_buffer(%m: memref<6xf32>, %x: f32, %i: index) -> tensor<6xf32> {
  %a = bufferization.to_tensor %m : memref<6xf32> to tensor<6xf32>
  memref.store %x, %m[%i] : memref<6xf32>
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = tensor.insert_slice %f into %a[1] [2] [1] : tensor<2xf32> into tensor<6xf32>
  return %r : tensor<6xf32>
}
