// RUN: xdsl-opt %s -p 'optimize-allocation-liveness{any-buffer}' --split-input-file | filecheck %s

// A loop exchanges two buffers, and the second one is freed right after it, though the first
// one is used later: they are different ones, unless both are the argument, which is not
// freed.

// CHECK-LABEL: func.func @exchanged(
// CHECK: scf.for %i =
// CHECK: scf.yield %new, %old
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %r_4 {
// CHECK-NEXT: memref.dealloc %r_1
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %i_1 =
// CHECK: scf.if %r_3 {
// CHECK-NEXT: memref.dealloc %r :
func.func @exchanged(%x: memref<8xf64>, %n: index, %m: index, %out: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %r:5 = scf.for %i = %c0 to %n step %c1
      iter_args(%old = %x, %spare = %x, %has = %no, %own = %no, %owned = %no)
      -> (memref<8xf64>, memref<8xf64>, i1, i1, i1) {
    %new = scf.if %has -> (memref<8xf64>) {
      scf.yield %spare : memref<8xf64>
    } else {
      %0 = memref.alloc() : memref<8xf64>
      scf.yield %0 : memref<8xf64>
    }
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new, %old, %own, %yes, %own : memref<8xf64>, memref<8xf64>, i1, i1, i1
  }
  scf.for %i = %c0 to %m step %c1 {
    %1 = memref.alloc() : memref<8xf64>
    linalg.exp ins(%r#0 : memref<8xf64>) outs(%1 : memref<8xf64>)
    linalg.exp ins(%1 : memref<8xf64>) outs(%out : memref<8xf64>)
    memref.dealloc %1 : memref<8xf64>
  }
  scf.if %r#3 {
    memref.dealloc %r#0 : memref<8xf64>
  }
  scf.if %r#4 {
    memref.dealloc %r#1 : memref<8xf64>
  }
  return
}

// -----

// What may free the argument stays: the argument may be the first buffer as well.

// CHECK-LABEL: func.func @argument(
// CHECK: scf.for %i_1 =
// CHECK: scf.if %r_3 {
// CHECK: scf.if %r_4 {
// CHECK-NEXT: memref.dealloc %r_1
func.func @argument(%x: memref<8xf64>, %own_x: i1, %n: index, %m: index, %out: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %r:5 = scf.for %i = %c0 to %n step %c1
      iter_args(%old = %x, %spare = %x, %has = %no, %own = %no, %owned = %own_x)
      -> (memref<8xf64>, memref<8xf64>, i1, i1, i1) {
    %new = scf.if %has -> (memref<8xf64>) {
      scf.yield %spare : memref<8xf64>
    } else {
      %0 = memref.alloc() : memref<8xf64>
      scf.yield %0 : memref<8xf64>
    }
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new, %old, %own, %yes, %own : memref<8xf64>, memref<8xf64>, i1, i1, i1
  }
  scf.for %i = %c0 to %m step %c1 {
    %1 = memref.alloc() : memref<8xf64>
    linalg.exp ins(%r#0 : memref<8xf64>) outs(%1 : memref<8xf64>)
    linalg.exp ins(%1 : memref<8xf64>) outs(%out : memref<8xf64>)
    memref.dealloc %1 : memref<8xf64>
  }
  scf.if %r#3 {
    memref.dealloc %r#0 : memref<8xf64>
  }
  scf.if %r#4 {
    memref.dealloc %r#1 : memref<8xf64>
  }
  return
}

// -----

// If the loop yields one buffer twice, what frees it under one name frees it under the other.

// CHECK-LABEL: func.func @same(
// CHECK: scf.for %i_1 =
// CHECK: scf.if %r_4 {
// CHECK-NEXT: memref.dealloc %r_1
func.func @same(%x: memref<8xf64>, %n: index, %m: index, %out: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %r:5 = scf.for %i = %c0 to %n step %c1
      iter_args(%old = %x, %spare = %x, %has = %no, %own = %no, %owned = %no)
      -> (memref<8xf64>, memref<8xf64>, i1, i1, i1) {
    %new = scf.if %has -> (memref<8xf64>) {
      scf.yield %spare : memref<8xf64>
    } else {
      %0 = memref.alloc() : memref<8xf64>
      scf.yield %0 : memref<8xf64>
    }
    linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
    scf.yield %new, %new, %no, %no, %yes : memref<8xf64>, memref<8xf64>, i1, i1, i1
  }
  scf.for %i = %c0 to %m step %c1 {
    %1 = memref.alloc() : memref<8xf64>
    linalg.exp ins(%r#0 : memref<8xf64>) outs(%1 : memref<8xf64>)
    linalg.exp ins(%1 : memref<8xf64>) outs(%out : memref<8xf64>)
    memref.dealloc %1 : memref<8xf64>
  }
  scf.if %r#3 {
    memref.dealloc %r#0 : memref<8xf64>
  }
  scf.if %r#4 {
    memref.dealloc %r#1 : memref<8xf64>
  }
  return
}
