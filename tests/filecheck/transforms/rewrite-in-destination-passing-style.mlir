// RUN: xdsl-opt %s -p rewrite-in-destination-passing-style --split-input-file | filecheck %s

func.func @from_elements(%x: f32, %y: f32) -> tensor<2xf32> {
  %0 = tensor.from_elements %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @from_elements
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<2xf32>
// CHECK:         %[[FIRST:.*]] = tensor.insert %x into %[[EMPTY]]
// CHECK-NEXT:    %[[BOTH:.*]] = tensor.insert %y into %[[FIRST]]
// CHECK-NEXT:    return %[[BOTH]]

// -----

func.func @generate(%n: index) -> tensor<?xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %s = arith.addi %i, %n : index
    tensor.yield %s : index
  } : tensor<?xindex>
  return %0 : tensor<?xindex>
}

// CHECK-LABEL: @generate
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%n) : tensor<?xindex>
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<?xindex>)
// CHECK:           %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %[[I]], %n : index
// CHECK-NEXT:      linalg.yield %[[SUM]] : index

// -----

func.func @pad(%t: tensor<?xf32>, %low: index) -> tensor<?xf32> {
  %0 = tensor.pad %t low[%low] high[2] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @pad
// CHECK:         %[[SIZE:.*]] = tensor.dim %t
// CHECK-NEXT:    %[[PADDED:.*]] = affine.apply affine_map<()[s0, s1] -> (((s0 + s1) + 2))> ()[%[[SIZE]], %low]
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty(%[[PADDED]])
// CHECK:         %[[FILLED:.*]] = linalg.fill ins(%zero : f32) outs(%[[EMPTY]]
// CHECK:         tensor.insert_slice %t into %[[FILLED]][%low] [%{{.*}}] [1]

// -----

// Padding that depends on its place.
func.func @pad_computed(%t: tensor<3xindex>) -> tensor<6xindex> {
  %0 = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<3xindex> to tensor<6xindex>
  return %0 : tensor<6xindex>
}

// CHECK-LABEL: @pad_computed
// CHECK:         %[[PADDING:.*]] = linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT:      linalg.yield %[[I]] : index
// CHECK:         tensor.insert_slice %t into %[[PADDING]][1] [3] [1]

// -----

// nofold asks for new memory even if nothing is added.
func.func @pad_nothing(%t: tensor<3xf32>, %x: f32) -> tensor<3xf32> {
  %0 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<3xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @pad_nothing
// CHECK:         %[[NEW:.*]] = bufferization.alloc_tensor() : tensor<3xf32>
// CHECK-NEXT:    linalg.copy ins(%t : tensor<3xf32>) outs(%[[NEW]] : tensor<3xf32>)
