// RUN: xdsl-opt %s --split-input-file -p scf-forall-to-for | filecheck %s

func.func @nest(%m: memref<4x?xf32>, %n: index, %x: f32) {
  scf.forall (%i, %j) in (4, %n) {
    memref.store %x, %m[%i, %j] : memref<4x?xf32>
  }
  return
}

// CHECK:      func.func @nest(%m: memref<4x?xf32>, %n: index, %x: f32) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 0 : index
// CHECK-NEXT:   %2 = arith.constant 4 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   %4 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %i = %0 to %2 step %3 {
// CHECK-NEXT:     scf.for %j = %1 to %n step %4 {
// CHECK-NEXT:       memref.store %x, %m[%i, %j] : memref<4x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

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
// CHECK-NEXT:   scf.for %i = %0 to %1 step %2 {
// CHECK-NEXT:     %3 = arith.constant 0 : index
// CHECK-NEXT:     %4 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %j = %3 to %n step %4 {
// CHECK-NEXT:       memref.store %x, %m[%i, %j] : memref<4x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @no_dimensions(%m: memref<f32>, %x: f32) {
  scf.forall () in () {
    memref.store %x, %m[] : memref<f32>
  }
  return
}

// CHECK:      func.func @no_dimensions(%m: memref<f32>, %x: f32) {
// CHECK-NEXT:   memref.store %x, %m[] : memref<f32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
