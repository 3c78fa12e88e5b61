// RUN: xdsl-opt %s -p fill-copied-splats --split-input-file | filecheck %s

// A buffer is filled with the element of the constant, which is erased.

memref.global "private" constant @zeros : memref<6xf64> = dense<0.0>

func.func @vector(%w: memref<6xf64>) {
  %zeros = memref.get_global @zeros : memref<6xf64>
  memref.copy %zeros, %w : memref<6xf64> to memref<6xf64>
  return
}

// CHECK:       builtin.module {
// CHECK-NEXT:    func.func @vector(
// CHECK-NEXT:      [[ZERO:%.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      linalg.fill ins([[ZERO]] : f64) outs(%w : memref<6xf64>)
// CHECK-NEXT:      func.return

// -----

// Parts of a constant, other layouts, integers, linalg.copy. A public constant stays, and
// what is read elsewhere.

memref.global constant @ones : memref<4x4xi32> = dense<1>
memref.global "private" constant @minus : memref<2xindex> = dense<-1>

func.func @views(%w: memref<4xi32, strided<[?], offset: ?>>, %v: memref<2xindex>, %i: index) -> index {
  %ones = memref.get_global @ones : memref<4x4xi32>
  %row = memref.subview %ones[%i, 0] [1, 4] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[1], offset: ?>>
  memref.copy %row, %w : memref<4xi32, strided<[1], offset: ?>> to memref<4xi32, strided<[?], offset: ?>>
  %minus = memref.get_global @minus : memref<2xindex>
  linalg.copy ins(%minus : memref<2xindex>) outs(%v : memref<2xindex>)
  %r = memref.load %minus[%i] : memref<2xindex>
  return %r : index
}

// CHECK:         memref.global constant @ones
// CHECK-NEXT:    memref.global "private" constant @minus
// CHECK-LABEL:   func.func @views(
// CHECK-NEXT:      [[ONE:%.*]] = arith.constant 1 : i32
// CHECK-NEXT:      linalg.fill ins([[ONE]] : i32) outs(%w : memref<4xi32, strided<[?], offset: ?>>)
// CHECK-NEXT:      %minus = memref.get_global @minus : memref<2xindex>
// CHECK-NEXT:      [[MINUS:%.*]] = arith.constant -1 : index
// CHECK-NEXT:      linalg.fill ins([[MINUS]] : index) outs(%v : memref<2xindex>)
// CHECK-NEXT:      %r = memref.load %minus[%i] : memref<2xindex>

// -----

// Not: different elements, also those that are equal but for their bits; NaN, of which there
// are many; what may be changed, or is not known here; no elements; complex numbers.

memref.global "private" constant @different : memref<2xf64> = dense<[0.0, 1.0]>
memref.global "private" constant @signs : memref<2xf64> = dense<[0.0, -0.0]>
memref.global "private" constant @nan : memref<2xf32> = dense<0x7F800001>
memref.global "private" @changed : memref<2xf64> = dense<1.0>
memref.global "private" constant @external : memref<2xf64>
memref.global "private" constant @none : memref<0xf64> = dense<>
memref.global "private" constant @complex : memref<2xcomplex<f64>> = dense<(1.0, 1.0)>

func.func @not(%w: memref<2xf64>, %v: memref<2xf32>, %n: memref<0xf64>, %c: memref<2xcomplex<f64>>) {
  %0 = memref.get_global @different : memref<2xf64>
  memref.copy %0, %w : memref<2xf64> to memref<2xf64>
  %1 = memref.get_global @signs : memref<2xf64>
  memref.copy %1, %w : memref<2xf64> to memref<2xf64>
  %2 = memref.get_global @nan : memref<2xf32>
  memref.copy %2, %v : memref<2xf32> to memref<2xf32>
  %3 = memref.get_global @changed : memref<2xf64>
  memref.copy %3, %w : memref<2xf64> to memref<2xf64>
  %4 = memref.get_global @external : memref<2xf64>
  memref.copy %4, %w : memref<2xf64> to memref<2xf64>
  %5 = memref.get_global @none : memref<0xf64>
  memref.copy %5, %n : memref<0xf64> to memref<0xf64>
  %6 = memref.get_global @complex : memref<2xcomplex<f64>>
  memref.copy %6, %c : memref<2xcomplex<f64>> to memref<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @not(
// CHECK-COUNT-7: memref.copy
// CHECK-NOT:     linalg.fill

// -----

// A buffer that is filled, and then only read, is filled again instead of copied. It is
// erased if only its fill is left.

// CHECK-LABEL: func.func @shared_fill(
// CHECK-SAME:      %x: f64, %w: memref<8xf64>, %v: memref<4xf64>, %n: index
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         scf.for
// CHECK-NEXT:      linalg.fill ins(%x : f64) outs(%w : memref<8xf64>)
// CHECK-NEXT:      linalg.fill ins(%x : f64) outs(%v : memref<4xf64>)
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @shared_fill(%x: f64, %w: memref<8xf64>, %v: memref<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%0 : memref<8xf64>)
  %part = memref.subview %0[4] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: 4>>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %0, %w : memref<8xf64> to memref<8xf64>
    memref.copy %part, %v : memref<4xf64, strided<[1], offset: 4>> to memref<4xf64>
  }
  return
}

