// RUN: xdsl-opt %s -p vector-bufferize | filecheck %s
// RUN: xdsl-opt %s -p vector-bufferize,func-bufferize,finalizing-bufferize | filecheck %s --check-prefix ALL

// CHECK-LABEL: @f(%t: tensor<8xf32>
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
// CHECK-NEXT:    %1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    memref.copy %0, %1
// CHECK-NEXT:    vector.transfer_write %v, %1[%i]
// CHECK-SAME:      vector<4xf32>, memref<8xf32>
// CHECK-NEXT:    %2 = bufferization.to_tensor %1 : memref<8xf32> to tensor<8xf32>
// CHECK-NEXT:    vector.transfer_read %1[%i], %f
// CHECK-SAME:      memref<8xf32>, vector<4xf32>

// ALL-LABEL:   @f(%t: memref<8xf32>
// ALL-NOT:       tensor
// ALL:           vector.transfer_read
func.func @f(%t: tensor<8xf32>, %v: vector<4xf32>, %f: f32, %i: index)
    -> (tensor<8xf32>, vector<4xf32>) {
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  %1 = vector.transfer_read %0[%i], %f : tensor<8xf32>, vector<4xf32>
  return %0, %1 : tensor<8xf32>, vector<4xf32>
}
