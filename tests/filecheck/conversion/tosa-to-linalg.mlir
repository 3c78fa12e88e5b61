// RUN: xdsl-opt %s -p tosa-to-linalg --split-input-file | filecheck %s

func.func @matmul(%a: tensor<1x4x8xf32>, %b: tensor<1x8x16xf32>) -> tensor<1x4x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}

// CHECK-LABEL: @matmul
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty() : tensor<1x4x16xf32>
// CHECK-NEXT:    %[[DEST:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
// CHECK-NEXT:    linalg.batch_matmul ins(%a, %b : {{.*}}) outs(%[[DEST]]

// -----

func.func @clamp(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @clamp
// CHECK:         %[[SIZE:.*]] = tensor.dim %a
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty(%[[SIZE]])
// CHECK-NEXT:    linalg.generic
// CHECK:           arith.minimumf
// CHECK-NEXT:      arith.maximumf

// -----

// What is not a number becomes the lower bound.
func.func @clamp_ignoring_nan(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32, nan_mode = #tosa.nan_mode<IGNORE>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @clamp_ignoring_nan
// CHECK:           %[[NAN:.*]] = arith.cmpf uno
// CHECK-NEXT:      arith.select %[[NAN]]

// -----

func.func @reduce(%a: tensor<?x8xi1>) -> tensor<?x1xi1> {
  %0 = tosa.reduce_all %a {axis = 1 : i32} : (tensor<?x8xi1>) -> tensor<?x1xi1>
  return %0 : tensor<?x1xi1>
}

// CHECK-LABEL: @reduce
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    %[[DEST:.*]] = linalg.fill ins(%[[TRUE]] : i1)
// CHECK-NEXT:    %[[ALL:.*]] = linalg.reduce {{.*}} dimensions = [1]
// CHECK:         tensor.expand_shape %[[ALL]] {{.*}} : tensor<?xi1> into tensor<?x1xi1>
