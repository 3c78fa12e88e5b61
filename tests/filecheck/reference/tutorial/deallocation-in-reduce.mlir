// From: Tutorial 2023 | BufferDeallocationOpInterface
// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline' | filecheck %s

// CHECK-LABEL: @reduce(
// CHECK:         scf.parallel
// CHECK:           scf.reduce
// CHECK:             %[[NEW:.*]] = memref.alloc() : memref<2xf32>
// CHECK:             memref.dealloc %[[NEW]] : memref<2xf32>
// CHECK-NEXT:        scf.reduce.return
func.func @reduce(%buffer: memref<100xf32>) -> f32 {
  %init = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = scf.parallel (%iv) = (%c0) to (%c100) step (%c1) init (%init) -> f32 {
    %elem_to_reduce = memref.load %buffer[%iv] : memref<100xf32>
    scf.reduce(%elem_to_reduce : f32) {
    ^bb0(%lhs : f32, %rhs: f32):
      %alloc = memref.alloc() : memref<2xf32>
      memref.store %lhs, %alloc[%c0] : memref<2xf32>
      memref.store %rhs, %alloc[%c1] : memref<2xf32>
      %0 = memref.load %alloc[%c0] : memref<2xf32>
      %1 = memref.load %alloc[%c1] : memref<2xf32>
      %res = arith.addf %0, %1 : f32
      scf.reduce.return %res : f32
    }
  }
  func.return %r : f32
}
