// From: Buffer Deallocation 2021 | How to write a partial bufferization pass
// RUN: xdsl-opt %s -p 'tensor-bufferize' | filecheck %s

// CHECK-LABEL: @cast(
// CHECK-NEXT:    %[[M:.*]] = bufferization.to_buffer %t
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[M]] : memref<?xf32> to memref<2xf32>
// CHECK-NEXT:    %[[T:.*]] = bufferization.to_tensor %[[C]] : memref<2xf32> to tensor<2xf32>
// CHECK-NEXT:    func.return %[[T]]
func.func @cast(%t: tensor<?xf32>) -> tensor<2xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @extract(
// CHECK-NEXT:    %[[M:.*]] = bufferization.to_buffer %t
// CHECK-NEXT:    memref.load %[[M]][%i]
func.func @extract(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}
