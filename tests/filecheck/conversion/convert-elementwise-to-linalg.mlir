// RUN: xdsl-opt %s -p convert-elementwise-to-linalg --split-input-file | filecheck %s

func.func @binary(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @binary
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT:      linalg.yield %[[SUM]] : f32
// CHECK:         return %[[R]]

// -----

// No operand has the type of the result.
func.func @comparison(%a: tensor<?xf32>) -> tensor<?xi1> {
  %0 = arith.cmpf olt, %a, %a : tensor<?xf32>
  return %0 : tensor<?xi1>
}

// CHECK-LABEL: @comparison
// CHECK:         %[[SIZE:.*]] = tensor.dim %a
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty(%[[SIZE]]) : tensor<?xi1>
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<?xi1>)

// -----

// A scalar operand is the same for all elements.
func.func @select(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @select
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>
// CHECK:           arith.select %{{.*}} : f32
