// RUN: xdsl-opt %s -p decompose-tensor-concat --split-input-file | filecheck %s

func.func @static(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<6x3xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}

// CHECK-LABEL: @static
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<6x3xf32>
// CHECK-NEXT:    %[[FIRST:.*]] = tensor.insert_slice %a into %[[EMPTY]][0, 0] [2, 3] [1, 1]
// CHECK-NEXT:    %[[BOTH:.*]] = tensor.insert_slice %b into %[[FIRST]][2, 0] [4, 3] [1, 1]
// CHECK-NEXT:    return %[[BOTH]]

// -----

// The second part begins where the first ends, which is known at run time.
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @dynamic
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[SIZE:.*]] = tensor.dim %a, %[[ZERO]]
// CHECK-NEXT:    %[[TOTAL:.*]] = affine.apply affine_map<()[s0] -> ((s0 + 4))> ()[%[[SIZE]]]
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty(%[[TOTAL]]) : tensor<?x3xf32>
// CHECK-NEXT:    %[[FIRST:.*]] = tensor.insert_slice %a into %[[EMPTY]][0, 0] [%[[SIZE]], 3] [1, 1]
// CHECK-NEXT:    tensor.insert_slice %b into %[[FIRST]][%[[SIZE]], 0] [4, 3] [1, 1]

// -----

// The parts tell more about the shape than the result's type says.
func.func @cast(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @cast
// CHECK:         tensor.empty(%{{.*}}) : tensor<2x?xf32>
// CHECK:         tensor.cast %{{.*}} : tensor<2x?xf32> to tensor<?x?xf32>
