// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p canonicalize | filecheck %s
// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect -p canonicalize-control-flow | filecheck %s

// 200 is not less than 0 if it is unsigned.
func.func @unsigned_loop_that_runs() {
  %lower = arith.constant 0 : i8
  %upper = arith.constant 200 : i8
  %step = arith.constant 100 : i8
  scf.for unsigned %i = %lower to %upper step %step : i8 {
    "test.op"() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @unsigned_loop_that_runs
// CHECK:         scf.for unsigned
// CHECK-NEXT:      "test.op"

// -----

func.func @signed_loop_that_does_not() {
  %lower = arith.constant 0 : i8
  %upper = arith.constant -56 : i8
  %step = arith.constant 100 : i8
  scf.for %i = %lower to %upper step %step : i8 {
    "test.op"() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @signed_loop_that_does_not
// CHECK-NOT:     test.op

// -----

// From 255 to 0.
func.func @unsigned_loop_that_does_not() {
  %lower = arith.constant -1 : i8
  %upper = arith.constant 0 : i8
  %step = arith.constant 1 : i8
  scf.for unsigned %i = %lower to %upper step %step : i8 {
    "test.op"() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @unsigned_loop_that_does_not
// CHECK-NOT:     test.op

// -----

func.func @one_iteration() {
  %lower = arith.constant 100 : i8
  %upper = arith.constant 200 : i8
  %step = arith.constant 100 : i8
  scf.for unsigned %i = %lower to %upper step %step : i8 {
    "test.op"(%i) : (i8) -> ()
  }
  return
}

// CHECK-LABEL: func.func @one_iteration
// CHECK-NEXT:    %lower = arith.constant 100 : i8
// CHECK-NOT:     scf.for
// CHECK:         "test.op"(%lower)

// -----

// 100 + 200 wraps around to 44, which is less than 200.
func.func @step_wraps_around() {
  %lower = arith.constant 100 : i8
  %upper = arith.constant 200 : i8
  scf.for unsigned %i = %lower to %upper step %upper : i8 {
    "test.op"() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @step_wraps_around
// CHECK:         scf.for unsigned

// -----

// An op that is not known is no constant.
func.func @unregistered(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "my.print"() <{value = 1 : index}> : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @unregistered
// CHECK:         scf.for
// CHECK-NEXT:      "my.print"
