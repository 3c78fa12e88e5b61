// RUN: xdsl-opt %s --allow-unregistered-dialect -p canonicalize --split-input-file | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p optimize-allocation-liveness --split-input-file | filecheck %s --check-prefix=LIVENESS

// An op of no known dialect may have any effect: it stays in its loop.

// CHECK-LABEL: @in_loop
// CHECK:       scf.for
// CHECK-NEXT:    "my.print"
// CHECK:       return
func.func @in_loop(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "my.print"(%m) : (memref<4xf32>) -> ()
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: @result_without_uses
// CHECK:       scf.for
// CHECK-NEXT:    "my.next"
// CHECK-NEXT:    "my.next"
func.func @result_without_uses(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = "my.next"() {value = 1 : index} : () -> index
    %1 = "my.next"() {value = 1 : index} : () -> index
  }
  return
}

// -----

// CHECK-LABEL: @constant_in_loop
// CHECK:       arith.constant 7 : i32
// CHECK:       scf.for
// CHECK-NEXT:    "my.use"
func.func @constant_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.constant 7 : i32
    "my.use"(%0) : (i32) -> ()
  }
  return
}

// -----

// A dealloc moves to the last use, which is no terminator.

// LIVENESS-LABEL: @last_use
// LIVENESS:       "my.use"
// LIVENESS-NEXT:  memref.dealloc
// LIVENESS-NEXT:  "my.other"
func.func @last_use() {
  %a = memref.alloc() : memref<4xf32>
  "my.use"(%a) : (memref<4xf32>) -> ()
  "my.other"() : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
