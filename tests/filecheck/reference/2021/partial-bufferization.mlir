// From: Buffer Deallocation 2021 | General structure of the bufferization process: Example
// RUN: xdsl-opt %s -p 'arith-bufferize,scf-bufferize,linalg-bufferize,tensor-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s

// CHECK-LABEL: @program(
// CHECK-NOT:     bufferization.
// CHECK:         memref.get_global
// CHECK:         func.return
func.func @program(%t: tensor<?xf32>, %i: index) -> f32 {
  %cst = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.cast %t : tensor<?xf32> to tensor<2xf32>
  %1 = linalg.add ins(%0, %cst : tensor<2xf32>, tensor<2xf32>) outs(%cst : tensor<2xf32>) -> tensor<2xf32>
  %2 = tensor.extract %1[%i] : tensor<2xf32>
  return %2 : f32
}
