// RUN: xdsl-opt %s --split-input-file -p scf-parallel-for-to-nested-fors | filecheck %s

func.func @reduce(%m: memref<4x?xf32>, %n: index, %s: index, %z: f32) -> f32 {
  %r = scf.parallel (%i, %j) = (%s, %s) to (%n, %n) step (%s, %s) init (%z) -> f32 {
    %x = memref.load %m[%i, %j] : memref<4x?xf32>
    scf.parallel (%k) = (%s) to (%n) step (%s) {
      memref.store %x, %m[%k, %k] : memref<4x?xf32>
      scf.reduce
    }
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %r : f32
}

// CHECK:      func.func @reduce(%m: memref<4x?xf32>, %n: index, %s: index, %z: f32) -> f32 {
// CHECK-NEXT:   %r = scf.for %i = %s to %n step %s iter_args(%0 = %z) -> (f32) {
// CHECK-NEXT:     %1 = scf.for %j = %s to %n step %s iter_args(%a = %0) -> (f32) {
// CHECK-NEXT:       %x = memref.load %m[%i, %j] : memref<4x?xf32>
// CHECK-NEXT:       scf.for %k = %s to %n step %s {
// CHECK-NEXT:         memref.store %x, %m[%k, %k] : memref<4x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %c = arith.addf %a, %x : f32
// CHECK-NEXT:       scf.yield %c : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
