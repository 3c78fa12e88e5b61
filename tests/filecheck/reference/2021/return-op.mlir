// From: Buffer Deallocation 2021 | BufferizeReturnOpConverter
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples results-to-out-params},finalizing-bufferize' | filecheck %s

// CHECK-LABEL: func.func @on_tensors(
// CHECK-SAME:    %arg0: memref<5xf32>, %arg1: i1, %[[OUT:.*]]: memref<5xf32>) -> i1 {
// CHECK-NEXT:    memref.copy %arg0, %[[OUT]] : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:    func.return %arg1 : i1
func.func @on_tensors(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
  return %arg0, %arg1 : tensor<5xf32>, i1
}
