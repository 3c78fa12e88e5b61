// RUN: xdsl-opt %s -p canonicalize-control-flow{merge-equal-ops} | filecheck %s

func.func private @use(index)

// What the block before, or the block around, has computed is not computed again.
func.func @dominated(%c: i1, %m: memref<4xf32>) {
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  func.call @use(%p) : (index) -> ()
  cf.cond_br %c, ^a, ^b
^a:
  %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  func.call @use(%q) : (index) -> ()
  cf.br ^b
^b:
  scf.if %c {
    %r = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
    func.call @use(%r) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @dominated
// CHECK:         %[[p:.*]] = memref.extract_aligned_pointer_as_index %m
// CHECK-NOT:     memref.extract_aligned_pointer_as_index
// CHECK:         func.return

// Neither branch dominates the other, or what follows.
func.func @branches(%c: i1, %i: index) {
  scf.if %c {
    %a = arith.addi %i, %i : index
    func.call @use(%a) : (index) -> ()
  } else {
    %b = arith.addi %i, %i : index
    func.call @use(%b) : (index) -> ()
  }
  %d = arith.addi %i, %i : index
  func.call @use(%d) : (index) -> ()
  return
}

// CHECK-LABEL: func.func @branches
// CHECK:         arith.addi
// CHECK:         arith.addi
// CHECK:         arith.addi

// Ops with effects, and ops of other attributes, are not equal.
func.func @effects(%m: memref<4xindex>, %i: index) {
  %a = memref.load %m[%i] : memref<4xindex>
  func.call @use(%a) : (index) -> ()
  %b = memref.load %m[%i] : memref<4xindex>
  %c = arith.cmpi eq, %a, %b : index
  %d = arith.cmpi ne, %a, %b : index
  %e = arith.select %c, %a, %i : index
  %f = arith.select %d, %a, %i : index
  func.call @use(%e) : (index) -> ()
  func.call @use(%f) : (index) -> ()
  return
}

// CHECK-LABEL: func.func @effects
// CHECK:         memref.load
// CHECK:         memref.load
// CHECK:         arith.cmpi eq
// CHECK:         arith.cmpi ne
