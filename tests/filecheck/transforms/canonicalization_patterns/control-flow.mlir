// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s

// What canonicalize-control-flow folds, xDSL's canonicalize folds too.

// CHECK-LABEL: @nested_ifs
// CHECK:       %[[BOTH:.*]] = arith.andi %c, %d : i1
// CHECK-NEXT:  scf.if %[[BOTH]] {
// CHECK-NEXT:    func.call @a
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return
func.func private @a()
func.func @nested_ifs(%c: i1, %d: i1) {
  scf.if %c { scf.if %d { func.call @a() : () -> () } }
  return
}

// -----

// CHECK-LABEL: @condition_inside
// CHECK:       scf.if %c {
// CHECK-NEXT:    func.call @a
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return
func.func private @a()
func.func @condition_inside(%c: i1) {
  scf.if %c {
    scf.if %c { func.call @a() : () -> () }
  }
  return
}

// -----

// CHECK-LABEL: @constant_switch
// CHECK-NEXT:  func.return %y
func.func @constant_switch(%x: f32, %y: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %0 = scf.index_switch %c2 -> f32
  case 2 {
    scf.yield %y : f32
  }
  default {
    scf.yield %x : f32
  }
  return %0 : f32
}

// -----

// CHECK-LABEL: @unused_and_invariant_results
// CHECK:       scf.while : () -> () {
// CHECK:         scf.condition(%c)
// CHECK:       func.return %x
func.func private @more() -> i1
func.func @unused_and_invariant_results(%x: f32, %y: f32) -> f32 {
  %0, %1 = scf.while (%a = %x, %b = %y) : (f32, f32) -> (f32, f32) {
    %c = func.call @more() : () -> i1
    scf.condition(%c) %a, %b : f32, f32
  } do {
  ^bb0(%a: f32, %b: f32):
    scf.yield %a, %b : f32, f32
  }
  return %0 : f32
}

// -----

// A branch on a constant leaves a block that nothing reaches.

// CHECK-LABEL: @constant_branch
// CHECK-NEXT:  func.return %x
func.func @constant_branch(%x: f32, %y: f32) -> f32 {
  %true = arith.constant true
  cf.cond_br %true, ^bb1(%x : f32), ^bb1(%y : f32)
^bb1(%a: f32):
  return %a : f32
}

// -----

// A constant is defined once, at the start of the function.

// CHECK-LABEL: @equal_constants
// CHECK-NEXT:  %[[C:.*]] = arith.constant 5 : index
// CHECK-NEXT:  scf.if %c {
// CHECK-NEXT:    memref.store %[[C]], %m[%i]
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.store %[[C]], %m[%j]
// CHECK-NOT:   arith.constant
func.func @equal_constants(%c: i1, %m: memref<?xindex>, %i: index, %j: index) {
  scf.if %c {
    %0 = arith.constant 5 : index
    memref.store %0, %m[%i] : memref<?xindex>
  } else {
    %1 = arith.constant 5 : index
    memref.store %1, %m[%j] : memref<?xindex>
  }
  return
}

// -----

// Rules serve ops outside of functions as well.

// CHECK:       builtin.module
// CHECK-NEXT:  %[[C:.*]], %[[D:.*]] = "test.op"
// CHECK-NEXT:  %[[BOTH:.*]] = arith.andi %[[C]], %[[D]]
// CHECK-NEXT:  scf.if %[[BOTH]] {
// CHECK-NEXT:    "test.op"
// CHECK-NEXT:  }
%c, %d = "test.op"() : () -> (i1, i1)
scf.if %c {
  scf.if %d { "test.op"() : () -> () }
}
