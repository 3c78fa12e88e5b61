// From: Tutorial 2023 | Running Example
// RUN: xdsl-opt %s -p 'tosa-to-linalg,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse,canonicalize' | filecheck %s --check-prefix COPY
// RUN: xdsl-opt %s -p 'tosa-to-linalg,eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse,canonicalize' | filecheck %s --check-prefix NONE

// COPY-LABEL: @test_matmul(
// COPY:         %[[NEW:.*]] = memref.alloc()
// COPY:         linalg.fill {{.*}} outs(%[[NEW]]
// COPY:         linalg.batch_matmul {{.*}}ins(%A, %B : {{.*}}) outs(%[[NEW]]
// COPY:         memref.copy %[[NEW]], %C
// NONE-LABEL: @test_matmul(
// NONE-NOT:     memref.alloc
// NONE:         linalg.fill {{.*}} outs(%C
// NONE:         linalg.batch_matmul {{.*}}ins(%A, %B : {{.*}}) outs(%C
// NONE-NOT:     memref.copy
// NONE:         func.return
func.func @test_matmul(%A: memref<1x17x19xf32>,
                       %B: memref<1x19x29xf32>,
                       %C: memref<1x17x29xf32>) {
  %A_tensor = bufferization.to_tensor %A restrict : memref<1x17x19xf32> to tensor<1x17x19xf32>
  %B_tensor = bufferization.to_tensor %B restrict : memref<1x19x29xf32> to tensor<1x19x29xf32>
  %za = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %A_tensor, %B_tensor, %za, %za
      : (tensor<1x17x19xf32>, tensor<1x19x29xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x17x29xf32>
  bufferization.materialize_in_destination %0 in restrict writable %C
      : (tensor<1x17x29xf32>, memref<1x17x29xf32>) -> ()
  return
}
