// RUN: xdsl-opt %s -p 'reuse-freed-buffers,verify-deallocation{allow-undecided=false}' --split-input-file | filecheck %s

// The loop starts with an argument, so the first two iterations allocate.

func.func @from_argument(%a: memref<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %own = %false)
      -> (memref<8xf64>, i1) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.if %own {
      memref.dealloc %old : memref<8xf64>
    }
    scf.yield %new, %true : memref<8xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<8xf64>
  scf.if %owned {
    memref.dealloc %r : memref<8xf64>
  }
  return %x : f64
}

// CHECK-LABEL: func.func @from_argument(
// CHECK:         [[NO:%[0-9]+]] = arith.constant false
// CHECK:         %r, %owned, [[LAST:%[0-9]+]], [[KEPT:%[0-9]+]] = scf.for {{.*}} iter_args(%old = %a, %own = %false, [[SPARE:%[0-9]+]] = %a, [[HAS:%[0-9]+]] = [[NO]])
// CHECK-NEXT:      [[NEW:%.*]] = scf.if [[HAS]] -> (memref<8xf64>) {
// CHECK-NEXT:        scf.yield [[SPARE]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        [[A:%.*]] = memref.alloc()
// CHECK-NEXT:        scf.yield [[A]]
// CHECK-NEXT:      }
// CHECK-NEXT:      linalg.exp ins(%old : memref<8xf64>) outs([[NEW]] : memref<8xf64>)
// CHECK-NEXT:      scf.yield [[NEW]], %true, %old, %own
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if [[KEPT]] {
// CHECK-NEXT:      memref.dealloc [[LAST]]
// CHECK-NEXT:    }

// -----

// One of two buffers is freed: each may become the spare one. If both are freed, one of
// them is.

func.func @one_of_two(%n: index, %m: index, %best: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %e = memref.alloc(%m) : memref<?xf64>
  linalg.fill ins(%best : f64) outs(%e : memref<?xf64>)
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%old = %e, %own = %false)
      -> (memref<?xf64>, i1) {
    %new = memref.alloc(%m) : memref<?xf64>
    linalg.exp ins(%old : memref<?xf64>) outs(%new : memref<?xf64>)
    %x = memref.load %new[%c0] : memref<?xf64>
    %better = arith.cmpf olt, %x, %best : f64
    %next = arith.select %better, %new, %old : memref<?xf64>
    %p = memref.extract_aligned_pointer_as_index %new : memref<?xf64> -> index
    %q = memref.extract_aligned_pointer_as_index %old : memref<?xf64> -> index
    %z = memref.extract_aligned_pointer_as_index %next : memref<?xf64> -> index
    %lost = arith.cmpi ne, %p, %z : index
    scf.if %lost {
      memref.dealloc %new : memref<?xf64>
    }
    %gone = arith.cmpi ne, %q, %z : index
    %free = arith.andi %gone, %own : i1
    scf.if %free {
      memref.dealloc %old : memref<?xf64>
    }
    %is_new = arith.cmpi eq, %p, %z : index
    %is_old = arith.cmpi eq, %q, %z : index
    %kept = arith.andi %is_old, %own : i1
    %own_next = arith.ori %kept, %is_new : i1
    scf.yield %next, %own_next : memref<?xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<?xf64>
  scf.if %owned {
    memref.dealloc %r : memref<?xf64>
  }
  memref.dealloc %e : memref<?xf64>
  return %x : f64
}

// CHECK-LABEL: func.func @one_of_two(
// CHECK:         scf.for
// CHECK:           [[NEW:%.*]] = scf.if
// CHECK:             memref.alloc(%m)
// CHECK:           [[LOST:%.*]] = arith.cmpi ne
// CHECK-NEXT:      [[GONE:%.*]] = arith.cmpi ne
// CHECK-NEXT:      [[FREE:%.*]] = arith.andi [[GONE]], %own
// CHECK-NEXT:      [[BOTH:%.*]] = arith.andi [[LOST]], [[FREE]]
// CHECK-NEXT:      scf.if [[BOTH]] {
// CHECK-NEXT:        memref.dealloc %old
// CHECK-NEXT:      }
// CHECK-NEXT:      [[SPARE:%.*]] = arith.select [[LOST]], [[NEW]], %old
// CHECK-NEXT:      [[HAS:%.*]] = arith.ori [[LOST]], [[FREE]]
// CHECK:           scf.yield {{.*}}, [[SPARE]], [[HAS]]

// -----

// An scf.while whose first region allocates. The size of the copy is that of the argument.

func.func @first_region(%a: memref<?xf64>, %eps: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %n = memref.dim %a, %c0 : memref<?xf64>
  %r = scf.while (%old = %a, %own = %false) : (memref<?xf64>, i1) -> (memref<?xf64>) {
    %size = memref.dim %old, %c0 : memref<?xf64>
    %new = memref.alloc(%size) : memref<?xf64>
    linalg.exp ins(%old : memref<?xf64>) outs(%new : memref<?xf64>)
    scf.if %own {
      memref.dealloc %old : memref<?xf64>
    }
    %x = memref.load %new[%c0] : memref<?xf64>
    %go = arith.cmpf olt, %x, %eps : f64
    scf.condition(%go) %new : memref<?xf64>
  } do {
  ^bb0(%new: memref<?xf64>):
    scf.yield %new, %true : memref<?xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<?xf64>
  memref.dealloc %r : memref<?xf64>
  return %x : f64
}

// CHECK-LABEL: func.func @first_region(
// CHECK:         scf.while (%old = %a, %own = %false, [[SPARE:%[0-9]+]] = %a, [[HAS:%[0-9]+]] = {{%[0-9]+}})
// CHECK-NOT:       memref.alloc
// CHECK:           scf.if [[HAS]]
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.condition({{%.*}}) {{%.*}}, %old, %own
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc

// -----

// The sizes may differ: nothing can be reused.

func.func @other_sizes(%a: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %own = %false)
      -> (memref<?xf64>, i1) {
    %j = arith.addi %i, %c1 : index
    %new = memref.alloc(%j) : memref<?xf64>
    %x = memref.load %old[%c0] : memref<?xf64>
    linalg.fill ins(%x : f64) outs(%new : memref<?xf64>)
    scf.if %own {
      memref.dealloc %old : memref<?xf64>
    }
    scf.yield %new, %true : memref<?xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<?xf64>
  scf.if %owned {
    memref.dealloc %r : memref<?xf64>
  }
  return %x : f64
}

// CHECK-LABEL: func.func @other_sizes(
// CHECK:         scf.for {{.*}} iter_args(%old = %a, %own = %false) ->
// CHECK:           memref.alloc

// -----

// The inner loop starts with a buffer that the outer loop reuses, too.

func.func @nested(%a: memref<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%last = %a, %mine = %false)
      -> (memref<8xf64>, i1) {
    %first = memref.alloc() : memref<8xf64>
    linalg.exp ins(%last : memref<8xf64>) outs(%first : memref<8xf64>)
    %s, %own_s = scf.for %j = %c0 to %n step %c1 iter_args(%old = %first, %own = %false)
        -> (memref<8xf64>, i1) {
      %new = memref.alloc() : memref<8xf64>
      linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
      scf.if %own {
        memref.dealloc %old : memref<8xf64>
      }
      scf.yield %new, %true : memref<8xf64>, i1
    }
    %x = memref.load %s[%c0] : memref<8xf64>
    memref.store %x, %first[%c0] : memref<8xf64>
    scf.if %own_s {
      memref.dealloc %s : memref<8xf64>
    }
    scf.if %mine {
      memref.dealloc %last : memref<8xf64>
    }
    scf.yield %first, %true : memref<8xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<8xf64>
  scf.if %owned {
    memref.dealloc %r : memref<8xf64>
  }
  return %x : f64
}

// CHECK-LABEL: func.func @nested(
// CHECK:         scf.for
// CHECK-NEXT:      [[FIRST:%.*]] = scf.if
// CHECK:           scf.for {{.*}} iter_args(%old = [[FIRST]], %own = %false, {{%[0-9]+}} = [[FIRST]],
// CHECK-NEXT:        scf.if

// -----

// The first allocation takes over the buffer of the second one.

func.func @two_allocations(%a: memref<8xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %own = %false)
      -> (memref<8xf64>, i1) {
    %new = memref.alloc() : memref<8xf64>
    %other = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64>) outs(%other : memref<8xf64>)
    linalg.exp ins(%other : memref<8xf64>) outs(%new : memref<8xf64>)
    memref.dealloc %other : memref<8xf64>
    scf.if %own {
      memref.dealloc %old : memref<8xf64>
    }
    scf.yield %new, %true : memref<8xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<8xf64>
  scf.if %owned {
    memref.dealloc %r : memref<8xf64>
  }
  return %x : f64
}

// CHECK-LABEL: func.func @two_allocations(
// CHECK:         scf.for
// CHECK-NEXT:      %new = scf.if
// CHECK:           %other = scf.if
// CHECK:           scf.yield %new, %true, %other, {{%[0-9]+}}, %old, %own

// -----

// What the inner loop starts with may have the size of an earlier outer iteration.

func.func @size_of_outer_iteration(%a: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %one = arith.constant 1.0 : f64
  %r, %owned = scf.for %i = %c1 to %n step %c1 iter_args(%first = %a, %own = %false)
      -> (memref<?xf64>, i1) {
    %q, %owned_1 = scf.for %j = %c0 to %m step %c1
        iter_args(%old = %first, %own_1 = %own) -> (memref<?xf64>, i1) {
      %new = memref.alloc(%i) : memref<?xf64>
      linalg.fill ins(%one : f64) outs(%new : memref<?xf64>)
      scf.if %own_1 {
        memref.dealloc %old : memref<?xf64>
      }
      scf.yield %new, %true : memref<?xf64>, i1
    }
    scf.yield %q, %owned_1 : memref<?xf64>, i1
  }
  %x = memref.load %r[%c0] : memref<?xf64>
  scf.if %owned {
    memref.dealloc %r : memref<?xf64>
  }
  return %x : f64
}

// CHECK-LABEL: func.func @size_of_outer_iteration(
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} iter_args(%old = %first, %own_1 = %own) ->
// CHECK-NEXT:        memref.alloc(%i)

