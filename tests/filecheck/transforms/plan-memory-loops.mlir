// RUN: xdsl-opt %s -p 'plan-memory{arena=argument},verify-memory-plan' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'plan-memory' --split-input-file | filecheck %s --check-prefix=OWN

// A loop of blocks allocates %new while it needs %old: an argument, or what it allocated
// before. %new takes the first place if %old is not there, and the second one if it is. The
// deallocations free no argument, so that they go.

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %arena: memref<128xi8>
// CHECK-NOT: memref.alloc
// CHECK: ^body:
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[ONE:.*]] = memref.view %arena[%[[C0]]][] : memref<128xi8> to memref<16xf32>
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64 : index
// CHECK-NEXT: %[[OTHER:.*]] = memref.view %arena[%[[C64]]][] : memref<128xi8> to memref<16xf32>
// CHECK-NEXT: %[[BYTES:.*]] = arith.constant 64 : index
// CHECK-NEXT: %[[OLD:.*]] = memref.extract_aligned_pointer_as_index %old
// CHECK-NEXT: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[ONE]]
// CHECK-NEXT: %[[FAR:.*]] = arith.subi %[[OLD]], %[[START]] : index
// CHECK-NEXT: %[[TAKEN:.*]] = arith.cmpi ult, %[[FAR]], %[[BYTES]] : index
// CHECK-NEXT: %[[NEW:.*]] = arith.select %[[TAKEN]], %[[OTHER]], %[[ONE]] : memref<16xf32>
// CHECK-NEXT: linalg.exp ins(%old : memref<16xf32>) outs(%[[NEW]] : memref<16xf32>)
// CHECK-NOT: memref.dealloc
// CHECK: return

// An arena of its own would be larger than what one iteration needs.

// OWN-LABEL: func.func @blocks(
// OWN: %new = memref.alloc() : memref<16xf32>
// OWN: memref.dealloc %old
func.func @blocks(%x: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  cf.br ^head(%x, %c0, %no : memref<16xf32>, index, i1)
^head(%old: memref<16xf32>, %i: index, %own: i1):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^exit
^body:
  %new = memref.alloc() : memref<16xf32>
  linalg.exp ins(%old : memref<16xf32>) outs(%new : memref<16xf32>)
  scf.if %own {
    memref.dealloc %old : memref<16xf32>
  }
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%new, %next, %yes : memref<16xf32>, index, i1)
^exit:
  memref.copy %old, %out : memref<16xf32> to memref<16xf32>
  scf.if %own {
    memref.dealloc %old : memref<16xf32>
  }
  return
}

// -----

// Two earlier ones are needed: the third place is taken if both others are.

// CHECK-LABEL: func.func @two_before(
// CHECK-SAME: %arena: memref<192xi8>
// CHECK: %[[LAST:.*]] = arith.select %{{.*}}, %new_2, %new_1 : memref<16xf32>
// CHECK: %[[NEW:.*]] = arith.select %{{.*}}, %[[LAST]], %new : memref<16xf32>
// CHECK-NEXT: linalg.add ins(%p, %q : memref<16xf32>, memref<16xf32>) outs(%[[NEW]]
func.func @two_before(%x: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %r:4 = scf.for %i = %c0 to %n step %c1
      iter_args(%p = %x, %q = %x, %own_p = %no, %own_q = %no)
      -> (memref<16xf32>, memref<16xf32>, i1, i1) {
    %new = memref.alloc() : memref<16xf32>
    linalg.add ins(%p, %q : memref<16xf32>, memref<16xf32>) outs(%new : memref<16xf32>)
    scf.if %own_q {
      memref.dealloc %q : memref<16xf32>
    }
    scf.yield %new, %p, %yes, %own_p : memref<16xf32>, memref<16xf32>, i1, i1
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  scf.if %r#2 {
    memref.dealloc %r#0 : memref<16xf32>
  }
  scf.if %r#3 {
    memref.dealloc %r#1 : memref<16xf32>
  }
  return
}

// -----

// What may free an argument stays, and so does what it may free instead.

// CHECK-LABEL: func.func @frees_an_argument(
// CHECK: %new = memref.alloc() : memref<16xf32>
// CHECK: memref.dealloc %old
func.func @frees_an_argument(%x: memref<16xf32>, %own: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %x, %owned = %own)
      -> (memref<16xf32>, i1) {
    %new = memref.alloc() : memref<16xf32>
    linalg.exp ins(%old : memref<16xf32>) outs(%new : memref<16xf32>)
    scf.if %owned {
      memref.dealloc %old : memref<16xf32>
    }
    scf.yield %new, %yes : memref<16xf32>, i1
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<16xf32>
  }
  return
}
