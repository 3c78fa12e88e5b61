// From: Buffer Deallocation 2021 | Bufferization on MLIR
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions},buffer-deallocation-pipeline' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline' | filecheck %s --check-prefix HOISTED

// CHECK-LABEL: @func_on_tensors(
// CHECK-SAME:    %source: memref<4xf32>, %[[TARGET:.*]]: memref<4xf32>) {
// CHECK:         %[[TEMP:.*]] = memref.alloc()
// CHECK:         linalg.exp ins(%source : memref<4xf32>) outs(%[[TEMP]] : memref<4xf32>)
// CHECK:         memref.copy %[[TEMP]], %[[TARGET]]
// CHECK:         memref.dealloc %[[TEMP]]
// CHECK:         func.return
// HOISTED-LABEL: @func_on_tensors(
// HOISTED-SAME:    %source: memref<4xf32>, %[[TARGET:.*]]: memref<4xf32>) {
// HOISTED-NEXT:    linalg.exp ins(%source : memref<4xf32>) outs(%[[TARGET]] : memref<4xf32>)
// HOISTED-NEXT:    func.return
func.func @func_on_tensors(%source: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%source : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