// -----

// All buffers are of one outer iteration.

func.func @size_of_this_iteration(%a: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
    %e = memref.alloc(%i, %m) : memref<?x?xf64>
    linalg.fill ins(%sum : f64) outs(%e : memref<?x?xf64>)
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%old = %e) -> (memref<?x?xf64>) {
      %size = memref.dim %old, %c0 : memref<?x?xf64>
      %new = memref.alloc(%size, %m) : memref<?x?xf64>
      linalg.exp ins(%old : memref<?x?xf64>) outs(%new : memref<?x?xf64>)
      memref.dealloc %old : memref<?x?xf64>
      scf.yield %new : memref<?x?xf64>
    }
    %x = memref.load %q[%c0, %c0] : memref<?x?xf64>
    memref.dealloc %q : memref<?x?xf64>
    scf.yield %x : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @size_of_this_iteration(
// CHECK:           scf.for {{.*}} iter_args(%old = {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} = {{.*}}) ->
// CHECK:             scf.if

// -----

// The argument is cast to no type of another layout, which it may not have.

func.func @layout_of_argument(%a: memref<8xf64, strided<[?], offset: ?>>, %n: index)
    -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %e = memref.alloc() : memref<8xf64>
  memref.copy %a, %e : memref<8xf64, strided<[?], offset: ?>> to memref<8xf64>
  %c = memref.cast %e : memref<8xf64> to memref<8xf64, strided<[?], offset: ?>>
  %odd = arith.cmpi eq, %n, %c1 : index
  %first = arith.select %odd, %c, %a : memref<8xf64, strided<[?], offset: ?>>
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first, %own = %odd)
      -> (memref<8xf64, strided<[?], offset: ?>>, i1) {
    %new = memref.alloc() : memref<8xf64>
    linalg.exp ins(%old : memref<8xf64, strided<[?], offset: ?>>)
      outs(%new : memref<8xf64>)
    scf.if %own {
      memref.dealloc %old : memref<8xf64, strided<[?], offset: ?>>
    }
    %next = memref.cast %new : memref<8xf64> to memref<8xf64, strided<[?], offset: ?>>
    scf.yield %next, %true : memref<8xf64, strided<[?], offset: ?>>, i1
  }
  %x = memref.load %r[%c0] : memref<8xf64, strided<[?], offset: ?>>
  scf.if %owned {
    memref.dealloc %r : memref<8xf64, strided<[?], offset: ?>>
  }
  %even = arith.xori %odd, %true : i1
  scf.if %even {
    memref.dealloc %e : memref<8xf64>
  }
  return %x : f64
}

