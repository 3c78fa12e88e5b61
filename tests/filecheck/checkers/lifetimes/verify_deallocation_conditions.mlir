// RUN: xdsl-opt %s --split-input-file -p 'verify-deallocation{allow-undecided=false}' | filecheck %s

// Conditions that are computed more than once: freed once in all cases.

// CHECK: func.func @equal(
func.func @equal(%n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %d = arith.cmpi eq, %n, %c0 : index
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpi ne, %n, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @ult(
func.func @ult(%n: i32) {
  %c5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<4xf32>
  %d = arith.cmpi ult, %n, %c5 : i32
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpi uge, %n, %c5 : i32
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @swapped(
func.func @swapped(%n: i32, %m: i32) {
  %a = memref.alloc() : memref<4xf32>
  %d = arith.cmpi slt, %n, %m : i32
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpi sle, %m, %n : i32
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @switches(
func.func @switches(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  scf.index_switch %n case 0 { memref.dealloc %a : memref<4xf32> scf.yield } case 2 { memref.dealloc %a : memref<4xf32> scf.yield } default { scf.yield }
  scf.index_switch %n case 2 { scf.yield } case 0 { scf.yield } default { memref.dealloc %a : memref<4xf32> scf.yield }
  return
}

// -----

// CHECK: func.func @chain(
func.func @chain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %d = arith.cmpi eq, %n, %c0 : index
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpi eq, %c1, %n : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  %f = arith.cmpi ne, %n, %c0 : index
  %g = arith.cmpi ne, %n, %c1 : index
  %h = arith.andi %f, %g : i1
  scf.if %h { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @casts(
func.func @casts(%n: i8, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c00 = arith.constant 0 : i8
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %x = arith.extsi %n : i8 to i32
  %d = arith.cmpi eq, %x, %c0 : i32
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpi eq, %n, %c00 : i8
  %f = arith.xori %e, %true : i1
  scf.if %f { memref.dealloc %a : memref<4xf32> }
  %b = memref.alloc() : memref<4xf32>
  %y = arith.extui %c : i1 to i32
  %z = arith.cmpi ne, %y, %c0 : i32
  scf.if %z { memref.dealloc %b : memref<4xf32> }
  %w = arith.cmpi eq, %c, %true : i1
  scf.if %w { } else { memref.dealloc %b : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @loops(
func.func @loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %true = arith.constant true
  %false = arith.constant false
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%done = %false) -> (i1) {
    scf.if %done { } else { memref.dealloc %a : memref<4xf32> }
    scf.yield %true : i1
  }
  %e = arith.cmpi sle, %n, %c0 : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @blocks(
func.func @blocks(%c: i1, %m: memref<4xf32>) {
  cf.cond_br %c, ^a, ^b
^a:
  %x = memref.alloc() : memref<4xf32>
  cf.br ^j(%x : memref<4xf32>)
^b:
  cf.br ^j(%m : memref<4xf32>)
^j(%p: memref<4xf32>):
  scf.if %c { memref.dealloc %p : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @forall(
func.func @forall() {
  %a = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (1) { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @two_loops(
func.func @two_loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%done = %false) -> (i1) {
    scf.if %done { } else { memref.dealloc %a : memref<4xf32> }
    scf.yield %true : i1
  }
  scf.if %r { } else { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @scope(
func.func @scope() {
  memref.alloca_scope {
    %a = memref.alloc() : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    memref.alloca_scope.return
  }
  return
}

// -----

// CHECK: func.func @floats(
func.func @floats(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %d = arith.cmpf olt, %x, %y : f32
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpf uge, %x, %y : f32
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: func.func @unsigned_once(
func.func @unsigned_once() {
  %lo = arith.constant 0 : i8
  %hi = arith.constant 200 : i8
  %step = arith.constant -56 : i8
  %a = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %lo to %hi step %step : i8 {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
