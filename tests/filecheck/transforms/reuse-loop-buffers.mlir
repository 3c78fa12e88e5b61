// RUN: xdsl-opt %s -p reuse-loop-buffers --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'reuse-loop-buffers{allocate-in-loops=false}' --split-input-file | filecheck %s --check-prefix=BEFORE
// RUN: xdsl-opt %s -p 'reuse-loop-buffers,buffer-deallocation-pipeline{static-ownership},verify-deallocation' --split-input-file | filecheck %s --check-prefix=FREED

// CHECK-LABEL: func.func @two_in_turn
// CHECK: %new = memref.alloc(%m)
// CHECK: scf.for {{.*}} iter_args(%old = %a, %new_1 = %new)
// CHECK-NEXT: linalg.exp ins(%old : memref<?xf64>) outs(%new_1 : memref<?xf64>)
// CHECK-NEXT: scf.yield %new_1, %old
// FREED-LABEL: func.func @two_in_turn
// FREED-NOT: scf.if
// FREED: memref.dealloc
// FREED: memref.dealloc
// FREED-NEXT: return
func.func @two_in_turn(%x: f64, %m: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc(%m) : memref<?xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<?xf64>)
  %r = scf.for %k = %c0 to %c9 step %c1 iter_args(%old = %a) -> (memref<?xf64>) {
    %new = memref.alloc(%m) : memref<?xf64>
    linalg.exp ins(%old : memref<?xf64>) outs(%new : memref<?xf64>)
    scf.yield %new : memref<?xf64>
  }
  %y = memref.load %r[%i] : memref<?xf64>
  return %y : f64
}

// -----

// There may be no iteration: then there is no second buffer.

// CHECK-LABEL: func.func @any_number_of_iterations
// CHECK: arith.cmpi slt, %c0, %n : index
// CHECK: scf.if %{{.*}} -> (memref<8xf64>) {
// CHECK-NEXT: %new = memref.alloc() : memref<8xf64>
// CHECK-NEXT: scf.yield %new
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %a
// CHECK: iter_args(%old = %a, %new_1 = %{{.*}})
// BEFORE-LABEL: func.func @any_number_of_iterations
// BEFORE: iter_args(%old = %a, %new_1 = %{{.*}})
// FREED-LABEL: func.func @any_number_of_iterations
// FREED: scf.for
// FREED-NOT: memref.dealloc
// FREED: scf.yield
func.func @any_number_of_iterations(%x: f64, %n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  %y = memref.load %r[%i] : memref<8xf64>
  return %y : f64
}

// -----

// The loop starts with an argument, which must not be overwritten.

// CHECK-LABEL: func.func @argument
// CHECK: iter_args(%old = %a, %[[SPARE:[0-9]+]] = %a, %[[HAS:[0-9]+]] = %{{.*}}, %[[OWN:[0-9]+]] = %{{.*}})
// CHECK: %new = scf.if %[[HAS]] -> (memref<8xf64>) {
// CHECK: memref.cast %[[SPARE]]
// CHECK: } else {
// CHECK: memref.alloc
// CHECK: }
// CHECK: %[[YES:[0-9]+]] = arith.constant true
// CHECK: scf.yield %cast, %old, %[[OWN]], %[[YES]]
// BEFORE-LABEL: func.func @argument
// BEFORE: iter_args(%old = %a) ->
// BEFORE-NEXT: memref.alloc
// FREED-LABEL: func.func @argument
func.func @argument(%a: memref<8xf64, strided<[?], offset: ?>>, %n: index, %i: index)
    -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %a)
      -> (memref<8xf64, strided<[?], offset: ?>>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64, strided<[?], offset: ?>>)
        outs(%new : memref<8xf64>)
    %cast = memref.cast %new : memref<8xf64> to memref<8xf64, strided<[?], offset: ?>>
    scf.yield %cast : memref<8xf64, strided<[?], offset: ?>>
  }
  %y = memref.load %r[%i] : memref<8xf64, strided<[?], offset: ?>>
  return %y : f64
}

// -----

// The buffer that the loop starts with is read after it: it is no spare. The loop has two,
// or one as soon as it has allocated one.

