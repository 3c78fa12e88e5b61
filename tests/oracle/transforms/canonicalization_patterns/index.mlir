// The index dialect on constants.

func.func @index_arithmetic() -> (index, index, index, index, index, index, index, index) {
  %a = index.constant 7
  %b = index.constant -3
  %c = arith.constant 5 : index
  %0 = index.add %a, %b
  %1 = index.mul %b, %c
  %2 = index.floordivs %b, %c
  %3 = index.ceildivs %a, %c
  %4 = index.maxs %b, %c
  %5 = index.shl %a, %c
  %6 = index.xor %a, %c
  %7 = index.rems %b, %c
  return %0, %1, %2, %3, %4, %5, %6, %7 : index, index, index, index, index, index, index, index
}

// -----

// What is another number at 32 bits stays, and what is not defined.

func.func @width_of_index() -> (index, index, index, index, index, i1) {
  %a = index.constant 5000000000
  %b = index.constant 3
  %z = index.constant 0
  %s = index.constant 40
  %m = index.constant -1
  %0 = index.divu %a, %b
  %1 = index.divs %b, %z
  %2 = index.shl %b, %s
  %3 = index.divu %m, %b
  %4 = index.add %a, %a
  %5 = index.cmp sgt(%a, %b)
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, i1
}

// -----

func.func @index_operands_that_do_not_matter(%x: index) -> (index, index, index, index, index) {
  %z = index.constant 0
  %o = index.constant 1
  %t = index.constant 2
  %0 = index.add %x, %z
  %1 = index.sub %x, %z
  %2 = index.mul %o, %x
  %3 = index.mul %x, %z
  %4 = index.add %x, %o
  %5 = index.add %t, %4
  return %0, %1, %2, %3, %5 : index, index, index, index, index
}

// -----

func.func @index_comparisons(%x: index) -> (i1, i1, i1, i1) {
  %a = index.constant -1
  %b = index.constant 3
  %0 = index.cmp slt(%a, %b)
  %1 = index.cmp ult(%a, %b)
  %2 = index.cmp sle(%x, %x)
  %3 = index.cmp ugt(%x, %x)
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// -----

// DIFFERS: mlir-opt keeps casts of negative and large constants
func.func @index_casts() -> (i8, i64, i64, i64, index, index) {
  %a = index.constant -1
  %b = index.constant 5000000000
  %i = arith.constant -2 : i8
  %0 = index.casts %b : index to i8
  %1 = index.casts %a : index to i64
  %2 = index.castu %a : index to i64
  %3 = index.casts %b : index to i64
  %4 = index.casts %i : i8 to index
  %5 = index.castu %i : i8 to index
  return %0, %1, %2, %3, %4, %5 : i8, i64, i64, i64, index, index
}

// -----

func.func @decided_by_index_constants(%x: index, %y: index) -> index {
  %a = index.constant 4
  %b = index.constant 3
  %0 = index.cmp sgt(%a, %b)
  %1 = arith.select %0, %x, %y : index
  %2 = scf.if %0 -> (index) {
    %3 = index.add %1, %a
    scf.yield %3 : index
  } else {
    scf.yield %b : index
  }
  return %2 : index
}

// -----

func.func @arithmetic_on_index_constants(%x: index) -> (i64, index, index, i1, f32) {
  %a = index.constant 4
  %b = arith.constant 3 : index
  %t = index.bool.constant true
  %0 = arith.index_cast %a : index to i64
  %1 = arith.minsi %a, %b : index
  %2 = arith.addi %x, %a : index
  %3 = arith.addi %2, %b : index
  %4 = arith.cmpi ult, %b, %a : index
  %5 = arith.uitofp %t : i1 to f32
  return %0, %1, %3, %4, %5 : i64, index, index, i1, f32
}
