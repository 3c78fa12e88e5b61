// RUN: xdsl-opt %s -p coalesce-copies --split-input-file | filecheck %s

// A loop that exchanges two buffers: after its copy, each is dead.

func.func @exchange(%n: index) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %new = %b) -> (memref<8xf64>, memref<8xf64>) {
    %x = memref.load %old[%c1] : memref<8xf64>
    memref.store %x, %new[%c0] : memref<8xf64>
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %new, %0 : memref<8xf64> to memref<8xf64>
    %1 = memref.alloc() : memref<8xf64>
    memref.copy %old, %1 : memref<8xf64> to memref<8xf64>
    scf.yield %0, %1 : memref<8xf64>, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @exchange(
// CHECK:         iter_args([[OLD:%.*]] = %{{.*}}, [[NEW:%.*]] = %{{.*}}) ->
// CHECK-NOT:     memref.copy
// CHECK:         scf.yield [[NEW]], [[OLD]] :

// -----

// An argument is copied in the iterations that have it; it is never written.

func.func @exchange_argument(%a: memref<8xf64, strided<[?], offset: ?>>, %n: index) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %new = %b) -> (memref<8xf64, strided<[?], offset: ?>>, memref<8xf64>) {
    %x = memref.load %old[%c1] : memref<8xf64, strided<[?], offset: ?>>
    memref.store %x, %new[%c0] : memref<8xf64>
    %1 = memref.alloc() : memref<8xf64>
    memref.copy %old, %1 : memref<8xf64, strided<[?], offset: ?>> to memref<8xf64>
    %2 = memref.cast %new : memref<8xf64> to memref<8xf64, strided<[?], offset: ?>>
    scf.yield %2, %1 : memref<8xf64, strided<[?], offset: ?>>, memref<8xf64>
  }
  return %r#1 : memref<8xf64>
}

// CHECK-LABEL: func.func @exchange_argument(
// CHECK-SAME:    [[A:%.*]]: memref
// CHECK:         iter_args([[OLD:%.*]] = [[A]], [[NEW:%.*]] = %{{.*}}) ->
// CHECK-DAG:     [[P:%.*]] = memref.extract_aligned_pointer_as_index [[OLD]]
// CHECK-DAG:     [[Q:%.*]] = memref.extract_aligned_pointer_as_index [[A]]
// CHECK:         [[OWN:%.*]] = arith.cmpi ne, [[P]], [[Q]] : index
// CHECK-NEXT:    [[F:%.*]] = scf.if [[OWN]] -> (memref<8xf64>) {
// CHECK-NEXT:      [[CAST:%.*]] = memref.cast [[OLD]]
// CHECK-NEXT:      scf.yield [[CAST]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      [[COPY:%.*]] = memref.alloc()
// CHECK-NEXT:      memref.copy [[OLD]], [[COPY]]
// CHECK-NEXT:      scf.yield [[COPY]]
// CHECK:         scf.yield %{{.*}}, [[F]] :

// -----

// In a while loop, the copies stand in front of the condition.

