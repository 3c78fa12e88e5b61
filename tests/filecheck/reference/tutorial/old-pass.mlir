// From: Tutorial 2023 | The Old Buffer Deallocation Pass
// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline' | filecheck %s

// CHECK-LABEL: @callee(
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return
func.func @callee() -> memref<1xf64> {
  %1 = memref.alloc() : memref<1xf64>
  return %1 : memref<1xf64>
}
// CHECK-LABEL: @caller(
// CHECK:         %[[RESULT:.*]] = func.call @callee
// CHECK:         memref.dealloc
// CHECK-NEXT:    func.return
func.func @caller() {
  %0 = call @callee() : () -> memref<1xf64>
  return
}

// No clone is made where the condition tells whose buffer it is.
// CHECK-LABEL: @many_clones(
// CHECK-NOT:     bufferization.clone
// CHECK:         scf.if %cond -> (memref<4xf32>
// CHECK:         func.return
func.func @many_clones(%cond : i1) -> memref<4xf32> {
  %1 = memref.alloc() : memref<4xf32>
  %2 = scf.if %cond -> (memref<4xf32>) {
    scf.yield %1 : memref<4xf32>
  } else {
    %3 = memref.alloc() : memref<4xf32>
    scf.yield %3 : memref<4xf32>
  }
  return %2 : memref<4xf32>
}
