// RUN: xdsl-opt %s -p convert-tensor-to-linalg --split-input-file | filecheck %s

func.func @pad(%t: tensor<?xf32>, %low: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %t low[%low] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @pad
// CHECK:         %[[SIZE:.*]] = tensor.dim %t
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[SIZE]], %low : index
// CHECK-NEXT:    %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[PADDED:.*]] = arith.addi %[[SUM]], %[[TWO]] : index
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty(%[[PADDED]])
// CHECK-NEXT:    %[[FILLED:.*]] = linalg.fill ins(%x : f32) outs(%[[EMPTY]]
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
// CHECK:         %[[PADDING:.*]] = tensor.generate {
// CHECK:         } : tensor<6xindex>
// CHECK-NEXT:    tensor.insert_slice %t into %[[PADDING]][1] [3] [1]
