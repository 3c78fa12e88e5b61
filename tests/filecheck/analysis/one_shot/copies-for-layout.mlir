// RUN: xdsl-opt %s -p 'bufferization-pipeline{verify-result}' | filecheck %s

// If nothing wrote %t, %0 could be in place. But the strides of an argument are dynamic,
// and every iteration would copy it to collapse its dimensions. Such copies count when the
// pipeline estimates whether it may leave out the insertion, whose result is not used.

// CHECK-LABEL: func.func @collapsed_in_loop(
// CHECK-NOT:     memref.copy
// CHECK:         linalg.map
// CHECK:         scf.for
// CHECK-NOT:     memref.copy
// CHECK:         memref.collapse_shape
// CHECK-NOT:     memref.copy
func.func @collapsed_in_loop(%t: tensor<3x3xf32>, %x: f32, %i: index, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = linalg.map ins(%t : tensor<3x3xf32>) outs(%t : tensor<3x3xf32>)
    (%a: f32, %b: f32) {
    linalg.yield %b : f32
  }
  %1 = tensor.insert %x into %t[%i, %i] : tensor<3x3xf32>
  %2 = scf.for %j = %i to %n step %c1 iter_args(%s = %x) -> (f32) {
    %3 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x3xf32> into tensor<9xf32>
    %4 = tensor.extract %3[%j] : tensor<9xf32>
    %5 = arith.addf %s, %4 : f32
    scf.yield %5 : f32
  }
  func.return %2 : f32
}
