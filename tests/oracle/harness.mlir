// PASSES: cse

// Programs for the tests of the harness itself: passes that both tools have.

func.func @equal(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  func.return %2 : i32
}

// -----

// REJECTED: undefined

func.func @rejected() -> i32 {
  func.return %undefined : i32
}

// -----

// PASSES: canonicalize

func.func @own_pipeline(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  func.return %1 : i32
}
