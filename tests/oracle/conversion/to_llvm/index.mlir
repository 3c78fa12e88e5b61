// The index dialect.

func.func @arithmetic(%a: index, %b: index) -> index {
  %c = index.constant 3
  %0 = index.add %a, %b
  %1 = index.mul %0, %c
  %2 = index.sub %1, %b
  %3 = index.and %2, %a
  %4 = index.or %3, %c
  %5 = index.xor %4, %b
  return %5 : index
}

func.func @divisions(%a: index, %b: index) -> index {
  %c1 = index.constant 1
  %n = index.constant 1000
  %x = index.rems %a, %n
  %d = index.or %b, %c1
  %e = index.rems %d, %n
  %y = index.or %e, %c1
  %0 = index.divs %x, %y
  %1 = index.divu %x, %y
  %2 = index.ceildivs %x, %y
  %3 = index.ceildivu %x, %y
  %4 = index.floordivs %x, %y
  %5 = index.rems %x, %y
  %6 = index.remu %x, %y
  %7 = index.add %0, %1
  %8 = index.xor %7, %2
  %9 = index.add %8, %3
  %10 = index.xor %9, %4
  %11 = index.add %10, %5
  %12 = index.xor %11, %6
  return %12 : index
}

func.func @extremes(%a: index, %b: index) -> index {
  %0 = index.maxs %a, %b
  %1 = index.maxu %a, %b
  %2 = index.mins %a, %b
  %3 = index.minu %a, %b
  %4 = index.sub %0, %1
  %5 = index.xor %4, %2
  %6 = index.sub %5, %3
  return %6 : index
}

func.func @shifts(%a: index, %b: index) -> index {
  %c63 = index.constant 63
  %n = index.and %b, %c63
  %0 = index.shl %a, %n
  %1 = index.shrs %a, %n
  %2 = index.shru %a, %n
  %3 = index.sub %0, %1
  %4 = index.xor %3, %2
  return %4 : index
}

func.func @comparisons(%a: index, %b: index) -> i32 {
  %0 = index.cmp eq(%a, %b)
  %1 = index.cmp ne(%a, %b)
  %2 = index.cmp slt(%a, %b)
  %3 = index.cmp sle(%a, %b)
  %4 = index.cmp sgt(%a, %b)
  %5 = index.cmp sge(%a, %b)
  %6 = index.cmp ult(%a, %b)
  %7 = index.cmp ule(%a, %b)
  %8 = index.cmp ugt(%a, %b)
  %9 = index.cmp uge(%a, %b)
  %v = vector.from_elements %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : vector<10xi1>
  %w = arith.extui %v : vector<10xi1> to vector<10xi32>
  %p = arith.constant dense<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512]> : vector<10xi32>
  %q = arith.muli %w, %p : vector<10xi32>
  %r = vector.reduction <add>, %q : vector<10xi32> into i32
  return %r : i32
}

func.func @casts(%a: i32, %b: index) -> i64 {
  %true = index.bool.constant true
  %0 = index.casts %a : i32 to index
  %1 = index.castu %a : i32 to index
  %2 = arith.select %true, %0, %1 : index
  %3 = index.casts %b : index to i32
  %4 = index.castu %3 : i32 to index
  %5 = index.mul %2, %4
  %6 = index.xor %5, %1
  %7 = index.castu %6 : index to i64
  return %7 : i64
}

func.func @size() -> index {
  %0 = index.sizeof
  return %0 : index
}
