// RUN: xdsl-opt %s -p 'optimize-allocation-liveness{any-buffer}' --split-input-file | filecheck %s

// What a call returns is freed after its last use, even if that is under another name.

func.func private @new() -> memref<4xf32>

func.func @of_a_call(%x: memref<4xf32>) {
  %0 = func.call @new() : () -> memref<4xf32>
  %1 = memref.cast %0 : memref<4xf32> to memref<?xf32>
  memref.copy %1, %x : memref<?xf32> to memref<4xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %0
    : memref<4xf32> -> memref<f32>, index, index, index
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  memref.dealloc %base : memref<f32>
  return
}

// CHECK-LABEL: func.func @of_a_call(
// CHECK:         memref.copy
// CHECK-NEXT:    memref.extract_strided_metadata
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    linalg.exp

// -----

// A loop frees the buffer of the iteration before, if it owns it, when it has been read.
// The buffer that it yields is another one.

func.func @of_the_iteration_before(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %own = %false)
      -> (memref<4xf32>, i1) {
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    linalg.exp ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.if %own {
      memref.dealloc %a : memref<4xf32>
    }
    scf.yield %b, %true : memref<4xf32>, i1
  }
  memref.copy %r, %x : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  scf.if %owned {
    memref.dealloc %r : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @of_the_iteration_before(
// CHECK:         linalg.exp ins(%[[A:.*]] : memref<4xf32>) outs(%[[B:.*]] :
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linalg.exp ins(%[[B]] : memref<4xf32>) outs(%[[B]] :
// Another argument may be the same buffer as %x, which %r may be.
// CHECK:         memref.copy
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    scf.if

// -----

// The condition is computed by then.

func.func private @decide() -> i1

func.func @after_the_condition(%x: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %0, %x : memref<4xf32> to memref<4xf32>
  %c = func.call @decide() : () -> i1
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  scf.if %c {
    memref.dealloc %0 : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @after_the_condition(
// CHECK:         func.call @decide()
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK:         linalg.exp

// -----

// What may be stored somewhere, or kept by an op that is not known, stays where it is.

func.func @kept(%x: memref<4xf32>, %m: memref<memref<4xf32>>) {
  %0 = func.call @made() : () -> memref<4xf32>
  memref.store %0, %m[] : memref<memref<4xf32>>
  %1 = memref.load %m[] : memref<memref<4xf32>>
  memref.copy %1, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}
func.func private @made() -> memref<4xf32>

// CHECK-LABEL: func.func @kept(
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc

// -----

// A condition that guards nothing is no deallocation.

// CHECK-LABEL: @guards_nothing
// CHECK:         memref.store
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    scf.if
func.func @guards_nothing(%c: i1, %x: f32) {
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  scf.if %c {
  }
  memref.dealloc %a : memref<f32>
  return
}

// -----

// A buffer that the condition tells from %q is freed although %q is returned.

// CHECK-LABEL: func.func @not_the_one_that_is_returned(
// CHECK:         %q = scf.if
// CHECK:         arith.cmpi ne
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc %p
// CHECK:         linalg.exp
func.func @not_the_one_that_is_returned(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %p = memref.alloc() : memref<4xf32>
  memref.copy %x, %p : memref<4xf32> to memref<4xf32>
  %q = scf.if %c -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    linalg.log ins(%p : memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  } else {
    scf.yield %p : memref<4xf32>
  }
  linalg.exp ins(%q : memref<4xf32>) outs(%x : memref<4xf32>)
  %0 = memref.extract_aligned_pointer_as_index %p : memref<4xf32> -> index
  %1 = memref.extract_aligned_pointer_as_index %q : memref<4xf32> -> index
  %2 = arith.cmpi ne, %0, %1 : index
  scf.if %2 {
    memref.dealloc %p : memref<4xf32>
  }
  return %q : memref<4xf32>
}

// -----

// %r may be %p although %q is not.

// CHECK-LABEL: func.func @another_name(
// CHECK:         linalg.exp
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc %p
func.func @another_name(%c: i1, %d: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %p = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  memref.copy %x, %p : memref<4xf32> to memref<4xf32>
  memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  %q = arith.select %c, %p, %o : memref<4xf32>
  %r = arith.select %d, %p, %q : memref<4xf32>
  linalg.exp ins(%r : memref<4xf32>) outs(%x : memref<4xf32>)
  %0 = memref.extract_aligned_pointer_as_index %p : memref<4xf32> -> index
  %1 = memref.extract_aligned_pointer_as_index %q : memref<4xf32> -> index
  %2 = arith.cmpi ne, %0, %1 : index
  scf.if %2 {
    memref.dealloc %p : memref<4xf32>
  }
  return %q : memref<4xf32>
}

// -----

// A view with another pointer may be %p all the same, in a branch as well.

// CHECK-LABEL: func.func @moved_pointer(
// CHECK:         memref.load %v
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc %p
func.func @moved_pointer(%c: i1, %i: index, %m: memref<64xi8>) -> i8 {
  %p = memref.alloc() : memref<64xi8>
  memref.copy %m, %p : memref<64xi8> to memref<64xi8>
  %o = memref.alloc() : memref<64xi8>
  memref.copy %m, %o : memref<64xi8> to memref<64xi8>
  %q = arith.select %c, %p, %o : memref<64xi8>
  %v = memref.view %q[%i][] : memref<64xi8> to memref<4xi8>
  %r = memref.load %v[%i] : memref<4xi8>
  %0 = memref.extract_aligned_pointer_as_index %p : memref<64xi8> -> index
  %1 = memref.extract_aligned_pointer_as_index %v : memref<4xi8> -> index
  %2 = arith.cmpi ne, %0, %1 : index
  scf.if %2 {
    memref.dealloc %p : memref<64xi8>
  }
  memref.dealloc %o : memref<64xi8>
  return %r : i8
}

// CHECK-LABEL: func.func @moved_pointer_in_branch(
// CHECK:         memref.load %q
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc %p
func.func @moved_pointer_in_branch(%c: i1, %i: index, %m: memref<64xi8>) -> i8 {
  %p = memref.alloc() : memref<64xi8>
  memref.copy %m, %p : memref<64xi8> to memref<64xi8>
  %q = scf.if %c -> (memref<4xi8>) {
    %v = memref.view %p[%i][] : memref<64xi8> to memref<4xi8>
    scf.yield %v : memref<4xi8>
  } else {
    %new = memref.alloc() : memref<4xi8>
    scf.yield %new : memref<4xi8>
  }
  %r = memref.load %q[%i] : memref<4xi8>
  %0 = memref.extract_aligned_pointer_as_index %p : memref<64xi8> -> index
  %1 = memref.extract_aligned_pointer_as_index %q : memref<4xi8> -> index
  %2 = arith.cmpi ne, %0, %1 : index
  scf.if %2 {
    memref.dealloc %p : memref<64xi8>
  }
  return %r : i8
}

// %b can be freed after an op that moved with the free of %a, whose other ops come first.
// CHECK-LABEL: @after_what_moved
// CHECK: memref.load
// CHECK-NEXT: %[[Y:.*]] = arith.select
// CHECK: %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %a
// CHECK: arith.cmpi ugt, %[[Q]], %n
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc %b
func.func @after_what_moved(%c: i1, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %x = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  %l = memref.load %a[%n] : memref<4xf32>
  %y = arith.select %c, %x, %x : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %y : memref<4xf32> -> index
  %r = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
  %e0 = arith.cmpi ne, %p, %q : index
  %e1 = arith.cmpi ne, %p, %r : index
  %e = arith.andi %e0, %e1 : i1
  scf.if %e {
    memref.dealloc %a : memref<4xf32>
  }
  %g = arith.cmpi ugt, %q, %n : index
  scf.if %g {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// -----

// The loop starts with an argument of the function, which may be another argument of it, but
// not an index.

func.func private @look(index)

// CHECK-LABEL: func.func @arguments_that_are_no_buffers(
// CHECK:         linalg.exp
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    func.call @look(
func.func @arguments_that_are_no_buffers(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %own = %false)
      -> (memref<4xf32>, i1) {
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    func.call @look(%n) : (index) -> ()
    scf.if %own {
      memref.dealloc %a : memref<4xf32>
    }
    scf.yield %b, %true : memref<4xf32>, i1
  }
  return %r : memref<4xf32>
}

// -----

// That the other result of the loop is another buffer is asked for a second time, after the
// first one is freed. No new buffer can be meant.

// CHECK-LABEL: func.func @compared_with_as_old_ones(
// CHECK:         scf.for
// CHECK:         memref.extract_aligned_pointer_as_index
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index
// CHECK-NEXT:    arith.cmpi ne
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.alloc
func.func @compared_with_as_old_ones(%x: memref<4xf32>, %n: index)
    -> (memref<4xf32>, memref<4xf32>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<4xf32>
  %j = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%i : memref<4xf32>)
  %a, %b = scf.for %k = %c0 to %n step %c1 iter_args(%p = %i, %q = %j)
      -> (memref<4xf32>, memref<4xf32>) {
    linalg.exp ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)
    scf.yield %q, %p : memref<4xf32>, memref<4xf32>
  }
  %new = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%new : memref<4xf32>)
  %r = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %s = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
  %different = arith.cmpi ne, %r, %s : index
  scf.if %different {
    memref.dealloc %b : memref<4xf32>
  }
  %same = arith.cmpi eq, %r, %s : index
  return %a, %new, %same : memref<4xf32>, memref<4xf32>, i1
}

// A new one may be where the freed one was.

// CHECK-LABEL: func.func @compared_with_a_newer_one(
// CHECK:         scf.for
// CHECK:         memref.alloc
// CHECK:         memref.dealloc
func.func @compared_with_a_newer_one(%x: memref<4xf32>, %n: index)
    -> (memref<4xf32>, memref<4xf32>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<4xf32>
  %j = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%i : memref<4xf32>)
  %a, %b = scf.for %k = %c0 to %n step %c1 iter_args(%p = %i, %q = %j)
      -> (memref<4xf32>, memref<4xf32>) {
    linalg.exp ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)
    scf.yield %q, %p : memref<4xf32>, memref<4xf32>
  }
  %new = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%new : memref<4xf32>)
  %r = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %s = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
  %t = memref.extract_aligned_pointer_as_index %new : memref<4xf32> -> index
  %different = arith.cmpi ne, %r, %s : index
  scf.if %different {
    memref.dealloc %b : memref<4xf32>
  }
  %same = arith.cmpi eq, %t, %s : index
  return %a, %new, %same : memref<4xf32>, memref<4xf32>, i1
}

// -----

// What a deallocation is moved after may move itself later. The condition of the last one
// is still computed before it.
func.func private @look(i1)

// CHECK-LABEL: func.func @moved_select
func.func @moved_select(%c: i1, %cst: f64) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<8xf64>
  %q = memref.alloc() : memref<8xf64>
  %r = memref.alloc() : memref<8xf64>
  %t = memref.alloc() : memref<8xf64>
  %u = memref.alloc() : memref<8xf64>
  memref.store %cst, %p[%c0] : memref<8xf64>
  // CHECK: %[[N:.*]] = arith.xori %c
  %n = arith.xori %c, %true : i1
  func.call @look(%n) : (i1) -> ()
  // CHECK: memref.store %cst, %u
  memref.store %cst, %u[%c0] : memref<8xf64>
  // CHECK-NEXT: %[[M:.*]] = arith.xori %[[N]]
  // CHECK-NEXT: scf.if %[[M]] {
  // CHECK-NEXT:   memref.dealloc %u
  %s = arith.select %c, %q, %r : memref<8xf64>
  func.call @look(%c) : (i1) -> ()
  %tp = memref.extract_aligned_pointer_as_index %t : memref<8xf64> -> index
  %tc = arith.cmpi ne, %tp, %c0 : index
  // CHECK: memref.dealloc %q
  scf.if %tc {
    memref.dealloc %q : memref<8xf64>
  }
  func.call @look(%tc) : (i1) -> ()
  %pp = memref.extract_aligned_pointer_as_index %p : memref<8xf64> -> index
  %sp = memref.extract_aligned_pointer_as_index %s : memref<8xf64> -> index
  %ps = arith.cmpi ne, %pp, %sp : index
  scf.if %ps {
    memref.dealloc %p : memref<8xf64>
  }
  %m = arith.xori %n, %true : i1
  // CHECK: scf.if %[[M]] {
  // CHECK-NEXT: memref.dealloc %t
  scf.if %m {
    memref.dealloc %t : memref<8xf64>
  }
  scf.if %m {
    memref.dealloc %u : memref<8xf64>
  }
  memref.dealloc %r : memref<8xf64>
  func.return
}

// -----

// A cast of all elements is another name of the buffer. mlir-opt frees it before the copy.
// CHECK-LABEL: func.func @cast_of_elements
func.func @cast_of_elements(%out: memref<8xi32>) {
  %0 = memref.alloc() : memref<8xindex>
  %1 = arith.index_cast %0 : memref<8xindex> to memref<8xi32>
  // CHECK: memref.copy
  memref.copy %1, %out : memref<8xi32> to memref<8xi32>
  // CHECK-NEXT: memref.dealloc %0
  func.call @nothing() : () -> ()
  memref.dealloc %0 : memref<8xindex>
  func.return
}
func.func private @nothing()
