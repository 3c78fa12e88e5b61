// RUN: xdsl-opt %s -p "one-shot-bufferize{dialect-filter=tensor,bufferization}" | filecheck %s

// After this run the slice is the buffer under another name, so that a later run must not
// believe that the tensor which is left is the only way to the buffer.

// CHECK-LABEL: @restrict_ends
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<3xi32>
// CHECK-NEXT:    %[[LEFT:.*]] = bufferization.to_tensor %[[ALLOC]] writable :
// CHECK-NEXT:    memref.subview %[[ALLOC]]
// CHECK:         linalg.generic {{.*}} outs(%[[LEFT]] : tensor<3xi32>)
func.func @restrict_ends(%x: tensor<3xi32>, %i: index) -> tensor<3xi32> {
  %alloc = memref.alloc() : memref<3xi32>
  %t = bufferization.to_tensor %alloc restrict writable : memref<3xi32> to tensor<3xi32>
  %slice = tensor.extract_slice %t[%i] [3] [1] : tensor<3xi32> to tensor<3xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xi32>) outs(%t : tensor<3xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %b : i32
  } -> tensor<3xi32>
  return %slice : tensor<3xi32>
}