// -----

// Written elsewhere, filled on one path, forwarded by a loop, and read before the fill.

// CHECK-LABEL: func.func @not_only_filled(
// CHECK-COUNT-4: memref.copy
// CHECK:         return
func.func @not_only_filled(%x: f64, %w: memref<8xf64>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%0 : memref<8xf64>)
  memref.store %x, %0[%n] : memref<8xf64>
  memref.copy %0, %w : memref<8xf64> to memref<8xf64>
  %1 = memref.alloc() : memref<8xf64>
  scf.if %c {
    linalg.fill ins(%x : f64) outs(%1 : memref<8xf64>)
  }
  memref.copy %1, %w : memref<8xf64> to memref<8xf64>
  %2 = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%2 : memref<8xf64>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %2) -> (memref<8xf64>) {
    memref.store %x, %m[%i] : memref<8xf64>
    scf.yield %m : memref<8xf64>
  }
  memref.copy %2, %w : memref<8xf64> to memref<8xf64>
  %3 = memref.alloc() : memref<8xf64>
  memref.copy %3, %w : memref<8xf64> to memref<8xf64>
  linalg.fill ins(%x : f64) outs(%3 : memref<8xf64>)
  return
}

// -----

// Copies of copies, also of a constant.

// CHECK-LABEL: func.func @twice(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @twice(%x: f64, %w: memref<8xf64>, %v: memref<8xf64>) {
  %0 = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%0 : memref<8xf64>)
  %1 = memref.alloc() : memref<8xf64>
  memref.copy %0, %1 : memref<8xf64> to memref<8xf64>
  memref.copy %1, %w : memref<8xf64> to memref<8xf64>
  %ones = memref.get_global @ones : memref<8xf64>
  %2 = memref.alloc() : memref<8xf64>
  memref.copy %ones, %2 : memref<8xf64> to memref<8xf64>
  memref.copy %2, %v : memref<8xf64> to memref<8xf64>
  return
}
memref.global "private" constant @ones : memref<8xf64> = dense<1.0>

// -----

// What tensor.splat and tensor.generate become: maps of one value.

// CHECK-LABEL: func.func @map
// CHECK-NEXT: linalg.fill ins(%f : f64) outs(%t : memref<?xf64>)
// CHECK-NEXT: [[ONE:%.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: linalg.fill ins([[ONE]] : f64) outs(%t : memref<?xf64>)
// CHECK-NEXT: return
func.func @map(%f: f64, %n: index, %t: memref<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  linalg.map outs(%a : memref<?xf64>) (%out: f64) {
    linalg.yield %f : f64
  }
  memref.copy %a, %t : memref<?xf64> to memref<?xf64>
  %b = memref.alloc(%n) : memref<?xf64>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%b : memref<?xf64>) {
  ^bb0(%out: f64):
    %one = arith.constant 1.0 : f64
    linalg.yield %one : f64
  }
  memref.copy %b, %t : memref<?xf64> to memref<?xf64>
  return
}

// -----

// The elements differ.

// CHECK-LABEL: func.func @map_of_indices
// CHECK: memref.copy
// CHECK: memref.copy
func.func @map_of_indices(%n: index, %t: memref<?xindex>) {
  %a = memref.alloc(%n) : memref<?xindex>
  linalg.map outs(%a : memref<?xindex>) (%out: index) {
    %i = linalg.index 0 : index
    linalg.yield %i : index
  }
  memref.copy %a, %t : memref<?xindex> to memref<?xindex>
  %b = memref.alloc(%n) : memref<?xindex>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%b : memref<?xindex>) {
  ^bb0(%out: index):
    linalg.yield %out : index
  }
  memref.copy %b, %t : memref<?xindex> to memref<?xindex>
  return
}
