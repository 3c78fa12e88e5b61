// With no other pass of this package, xDSL's own pass of this name would run.
// RUN: xdsl-opt %s --split-input-file -p expand-realloc,lower-affine | filecheck %s

func.func @apply(%a: index, %b: index) -> (index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 floordiv 4)>(%a)[%b]
  %1 = affine.apply affine_map<(d0) -> (d0 mod 5)>(%a)
  return %0, %1 : index, index
}

// CHECK:      func.func @apply(%a: index, %b: index) -> (index, index) {
// CHECK-NEXT:   %0 = arith.constant 3 : index
// CHECK-NEXT:   %1 = arith.muli %a, %0 overflow<nsw> : index
// CHECK-NEXT:   %2 = arith.constant 4 : index
// CHECK-NEXT:   %3 = arith.floordivsi %b, %2 : index
// CHECK-NEXT:   %4 = arith.addi %1, %3 : index
// CHECK-NEXT:   %5 = arith.constant 5 : index
// CHECK-NEXT:   %6 = arith.remsi %a, %5 : index
// CHECK-NEXT:   %7 = arith.constant 0 : index
// CHECK-NEXT:   %8 = arith.cmpi slt, %6, %7 : index
// CHECK-NEXT:   %9 = arith.addi %6, %5 : index
// CHECK-NEXT:   %10 = arith.select %8, %9, %6 : index
// CHECK-NEXT:   func.return %4, %10 : index, index
// CHECK-NEXT: }

// -----

func.func @min_max(%a: index, %b: index) -> index {
  %0 = affine.min affine_map<(d0, d1) -> (d0, d1, 8)>(%a, %b)
  %1 = affine.max affine_map<(d0, d1) -> (d0, d1 + 1)>(%0, %b)
  return %1 : index
}

// CHECK:      func.func @min_max(%a: index, %b: index) -> index {
// CHECK-NEXT:   %0 = arith.constant 8 : index
// CHECK-NEXT:   %1 = arith.minsi %a, %b : index
// CHECK-NEXT:   %2 = arith.minsi %1, %0 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   %4 = arith.addi %b, %3 : index
// CHECK-NEXT:   %5 = arith.maxsi %2, %4 : index
// CHECK-NEXT:   func.return %5 : index
// CHECK-NEXT: }

// -----

func.func @for(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
  %r = affine.for %i = 2 to min affine_map<(d0) -> (d0, 100)>(%n) step 3 iter_args(%a = %z) -> (f32) {
    %x = affine.load %m[%i + 1] : memref<?xf32>
    affine.store %a, %m[%i * 2] : memref<?xf32>
    %s = arith.addf %a, %x : f32
    affine.yield %s : f32
  }
  return %r : f32
}

// CHECK:      func.func @for(%m: memref<?xf32>, %n: index, %z: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.constant 2 : index
// CHECK-NEXT:   %1 = arith.constant 100 : index
// CHECK-NEXT:   %2 = arith.minsi %n, %1 : index
// CHECK-NEXT:   %3 = arith.constant 3 : index
// CHECK-NEXT:   %r = scf.for %i = %0 to %2 step %3 iter_args(%a = %z) -> (f32) {
// CHECK-NEXT:     %4 = arith.constant 1 : index
// CHECK-NEXT:     %5 = arith.addi %i, %4 : index
// CHECK-NEXT:     %x = memref.load %m[%5] : memref<?xf32>
// CHECK-NEXT:     %6 = arith.constant 2 : index
// CHECK-NEXT:     %7 = arith.muli %i, %6 overflow<nsw> : index
// CHECK-NEXT:     memref.store %a, %m[%7] : memref<?xf32>
// CHECK-NEXT:     %s = arith.addf %a, %x : f32
// CHECK-NEXT:     scf.yield %s : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }

// -----

func.func @if(%i: index, %n: index, %m: memref<4xf32>, %x: f32) {
  affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 == 0)>(%i)[%n] {
    affine.store %x, %m[%i] : memref<4xf32>
  }
  return
}

// CHECK:      func.func @if(%i: index, %n: index, %m: memref<4xf32>, %x: f32) {
// CHECK-NEXT:   %0 = arith.constant -1 : index
// CHECK-NEXT:   %1 = arith.addi %i, %0 : index
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.cmpi sge, %1, %2 : index
// CHECK-NEXT:   %4 = arith.muli %i, %0 overflow<nsw> : index
// CHECK-NEXT:   %5 = arith.addi %n, %4 : index
// CHECK-NEXT:   %6 = arith.cmpi eq, %5, %2 : index
// CHECK-NEXT:   %7 = arith.andi %3, %6 : i1
// CHECK-NEXT:   scf.if %7 {
// CHECK-NEXT:     memref.store %x, %m[%i] : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @parallel(%n: index, %x: f32) -> f32 {
  %r = affine.parallel (%i, %j) = (0, 1) to (%n, 8) step (1, 2) reduce ("addf") -> (f32) {
    affine.yield %x : f32
  }
  return %r : f32
}

// CHECK:      func.func @parallel(%n: index, %x: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 8 : index
// CHECK-NEXT:   %3 = arith.constant 2 : index
// CHECK-NEXT:   %4 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %r = scf.parallel (%i, %j) = (%0, %1) to (%n, %2) step (%1, %3) init (%4) -> (f32) {
// CHECK-NEXT:     scf.reduce(%x : f32) {
// CHECK-NEXT:     ^bb0(%5: f32, %6: f32):
// CHECK-NEXT:       %7 = arith.addf %5, %6 : f32
// CHECK-NEXT:       scf.reduce.return %7 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }

// -----

func.func @linear(%i: index, %n: index) -> index {
  %0:3 = affine.delinearize_index %i into (4, %n, 8) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %0#2] by (4, %n, 8) : index
  return %1 : index
}

// CHECK:      func.func @linear(%i: index, %n: index) -> index {
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = arith.constant 8 : index
// CHECK-NEXT:   %2 = arith.remsi %i, %1 : index
// CHECK-NEXT:   %3 = arith.constant 0 : index
// CHECK-NEXT:   %4 = arith.cmpi slt, %2, %3 : index
// CHECK-NEXT:   %5 = arith.addi %2, %1 : index
// CHECK-NEXT:   %6 = arith.select %4, %5, %2 : index
// CHECK-NEXT:   %7 = arith.floordivsi %i, %1 : index
// CHECK-NEXT:   %8 = arith.remsi %7, %n : index
// CHECK-NEXT:   %9 = arith.cmpi slt, %8, %3 : index
// CHECK-NEXT:   %10 = arith.addi %8, %n : index
// CHECK-NEXT:   %11 = arith.select %9, %10, %8 : index
// CHECK-NEXT:   %12 = arith.floordivsi %7, %n : index
// CHECK-NEXT:   %13 = arith.constant 4 : index
// CHECK-NEXT:   %14 = arith.constant 8 : index
// CHECK-NEXT:   %15 = arith.muli %12, %n overflow<nsw> : index
// CHECK-NEXT:   %16 = arith.addi %15, %11 : index
// CHECK-NEXT:   %17 = arith.muli %16, %14 overflow<nsw> : index
// CHECK-NEXT:   %18 = arith.addi %17, %6 : index
// CHECK-NEXT:   func.return %18 : index
// CHECK-NEXT: }
