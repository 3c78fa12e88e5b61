// RUN: xdsl-opt %s -p fold-ownership-conditions --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'fold-ownership-conditions,canonicalize-control-flow,buffer-deallocation-simplification{static-ownership},bufferization-lower-deallocations,verify-deallocation' --split-input-file | filecheck %s --check-prefix=LOWERED

// Two buffers that a loop exchanges, and does not own. What it allocates is neither.

// CHECK-LABEL: func.func @exchange
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: scf.for
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: bufferization.dealloc ({{.*}}) if (%[[FALSE]], %[[FALSE]], %{{.*}}) retain
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[FALSE]], %[[FALSE]]
// LOWERED-LABEL: func.func @exchange
// LOWERED: scf.for
// LOWERED: memref.dealloc %t
// LOWERED-NOT: scf.if
// LOWERED: memref.dealloc %a
// LOWERED: memref.dealloc %b
// LOWERED-NEXT: return
func.func @exchange(%n: index) {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %r:4 = scf.for %i = %c0 to %n step %c1
      iter_args(%old = %a, %new = %b, %p = %false, %q = %false)
      -> (memref<8xf64>, memref<8xf64>, i1, i1) {
    %t = memref.alloc() : memref<8xf64>
    "test.op"(%t, %old, %new)
        : (memref<8xf64>, memref<8xf64>, memref<8xf64>) -> ()
    %c:2 = bufferization.dealloc (%old, %new, %t
        : memref<8xf64>, memref<8xf64>, memref<8xf64>) if (%p, %q, %true)
        retain (%new, %old : memref<8xf64>, memref<8xf64>)
    scf.yield %new, %old, %c#0, %c#1 : memref<8xf64>, memref<8xf64>, i1, i1
  }
  bufferization.dealloc (%a, %b, %r#0, %r#1
      : memref<8xf64>, memref<8xf64>, memref<8xf64>, memref<8xf64>)
      if (%true, %true, %r#2, %r#3)
  return
}

// -----

// The buffer of an iteration is owned from the second iteration on.

// CHECK-LABEL: func.func @owned_later
// CHECK: scf.for {{.*}} iter_args(%m = %{{.*}}, %own = %{{.*}})
// CHECK: bufferization.dealloc (%{{.*}}, %{{.*}}) if (%own, %true)
// CHECK: bufferization.dealloc {{.*}} if (%r_1)
func.func @owned_later(%a: memref<8xf64>, %n: index) {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %own = %false)
      -> (memref<8xf64>, i1) {
    %t = memref.alloc() : memref<8xf64>
    %c = bufferization.dealloc (%m, %t : memref<8xf64>, memref<8xf64>)
        if (%own, %true) retain (%t : memref<8xf64>)
    scf.yield %t, %c : memref<8xf64>, i1
  }
  bufferization.dealloc (%r#0 : memref<8xf64>) if (%r#1)
  return
}

// -----

// Conditions on blocks and in branches.

// CHECK-LABEL: func.func @blocks
// CHECK: %[[TRUE:[a-z]+]] = arith.constant true
// CHECK: "test.op"(%[[TRUE]]) : (i1) -> ()
// CHECK: scf.yield %[[TRUE]]
// CHECK: "test.op"(%x) : (i1) -> ()
// CHECK: "test.op"(%unknown) : (i1) -> ()
// CHECK: cf.cond_br %less, ^{{.*}}(%[[TRUE]], %n : i1, index)
func.func @blocks(%n: index, %unknown: i1) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  cf.br ^head(%true, %c0 : i1, index)
^head(%p: i1, %i: index):
  "test.op"(%p) : (i1) -> ()
  %x = scf.if %unknown -> (i1) {
    %false = arith.constant false
    scf.yield %false : i1
  } else {
    scf.yield %p : i1
  }
  "test.op"(%x) : (i1) -> ()
  %z = arith.andi %unknown, %p : i1
  "test.op"(%unknown) : (i1) -> ()
  %y = arith.ori %x, %p : i1
  %less = arith.cmpi slt, %i, %n : index
  cf.cond_br %less, ^head(%y, %n : i1, index), ^end
^end:
  return
}

// -----

// The pointers of buffers that are never the same.

// CHECK-LABEL: func.func @pointers
func.func @pointers(%unknown: i1, %arg: memref<8xf64>, %other: memref<8xf64>) {
  // CHECK-DAG: %[[YES:[0-9]+]] = arith.constant true
  // CHECK-DAG: %[[NO:[0-9]+]] = arith.constant false
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %either = arith.select %unknown, %a, %arg : memref<8xf64>
  %pa = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  %pb = memref.extract_aligned_pointer_as_index %b : memref<8xf64> -> index
  %parg = memref.extract_aligned_pointer_as_index %arg : memref<8xf64> -> index
  %pother = memref.extract_aligned_pointer_as_index %other : memref<8xf64> -> index
  %peither = memref.extract_aligned_pointer_as_index %either : memref<8xf64> -> index
  %0 = arith.cmpi ne, %pa, %pb : index
  // CHECK: "test.op"(%[[YES]]) : (i1) -> ()
  "test.op"(%0) : (i1) -> ()
  %1 = arith.cmpi eq, %pb, %parg : index
  // CHECK: "test.op"(%[[NO]]) : (i1) -> ()
  "test.op"(%1) : (i1) -> ()
  %2 = arith.cmpi ne, %pb, %peither : index
  // CHECK: "test.op"(%[[YES]]) : (i1) -> ()
  "test.op"(%2) : (i1) -> ()
  // These may be equal, and the order of pointers is not known.
  // CHECK: "test.op"(%same, %alike, %less) : (i1, i1, i1) -> ()
  %same = arith.cmpi ne, %pa, %peither : index
  %alike = arith.cmpi ne, %parg, %pother : index
  %less = arith.cmpi ult, %pa, %pb : index
  "test.op"(%same, %alike, %less) : (i1, i1, i1) -> ()
  memref.dealloc %a : memref<8xf64>
  memref.dealloc %b : memref<8xf64>
  return
}
