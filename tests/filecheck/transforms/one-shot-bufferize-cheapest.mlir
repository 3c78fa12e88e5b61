// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries analysis-heuristic=cheapest verify-result}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --split-input-file | filecheck %s --check-prefix=BOTTOM-UP

// The insertion overwrites all of %t. From the bottom up it is in place, and %s has to be
// copied before. In a buffer of its own it needs no copy of %t.

func.func @overwritten(%t: tensor<1x8xf32>, %r: tensor<1x8xf32>, %i: index)
    -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %t[0, 0] [1, 8] [1, 1]
      : tensor<1x8xf32> to tensor<8xf32>
  %0 = tensor.insert_slice %r into %t[0, 0] [1, 8] [1, 1]
      : tensor<1x8xf32> into tensor<1x8xf32>
  %1 = tensor.extract %0[%c0, %i] : tensor<1x8xf32>
  %2 = tensor.extract %s[%i] : tensor<8xf32>
  return %1, %2 : f32, f32
}

// CHECK-LABEL: func.func @overwritten(
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.copy

// BOTTOM-UP-LABEL: func.func @overwritten(
// BOTTOM-UP-COUNT-2: memref.copy

// -----

// Each function gets a heuristic of its own; from the bottom up, this one needs no copy.

func.func @in_place(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @in_place(
// CHECK-NOT:     memref.copy
// BOTTOM-UP-LABEL: func.func @in_place(