// CHECK-LABEL: func.func @layout_of_argument(
// CHECK:         scf.for {{.*}} iter_args(%old = %first, %own = %odd, %{{[0-9]+}} = %a,
// CHECK-NEXT:      [[NEW:%.*]] = scf.if
// CHECK-NEXT:        memref.cast {{.*}} : memref<8xf64, strided<[?], offset: ?>> to memref<8xf64>
// CHECK-NOT:       to memref<8xf64>
// CHECK:           linalg.exp ins(%old {{.*}} outs([[NEW]]

// -----

// Within an iteration, and without a loop: the next allocation of the same size. A call of a
// function that may allocate is not passed.

// CHECK-LABEL: func.func @freed_before(
// CHECK:         %[[A:.*]] = memref.alloc(%n)
// CHECK-NEXT:    "test.op"(%[[A]])
// CHECK-NEXT:    "test.op"(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    func.call @allocates
// CHECK-NEXT:    memref.alloc(%n)
func.func private @allocates() {
  %0 = memref.alloc() : memref<1024xf64>
  memref.dealloc %0 : memref<1024xf64>
  return
}
func.func @freed_before(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf64>
  "test.op"(%0) : (memref<?xf64>) -> ()
  memref.dealloc %0 : memref<?xf64>
  %1 = memref.alloc(%n) : memref<?xf64>
  "test.op"(%1) : (memref<?xf64>) -> ()
  memref.dealloc %1 : memref<?xf64>
  func.call @allocates() : () -> ()
  %2 = memref.alloc(%n) : memref<?xf64>
  "test.op"(%2) : (memref<?xf64>) -> ()
  memref.dealloc %2 : memref<?xf64>
  return
}

