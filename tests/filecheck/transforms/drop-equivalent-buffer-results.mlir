// RUN: xdsl-opt %s -p 'drop-equivalent-buffer-results{through-control-flow}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p drop-equivalent-buffer-results --split-input-file | filecheck %s --check-prefix=STRAIGHT

// A recursive function that returns its argument on every path, and a loop that calls it.

func.func private @recursive(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %more -> memref<4xf32> {
    %less = arith.subi %n, %c1 : index
    %s = func.call @recursive(%m, %less) : (memref<4xf32>, index) -> memref<4xf32>
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %s) -> memref<4xf32> {
      scf.yield %u : memref<4xf32>
    }
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @caller(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %r = call @recursive(%m, %n) : (memref<4xf32>, index) -> memref<4xf32>
  return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @recursive(
// CHECK-SAME:      %n: index) {
// CHECK:           func.call @recursive(%m, %less) : (memref<4xf32>, index) -> ()
// CHECK:         func.return
// CHECK-LABEL: func.func @caller(
// CHECK-NEXT:    func.call @recursive(%m, %n) : (memref<4xf32>, index) -> ()
// CHECK-NEXT:    func.return %m

// STRAIGHT-LABEL: func.func private @recursive(
// STRAIGHT-SAME:      %n: index) -> memref<4xf32> {

// -----

// Functions that call each other, with the arguments exchanged: the results are exchanged
// as well. A cast is part of the memref.

func.func private @even(%a: memref<4xf32>, %b: memref<?xf32>, %c: i1)
    -> (memref<?xf32>, memref<?xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  cf.cond_br %c, ^end(%0, %b : memref<?xf32>, memref<?xf32>), ^again
^again:
  %1:2 = call @odd(%b, %0, %c)
    : (memref<?xf32>, memref<?xf32>, i1) -> (memref<?xf32>, memref<?xf32>)
  cf.br ^end(%1#1, %1#0 : memref<?xf32>, memref<?xf32>)
^end(%2: memref<?xf32>, %3: memref<?xf32>):
  return %2, %3 : memref<?xf32>, memref<?xf32>
}

func.func private @odd(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1)
    -> (memref<?xf32>, memref<?xf32>) {
  %0 = memref.cast %b : memref<?xf32> to memref<4xf32>
  %1:2 = call @even(%0, %a, %c)
    : (memref<4xf32>, memref<?xf32>, i1) -> (memref<?xf32>, memref<?xf32>)
  return %1#1, %1#0 : memref<?xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func private @even(
// CHECK-SAME:      %c: i1) {
// CHECK:         func.call @odd({{.*}}) : (memref<?xf32>, memref<?xf32>, i1) -> ()
// CHECK:         func.return
// CHECK-LABEL: func.func private @odd(
// CHECK-SAME:      %c: i1) {
// CHECK:         func.call @even({{.*}}) : (memref<4xf32>, memref<?xf32>, i1) -> ()
// CHECK:         func.return

// -----

// A part of an argument stays, and what is sometimes another argument; the same value is
// returned once.

func.func private @others(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1)
    -> (memref<2xf32, strided<[1]>>, memref<4xf32>, memref<4xf32>) {
  %0 = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %1 = arith.select %c, %a, %b : memref<4xf32>
  return %0, %1, %1 : memref<2xf32, strided<[1]>>, memref<4xf32>, memref<4xf32>
}

func.func @uses(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1)
    -> (memref<4xf32>, memref<4xf32>) {
  %0:3 = call @others(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1)
    -> (memref<2xf32, strided<[1]>>, memref<4xf32>, memref<4xf32>)
  return %0#1, %0#2 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func private @others(
// CHECK-SAME:      %c: i1) -> (memref<2xf32, strided<[1]>>, memref<4xf32>) {
// CHECK-LABEL: func.func @uses(
// CHECK:         [[PART:%.*]], [[SAME:%.*]] = func.call @others
// CHECK-NEXT:    func.return [[SAME]], [[SAME]]

// STRAIGHT-LABEL: func.func private @others(
// STRAIGHT-SAME:      %c: i1) -> (memref<2xf32, strided<[1]>>, memref<4xf32>, memref<4xf32>) {
