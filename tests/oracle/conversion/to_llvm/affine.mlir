// Affine maps, loops, conditions and accesses.

func.func @apply(%a: i32, %b: i32) -> index {
  %i = arith.index_cast %a : i32 to index
  %j = arith.index_cast %b : i32 to index
  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1 - 7)>(%i, %j)
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0 ceildiv 3)>(%0)[%j]
  %2 = affine.apply affine_map<(d0) -> (d0 mod 5)>(%i)
  %3 = affine.min affine_map<(d0, d1) -> (d0, d1 + 2, 100)>(%1, %2)
  %4 = affine.max affine_map<(d0)[s0] -> (d0, s0, -50)>(%3)[%i]
  %5 = arith.muli %3, %4 : index
  %r = arith.addi %5, %2 : index
  return %r : index
}

func.func @loops(%n: i8) -> i64 {
  %seven = arith.constant 7 : i8
  %k = arith.andi %n, %seven : i8
  %e = arith.extui %k : i8 to i64
  %s = arith.index_cast %e : i64 to index
  %m = memref.alloc() : memref<8x6xi64>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %a = affine.apply affine_map<(i, j) -> (i * 7 + j)>(%i, %j)
      %b = arith.index_cast %a : index to i64
      affine.store %b, %m[%i, %j] : memref<8x6xi64>
    }
  }
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %r = affine.for %i = max affine_map<()[s0] -> (s0 - 3, 0)>()[%s] to min affine_map<()[s0] -> (s0 + 2, 8)>()[%s] iter_args(%x = %zero) -> (i64) {
    %y = affine.for %j = 0 to 3 iter_args(%z = %x) -> (i64) {
      %v = affine.load %m[%i, %j * 2 + 1] : memref<8x6xi64>
      %w = arith.muli %z, %three : i64
      %u = arith.addi %v, %w : i64
      %t = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0, d1 - 1 == 0)>(%i, %j) -> i64 {
        affine.yield %u : i64
      } else {
        %q = arith.subi %u, %three : i64
        affine.yield %q : i64
      }
      affine.yield %t : i64
    }
    affine.yield %y : i64
  }
  memref.dealloc %m : memref<8x6xi64>
  return %r : i64
}

func.func @stepped() -> i64 {
  %zero = arith.constant 0 : i64
  %r = affine.for %i = 3 to 40 step 7 iter_args(%x = %zero) -> (i64) {
    %a = arith.index_cast %i : index to i64
    %b = arith.muli %x, %a : i64
    %c = arith.addi %b, %a : i64
    affine.yield %c : i64
  }
  return %r : i64
}

func.func @parallel(%n: i8) -> i64 {
  %seven = arith.constant 7 : i8
  %k = arith.andi %n, %seven : i8
  %e = arith.extui %k : i8 to i64
  %s = arith.index_cast %e : i64 to index
  %r:2 = affine.parallel (%i, %j) = (0, max(%s - 4, 1)) to (5, min(%s + 2, 9)) step (2, 1) reduce ("addi", "muli") -> (i64, i64) {
    %a = affine.apply affine_map<(i, j) -> (i * 10 - j)>(%i, %j)
    %b = arith.index_cast %a : index to i64
    affine.yield %b, %b : i64, i64
  }
  %x = arith.xori %r#0, %r#1 : i64
  return %x : i64
}

func.func @semi_affine(%a: i32, %b: i8) -> index {
  %i = arith.index_cast %a : i32 to index
  %fifteen = arith.constant 15 : i8
  %one = arith.constant 1 : i8
  %low = arith.andi %b, %fifteen : i8
  %positive = arith.addi %low, %one : i8
  %s = arith.index_castui %positive : i8 to index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0 + s0 * s0)>(%i)[%s]
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0 - d0 ceildiv (s0 + 2))>(%i)[%s]
  %2 = affine.min affine_map<(d0)[s0] -> (d0 mod s0, (d0 * s0) mod (s0 * 3))>(%i)[%s]
  %3 = affine.max affine_map<(d0, d1)[s0] -> (d0 * (s0 - 4), d1)>(%2, %1)[%s]
  %4 = affine.if affine_set<(d0)[s0] : (d0 mod s0 - 1 >= 0, d0 * s0 + 100 >= 0)>(%i)[%s] -> index {
    affine.yield %0 : index
  } else {
    affine.yield %1 : index
  }
  %5 = arith.muli %3, %4 : index
  %6 = arith.addi %5, %2 : index
  return %6 : index
}
