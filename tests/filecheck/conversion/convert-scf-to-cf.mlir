// With no other pass of this package, xDSL's own pass of this name would run.
// RUN: xdsl-opt %s --split-input-file -p expand-realloc,convert-scf-to-cf | filecheck %s

func.func @for(%lb: index, %ub: index, %s: index, %init: f32) -> f32 {
  %r = scf.for %i = %lb to %ub step %s iter_args(%a = %init) -> (f32) {
    %b = arith.addf %a, %a : f32
    scf.yield %b : f32
  }
  return %r : f32
}

// CHECK:      func.func @for(%lb: index, %ub: index, %s: index, %init: f32) -> f32 {
// CHECK-NEXT:   cf.br ^bb1(%lb, %init : index, f32)
// CHECK-NEXT: ^bb1(%i: index, %a: f32):
// CHECK-NEXT:   %0 = arith.cmpi slt, %i, %ub : index
// CHECK-NEXT:   cf.cond_br %0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %b = arith.addf %a, %a : f32
// CHECK-NEXT:   %1 = arith.addi %i, %s : index
// CHECK-NEXT:   cf.br ^bb1(%1, %b : index, f32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return %a : f32
// CHECK-NEXT: }

// -----

// What an iteration allocates on the stack is freed at its end.

func.func @for_with_alloca(%n: index, %s: index, %x: f32) {
  scf.for %i = %s to %n step %s {
    %m = memref.alloca() : memref<8xf32>
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}

// CHECK:      func.func @for_with_alloca(%n: index, %s: index, %x: f32) {
// CHECK-NEXT:   cf.br ^bb1(%s : index)
// CHECK-NEXT: ^bb1(%i: index):
// CHECK-NEXT:   %0 = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:   cf.cond_br %0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %1 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:   %m = memref.alloca() : memref<8xf32>
// CHECK-NEXT:   memref.store %x, %m[%i] : memref<8xf32>
// CHECK-NEXT:   llvm.intr.stackrestore %1 : !llvm.ptr
// CHECK-NEXT:   %2 = arith.addi %i, %s : index
// CHECK-NEXT:   cf.br ^bb1(%2 : index)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @if(%c: i1, %x: f32, %m: memref<f32>) -> f32 {
  scf.if %c {
    memref.store %x, %m[] : memref<f32>
  }
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    %y = arith.negf %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}

// CHECK:      func.func @if(%c: i1, %x: f32, %m: memref<f32>) -> f32 {
// CHECK-NEXT:   cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   memref.store %x, %m[] : memref<f32>
// CHECK-NEXT:   cf.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.cond_br %c, ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   cf.br ^bb5(%x : f32)
// CHECK-NEXT: ^bb4:
// CHECK-NEXT:   %y = arith.negf %x : f32
// CHECK-NEXT:   cf.br ^bb5(%y : f32)
// CHECK-NEXT: ^bb5(%r: f32):
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }

// -----

func.func @while(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%a: i32):
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// CHECK:      func.func @while(%x: i32, %n: i32) -> i32 {
// CHECK-NEXT:   cf.br ^bb1(%x : i32)
// CHECK-NEXT: ^bb1(%a: i32):
// CHECK-NEXT:   %c = arith.cmpi slt, %a, %n : i32
// CHECK-NEXT:   cf.cond_br %c, ^bb2(%a : i32), ^bb3
// CHECK-NEXT: ^bb2(%a_1: i32):
// CHECK-NEXT:   %b = arith.addi %a_1, %a_1 : i32
// CHECK-NEXT:   cf.br ^bb1(%b : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return %a : i32
// CHECK-NEXT: }

// -----

// Memory that scf.while allocates on the stack is freed before the next iteration.

func.func @while_with_alloca(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%a: i32):
    %m = memref.alloca() : memref<i32>
    memref.store %a, %m[] : memref<i32>
    %b = memref.load %m[] : memref<i32>
    scf.yield %b : i32
  }
  return %r : i32
}