func.func @exchange_while(%c: i1) -> memref<8xf64> {
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %r:2 = scf.while (%x = %a, %y = %b) : (memref<8xf64>, memref<8xf64>) -> (memref<8xf64>, memref<8xf64>) {
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %x, %0 : memref<8xf64> to memref<8xf64>
    %1 = memref.alloc() : memref<8xf64>
    memref.copy %y, %1 : memref<8xf64> to memref<8xf64>
    %go = "test.op"() : () -> i1
    scf.condition(%go) %0, %1 : memref<8xf64>, memref<8xf64>
  } do {
  ^bb0(%old: memref<8xf64>, %new: memref<8xf64>):
    linalg.copy ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new, %old : memref<8xf64>, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @exchange_while(
// CHECK:         scf.while ([[X:%.*]] = %{{.*}}, [[Y:%.*]] = %{{.*}}) :
// CHECK-NOT:     memref.copy
// CHECK:         scf.condition(%{{.*}}) [[X]], [[Y]] :

// -----

// A branch that exchanges or does not: its results are different on each path.

func.func @exchange_if(%n: index, %c: i1) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xf64>, memref<8xf64>) {
    %q:2 = scf.if %c -> (memref<8xf64>, memref<8xf64>) {
      scf.yield %y, %x : memref<8xf64>, memref<8xf64>
    } else {
      scf.yield %x, %y : memref<8xf64>, memref<8xf64>
    }
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %q#0, %0 : memref<8xf64> to memref<8xf64>
    %1 = memref.alloc() : memref<8xf64>
    memref.copy %q#1, %1 : memref<8xf64> to memref<8xf64>
    scf.yield %0, %1 : memref<8xf64>, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @exchange_if(
// CHECK:         [[Q:%.*]], [[R:%.*]] = scf.if
// CHECK-NOT:     memref.copy
// CHECK:         scf.yield [[Q]], [[R]] :

// -----

// If both branches may give the same buffer, the first copy is made when they do.

func.func @not_different(%n: index, %c: i1) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xf64>, memref<8xf64>) {
    %q:2 = scf.if %c -> (memref<8xf64>, memref<8xf64>) {
      scf.yield %y, %y : memref<8xf64>, memref<8xf64>
    } else {
      scf.yield %x, %y : memref<8xf64>, memref<8xf64>
    }
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %q#0, %0 : memref<8xf64> to memref<8xf64>
    %1 = memref.alloc() : memref<8xf64>
    memref.copy %q#1, %1 : memref<8xf64> to memref<8xf64>
    scf.yield %0, %1 : memref<8xf64>, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @not_different(
// CHECK:         [[Q:%.*]], [[R:%.*]] = scf.if
// CHECK:         [[OWN:%.*]] = arith.cmpi ne,
// CHECK-NEXT:    [[F:%.*]] = scf.if [[OWN]]
// CHECK-NEXT:      scf.yield [[Q]] :
// CHECK:           memref.copy [[Q]],
// CHECK:         scf.yield [[F]], [[R]] :

// -----

// Two values that start as one buffer are the same in the first iteration.

func.func @same_initial_buffer(%n: index) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (memref<8xf64>, memref<8xf64>) {
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %x, %0 : memref<8xf64> to memref<8xf64>
    %1 = memref.alloc() : memref<8xf64>
    memref.copy %y, %1 : memref<8xf64> to memref<8xf64>
    scf.yield %1, %0 : memref<8xf64>, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @same_initial_buffer(
// CHECK:         iter_args([[X:%.*]] = %{{.*}}, [[Y:%.*]] = %{{.*}}) ->
// CHECK:         [[OWN:%.*]] = arith.cmpi ne,
// CHECK-NEXT:    [[F:%.*]] = scf.if [[OWN]]
// CHECK-NEXT:      scf.yield [[X]] :
// CHECK:           memref.copy [[X]],
// CHECK:         scf.yield [[Y]], [[F]] :

// -----

// The initial buffer is read after the loop, so that the loop must not write to it: the
// first iteration copies it.

func.func @read_after_loop(%n: index) -> (memref<8xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<8xf64>) {
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %x, %0 : memref<8xf64> to memref<8xf64>
    "test.op"(%0) : (memref<8xf64>) -> ()
    scf.yield %0 : memref<8xf64>
  }
  %v = memref.load %a[%c0] : memref<8xf64>
  return %r, %v : memref<8xf64>, f64
}

// CHECK-LABEL: func.func @read_after_loop(
// CHECK:         scf.for {{.*}} iter_args(%x = %a)
// CHECK-NEXT:      [[X:%.*]] = memref.extract_aligned_pointer_as_index %x :
// CHECK-NEXT:      [[A:%.*]] = memref.extract_aligned_pointer_as_index %a :
// CHECK-NEXT:      [[OWN:%.*]] = arith.cmpi ne, [[X]], [[A]] : index
// CHECK-NEXT:      %{{.*}} = scf.if [[OWN]]
// CHECK-NEXT:        scf.yield %x :
// CHECK:             memref.copy %x,

// -----

// Likewise, if the next iteration reads it.

func.func @read_in_next_iteration(%n: index) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<8xf64>) {
    %v = memref.load %a[%c0] : memref<8xf64>
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %x, %0 : memref<8xf64> to memref<8xf64>
    memref.store %v, %0[%c1] : memref<8xf64>
    scf.yield %0 : memref<8xf64>
  }
  return %r : memref<8xf64>
}

// CHECK-LABEL: func.func @read_in_next_iteration(
// CHECK:         {{.*}} = scf.if
// CHECK-NEXT:      scf.yield %x :
// CHECK:           memref.copy %x,

// -----

// A view of the buffer is read after the copy.

func.func @view_is_read(%n: index) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<8xf64>) {
    %view = memref.subview %x[4] [2] [1] : memref<8xf64> to memref<2xf64, strided<[1], offset: 4>>
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %x, %0 : memref<8xf64> to memref<8xf64>
    "test.op"(%0) : (memref<8xf64>) -> ()
    %v = memref.load %view[%c0] : memref<2xf64, strided<[1], offset: 4>>
    memref.store %v, %0[%c1] : memref<8xf64>
    scf.yield %0 : memref<8xf64>
  }
  return %r : memref<8xf64>
}

// CHECK-LABEL: func.func @view_is_read(
// CHECK:         memref.copy

// -----

// A part of a buffer is not a buffer.

func.func @part() -> memref<2xf64> {
  %a = memref.alloc() : memref<8xf64>
  "test.op"(%a) : (memref<8xf64>) -> ()
  %view = memref.subview %a[0] [2] [1] : memref<8xf64> to memref<2xf64, strided<[1]>>
  %0 = memref.alloc() : memref<2xf64>
  memref.copy %view, %0 : memref<2xf64, strided<[1]>> to memref<2xf64>
  return %0 : memref<2xf64>
}

// CHECK-LABEL: func.func @part(
// CHECK:         memref.copy

// -----

// What is kept in memory may be read from there.

func.func @kept(%table: memref<1xmemref<8xf64>>, %i: index) -> (memref<8xf64>, f64) {
  %a = memref.alloc() : memref<8xf64>
  memref.store %a, %table[%i] : memref<1xmemref<8xf64>>
  %0 = memref.alloc() : memref<8xf64>
  memref.copy %a, %0 : memref<8xf64> to memref<8xf64>
  "test.op"(%0) : (memref<8xf64>) -> ()
  %b = memref.load %table[%i] : memref<1xmemref<8xf64>>
  %v = memref.load %b[%i] : memref<8xf64>
  return %0, %v : memref<8xf64>, f64
}

// CHECK-LABEL: func.func @kept(
// CHECK:         memref.copy

// -----

// Iterations that run at the same time need buffers of their own.

func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.alloc() : memref<8xf64>
    memref.copy %a, %0 : memref<8xf64> to memref<8xf64>
    "test.op"(%0) : (memref<8xf64>) -> ()
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @parallel(
// CHECK:         memref.copy

// -----

// A copy chain ends in one buffer.

func.func @chain() -> memref<8xf64> {
  %a = memref.alloc() : memref<8xf64>
  "test.op"(%a) : (memref<8xf64>) -> ()
  %b = memref.alloc() : memref<8xf64>
  memref.copy %a, %b : memref<8xf64> to memref<8xf64>
  "test.op"(%b) : (memref<8xf64>) -> ()
  %c = memref.alloc() : memref<8xf64>
  memref.copy %b, %c : memref<8xf64> to memref<8xf64>
  "test.op"(%c) : (memref<8xf64>) -> ()
  return %c : memref<8xf64>
}

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    [[A:%.*]] = memref.alloc()
// CHECK-NEXT:    "test.op"([[A]])
// CHECK-NEXT:    "test.op"([[A]])
// CHECK-NEXT:    "test.op"([[A]])
// CHECK-NEXT:    func.return [[A]]

// -----

// Buffers of another alignment or memory space are others.

func.func @unlike() -> memref<8xf64> {
  %a = memref.alloc() {alignment = 16 : i64} : memref<8xf64>
  "test.op"(%a) : (memref<8xf64>) -> ()
  %b = memref.alloc() {alignment = 64 : i64} : memref<8xf64>
  memref.copy %a, %b : memref<8xf64> to memref<8xf64>
  return %b : memref<8xf64>
}

// CHECK-LABEL: func.func @unlike(
// CHECK:         memref.copy

// -----

// Branches between blocks.

func.func @blocks(%n: index, %c: i1) -> memref<8xf64> {
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  cf.br ^loop(%a, %b : memref<8xf64>, memref<8xf64>)
^loop(%x: memref<8xf64>, %y: memref<8xf64>):
  "test.op"(%x, %y) : (memref<8xf64>, memref<8xf64>) -> ()
  %0 = memref.alloc() : memref<8xf64>
  memref.copy %x, %0 : memref<8xf64> to memref<8xf64>
  %1 = memref.alloc() : memref<8xf64>
  memref.copy %y, %1 : memref<8xf64> to memref<8xf64>
  cf.cond_br %c, ^loop(%1, %0 : memref<8xf64>, memref<8xf64>), ^exit
^exit:
  return %1 : memref<8xf64>
}

// CHECK-LABEL: func.func @blocks(
// CHECK:       ^{{.*}}([[X:%.*]]: memref<8xf64>, [[Y:%.*]]: memref<8xf64>):
// CHECK-NOT:     memref.copy
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}([[Y]], [[X]] :

// -----

// One of two arguments, or an allocation.

func.func @two_arguments(%a: memref<8xf64>, %b: memref<8xf64>, %c: i1, %d: i1) -> memref<8xf64> {
  %e = memref.alloc() : memref<8xf64>
  %0 = arith.select %c, %a, %b : memref<8xf64>
  %1 = arith.select %d, %0, %e : memref<8xf64>
  %f = memref.alloc() : memref<8xf64>
  memref.copy %1, %f : memref<8xf64> to memref<8xf64>
  return %f : memref<8xf64>
}

// CHECK-LABEL: func.func @two_arguments(
// CHECK:         [[L:%.*]] = arith.cmpi ne,
// CHECK:         [[R:%.*]] = arith.cmpi ne,
// CHECK-NEXT:    [[OWN:%.*]] = arith.andi [[L]], [[R]] : i1
// CHECK-NEXT:    %{{.*}} = scf.if [[OWN]]

// -----

// The copy is in another block than the arguments that the loop exchanges. What %w and %x
// are is compared where the first is defined, after the second.

func.func @inner_block(%n: index, %m: index) -> memref<8xf64> {
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  cf.br ^head(%a, %b, %n : memref<8xf64>, memref<8xf64>, index)
^head(%x: memref<8xf64>, %y: memref<8xf64>, %k: index):
  %more = arith.cmpi slt, %k, %m : index
  cf.cond_br %more, ^body, ^exit
^body:
  %w = memref.alloc() : memref<8xf64>
  memref.copy %y, %w : memref<8xf64> to memref<8xf64>
  "test.op"(%x, %w, %k) : (memref<8xf64>, memref<8xf64>, index) -> ()
  %j = arith.addi %k, %n : index
  cf.br ^head(%w, %x, %j : memref<8xf64>, memref<8xf64>, index)
^exit:
  return %x : memref<8xf64>
}

// CHECK-LABEL: func.func @inner_block(
// CHECK:       ^{{.*}}([[X:%.*]]: memref<8xf64>, [[Y:%.*]]: memref<8xf64>,
// CHECK-NOT:     memref.copy
// CHECK:         cf.br ^{{.*}}([[Y]], [[X]],

// -----

// Both arguments may be the same buffer after an iteration: the copied one is read.

func.func @same_buffer(%n: index, %m: index) -> memref<8xf64> {
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  cf.br ^head(%a, %b, %n : memref<8xf64>, memref<8xf64>, index)
^head(%x: memref<8xf64>, %y: memref<8xf64>, %k: index):
  %more = arith.cmpi slt, %k, %m : index
  cf.cond_br %more, ^body, ^exit
^body:
  %w = memref.alloc() : memref<8xf64>
  memref.copy %y, %w : memref<8xf64> to memref<8xf64>
  "test.op"(%x, %w, %k) : (memref<8xf64>, memref<8xf64>, index) -> ()
  %j = arith.addi %k, %n : index
  cf.br ^head(%w, %w, %j : memref<8xf64>, memref<8xf64>, index)
^exit:
  return %x : memref<8xf64>
}

// CHECK-LABEL: func.func @same_buffer(
// CHECK:         memref.copy

// -----

// %nb is used later. It is the buffer of %x only in some iterations: the others do not copy.

func.func @best_state(%n: index, %v: f64) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %best = %b)
      -> (memref<8xf64>, memref<8xf64>) {
    %better = "test.op"(%x, %best) : (memref<8xf64>, memref<8xf64>) -> i1
    %nb = arith.select %better, %x, %best : memref<8xf64>
    %f = memref.alloc() : memref<8xf64>
    memref.copy %x, %f : memref<8xf64> to memref<8xf64>
    memref.store %v, %f[%i] : memref<8xf64>
    scf.yield %f, %nb : memref<8xf64>, memref<8xf64>
  }
  return %r#1 : memref<8xf64>
}

// CHECK-LABEL: func.func @best_state(
// CHECK:         %nb = arith.select %better, %x, %best
// CHECK-NEXT:    [[X:%.*]] = memref.extract_aligned_pointer_as_index %x :
// CHECK-NEXT:    [[B:%.*]] = memref.extract_aligned_pointer_as_index %nb :
// CHECK-NEXT:    [[OWN:%.*]] = arith.cmpi ne, [[X]], [[B]] : index
// CHECK-NEXT:    %f = scf.if [[OWN]] -> (memref<8xf64>) {
// CHECK-NEXT:      scf.yield %x : memref<8xf64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      [[NEW:%.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      memref.copy %x, [[NEW]]
// CHECK-NEXT:      scf.yield [[NEW]] : memref<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %v, %f[%i]
// CHECK-NEXT:    scf.yield %f, %nb

// -----

// The pointer of a part does not tell whether it is a part of the source.

func.func @part_is_used(%n: index, %v: f64, %c: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %pa = memref.subview %a[4] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: 4>>
  %pb = memref.subview %b[4] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: 4>>
  %p = arith.select %c, %pa, %pb : memref<4xf64, strided<[1], offset: 4>>
  %f = memref.alloc() : memref<8xf64>
  memref.copy %a, %f : memref<8xf64> to memref<8xf64>
  memref.store %v, %f[%n] : memref<8xf64>
  %s = memref.load %p[%c0] : memref<4xf64, strided<[1], offset: 4>>
  %t = memref.load %f[%c0] : memref<8xf64>
  %u = arith.addf %s, %t : f64
  return %u : f64
}

// CHECK-LABEL: func.func @part_is_used(
// CHECK-NOT:     scf.if
// CHECK:         memref.copy %a, %f

// -----

// What is always the source is not compared with it.

func.func @same_memory(%n: index, %v: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf64>
  %p = memref.cast %a : memref<8xf64> to memref<?xf64>
  %f = memref.alloc() : memref<8xf64>
  memref.copy %a, %f : memref<8xf64> to memref<8xf64>
  memref.store %v, %f[%n] : memref<8xf64>
  %s = memref.load %p[%c0] : memref<?xf64>
  %t = memref.load %f[%c0] : memref<8xf64>
  %u = arith.addf %s, %t : f64
  return %u : f64
}

// CHECK-LABEL: func.func @same_memory(
// CHECK-NOT:     scf.if
// CHECK:         memref.copy %a, %f

// -----

// The second copy would be compared with %f, which is gone with the first one.

func.func @copied_twice(%n: index, %v: f64) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %d = memref.alloc() : memref<8xf64>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %d)
      -> (memref<8xf64>, memref<8xf64>, memref<8xf64>) {
    %c = "test.op"(%x, %y, %z) : (memref<8xf64>, memref<8xf64>, memref<8xf64>) -> i1
    %f = memref.alloc() : memref<8xf64>
    memref.copy %x, %f : memref<8xf64> to memref<8xf64>
    %q = arith.select %c, %f, %y : memref<8xf64>
    %g = memref.alloc() : memref<8xf64>
    memref.copy %q, %g : memref<8xf64> to memref<8xf64>
    memref.store %v, %g[%i] : memref<8xf64>
    scf.yield %f, %g, %z : memref<8xf64>, memref<8xf64>, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @copied_twice(
// CHECK-NOT:     memref.copy
// CHECK:         %q = arith.select %c, %x, %y
// CHECK-NOT:     scf.if
// CHECK:         memref.copy %q, %g
// CHECK-NOT:     memref.copy
// CHECK:         scf.yield %x, %g, %z

// -----

// A copy that only a select uses is made if it is selected. What is copied is updated later.

func.func @selected(%better: i1, %n: index, %v: f64, %best: memref<8xf64>)
    -> (memref<8xf64>, memref<?xf64>) {
  %x = memref.alloc() : memref<8xf64>
  %f = memref.alloc() : memref<8xf64>
  memref.copy %x, %f : memref<8xf64> to memref<8xf64>
  %0 = memref.cast %f : memref<8xf64> to memref<?xf64>
  %b = memref.cast %best : memref<8xf64> to memref<?xf64>
  %nb = arith.select %better, %b, %0 : memref<?xf64>
  memref.store %v, %x[%n] : memref<8xf64>
  return %x, %nb : memref<8xf64>, memref<?xf64>
}

// CHECK-LABEL: func.func @selected(
// CHECK:         %nb = scf.if %better -> (memref<?xf64>) {
// CHECK-NEXT:      scf.yield %b : memref<?xf64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %f = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      memref.copy %x, %f
// CHECK-NEXT:      [[F:%.*]] = memref.cast %f
// CHECK-NEXT:      scf.yield [[F]] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %v, %x[%n]

// -----

// The copy holds what %x was before the store.

func.func @updated_before(%better: i1, %n: index, %v: f64, %best: memref<8xf64>)
    -> (memref<8xf64>, memref<8xf64>) {
  %x = memref.alloc() : memref<8xf64>
  %f = memref.alloc() : memref<8xf64>
  memref.copy %x, %f : memref<8xf64> to memref<8xf64>
  memref.store %v, %x[%n] : memref<8xf64>
  %nb = arith.select %better, %f, %best : memref<8xf64>
  return %x, %nb : memref<8xf64>, memref<8xf64>
}

// CHECK-LABEL: func.func @updated_before(
// CHECK:         memref.copy %x, %f
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    arith.select

// -----

// A reshape keeps all elements: the collapsed buffer, dead after the copy in ^bb2, becomes it.

func.func @collapsed(%c: i1, %i: index, %x: i32) -> i32 {
  %0 = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%0 : memref<4x4xi32>)
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<4x4xi32> into memref<16xi32>
  cf.cond_br %c, ^bb1, ^bb2(%1 : memref<16xi32>)
^bb1:
  return %x : i32
^bb2(%2: memref<16xi32>):
  %3 = memref.alloc() : memref<16xi32>
  memref.copy %2, %3 : memref<16xi32> to memref<16xi32>
  memref.store %x, %3[%i] : memref<16xi32>
  %4 = memref.load %3[%i] : memref<16xi32>
  return %4 : i32
}

// CHECK-LABEL: func.func @collapsed(
// CHECK:       ^bb2(%2: memref<16xi32>):
// CHECK-NEXT:    memref.store %x, %2[%i]

// -----

// A part of a buffer does not become the copy, reshaped or not.

func.func @part(%i: index, %x: i32) -> i32 {
  %0 = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%0 : memref<4x4xi32>)
  %1 = memref.subview %0[1, 0] [2, 4] [1, 1] : memref<4x4xi32> to memref<2x4xi32, strided<[4, 1], offset: 4>>
  %2 = memref.collapse_shape %1 [[0, 1]] : memref<2x4xi32, strided<[4, 1], offset: 4>> into memref<8xi32, strided<[1], offset: 4>>
  %3 = memref.alloc() : memref<8xi32>
  memref.copy %2, %3 : memref<8xi32, strided<[1], offset: 4>> to memref<8xi32>
  memref.store %x, %3[%i] : memref<8xi32>
  %4 = memref.load %3[%i] : memref<8xi32>
  return %4 : i32
}

// CHECK-LABEL: func.func @part(
// CHECK:         memref.copy
