// From: Tutorial 2023 | bufferization.to_tensor
// RUN: xdsl-opt %s -p 'canonicalize' | filecheck %s

// CHECK-LABEL: @test(
// CHECK:         bufferization.to_tensor %B restrict
// CHECK:         bufferization.to_tensor %B_view restrict
func.func @test(%B: memref<1x19x29xf32>, %sz2: index, %sz3: index) -> (tensor<1x19x29xf32>, tensor<1x?x?xf32>) {
  %B_tensor = bufferization.to_tensor %B restrict : memref<1x19x29xf32> to tensor<1x19x29xf32>
  %B_view = memref.subview %B[0, 2, 3] [1, %sz2, %sz3] [1, 1, 1] : memref<1x19x29xf32> to memref<1x?x?xf32, strided<[551, 29, 1], offset: 61>>
  %B_view_tensor = bufferization.to_tensor %B_view restrict : memref<1x?x?xf32, strided<[551, 29, 1], offset: 61>> to tensor<1x?x?xf32>
  return %B_tensor, %B_view_tensor : tensor<1x19x29xf32>, tensor<1x?x?xf32>
}