// CHECK-LABEL: func.func @read_afterwards
// CHECK: linalg.fill
// CHECK-NEXT: %[[B:.*]] = memref.alloc()
// CHECK-NEXT: %[[C:.*]] = memref.alloc()
// CHECK-NEXT: scf.for {{.*}} iter_args(%old = %a, %[[SPARE:.*]] = %[[B]], %[[NEXT:.*]] = %[[C]])
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp {{.*}} outs(%[[SPARE]]
// CHECK-NEXT: scf.yield %[[SPARE]], %[[NEXT]], %[[SPARE]]
// CHECK: memref.load %a
// FREED-LABEL: func.func @read_afterwards
// FREED-COUNT-3: memref.alloc
// FREED-NOT: memref.alloc
// FREED-COUNT-3: memref.dealloc
// FREED: return
// CHECK-LABEL: func.func @read_afterwards_of_any_length
// CHECK: scf.if %{{.*}} -> (memref<8xf64>)
// CHECK: memref.load %a
// FREED-LABEL: func.func @read_afterwards_of_any_length
func.func @read_afterwards(%x: f64, %n: index, %i: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %r = scf.for %k = %c0 to %c9 step %c1 iter_args(%old = %a) -> (memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  %y = memref.load %r[%i] : memref<8xf64>
  %z = memref.load %a[%i] : memref<8xf64>
  return %y, %z : f64, f64
}
func.func @read_afterwards_of_any_length(%x: f64, %n: index, %i: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  %y = memref.load %r[%i] : memref<8xf64>
  %z = memref.load %a[%i] : memref<8xf64>
  return %y, %z : f64, f64
}

// -----

// The buffer that dies is older: three take turns.

// CHECK-LABEL: func.func @older
// CHECK: scf.for {{.*}} iter_args(%p = %a, %q = %b, %new_1 = %{{.*}})
// CHECK-NEXT: linalg.add ins(%p, %q : memref<8xf64>, memref<8xf64>) outs(%new_1
// CHECK-NEXT: scf.yield %new_1, %p, %q
// FREED-LABEL: func.func @older
func.func @older(%x: f64, %n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %b = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%b : memref<8xf64>)
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<8xf64>, memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.add ins(%p, %q : memref<8xf64>, memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new, %p : memref<8xf64>, memref<8xf64>
  }
  %y = memref.load %r#1[%i] : memref<8xf64>
  return %y : f64
}

// -----

// Not reused: both buffers live on; the size varies; a call needs memory before the
// allocation; the yielded buffer is a part of the new one.

// CHECK-LABEL: func.func @both_live_on
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
// FREED-LABEL: func.func @both_live_on
func.func @both_live_on(%x: f64, %n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %b = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%b : memref<8xf64>)
  %d = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%d : memref<8xf64>)
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<8xf64>, memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    %less = arith.cmpi slt, %k, %c1 : index
    linalg.add ins(%p, %q : memref<8xf64>, memref<8xf64>) outs(%new : memref<8xf64>)
    %s = arith.select %less, %p, %q : memref<8xf64>
    scf.yield %new, %s : memref<8xf64>, memref<8xf64>
  }
  %y = memref.load %r#1[%i] : memref<8xf64>
  return %y : f64
}

// CHECK-LABEL: func.func @cast_lives_on
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
// FREED-LABEL: func.func @cast_lives_on
func.func @cast_lives_on(%x: f64, %n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %b = memref.cast %a : memref<8xf64> to memref<?xf64>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<8xf64>, memref<?xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%p : memref<8xf64>) outs(%new : memref<8xf64>)
    %last = memref.cast %p : memref<8xf64> to memref<?xf64>
    scf.yield %new, %last : memref<8xf64>, memref<?xf64>
  }
  %y = memref.load %r#1[%i] : memref<?xf64>
  return %y : f64
}

// CHECK-LABEL: func.func @size_varies
// CHECK: scf.for
// CHECK-NEXT: memref.alloc(%k)
// FREED-LABEL: func.func @size_varies
func.func @size_varies(%n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<?xf64>) {
    %new = memref.alloc(%k) : memref<?xf64>
    %z = memref.load %old[%i] : memref<?xf64>
    memref.store %z, %new[%i] : memref<?xf64>
    scf.yield %new : memref<?xf64>
  }
  %y = memref.load %r[%i] : memref<?xf64>
  return %y : f64
}

// CHECK-LABEL: func.func @needs_memory_before
// CHECK: scf.for
// CHECK-NEXT: func.call @unknown
// CHECK-NEXT: memref.alloc
// FREED-LABEL: func.func @needs_memory_before
func.func private @unknown()
func.func @needs_memory_before(%n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<8xf64>) {
    func.call @unknown() : () -> ()
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  %y = memref.load %r[%i] : memref<8xf64>
  return %y : f64
}

// CHECK-LABEL: func.func @part
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
// FREED-LABEL: func.func @part
func.func @part(%n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %v = memref.subview %a[0] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1]>>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %v)
      -> (memref<4xf64, strided<[1]>>) {
    %new = memref.alloc() : memref<8xf64>
    %w = memref.subview %new[0] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1]>>
    linalg.exp ins(%old : memref<4xf64, strided<[1]>>)
        outs(%w : memref<4xf64, strided<[1]>>)
    scf.yield %w : memref<4xf64, strided<[1]>>
  }
  %y = memref.load %r[%i] : memref<4xf64, strided<[1]>>
  return %y : f64
}

// -----

// scf.while asks before the loop whether there is an iteration. Its first region hands on the
// spare buffer.

