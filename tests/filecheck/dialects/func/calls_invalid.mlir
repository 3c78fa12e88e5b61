// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: '@nowhere' does not reference a valid function
func.func @f() {
  func.call @nowhere() : () -> ()
  func.return
}

// -----

// CHECK: incorrect number of operands for callee: expected 1
func.func private @g(i32)
func.func @f() {
  func.call @g() : () -> ()
  func.return
}

// -----

// CHECK: incorrect number of results for callee: expected 1
func.func private @g() -> i32
func.func @f() {
  func.call @g() : () -> ()
  func.return
}

// -----

// CHECK: operand type mismatch: expected operand type i32, but provided i64 for operand number 0
func.func private @g(i32)
func.func @f(%a: i64) {
  func.call @g(%a) : (i64) -> ()
  func.return
}

// -----

// CHECK: result type mismatch: expected result type i32, but provided i64 for result number 0
func.func private @g() -> i32
func.func @f() {
  %0 = func.call @g() : () -> i64
  func.return
}
