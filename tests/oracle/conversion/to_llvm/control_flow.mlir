// Structured and unstructured control flow.

func.func @for_count(%n: i8) -> i32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 1 : i32
  %k = arith.constant 3 : i32
  %e = arith.extsi %n : i8 to i32
  %u = arith.index_cast %e : i32 to index
  %r = scf.for %i = %c0 to %u step %c3 iter_args(%a = %z) -> (i32) {
    %x = arith.index_cast %i : index to i32
    %y = arith.muli %a, %k : i32
    %s = arith.addi %x, %y : i32
    scf.yield %s : i32
  }
  return %r : i32
}

func.func @for_i32(%n: i8) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = arith.extsi %n : i8 to i32
  %r = scf.for %i = %c0 to %e step %c1 iter_args(%a = %c1) -> (i32) : i32 {
    %s = arith.xori %a, %i : i32
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  return %r : i32
}

func.func @for_nothing() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  %k = arith.constant 3 : i32
  memref.store %k, %m[] : memref<i32>
  scf.for %i = %c0 to %c0 step %c1 {
    memref.store %k, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

func.func @if_else(%c: i1, %d: i1) -> i32 {
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  %x:2 = scf.if %c -> (i32, i32) {
    %y = scf.if %d -> (i32) {
      scf.yield %a : i32
    } else {
      %z = arith.addi %a, %b : i32
      scf.yield %z : i32
    }
    scf.yield %y, %b : i32, i32
  } else {
    scf.yield %b, %a : i32, i32
  }
  %m = memref.alloca() : memref<i32>
  memref.store %a, %m[] : memref<i32>
  scf.if %d {
    memref.store %b, %m[] : memref<i32>
  }
  %w = memref.load %m[] : memref<i32>
  %s = arith.muli %x#0, %w : i32
  %r = arith.subi %s, %x#1 : i32
  return %r : i32
}

func.func @while_collatz(%n: i16) -> i32 {
  %mask = arith.constant 1023 : i16
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %p = arith.andi %n, %mask : i16
  %q = arith.extui %p : i16 to i32
  %start = arith.addi %q, %one : i32
  %r:2 = scf.while (%x = %start, %k = %zero) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi ne, %x, %one : i32
    %l = arith.addi %k, %one : i32
    scf.condition(%c) %l, %x : i32, i32
  } do {
  ^bb0(%k: i32, %x: i32):
    %odd = arith.andi %x, %one : i32
    %is_odd = arith.cmpi eq, %odd, %one : i32
    %y = scf.if %is_odd -> (i32) {
      %t = arith.muli %x, %three : i32
      %u = arith.addi %t, %one : i32
      scf.yield %u : i32
    } else {
      %h = arith.divui %x, %two : i32
      scf.yield %h : i32
    }
    scf.yield %y, %k : i32, i32
  }
  return %r#0 : i32
}

func.func @index_switch(%s: i8) -> i32 {
  %e = arith.extsi %s : i8 to i32
  %i = arith.index_cast %e : i32 to index
  %r = scf.index_switch %i -> i32
  case 2 {
    %c = arith.constant 20 : i32
    scf.yield %c : i32
  }
  case -7 {
    %c = arith.constant 50 : i32
    %d = scf.index_switch %i -> i32
    default {
      scf.yield %e : i32
    }
    %f = arith.addi %c, %d : i32
    scf.yield %f : i32
  }
  default {
    scf.yield %e : i32
  }
  return %r : i32
}

func.func @execute_region(%s: i32) -> i32 {
  %z = arith.constant 0 : i32
  %r = scf.execute_region -> i32 {
    %c = arith.cmpi slt, %s, %z : i32
    cf.cond_br %c, ^bb1, ^bb2(%s : i32)
  ^bb1:
    %n = arith.subi %z, %s : i32
    cf.br ^bb2(%n : i32)
  ^bb2(%x: i32):
    %d = arith.cmpi ugt, %x, %s : i32
    cf.cond_br %d, ^bb3, ^bb4
  ^bb3:
    scf.yield %x : i32
  ^bb4:
    %y = arith.muli %x, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @parallel_reduce(%n: i8) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = arith.extsi %n : i8 to i64
  %u = arith.index_cast %e : i64 to index
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%u, %c2) step (%c2, %c1) init (%z, %o) -> (i64, i64) {
    %x = arith.index_cast %i : index to i64
    %y = arith.index_cast %j : index to i64
    %w = arith.addi %x, %y : i64
    scf.reduce(%x, %w : i64, i64) {
    ^bb0(%a: i64, %b: i64):
      %s = arith.addi %a, %b : i64
      scf.reduce.return %s : i64
    }, {
    ^bb0(%a: i64, %b: i64):
      %s = arith.xori %a, %b : i64
      scf.reduce.return %s : i64
    }
  }
  %s = arith.muli %r#0, %r#1 : i64
  return %s : i64
}

