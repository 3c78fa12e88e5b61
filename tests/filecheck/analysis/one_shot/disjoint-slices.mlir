// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-return-allocs-from-loops bufferize-function-boundaries disjoint-slices verify-result}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-return-allocs-from-loops bufferize-function-boundaries verify-result}' --split-input-file | filecheck %s --check-prefix=WITHOUT

// One half is computed from the other one, which is read again afterwards.

// CHECK-LABEL: func.func @halves
// CHECK-NOT: alloc
// CHECK: linalg.exp
// CHECK: memref.load
// WITHOUT-LABEL: func.func @halves
// WITHOUT: memref.alloc
// WITHOUT: linalg.exp
// WITHOUT: memref.copy
func.func @halves(%t: tensor<64xf32>, %i: index) -> (tensor<64xf32>, f32) {
  %a = tensor.extract_slice %t[0] [32] [1] : tensor<64xf32> to tensor<32xf32>
  %b = tensor.extract_slice %t[32] [32] [1] : tensor<64xf32> to tensor<32xf32>
  %c = linalg.exp ins(%a : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  %r = tensor.insert_slice %c into %t[32] [32] [1]
      : tensor<32xf32> into tensor<64xf32>
  %x = tensor.extract %a[%i] : tensor<32xf32>
  return %r, %x : tensor<64xf32>, f32
}

// -----

// Slices that overlap in one element.

// CHECK-LABEL: func.func @overlapping
// CHECK: memref.alloc
// CHECK: linalg.exp
// CHECK: memref.copy
func.func @overlapping(%t: tensor<64xf32>, %i: index) -> (tensor<64xf32>, f32) {
  %a = tensor.extract_slice %t[0] [33] [1] : tensor<64xf32> to tensor<33xf32>
  %b = tensor.extract_slice %t[32] [32] [1] : tensor<64xf32> to tensor<32xf32>
  %c = linalg.exp ins(%b : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  %r = tensor.insert_slice %c into %t[32] [32] [1]
      : tensor<32xf32> into tensor<64xf32>
  %x = tensor.extract %a[%i] : tensor<33xf32>
  return %r, %x : tensor<64xf32>, f32
}

// -----

// Each row is computed from the row before.

#next = affine_map<(d0) -> (d0 + 1)>

// CHECK-LABEL: func.func @rows
// CHECK-NOT: alloc
// CHECK: return
// WITHOUT-LABEL: func.func @rows
// WITHOUT: memref.alloc
// WITHOUT: memref.copy
func.func @rows(%t: tensor<?x16xf32>, %n: index) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (tensor<?x16xf32>) {
    %j = affine.apply #next(%i)
    %a = tensor.extract_slice %s[%i, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    %b = tensor.extract_slice %s[%j, 0] [1, 16] [1, 1]
        : tensor<?x16xf32> to tensor<16xf32>
    %c = linalg.exp ins(%a : tensor<16xf32>) outs(%b : tensor<16xf32>)
        -> tensor<16xf32>
    %d = tensor.insert_slice %c into %s[%j, 0] [1, 16] [1, 1]
        : tensor<16xf32> into tensor<?x16xf32>
    scf.yield %d : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}

// -----

// The next iteration reads what this one would write: the tensor is not carried along.

// CHECK-LABEL: func.func @other_iteration
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: scf.yield
func.func @other_iteration(%t: tensor<64xf32>, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %j = arith.addi %i, %c1 : index
    %a = tensor.extract_slice %t[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %y = tensor.extract %a[%c0] : tensor<1xf32>
    %b = tensor.extract_slice %t[%j] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %f = linalg.fill ins(%s : f32) outs(%b : tensor<1xf32>) -> tensor<1xf32>
    %z = tensor.extract %f[%c0] : tensor<1xf32>
    %w = arith.addf %y, %z : f32
    scf.yield %w : f32
  }
  return %r : f32
}

// -----

// Slices that are the same in each iteration.

// CHECK-LABEL: func.func @same_in_each_iteration
// CHECK-NOT: alloc
// CHECK: return
// WITHOUT-LABEL: func.func @same_in_each_iteration
// WITHOUT: memref.alloc
func.func @same_in_each_iteration(%t: tensor<64xf32>, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %a = tensor.extract_slice %t[0] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %y = tensor.extract %a[%c0] : tensor<32xf32>
    %b = tensor.extract_slice %t[32] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %f = linalg.fill ins(%s : f32) outs(%b : tensor<32xf32>) -> tensor<32xf32>
    %z = tensor.extract %f[%c0] : tensor<32xf32>
    %w = arith.addf %y, %z : f32
    scf.yield %w : f32
  }
  return %r : f32
}

// -----

// Disjoint slices of one slice; the loop around runs on columns of their own.

// CHECK-LABEL: func.func @nested
// CHECK-NOT: alloc
// CHECK: return
func.func @nested(%t: tensor<8x16xf32>, %n: index) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (tensor<8x16xf32>) {
    %p = tensor.extract_slice %s[%i, 0] [1, 16] [1, 1]
        : tensor<8x16xf32> to tensor<16xf32>
    %a = tensor.extract_slice %p[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %q = tensor.extract_slice %s[%i, 0] [1, 16] [1, 1]
        : tensor<8x16xf32> to tensor<16xf32>
    %b = tensor.extract_slice %q[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %c = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %e = tensor.insert_slice %c into %q[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
    %d = tensor.insert_slice %e into %s[%i, 0] [1, 16] [1, 1]
        : tensor<16xf32> into tensor<8x16xf32>
    scf.yield %d : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}

// -----

// One slice after the other, with sizes that the program computes.

// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: alloc
// CHECK: return
// WITHOUT-LABEL: func.func @dynamic
// WITHOUT: memref.alloc
func.func @dynamic(%t: tensor<?xf32>, %n: index, %i: index) -> (tensor<?xf32>, f32) {
  %a = tensor.extract_slice %t[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %t[%n] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %c = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %c into %t[%n] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %x = tensor.extract %a[%i] : tensor<?xf32>
  return %r, %x : tensor<?xf32>, f32
}

// -----

// After a loop of blocks, %i is not what it was when the loop wrote.

// CHECK-LABEL: func.func @blocks
// CHECK: memref.alloc
// CHECK: return
func.func @blocks(%t: tensor<64xf32>, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, f32)
^head(%i: index, %s: f32):
  %less = arith.cmpi slt, %i, %n : index
  cf.cond_br %less, ^body, ^end
^body:
  %b = tensor.extract_slice %t[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
  %f = linalg.fill ins(%s : f32) outs(%b : tensor<1xf32>) -> tensor<1xf32>
  %z = tensor.extract %f[%c0] : tensor<1xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %z : index, f32)
^end:
  %k = arith.subi %i, %c1 : index
  %a = tensor.extract_slice %t[%k] [1] [1] : tensor<64xf32> to tensor<1xf32>
  %y = tensor.extract %a[%c0] : tensor<1xf32>
  %w = arith.addf %s, %y : f32
  return %w : f32
}

// -----

// Two rows change places. They may be one row, but do not overlap in part: only one of
// them is kept elsewhere.

// CHECK-LABEL: func.func @swapped_rows
// CHECK-COUNT-3: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
// WITHOUT-LABEL: func.func @swapped_rows
// WITHOUT-COUNT-4: memref.copy
func.func @swapped_rows(%t: tensor<?x?xf32>, %i: index, %j: index, %n: index)
    -> tensor<?x?xf32> {
  %a = tensor.extract_slice %t[%i, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %t[%j, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %0 = tensor.insert_slice %b into %t[%i, 0] [1, %n] [1, 1]
      : tensor<?xf32> into tensor<?x?xf32>
  %1 = tensor.insert_slice %a into %0[%j, 0] [1, %n] [1, 1]
      : tensor<?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Two pairs of rows may overlap in one row.

// CHECK-LABEL: func.func @overlapping_pairs
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @overlapping_pairs(%t: tensor<?x?xf32>, %i: index, %j: index, %n: index)
    -> tensor<?x?xf32> {
  %b = tensor.extract_slice %t[%j, 0] [2, %n] [1, 1] : tensor<?x?xf32> to tensor<2x?xf32>
  %0 = tensor.insert_slice %b into %t[%i, 0] [2, %n] [1, 1]
      : tensor<2x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A row is written over another one, or over itself, and read again: only the first is
// a copy of it.

// CHECK-LABEL: func.func @read_again
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @read_again(%t: tensor<?x8xf32>, %i: index, %j: index)
    -> (tensor<?x8xf32>, f32) {
  %a = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
  %0 = tensor.insert_slice %a into %t[%j, 0] [1, 8] [1, 1]
      : tensor<8xf32> into tensor<?x8xf32>
  %x = tensor.extract %a[%i] : tensor<8xf32>
  return %0, %x : tensor<?x8xf32>, f32
}

// -----

// Both slices are computed before one is inserted. %u has the original contents where %y
// is, but these are overwritten before anything reads them.

// CHECK-LABEL: func.func @inserted_in_a_row
// CHECK-NOT: alloc
// CHECK: return
// WITHOUT-LABEL: func.func @inserted_in_a_row
// WITHOUT: memref.alloc
// WITHOUT: return
func.func @inserted_in_a_row(%t: tensor<?xf32>, %h: index) -> tensor<?xf32> {
  %a = tensor.extract_slice %t[0] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %t[%h] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %x = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.exp ins(%b : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %u = tensor.insert_slice %y into %t[%h] [%h] [1] : tensor<?xf32> into tensor<?xf32>
  %w = tensor.insert_slice %x into %u[0] [%h] [1] : tensor<?xf32> into tensor<?xf32>
  return %w : tensor<?xf32>
}

// -----

// Through a branch, both results may be one new tensor.

// CHECK-LABEL: func.func @one_new_tensor
// CHECK: scf.if
// CHECK: } else {
// CHECK: memref.alloc
// CHECK: return
func.func @one_new_tensor(%t: tensor<8xf32>, %c: i1, %x: f32) -> (f32, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f, %f : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  %w = linalg.exp ins(%r#0 : tensor<4xf32>) outs(%r#0 : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %r#1[%c0] : tensor<4xf32>
  %u = tensor.insert_slice %w into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %y, %u : f32, tensor<8xf32>
}

// -----

// Something else uses the first result, or another slice is overwritten, or the slices
// change places: each needs a copy.

// CHECK-LABEL: func.func @used_in_between
// CHECK: memref.alloc
// CHECK: return
func.func @used_in_between(%t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.exp ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %u = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %e = tensor.extract %u[%i] : tensor<8xf32>
  %w = tensor.insert_slice %y into %u[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @partly_overwritten
// CHECK: memref.alloc
// CHECK: return
func.func @partly_overwritten(%t: tensor<8xf32>, %z: tensor<3xf32>)
    -> (tensor<8xf32>, tensor<4xf32>) {
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.exp ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %u = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %w = tensor.insert_slice %z into %u[4] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %w, %y : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @changed_places
// CHECK: memref.alloc
// CHECK: return
func.func @changed_places(%t: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %s = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %xy:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %s, %b : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %b, %s : tensor<4xf32>, tensor<4xf32>
  }
  %u = tensor.insert_slice %xy#0 into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %w = tensor.insert_slice %xy#1 into %u[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

// Element by element, a row is computed from itself or from another row. Turned around, or
// from a row that begins elsewhere, it would find new elements.

#turned = affine_map<(i) -> (5 - i)>
#straight = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @row_from_some_row
// CHECK-NOT: alloc
// CHECK: return
// WITHOUT-LABEL: func.func @row_from_some_row
// WITHOUT: memref.alloc
// WITHOUT: return
func.func @row_from_some_row(%t: tensor<4x6xf32>, %i: index, %j: index) -> tensor<4x6xf32> {
  %a = tensor.extract_slice %t[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %b = tensor.extract_slice %t[%j, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %c = linalg.map { arith.addf } ins(%a, %b : tensor<6xf32>, tensor<6xf32>)
      outs(%b : tensor<6xf32>)
  %r = tensor.insert_slice %c into %t[%j, 0] [1, 6] [1, 1]
      : tensor<6xf32> into tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @turned
// CHECK: memref.alloc
// CHECK: return
func.func @turned(%t: tensor<4x6xf32>, %i: index, %j: index) -> tensor<4x6xf32> {
  %a = tensor.extract_slice %t[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %b = tensor.extract_slice %t[%j, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %c = linalg.generic {indexing_maps = [#turned, #straight], iterator_types = ["parallel"]}
      ins(%a : tensor<6xf32>) outs(%b : tensor<6xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
  } -> tensor<6xf32>
  %r = tensor.insert_slice %c into %t[%j, 0] [1, 6] [1, 1]
      : tensor<6xf32> into tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @elsewhere
// CHECK: memref.alloc
// CHECK: return
func.func @elsewhere(%t: tensor<4x9xf32>, %i: index, %j: index) -> tensor<4x9xf32> {
  %a = tensor.extract_slice %t[%i, 1] [1, 6] [1, 1] : tensor<4x9xf32> to tensor<6xf32>
  %b = tensor.extract_slice %t[%j, 0] [1, 6] [1, 1] : tensor<4x9xf32> to tensor<6xf32>
  %c = linalg.map { arith.addf } ins(%a, %b : tensor<6xf32>, tensor<6xf32>)
      outs(%b : tensor<6xf32>)
  %r = tensor.insert_slice %c into %t[%j, 0] [1, 6] [1, 1]
      : tensor<6xf32> into tensor<4x9xf32>
  return %r : tensor<4x9xf32>
}

// -----

// Each iteration reads the row that the one before would have overwritten.

// CHECK-LABEL: func.func @same_row_in_each_iteration
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: linalg.map
// CHECK: return
func.func @same_row_in_each_iteration(%t: tensor<4x6xf32>, %i: index, %j: index, %n: index)
    -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract_slice %t[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %b = tensor.extract_slice %t[%j, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
    %c = linalg.map { arith.addf } ins(%a, %b : tensor<6xf32>, tensor<6xf32>)
        outs(%b : tensor<6xf32>)
    %x = tensor.extract %c[%c1] : tensor<6xf32>
    %y = arith.addf %sum, %x : f32
    scf.yield %y : f32
  }
  return %s : f32
}

// -----

// No size is negative: what ends at %h is before what begins at twice or three times %h.

// CHECK-LABEL: func.func @multiples
// CHECK-NOT: alloc
// CHECK: return
func.func @multiples(%t: tensor<?xf32>, %h: index) -> tensor<?xf32> {
  %h2 = arith.addi %h, %h : index
  %h3 = arith.addi %h2, %h : index
  %a = tensor.extract_slice %t[0] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %t[%h2] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %c = tensor.extract_slice %t[%h3] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %x = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.exp ins(%a : tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %z = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %u = tensor.insert_slice %x into %t[%h2] [%h] [1] : tensor<?xf32> into tensor<?xf32>
  %v = tensor.insert_slice %z into %u[0] [%h] [1] : tensor<?xf32> into tensor<?xf32>
  %w = tensor.insert_slice %y into %v[%h3] [%h] [1] : tensor<?xf32> into tensor<?xf32>
  return %w : tensor<?xf32>
}

// One that begins in the middle of another one.

// CHECK-LABEL: func.func @halves_of_multiples
// CHECK: memref.alloc
// CHECK: return
func.func @halves_of_multiples(%t: tensor<?xf32>, %h: index) -> tensor<?xf32> {
  %h2 = arith.addi %h, %h : index
  %a = tensor.extract_slice %t[0] [%h2] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %t[%h] [%h2] [1] : tensor<?xf32> to tensor<?xf32>
  %x = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %u = tensor.insert_slice %x into %t[%h] [%h2] [1] : tensor<?xf32> into tensor<?xf32>
  return %u : tensor<?xf32>
}