// -----

// No buffer is kept where more would be live than before: while an iteration allocates
// something else, before the allocation or after the deallocation.

func.func @beside_others(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<48xi32>
  memref.store %x, %a[%c0] : memref<48xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<48xi32>) {
    %t = memref.alloc() : memref<400xi32>
    memref.store %x, %t[%c1] : memref<400xi32>
    memref.dealloc %t : memref<400xi32>
    %new = memref.alloc() : memref<48xi32>
    memref.store %x, %new[%c0] : memref<48xi32>
    memref.dealloc %old : memref<48xi32>
    scf.yield %new : memref<48xi32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%old = %r) -> (memref<48xi32>) {
    %new = memref.alloc() : memref<48xi32>
    memref.store %x, %new[%c0] : memref<48xi32>
    memref.dealloc %old : memref<48xi32>
    %t = memref.alloc() : memref<40xi32>
    memref.store %x, %t[%c1] : memref<40xi32>
    memref.dealloc %t : memref<40xi32>
    scf.yield %new : memref<48xi32>
  }
  memref.dealloc %s : memref<48xi32>
  return
}

// CHECK-LABEL: func.func @beside_others(
// CHECK:         scf.for {{.*}} iter_args(%old = %a) ->
// CHECK:           %new = memref.alloc()
// CHECK:         scf.for {{.*}} iter_args(%old_1 = %r) ->
// CHECK-NEXT:      %new_1 = memref.alloc()

// -----

// Two states in turn: the second allocation takes over what is freed before it, and only
// the other buffer is kept for the next iteration.

func.func @two_states(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<48xi32>
  memref.store %x, %a[%c0] : memref<48xi32>
  %b = memref.alloc() : memref<48xi32>
  memref.store %x, %b[%c0] : memref<48xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<48xi32>, memref<48xi32>) {
    %s = memref.alloc() : memref<48xi32>
    memref.copy %p, %s : memref<48xi32> to memref<48xi32>
    memref.dealloc %p : memref<48xi32>
    %t = memref.alloc() : memref<48xi32>
    memref.copy %q, %t : memref<48xi32> to memref<48xi32>
    memref.dealloc %q : memref<48xi32>
    scf.yield %s, %t : memref<48xi32>, memref<48xi32>
  }
  memref.dealloc %r#0 : memref<48xi32>
  memref.dealloc %r#1 : memref<48xi32>
  return
}

// CHECK-LABEL: func.func @two_states(
// CHECK:         scf.for {{.*}} iter_args(%p = %a, %q = %b, [[SPARE:%[a-z0-9_]+]] = {{%[a-z0-9_]+}}, [[HAS:%[a-z0-9_]+]] = {{%[a-z0-9_]+}}) ->
// CHECK-NEXT:      [[S:%.*]] = scf.if [[HAS]]
// CHECK:           memref.copy %p, [[S]]
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield
// CHECK:           scf.yield
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield {{.*}}, %q, {{%[a-z0-9_]+}} : memref<48xi32>, memref<48xi32>, memref<48xi32>, i1
