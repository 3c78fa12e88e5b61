// RUN: xdsl-opt %s --split-input-file -p verify-deallocation | filecheck %s
// RUN: xdsl-opt %s --split-input-file --verify-diagnostics -p 'verify-deallocation{allow-undecided=false}' | filecheck %s --check-prefix=UNDECIDED

// Right programs for reasons that the checker does not see: no error.

// CHECK: func.func @first_iteration(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func @first_iteration(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %z = arith.cmpi eq, %i, %c0 : index
    scf.if %z { memref.dealloc %a : memref<4xf32> }
  }
  %e = arith.cmpi sgt, %n, %c0 : index
  scf.if %e { } else { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @second_of_two(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func @second_of_two() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%done = %false) -> (i1) {
    scf.if %done { memref.dealloc %a : memref<4xf32> }
    scf.yield %true : i1
  }
  return
}

// -----

// CHECK: func.func @while(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func @while(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = memref.alloc() : memref<4xf32>
  %r = scf.while (%x = %c0) : (i32) -> i32 {
    %go = arith.cmpi slt, %x, %c2 : i32
    scf.condition(%go) %x : i32
  } do {
  ^bb0(%x: i32):
    %z = arith.cmpi eq, %x, %c0 : i32
    scf.if %z { memref.dealloc %a : memref<4xf32> }
    %y = arith.addi %x, %c1 : i32
    scf.yield %y : i32
  }
  return
}

// -----

// CHECK: func.func private @f(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func private @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c { memref.dealloc %a : memref<4xf32> }
  return
}
func.func @g() {
  %true = arith.constant true
  func.call @f(%true) : (i1) -> ()
  return
}

// -----

// CHECK: func.func @computed(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func @computed(%n: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xf32>
  %m = arith.remui %n, %c2 : i32
  %z = arith.cmpi ult, %m, %c2 : i32
  scf.if %z { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @first_block(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func @first_block(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = memref.alloc() : memref<4xf32>
  cf.br ^h(%c0 : i32)
^h(%x: i32):
  %go = arith.cmpi slt, %x, %c2 : i32
  cf.cond_br %go, ^b, ^e
^b:
  %z = arith.cmpi eq, %x, %c1 : i32
  scf.if %z { memref.dealloc %a : memref<4xf32> }
  %y = arith.addi %x, %c1 : i32
  cf.br ^h(%y : i32)
^e:
  return
}

// -----

// CHECK: func.func @loads(
// UNDECIDED: verify-deallocation: undecided, whether this is right
func.func @loads(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%c0] : memref<1xi32>
  %d = arith.cmpi eq, %x, %z : i32
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %y = memref.load %m[%c0] : memref<1xi32>
  %e = arith.cmpi ne, %y, %z : i32
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}
