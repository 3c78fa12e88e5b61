// From: Buffer Deallocation 2021 | Summarizing Example
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples results-to-out-params},finalizing-bufferize' | filecheck %s

// CHECK-LABEL: func.func @callee(%{{.*}}: memref<5xf32>, %{{.*}}: i1, %{{.*}}: memref<5xf32>) -> i1 {
// CHECK-NEXT:    memref.copy
// CHECK-NEXT:    func.return %{{.*}} : i1
func.func @callee(%arg0: tuple<tensor<5xf32>,i1>) -> tuple<tensor<5xf32>,i1> {
  return %arg0 : tuple<tensor<5xf32>,i1>
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:    i1, %[[OUT:.*]]: memref<5xf32>) -> i1 {
// CHECK:         %[[X:.*]] = func.call @callee({{.*}}) : (memref<5xf32>, i1, memref<5xf32>) -> i1
// CHECK-NEXT:    memref.copy %{{.*}}, %[[OUT]]
// CHECK-NEXT:    func.return %[[X]] : i1
func.func @caller(%arg0: tuple<tensor<5xf32>,i1>) -> tuple<tensor<5xf32>,i1> {
  %x = call @callee(%arg0) : (tuple<tensor<5xf32>,i1>) -> tuple<tensor<5xf32>,i1>
  return %x : tuple<tensor<5xf32>,i1>
}