// CHECK:      func.func @while_with_alloca(%x: i32, %n: i32) -> i32 {
// CHECK-NEXT:   cf.br ^bb1(%x : i32)
// CHECK-NEXT: ^bb1(%a: i32):
// CHECK-NEXT:   %0 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:   %c = arith.cmpi slt, %a, %n : i32
// CHECK-NEXT:   cf.cond_br %c, ^bb2(%a : i32), ^bb3
// CHECK-NEXT: ^bb2(%a_1: i32):
// CHECK-NEXT:   %m = memref.alloca() : memref<i32>
// CHECK-NEXT:   memref.store %a_1, %m[] : memref<i32>
// CHECK-NEXT:   %b = memref.load %m[] : memref<i32>
// CHECK-NEXT:   llvm.intr.stackrestore %0 : !llvm.ptr
// CHECK-NEXT:   cf.br ^bb1(%b : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return %a : i32
// CHECK-NEXT: }

// -----

// It may be the next iteration that needs the buffer.

func.func @while_carries_alloca(%m: memref<i1>) {
  scf.while (%a = %m) : (memref<i1>) -> () {
    %c = memref.load %a[] : memref<i1>
    scf.condition(%c)
  } do {
    %b = memref.alloca() : memref<i1>
    scf.yield %b : memref<i1>
  }
  return
}

// CHECK:      func.func @while_carries_alloca(%m: memref<i1>) {
// CHECK-NEXT:   cf.br ^bb1(%m : memref<i1>)
// CHECK-NEXT: ^bb1(%a: memref<i1>):
// CHECK-NEXT:   %c = memref.load %a[] : memref<i1>
// CHECK-NEXT:   cf.cond_br %c, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %b = memref.alloca() : memref<i1>
// CHECK-NEXT:   cf.br ^bb1(%b : memref<i1>)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// The descriptor of an unranked memref is on the stack.

func.func @for_with_descriptor(%n: index, %s: index, %m: memref<4xf32>) {
  scf.for %i = %s to %n step %s {
    %u = memref.cast %m : memref<4xf32> to memref<*xf32>
    func.call @use(%u) : (memref<*xf32>) -> ()
  }
  return
}
func.func private @use(memref<*xf32>)

// CHECK:      func.func @for_with_descriptor(%n: index, %s: index, %m: memref<4xf32>) {
// CHECK-NEXT:   cf.br ^bb1(%s : index)
// CHECK-NEXT: ^bb1(%i: index):
// CHECK-NEXT:   %0 = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:   cf.cond_br %0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %1 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:   %u = memref.cast %m : memref<4xf32> to memref<*xf32>
// CHECK-NEXT:   func.call @use(%u) : (memref<*xf32>) -> ()
// CHECK-NEXT:   llvm.intr.stackrestore %1 : !llvm.ptr
// CHECK-NEXT:   %2 = arith.addi %i, %s : index
// CHECK-NEXT:   cf.br ^bb1(%2 : index)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @use(memref<*xf32>) -> ()

// -----

// The descriptor that an iteration passes on stays.

func.func @for_carries_descriptor(%n: index, %s: index, %m: memref<4xf32>, %v: memref<*xf32>) {
  %r = scf.for %i = %s to %n step %s iter_args(%a = %v) -> (memref<*xf32>) {
    %u = memref.cast %m : memref<4xf32> to memref<*xf32>
    scf.yield %u : memref<*xf32>
  }
  return
}

// CHECK:      func.func @for_carries_descriptor(%n: index, %s: index, %m: memref<4xf32>, %v: memref<*xf32>) {
// CHECK-NEXT:   cf.br ^bb1(%s, %v : index, memref<*xf32>)
// CHECK-NEXT: ^bb1(%i: index, %a: memref<*xf32>):
// CHECK-NEXT:   %0 = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:   cf.cond_br %0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %u = memref.cast %m : memref<4xf32> to memref<*xf32>
// CHECK-NEXT:   %1 = arith.addi %i, %s : index
// CHECK-NEXT:   cf.br ^bb1(%1, %u : index, memref<*xf32>)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @index_switch(%i: index, %a: i32, %b: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 2 {
    scf.yield %a : i32
  }
  case 5 {
    scf.yield %b : i32
  }
  default {
    %c = arith.addi %a, %b : i32
    scf.yield %c : i32
  }
  return %r : i32
}

// CHECK:      func.func @index_switch(%i: index, %a: i32, %b: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.index_cast %i : index to i64
// CHECK-NEXT:   cf.switch %0 : i64, [
// CHECK-NEXT:   default: ^bb1,
// CHECK-NEXT:     2: ^bb2,
// CHECK-NEXT:     5: ^bb3
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   %c = arith.addi %a, %b : i32
// CHECK-NEXT:   cf.br ^bb4(%c : i32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.br ^bb4(%a : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   cf.br ^bb4(%b : i32)
// CHECK-NEXT: ^bb4(%r: i32):
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }

// -----

func.func @execute_region(%c: i1, %a: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// CHECK:      func.func @execute_region(%c: i1, %a: i32) -> i32 {
// CHECK-NEXT:   cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   cf.cond_br %c, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.br ^bb4(%a : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   %b = arith.addi %a, %a : i32
// CHECK-NEXT:   cf.br ^bb4(%b : i32)
// CHECK-NEXT: ^bb4(%r: i32):
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }

// -----

// A parallel loop runs one iteration after the other and carries its reductions along.

func.func @parallel(%n: index, %s: index, %init: f32, %x: f32) -> f32 {
  %r = scf.parallel (%i, %j) = (%s, %s) to (%n, %n) step (%s, %s) init (%init) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %r : f32
}

// CHECK:      func.func @parallel(%n: index, %s: index, %init: f32, %x: f32) -> f32 {
// CHECK-NEXT:   cf.br ^bb1(%s, %init : index, f32)
// CHECK-NEXT: ^bb1(%i: index, %r: f32):
// CHECK-NEXT:   %0 = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:   cf.cond_br %0, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.br ^bb3(%s, %r : index, f32)
// CHECK-NEXT: ^bb3(%j: index, %a: f32):
// CHECK-NEXT:   %1 = arith.cmpi slt, %j, %n : index
// CHECK-NEXT:   cf.cond_br %1, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT:   %c = arith.mulf %a, %x : f32
// CHECK-NEXT:   %2 = arith.addi %j, %s : index
// CHECK-NEXT:   cf.br ^bb3(%2, %c : index, f32)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT:   %3 = arith.addi %i, %s : index
// CHECK-NEXT:   cf.br ^bb1(%3, %a : index, f32)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }

// -----

func.func @forall(%m: memref<4x?xf32>, %n: index, %x: f32) {
  scf.forall (%i, %j) in (4, %n) {
    memref.store %x, %m[%i, %j] : memref<4x?xf32>
  }
  return
}

// CHECK:      func.func @forall(%m: memref<4x?xf32>, %n: index, %x: f32) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 0 : index
// CHECK-NEXT:   %2 = arith.constant 4 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   %4 = arith.constant 1 : index
// CHECK-NEXT:   cf.br ^bb1(%0 : index)
// CHECK-NEXT: ^bb1(%i: index):
// CHECK-NEXT:   %5 = arith.cmpi slt, %i, %2 : index
// CHECK-NEXT:   cf.cond_br %5, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.br ^bb3(%1 : index)
// CHECK-NEXT: ^bb3(%j: index):
// CHECK-NEXT:   %6 = arith.cmpi slt, %j, %n : index
// CHECK-NEXT:   cf.cond_br %6, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT:   memref.store %x, %m[%i, %j] : memref<4x?xf32>
// CHECK-NEXT:   %7 = arith.addi %j, %4 : index
// CHECK-NEXT:   cf.br ^bb3(%7 : index)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT:   %8 = arith.addi %i, %3 : index
// CHECK-NEXT:   cf.br ^bb1(%8 : index)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// A scope of stack allocation has one block, so with a loop inside it is spelled out.

func.func @alloca_scope(%n: index, %x: f32) {
  memref.alloca_scope {
    %m = memref.alloca(%n) : memref<?xf32>
    scf.for %i = %n to %n step %n {
      memref.store %x, %m[%i] : memref<?xf32>
    }
    memref.alloca_scope.return
  }
  return
}

// CHECK:      func.func @alloca_scope(%n: index, %x: f32) {
// CHECK-NEXT:   %0 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:   cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   %m = memref.alloca(%n) : memref<?xf32>
// CHECK-NEXT:   cf.br ^bb2(%n : index)
// CHECK-NEXT: ^bb2(%i: index):
// CHECK-NEXT:   %1 = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:   cf.cond_br %1, ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   memref.store %x, %m[%i] : memref<?xf32>
// CHECK-NEXT:   %2 = arith.addi %i, %n : index
// CHECK-NEXT:   cf.br ^bb2(%2 : index)
// CHECK-NEXT: ^bb4:
// CHECK-NEXT:   llvm.intr.stackrestore %0 : !llvm.ptr
// CHECK-NEXT:   cf.br ^bb5
// CHECK-NEXT: ^bb5:
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