func.func @while(%n: index, %x: f64) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %r:2 = scf.while (%i = %c0, %y = %a) : (index, memref<8xf64>) -> (memref<8xf64>, index) {
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %y, %i : memref<8xf64>, index
  } do {
  ^bb0(%old: memref<8xf64>, %i: index):
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %new : index, memref<8xf64>
  }
  return %r#0 : memref<8xf64>
}

// CHECK-LABEL: func.func @while(
// CHECK:         [[A:%.*]] = memref.alloc()
// CHECK:         [[RUNS:%.*]] = arith.cmpi ult, %c0, %n : index
// CHECK-NEXT:    [[B:%.*]] = scf.if [[RUNS]] -> (memref<8xf64>) {
// CHECK-NEXT:      [[N:%.*]] = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      scf.yield [[N]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield [[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    [[R:%.*]], %{{.*}}, %{{.*}} = scf.while (%{{.*}} = %c0, [[Y:%.*]] = [[A]], [[S:%.*]] = [[B]])
// CHECK:           scf.condition(%{{.*}}) [[Y]], %{{.*}}, [[S]] :
// CHECK:         ^bb0([[OLD:%.*]]: memref<8xf64>, %{{.*}}: index, [[SPARE:%.*]]: memref<8xf64>):
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.exp ins([[OLD]] : memref<8xf64>) outs([[SPARE]] : memref<8xf64>)
// CHECK:           scf.yield %{{.*}}, [[SPARE]], [[OLD]] :
// CHECK:         func.return [[R]]

// -----

// Not: the first region reads what would be the spare buffer; it does not hand on what the loop
// carries; the loop starts with an argument; the condition is not computed from scalars.

func.func @not(%n: index, %x: f64, %m: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  %q:2 = scf.while (%y = %a, %z = %a) : (memref<8xf64>, memref<8xf64>) -> (memref<8xf64>, memref<8xf64>) {
    %v = memref.load %z[%c0] : memref<8xf64>
    %go = arith.cmpf olt, %v, %x : f64
    scf.condition(%go) %y, %z : memref<8xf64>, memref<8xf64>
  } do {
  ^bb0(%old: memref<8xf64>, %older: memref<8xf64>):
    %new = memref.alloc() : memref<8xf64>
    linalg.add ins(%old, %older : memref<8xf64>, memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new, %old : memref<8xf64>, memref<8xf64>
  }
  %b = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%b : memref<8xf64>)
  %r = scf.while (%y = %b) : (memref<8xf64>) -> memref<8xf64> {
    %v = memref.load %y[%c0] : memref<8xf64>
    %go = arith.cmpf olt, %v, %x : f64
    scf.condition(%go) %b : memref<8xf64>
  } do {
  ^bb0(%old: memref<8xf64>):
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  %s = scf.while (%y = %m) : (memref<8xf64>) -> memref<8xf64> {
    %v = memref.load %y[%c0] : memref<8xf64>
    %go = arith.cmpf olt, %v, %x : f64
    scf.condition(%go) %y : memref<8xf64>
  } do {
  ^bb0(%old: memref<8xf64>):
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  %c = memref.alloc() : memref<8xf64>
  linalg.fill ins(%x : f64) outs(%c : memref<8xf64>)
  %t = scf.while (%y = %c) : (memref<8xf64>) -> memref<8xf64> {
    %go = "test.op"(%x) : (f64) -> i1
    scf.condition(%go) %y : memref<8xf64>
  } do {
  ^bb0(%old: memref<8xf64>):
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @not(
// CHECK:         scf.while (%{{[^,]*}}, %{{[^,]*}}) :
// CHECK:         scf.while (%{{[^,]*}}) :
// CHECK:           memref.alloc
// CHECK:         scf.while (%{{[^,]*}}) :
// CHECK:           memref.alloc
// CHECK:         scf.while (%{{[^,]*}}) :
// CHECK:           memref.alloc

// -----

// What the loop carries is used by nobody: it needs one buffer at a time, not two.

// CHECK-LABEL: func.func @carried_for_nothing(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
func.func @carried_for_nothing(%a: memref<8xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<8xf64>
  linalg.exp ins(%a : memref<8xf64>) outs(%first : memref<8xf64>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.log ins(%a : memref<8xf64>) outs(%new : memref<8xf64>)
    memref.copy %new, %a : memref<8xf64> to memref<8xf64>
    scf.yield %new : memref<8xf64>
  }
  return
}

// -----

// Beside %old and %new, the loop would carry what it starts with, which may be freed after
// the first iteration.
// CHECK-LABEL: func.func @starts_with_one_of_two(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
// FREED-LABEL: func.func @starts_with_one_of_two(
func.func @starts_with_one_of_two(%m: memref<8xf64>, %c: i1) -> memref<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<8xf64>
  linalg.exp ins(%m : memref<8xf64>) outs(%a : memref<8xf64>)
  %b = arith.select %c, %a, %m : memref<8xf64>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %b) -> (memref<8xf64>) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new : memref<8xf64>
  }
  return %r : memref<8xf64>
}
