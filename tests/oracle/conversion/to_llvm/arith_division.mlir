// Divisions that round up or down. Divisors are made odd, and a dividend halved, so that
// no quotient overflows.

func.func @ceildivui(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %d = arith.ori %b, %one : i32
  %r = arith.ceildivui %a, %d : i32
  return %r : i32
}

func.func @ceildivsi(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %half = arith.divsi %a, %two : i32
  %d = arith.ori %b, %one : i32
  %r = arith.ceildivsi %half, %d : i32
  return %r : i32
}

func.func @floordivsi(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %half = arith.divsi %a, %two : i32
  %d = arith.ori %b, %one : i32
  %r = arith.floordivsi %half, %d : i32
  return %r : i32
}

func.func @floordiv_index(%a: index) -> index {
  %c = arith.constant 3 : index
  %r = arith.floordivsi %a, %c : index
  return %r : index
}

func.func @ceildiv_index(%a: index) -> index {
  %c = arith.constant -3 : index
  %h = arith.constant 2 : index
  %q = arith.divsi %a, %h : index
  %r = arith.ceildivsi %q, %c : index
  return %r : index
}
