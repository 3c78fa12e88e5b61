// RUN: xdsl-opt %s --split-input-file -p scf-forall-to-parallel | filecheck %s

func.func @inside(%m: memref<4x?xf32>, %n: index, %x: f32) {
  scf.forall (%i) = (1) to (4) step (2) {
    scf.forall (%j) in (%n) {
      memref.store %x, %m[%i, %j] : memref<4x?xf32>
    }
  }
  return
}

// CHECK:      func.func @inside(%m: memref<4x?xf32>, %n: index, %x: f32) {
// CHECK-NEXT:   %0 = arith.constant 1 : index
// CHECK-NEXT:   %1 = arith.constant 4 : index
// CHECK-NEXT:   %2 = arith.constant 2 : index
// CHECK-NEXT:   scf.parallel (%i) = (%0) to (%1) step (%2) {
// CHECK-NEXT:     %3 = arith.constant 0 : index
// CHECK-NEXT:     %4 = arith.constant 1 : index
// CHECK-NEXT:     scf.parallel (%j) = (%3) to (%n) step (%4) {
// CHECK-NEXT:       memref.store %x, %m[%i, %j] : memref<4x?xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
