// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// Ops of unreachable blocks that use each other's results go together.

// CHECK-LABEL: @unreachable
// CHECK-NEXT:  func.return %x
func.func private @next(i32) -> i32
func.func @unreachable(%x: i32) -> i32 {
  %false = arith.constant false
  cf.cond_br %false, ^bb1, ^bb2
^bb1:
  %0 = func.call @next(%x) : (i32) -> i32
  %1 = func.call @next(%0) : (i32) -> i32
  cf.br ^bb3
^bb2:
  return %x : i32
^bb3:
  %2 = func.call @next(%1) : (i32) -> i32
  return %2 : i32
}
