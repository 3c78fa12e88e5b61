// PASSES: buffer-loop-hoisting
func.func @a(%c: i1, %n: index, %m: memref<4xf32>) {
  scf.if %c {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  } else {
    %0 = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<?xf32>
  }
  return
}

// -----
func.func @b(%c: i1, %n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    scf.yield %0 : memref<4xf32>
  } else {
    %0 = memref.alloc() : memref<4xf32>
    scf.yield %0 : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----
func.func @c(%c: i1, %n: index, %m: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^x, ^y
^x:
  cf.br ^z(%m : memref<4xf32>)
^y:
  %0 = memref.alloc() : memref<4xf32>
  cf.br ^z(%0 : memref<4xf32>)
^z(%r: memref<4xf32>):
  return %r : memref<4xf32>
}

// -----
func.func @d(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    %1 = memref.alloca() : memref<4xf32>
    memref.copy %m, %1 : memref<4xf32> to memref<4xf32>
    %2 = memref.alloc(%i) : memref<?xf32>
    memref.copy %m, %2 : memref<4xf32> to memref<?xf32>
    scf.for %j = %c0 to %n step %c1 {
      %3 = memref.alloc() : memref<4xf32>
      memref.copy %m, %3 : memref<4xf32> to memref<4xf32>
    }
  }
  return
}

// -----
func.func @e(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %a, %0 : memref<4xf32> to memref<4xf32>
    scf.yield %0 : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  scf.while : () -> () {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    %t = arith.constant false
    scf.condition(%t)
  } do {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    scf.yield
  }
  return %r : memref<4xf32>
}

// -----
func.func @p(%c: i1, %n: index, %m: memref<4xf32>) -> (memref<4xf32>, memref<2000xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %m, %1 : memref<4xf32> to memref<4xf32>
  %2 = memref.alloc() : memref<2000xf32>
  %3 = memref.alloc() : memref<2000xf32>
  memref.copy %2, %3 : memref<2000xf32> to memref<2000xf32>
  %r = memref.rank %m : memref<4xf32>
  %4 = memref.alloc(%r) : memref<?xf32>
  %5 = memref.alloc(%r, %r) : memref<?x?xf32>
  memref.copy %4, %4 : memref<?xf32> to memref<?xf32>
  memref.copy %5, %5 : memref<?x?xf32> to memref<?x?xf32>
  return %0, %2 : memref<4xf32>, memref<2000xf32>
}

// -----
// DIFFERS: mlir-opt moves the allocation out of the loop and leaves its deallocation
// inside, so that the second iteration writes to freed memory.
func.func @freed(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    memref.dealloc %0 : memref<4xf32>
  }
  return
}

// -----
// Out of affine.for.
func.func @affine_for(%m: memref<4xf32>) {
  affine.for %i = 0 to 8 {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----
// What affine.for hands to the next iteration stays.
func.func @affine_for_carried(%m: memref<4xf32>) {
  %r = affine.for %i = 0 to 8 iter_args(%t = %m) -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %t, %0 : memref<4xf32> to memref<4xf32>
    affine.yield %0 : memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----
// DIFFERS: iterations of affine.parallel may run in parallel, and mlir-opt lets them share
// one buffer
func.func @affine_parallel(%m: memref<4xf32>) {
  affine.parallel (%i) = (0) to (8) {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  return
}
