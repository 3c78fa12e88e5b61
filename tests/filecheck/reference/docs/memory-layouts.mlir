// From: Bufferization | Memory Layouts
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops}' --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops unknown-type-conversion=identity-layout-map}' --allow-unregistered-dialect | filecheck %s --check-prefix IDENTITY

// CHECK-LABEL:    @boundary(
// CHECK:            %[[T:.*]] = "my_dialect.unbufferizable_op"
// CHECK-NEXT:       %[[M:.*]] = bufferization.to_buffer %[[T]] : tensor<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:       memref.load %[[M]][%idx1, %idx2] : memref<?x?xf32, strided<[?, ?], offset: ?>>
// IDENTITY-LABEL: @boundary(
// IDENTITY:         memref.load %{{.*}}[%idx1, %idx2] : memref<?x?xf32>
func.func @boundary(%t: tensor<?x?xf32>, %idx1: index, %idx2: index) -> f32 {
  %0 = "my_dialect.unbufferizable_op"(%t) : (tensor<?x?xf32>) -> (tensor<?x?xf32>)
  %1 = tensor.extract %0[%idx1, %idx2] : tensor<?x?xf32>
  return %1 : f32
}

// No precise layout can be inferred for this cast.
// CHECK-LABEL: @from_unranked(
// CHECK:         memref.cast %{{.*}} : memref<*xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
func.func @from_unranked(%t: tensor<*xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<?x?xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<?x?xf32>
  return %1 : f32
}