func.func @forall(%k: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %n = arith.select %k, %c4, %c6 : index
  %m = memref.alloc() : memref<6x6xindex>
  scf.forall (%i, %j) in (6, 6) {
    memref.store %c0, %m[%i, %j] : memref<6x6xindex>
  }
  scf.forall (%i, %j) = (1, %c1) to (%n, 6) step (1, 2) {
    %a = arith.muli %i, %c6 : index
    %b = arith.addi %a, %j : index
    memref.store %b, %m[%i, %j] : memref<6x6xindex>
  }
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%x = %c0) -> (index) {
    %s = scf.for %j = %c0 to %c6 step %c1 iter_args(%y = %x) -> (index) {
      %v = memref.load %m[%i, %j] : memref<6x6xindex>
      %w = arith.muli %y, %c4 : index
      %z = arith.addi %v, %w : index
      scf.yield %z : index
    }
    scf.yield %s : index
  }
  memref.dealloc %m : memref<6x6xindex>
  return %r : index
}

func.func @switch(%s: i8, %x: i32) -> i32 {
  %y = arith.constant 5 : i32
  cf.switch %s : i8, [
    default: ^bb1(%x : i32),
    1: ^bb1(%y : i32),
    -3: ^bb2,
    7: ^bb1(%y : i32)
  ]
^bb1(%a: i32):
  %b = arith.muli %a, %y : i32
  return %b : i32
^bb2:
  return %y : i32
}

func.func @same_target(%c: i1, %x: i32) -> i32 {
  %y = arith.constant 5 : i32
  cf.cond_br %c, ^bb1(%x, %y : i32, i32), ^bb1(%y, %x : i32, i32)
^bb1(%a: i32, %b: i32):
  %r = arith.subi %a, %b : i32
  return %r : i32
}

func.func @blocks_out_of_order(%c: i1, %x: i32) -> i32 {
  cf.br ^bb2
^bb1:
  %r = arith.addi %z, %x : i32
  return %r : i32
^bb2:
  %z = arith.muli %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  cf.br ^bb1
^bb4:
  return %x : i32
}

func.func @assert(%x: i32) -> i32 {
  %t = arith.cmpi eq, %x, %x : i32
  cf.assert %t, "x is x"
  %z = arith.constant 0 : i32
  %r = scf.if %t -> i32 {
    cf.assert %t, "again"
    scf.yield %x : i32
  } else {
    cf.assert %t, "x is x"
    scf.yield %z : i32
  }
  return %r : i32
}

func.func private @pair(%a: i32, %m: memref<2xi32>) -> (i32, memref<2xi32>, index) {
  %c1 = arith.constant 1 : index
  memref.store %a, %m[%c1] : memref<2xi32>
  return %a, %m, %c1 : i32, memref<2xi32>, index
}

func.func private @nothing(%m: memref<?xi32>) {
  return
}

func.func private @unranked(%m: memref<*xi32>) -> memref<*xi32> {
  return %m : memref<*xi32>
}

func.func @calls(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  %p:3 = call @pair(%x, %m) : (i32, memref<2xi32>) -> (i32, memref<2xi32>, index)
  %d = memref.cast %p#1 : memref<2xi32> to memref<?xi32>
  call @nothing(%d) : (memref<?xi32>) -> ()
  %u = memref.cast %p#1 : memref<2xi32> to memref<*xi32>
  %v = call @unranked(%u) : (memref<*xi32>) -> memref<*xi32>
  %w = memref.cast %v : memref<*xi32> to memref<2xi32>
  %a = memref.load %w[%p#2] : memref<2xi32>
  %b = memref.load %p#1[%c0] : memref<2xi32>
  %e = arith.muli %a, %b : i32
  %r = arith.addi %e, %p#0 : i32
  memref.dealloc %m : memref<2xi32>
  return %r : i32
}

func.func @recursion(%n: i8) -> i32 {
  %e = arith.extui %n : i8 to i32
  %r = call @fibonacci_like(%e) : (i32) -> i32
  return %r : i32
}

func.func private @fibonacci_like(%n: i32) -> i32 {
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %c = arith.cmpi ult, %n, %two : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %n : i32
^bb2:
  %h = arith.divui %n, %two : i32
  %x = func.call @fibonacci_like(%h) : (i32) -> i32
  %m = arith.subi %h, %one : i32
  %y = func.call @fibonacci_like(%m) : (i32) -> i32
  %s = arith.addi %x, %y : i32
  %r = arith.addi %s, %one : i32
  return %r : i32
}
