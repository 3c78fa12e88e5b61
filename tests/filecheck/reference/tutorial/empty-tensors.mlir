// From: Tutorial 2023 | Empty Tensor Elimination
// RUN: xdsl-opt %s -p 'tosa-to-linalg' | filecheck %s --check-prefix LINALG
// RUN: xdsl-opt %s -p 'tosa-to-linalg,eliminate-empty-tensors' | filecheck %s --check-prefix ELIMINATED
// RUN: xdsl-opt %s -p 'tosa-to-linalg,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix COPY
// RUN: xdsl-opt %s -p 'tosa-to-linalg,eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse,canonicalize' | filecheck %s --check-prefix NONE

// LINALG-LABEL: @add(
// LINALG:         %[[EMPTY:.*]] = tensor.empty() : tensor<5xf32>
// LINALG-NEXT:    linalg.generic {{.*}} ins(%A, %B : tensor<5xf32>, tensor<5xf32>) outs(%[[EMPTY]] : tensor<5xf32>)
// LINALG:           arith.addf
// LINALG:         bufferization.materialize_in_destination
// ELIMINATED-LABEL: @add(
// ELIMINATED:         %[[BUFFER:.*]] = bufferization.to_tensor %buffer restrict writable : memref<5xf32> to tensor<5xf32>
// ELIMINATED:         linalg.generic {{.*}} ins(%A, %B : tensor<5xf32>, tensor<5xf32>) outs(%[[BUFFER]] : tensor<5xf32>)
// ELIMINATED:         bufferization.materialize_in_destination %{{.*}} in writable %buffer
// COPY-LABEL: @add(
// COPY:         memref.alloc
// COPY:         memref.copy %{{.*}}, %buffer
// NONE-LABEL: @add(
// NONE-NEXT:    linalg.generic {{.*}} ins(%A, %B : memref<5xf32>, memref<5xf32>) outs(%buffer : memref<5xf32>)
// NONE-NOT:     memref.copy
// NONE:         func.return
func.func @add(%A: tensor<5xf32>, %B: tensor<5xf32>, %buffer: memref<5xf32>) {
  %r = tosa.add %A, %B : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  bufferization.materialize_in_destination %r in restrict writable %buffer : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}
