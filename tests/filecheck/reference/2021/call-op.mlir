// From: Buffer Deallocation 2021 | BufferizeCallOpConverter
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples results-to-out-params},finalizing-bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params{modify-public-functions}' | filecheck %s --check-prefix ANALYSED

// CHECK-LABEL:    func.func @callee(%arg0: memref<5xf32>, %{{.*}}: memref<5xf32>) {
// CHECK-NEXT:       memref.copy %arg0, %{{.*}}
// CHECK-NEXT:       func.return
// ANALYSED-LABEL: func.func @callee(%arg0: memref<5xf32>, %{{.*}}: memref<5xf32>) {
func.func @callee(%arg0: tensor<5xf32>) -> (tensor<5xf32>) {
  return %arg0 : tensor<5xf32>
}

// CHECK-LABEL:    func.func @caller(
// CHECK-SAME:       %arg0: memref<5xf32>, %[[OUT:.*]]: memref<5xf32>) {
// CHECK:            %[[PASSED:.*]] = memref.alloc()
// CHECK-NEXT:       memref.copy %arg0, %[[PASSED]]
// CHECK-NEXT:       %[[X:.*]] = memref.alloc()
// CHECK-NEXT:       func.call @callee(%[[PASSED]], %[[X]])
// CHECK-NEXT:       memref.copy %[[X]], %[[OUT]]
// CHECK-NEXT:       func.return
// ANALYSED-LABEL: func.func @caller(
// ANALYSED-NEXT:    %[[X:.*]] = memref.alloc()
// ANALYSED-NEXT:    func.call @callee(%arg0, %[[X]])
func.func @caller(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %x = call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
