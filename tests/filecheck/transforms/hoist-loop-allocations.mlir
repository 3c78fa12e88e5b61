// RUN: xdsl-opt %s -p hoist-loop-allocations --split-input-file | filecheck %s

// A loop that may run no iteration allocates only if it runs one.

func.func @may_not_run(%n: index, %m: memref<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
    %t = memref.alloc() : memref<8xf64>
    memref.copy %m, %t : memref<8xf64> to memref<8xf64>
    %v = memref.load %t[%c1] : memref<8xf64>
    %q = arith.addf %v, %s : f64
    memref.dealloc %t : memref<8xf64>
    scf.yield %q : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @may_not_run(
// CHECK:         [[RUNS:%.*]] = arith.cmpi slt, %c0, %n : index
// CHECK-NEXT:    [[R:%.*]] = scf.if [[RUNS]] -> (f64) {
// CHECK-NEXT:      [[T:%.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      [[L:%.*]] = scf.for
// CHECK-NOT:         memref.alloc
// CHECK:           memref.dealloc [[T]]
// CHECK-NEXT:      scf.yield [[L]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %z : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[R]]

// -----

// Where it surely runs, there is no branch. The size is defined outside of the loop.

func.func @runs(%n: index, %m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %t = memref.alloc(%n) : memref<?xf64>
    memref.copy %m, %t : memref<?xf64> to memref<?xf64>
    "test.op"(%t) : (memref<?xf64>) -> ()
    memref.dealloc %t : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @runs(
// CHECK-NOT:     scf.if
// CHECK:         [[T:%.*]] = memref.alloc(%n)
// CHECK-NEXT:    scf.for
// CHECK:         }
// CHECK-NEXT:    memref.dealloc [[T]]
// CHECK-NEXT:    func.return

// -----

// Bounds of an unsigned loop are compared as such.

func.func @unsigned(%n: i8, %m: memref<8xf64>) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  scf.for unsigned %i = %c0 to %n step %c1 : i8 {
    %t = memref.alloc() : memref<8xf64>
    "test.op"(%t) : (memref<8xf64>) -> ()
    memref.dealloc %t : memref<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @unsigned(
// CHECK:         arith.cmpi ult, %c0, %n : i8

// -----

// A size that varies.

func.func @varies(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%i) : memref<?xf64>
    "test.op"(%t) : (memref<?xf64>) -> ()
    memref.dealloc %t : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @varies(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc

// -----

// What an iteration frees conditionally, or the next one gets, stays.

func.func @escapes(%n: index, %c: i1) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<8xf64>) {
    %t = memref.alloc() : memref<8xf64>
    "test.op"(%t) : (memref<8xf64>) -> ()
    memref.dealloc %x : memref<8xf64>
    scf.yield %t : memref<8xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<8xf64>
    scf.if %c {
      memref.dealloc %t : memref<8xf64>
    }
  }
  return %r : memref<8xf64>
}

// CHECK-LABEL: func.func @escapes(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc

// -----

// After a call, which may allocate and free, it would raise the peak of memory in use.

func.func private @f()

func.func @after_call(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @f() : () -> ()
    %t = memref.alloc() : memref<8xf64>
    "test.op"(%t) : (memref<8xf64>) -> ()
    memref.dealloc %t : memref<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @after_call(
// CHECK:         scf.for
// CHECK-NEXT:      func.call
// CHECK-NEXT:      memref.alloc

// -----

// After a call of a function that allocates nothing.

func.func private @pure(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @after_a_call_without_memory(
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK-NEXT:      func.call @pure
func.func @after_a_call_without_memory(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %y = func.call @pure(%x) : (f32) -> f32
    %0 = memref.alloc() : memref<8xf32>
    memref.store %y, %0[%i] : memref<8xf32>
    memref.dealloc %0 : memref<8xf32>
  }
  return
}

// -----

// Out of both loops, if an iteration of the outer one has no other buffers.

// CHECK-LABEL: func.func @nested(
// CHECK:         memref.alloc
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK:         memref.dealloc
// CHECK-NEXT:    func.return
func.func @nested(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %l = %c0 to %c4 step %c1 {
      %0 = memref.alloc() : memref<8xf32>
      memref.store %x, %0[%i] : memref<8xf32>
      memref.dealloc %0 : memref<8xf32>
    }
  }
  return
}

// -----

// Two loops one after the other: the outer loop would have both buffers at a time.

// CHECK-LABEL: func.func @one_after_the_other(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
// CHECK-NEXT:      scf.for
// CHECK:           memref.dealloc
// CHECK:           memref.alloc
// CHECK-NEXT:      scf.for
// CHECK:           memref.dealloc
func.func @one_after_the_other(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %l = %c0 to %c4 step %c1 {
      %0 = memref.alloc() : memref<8xf32>
      memref.store %x, %0[%i] : memref<8xf32>
      memref.dealloc %0 : memref<8xf32>
    }
    scf.for %l = %c0 to %c4 step %c1 {
      %0 = memref.alloc() : memref<8xf64>
      %y = arith.extf %x : f32 to f64
      memref.store %y, %0[%i] : memref<8xf64>
      memref.dealloc %0 : memref<8xf64>
    }
  }
  return
}

// -----

// The second region of scf.while may never run. Whether it does is asked before the loop.

func.func @while(%n: index, %m: memref<8xf64>, %x: memref<f64>) -> (index, f64) {
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %n) : (index) -> (index, f64) {
    %v = memref.load %x[] : memref<f64>
    %go = arith.cmpi ugt, %i, %c1 : index
    scf.condition(%go) %i, %v : index, f64
  } do {
  ^bb0(%i: index, %v: f64):
    %t = memref.alloc() : memref<8xf64>
    memref.copy %m, %t : memref<8xf64> to memref<8xf64>
    %w = memref.load %t[%c1] : memref<8xf64>
    memref.store %w, %x[] : memref<f64>
    %j = arith.subi %i, %c1 : index
    memref.dealloc %t : memref<8xf64>
    scf.yield %j : index
  }
  return %r#0, %r#1 : index, f64
}

// CHECK-LABEL: func.func @while(
// CHECK:         [[V:%.*]] = memref.load %x[] : memref<f64>
// CHECK-NEXT:    [[RUNS:%.*]] = arith.cmpi ugt, %n, %c1 : index
// CHECK-NEXT:    [[R:%.*]], [[S:%.*]] = scf.if [[RUNS]] -> (index, f64) {
// CHECK-NEXT:      [[T:%.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      [[I:%.*]], [[L:%.*]] = scf.while (
// CHECK-NOT:         memref.alloc
// CHECK:           memref.dealloc [[T]]
// CHECK-NEXT:      scf.yield [[I]], [[L]] : index, f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %n, [[V]] : index, f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[R]], [[S]]

// -----

// The first region always runs.

func.func @before(%m: memref<8xf64>) {
  %c1 = arith.constant 1 : index
  scf.while : () -> () {
    %t = memref.alloc() : memref<8xf64>
    memref.copy %m, %t : memref<8xf64> to memref<8xf64>
    %go = "test.op"(%t) : (memref<8xf64>) -> i1
    memref.dealloc %t : memref<8xf64>
    scf.condition(%go)
  } do {
    "test.op"() : () -> ()
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @before(
// CHECK-NOT:     scf.if
// CHECK:         [[T:%.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:    scf.while
// CHECK-NOT:     memref.dealloc
// CHECK:           scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc [[T]]

// -----

// Not: where both regions allocate, which they do one after the other; where the condition is
// costly or has effects; a size that varies; loops whose iterations may run at the same time.

func.func @not(%m: memref<8xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.while : () -> () {
    %t = memref.alloc() : memref<8xf64>
    %go = "test.op"(%t) : (memref<8xf64>) -> i1
    memref.dealloc %t : memref<8xf64>
    scf.condition(%go)
  } do {
    %u = memref.alloc() : memref<4xf64>
    "test.op"(%u) : (memref<4xf64>) -> ()
    memref.dealloc %u : memref<4xf64>
    scf.yield
  }
  scf.while : () -> () {
    %go = "test.op"() : () -> i1
    scf.condition(%go)
  } do {
    %u = memref.alloc() : memref<5xf64>
    "test.op"(%u) : (memref<5xf64>) -> ()
    memref.dealloc %u : memref<5xf64>
    scf.yield
  }
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi ugt, %i, %c1 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %u = memref.alloc(%i) : memref<?xf64>
    "test.op"(%u) : (memref<?xf64>) -> ()
    %j = arith.subi %i, %c1 : index
    memref.dealloc %u : memref<?xf64>
    scf.yield %j : index
  }
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
    %u = memref.alloc() : memref<6xf64>
    "test.op"(%u) : (memref<6xf64>) -> ()
    memref.dealloc %u : memref<6xf64>
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @not(
// CHECK:         scf.while
// CHECK-NEXT:      memref.alloc() : memref<8xf64>
// CHECK:         } do {
// CHECK-NEXT:      memref.alloc() : memref<4xf64>
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NEXT:      memref.alloc() : memref<5xf64>
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      memref.alloc(
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloc() : memref<6xf64>

// A size that each iteration computes from values of outside. A size that is loaded may
// change, and a division must not be executed if there is no iteration.

func.func @computed_size(%m: memref<?xf64>, %x: memref<index>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %d = memref.dim %m, %c0 : memref<?xf64>
    %e = arith.addi %d, %c1 : index
    %u = memref.alloc(%e) : memref<?xf64>
    "test.op"(%u) : (memref<?xf64>) -> ()
    memref.dealloc %u : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %l = memref.load %x[] : memref<index>
    %u = memref.alloc(%l) : memref<?xf64>
    "test.op"(%u) : (memref<?xf64>) -> ()
    memref.dealloc %u : memref<?xf64>
    %q = arith.divui %l, %n : index
    %v = memref.alloc(%q) : memref<?xf64>
    "test.op"(%v) : (memref<?xf64>) -> ()
    memref.dealloc %v : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @computed_size(
// CHECK:         %[[D:.*]] = memref.dim %m, %c0
// CHECK-NEXT:    %[[E:.*]] = arith.addi %[[D]], %c1
// CHECK-NEXT:    memref.alloc(%[[E]])
// CHECK-NEXT:    scf.for
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK-NEXT:      memref.alloc
// CHECK:           arith.divui
// CHECK-NEXT:      memref.alloc

// -----

// No buffer lives where more would be live than before: %t was freed before %new is
// allocated, and %old is live then as well. Nor before what else an iteration allocates
// later, or may allocate.

func.func @freed_before_the_next(%n: index, %x: i32) -> memref<48xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<48xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<48xi32>) {
    %t = memref.alloc() : memref<40xi32>
    memref.store %x, %t[%c1] : memref<40xi32>
    memref.dealloc %t : memref<40xi32>
    %new = memref.alloc() : memref<48xi32>
    memref.store %x, %new[%c0] : memref<48xi32>
    memref.dealloc %old : memref<48xi32>
    scf.yield %new : memref<48xi32>
  }
  return %r : memref<48xi32>
}

// CHECK-LABEL: func.func @freed_before_the_next(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc() : memref<40xi32>

func.func private @f()

func.func @freed_before_a_call(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<8xf64>
    "test.op"(%t) : (memref<8xf64>) -> ()
    memref.dealloc %t : memref<8xf64>
    func.call @f() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @freed_before_a_call(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc

// Both calls need the same, and the buffer is live during the first.

func.func private @g(%x: f64) {
  %t = memref.alloc() : memref<f64>
  memref.store %x, %t[] : memref<f64>
  memref.dealloc %t : memref<f64>
  return
}

func.func @between_equal_calls(%x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %t = memref.alloc(%n) : memref<?xf64>
    func.call @g(%x) : (f64) -> ()
    "test.op"(%t) : (memref<?xf64>) -> ()
    memref.dealloc %t : memref<?xf64>
    func.call @g(%x) : (f64) -> ()
  }
  return
}

// CHECK-LABEL: func.func @between_equal_calls(
// CHECK:         memref.alloc(%n)
// CHECK-NEXT:    scf.for

// Equal buffers that are live in turn become one. A smaller one that is live beside
// another one anyway moves as well.

func.func @in_turn(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %s = memref.alloc() : memref<2xf64>
    %t = memref.alloc(%n) : memref<?xf64>
    "test.op"(%s, %t) : (memref<2xf64>, memref<?xf64>) -> ()
    memref.dealloc %t : memref<?xf64>
    %u = memref.alloc(%n) : memref<?xf64>
    "test.op"(%u) : (memref<?xf64>) -> ()
    memref.dealloc %u : memref<?xf64>
    memref.dealloc %s : memref<2xf64>
  }
  return
}

// CHECK-LABEL: func.func @in_turn(
// CHECK:         %[[S:.*]] = memref.alloc() : memref<2xf64>
// CHECK-NEXT:    %[[T:.*]] = memref.alloc(%n)
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      "test.op"(%[[S]], %[[T]])
// CHECK-NEXT:      "test.op"(%[[T]])
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[S]]
// CHECK-NEXT:    memref.dealloc %[[T]]
// CHECK-NEXT:    func.return
