// RUN: xdsl-opt %s -p 'plan-memory{arena=argument}' | filecheck %s

// The arena of a private function that a parallel loop calls is allocated there: it has no
// room for what may not be executed.

// CHECK-LABEL: func.func private @step(
// CHECK-SAME: %c: i1) {
// CHECK: scf.if
// CHECK-NEXT: memref.alloc
// CHECK-LABEL: func.func @main
// CHECK: scf.parallel
// CHECK-NOT: memref.alloc
// CHECK: return
func.func private @step(%x: memref<64xf32>, %c: i1) {
  scf.if %c {
    %0 = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
    linalg.exp ins(%0 : memref<64xf32>) outs(%x : memref<64xf32>)
    memref.dealloc %0 : memref<64xf32>
  }
  return
}
func.func @main(%x: memref<64xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @step(%x, %c) : (memref<64xf32>, i1) -> ()
    scf.reduce
  }
  return
}
