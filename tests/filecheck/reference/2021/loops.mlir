// From: Buffer Deallocation 2021 | Placement of Deallocs
// RUN: xdsl-opt %s -p 'buffer-deallocation' | filecheck %s

// CHECK-LABEL: @loop_nested_if(
// CHECK:         %[[FIRST:.*]] = bufferization.clone %buf
// CHECK:         %[[RESULT:.*]] = scf.for {{.*}} iter_args(%[[ITER:.*]] = %[[FIRST]]) -> (memref<2xf32>) {
// CHECK:           scf.if
// CHECK:             memref.alloc()
// CHECK:           } else {
// CHECK-NEXT:        bufferization.clone %[[ITER]]
// CHECK:           }
// CHECK:           memref.dealloc %[[ITER]]
// CHECK-NEXT:      scf.yield
// CHECK:         memref.copy %[[RESULT]], %res
// CHECK:         memref.dealloc %[[RESULT]]
func.func @loop_nested_if(%lb: index, %ub: index, %step: index, %buf: memref<2xf32>, %res: memref<2xf32>, %x: f32) {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%iterBuf = %buf) -> memref<2xf32> {
    %1 = arith.cmpi eq, %i, %ub : index
    %2 = scf.if %1 -> (memref<2xf32>) {
      %3 = memref.alloc() : memref<2xf32>
      linalg.fill ins(%x : f32) outs(%3 : memref<2xf32>)
      scf.yield %3 : memref<2xf32>
    } else {
      scf.yield %iterBuf : memref<2xf32>
    }
    scf.yield %2 : memref<2xf32>
  }
  memref.copy %0, %res : memref<2xf32> to memref<2xf32>
  return
}
