// RUN: xdsl-opt %s -p 'bufferization-pipeline{verify-result}' | filecheck %s

// Deallocation lets public functions return copies of their arguments: to update one in
// place spares no copy, but the slice that has to be read before would be copied as well.

// CHECK-LABEL: func.func @slices(
// CHECK:         %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4x6xi32>
// CHECK-NEXT:    memref.copy %t, %[[NEW]]
// CHECK:         memref.copy %{{.*}} : memref<3xi32, strided<[?], offset: ?>> to memref<3xi32, strided<[2], offset: ?>>
// CHECK:         %[[PART:.*]] = bufferization.clone
// CHECK-NEXT:    return %[[NEW]], %[[PART]]
func.func @slices(%t: tensor<4x6xi32>, %i: index, %j: index)
    -> (tensor<4x6xi32>, tensor<3xi32>) {
  %0 = tensor.extract_slice %t[%i, 0] [1, 3] [1, 2] : tensor<4x6xi32> to tensor<3xi32>
  %1 = tensor.insert_slice %0 into %t[3, %j] [1, 3] [1, 2]
      : tensor<3xi32> into tensor<4x6xi32>
  %2 = tensor.extract_slice %t[0, 0] [1, 3] [1, 2] : tensor<4x6xi32> to tensor<3xi32>
  return %1, %2 : tensor<4x6xi32>, tensor<3xi32>
}
