// RUN: xdsl-opt %s -p build-in-destination --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'build-in-destination,one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=cheapest disjoint-slices verify-result}' --split-input-file | filecheck %s --check-prefix=BUFFERS

// Both branches compute in one slice, which is taken before them.

// CHECK-LABEL: func.func @branch
// CHECK: %[[D:.*]] = tensor.extract_slice %t[8] [4] [1]
// CHECK-NEXT: scf.if
// CHECK: linalg.fill ins(%x : f64) outs(%[[D]]
// CHECK: } else {
// CHECK: linalg.exp ins(%a : tensor<4xf64>) outs(%[[D]]
// BUFFERS-LABEL: func.func @branch
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @branch(%t: tensor<16xf64>, %c: i1, %x: f64) -> tensor<16xf64> {
  %r = scf.if %c -> (tensor<4xf64>) {
    %e = tensor.empty() : tensor<4xf64>
    %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.yield %f : tensor<4xf64>
  } else {
    %e = tensor.empty() : tensor<4xf64>
    %a = tensor.extract_slice %t[0] [4] [1] : tensor<16xf64> to tensor<4xf64>
    %f = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.yield %f : tensor<4xf64>
  }
  %u = tensor.insert_slice %r into %t[8] [4] [1]
      : tensor<4xf64> into tensor<16xf64>
  return %u : tensor<16xf64>
}

// -----

// The loop carries the slice.

// CHECK-LABEL: func.func @loop
// CHECK: tensor.extract_slice %all[1, 0] [1, 5] [1, 1]
// CHECK: linalg.fill
// CHECK: scf.for
// BUFFERS-LABEL: func.func @loop
// BUFFERS: memref.alloc() {alignment = 64 : i64} : memref<3x5xf64>
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @loop(%a: tensor<5xf64>, %n: index, %x: f64) -> tensor<3x5xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %whole = tensor.empty() : tensor<3x5xf64>
  %all = linalg.fill ins(%x : f64) outs(%whole : tensor<3x5xf64>) -> tensor<3x5xf64>
  %e = tensor.empty() : tensor<5xf64>
  %s = linalg.fill ins(%x : f64) outs(%e : tensor<5xf64>) -> tensor<5xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %s) -> (tensor<5xf64>) {
    %w = linalg.add ins(%a, %v : tensor<5xf64>, tensor<5xf64>)
        outs(%v : tensor<5xf64>) -> tensor<5xf64>
    scf.yield %w : tensor<5xf64>
  }
  %u = tensor.insert_slice %r into %all[1, 0] [1, 5] [1, 1]
      : tensor<5xf64> into tensor<3x5xf64>
  return %u : tensor<3x5xf64>
}

// -----

// What is overwritten is still to be read: a copy would move elsewhere, or grow.

// CHECK-LABEL: func.func @read_later
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf64>
// CHECK-NEXT: linalg.exp ins(%a : tensor<4xf64>) outs(%[[E]]
// CHECK-NEXT: linalg.add
// CHECK-NEXT: tensor.insert_slice
// BUFFERS-LABEL: func.func @read_later
func.func @read_later(%t: tensor<16xf64>) -> tensor<16xf64> {
  %a = tensor.extract_slice %t[8] [4] [1] : tensor<16xf64> to tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64>
  %b = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %c = linalg.add ins(%a, %b : tensor<4xf64>, tensor<4xf64>)
      outs(%b : tensor<4xf64>) -> tensor<4xf64>
  %u = tensor.insert_slice %c into %t[6] [4] [1]
      : tensor<4xf64> into tensor<16xf64>
  return %u : tensor<16xf64>
}

// -----

// The slice depends on what is computed in the tensor: it cannot be taken before.

// CHECK-LABEL: func.func @place_unknown
// CHECK: tensor.empty()
// CHECK-NEXT: linalg.add
// BUFFERS-LABEL: func.func @place_unknown
func.func @place_unknown(%t: tensor<16xi64>, %a: tensor<4xi64>) -> tensor<16xi64> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xi64>
  %b = linalg.add ins(%a, %a : tensor<4xi64>, tensor<4xi64>)
      outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %x = tensor.extract %b[%c0] : tensor<4xi64>
  %i = arith.index_cast %x : i64 to index
  %u = tensor.insert_slice %b into %t[%i] [4] [1]
      : tensor<4xi64> into tensor<16xi64>
  return %u : tensor<16xi64>
}

// -----

// What a thread inserts is computed in its part of the shared output, even if its place
// is computed after it.

// CHECK-LABEL: func.func @threads
// CHECK: scf.forall (%i) in (2) shared_outs(%o = %e)
// CHECK: %[[J:.*]] = arith.muli %i, %c4
// CHECK-NEXT: %[[D:.*]] = tensor.extract_slice %o[%[[J]]] [4] [1]
// CHECK-NEXT: scf.if
// CHECK: linalg.fill ins(%x : f64) outs(%[[D]]
// CHECK: } else {
// CHECK: linalg.exp ins(%a : tensor<4xf64>) outs(%[[D]]
// BUFFERS-LABEL: func.func @threads
// BUFFERS: memref.alloc() {alignment = 64 : i64} : memref<8xf64>
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @threads(%t: tensor<8xf64>, %x: f64) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8xf64>
  %r = scf.forall (%i) in (2) shared_outs(%o = %e) -> (tensor<8xf64>) {
    %a = tensor.extract_slice %t[%i] [4] [2] : tensor<8xf64> to tensor<4xf64>
    %c = arith.cmpi eq, %i, %c0 : index
    %s = scf.if %c -> (tensor<4xf64>) {
      %e0 = tensor.empty() : tensor<4xf64>
      %f = linalg.fill ins(%x : f64) outs(%e0 : tensor<4xf64>) -> tensor<4xf64>
      scf.yield %f : tensor<4xf64>
    } else {
      %e0 = tensor.empty() : tensor<4xf64>
      %f = linalg.exp ins(%a : tensor<4xf64>) outs(%e0 : tensor<4xf64>)
          -> tensor<4xf64>
      scf.yield %f : tensor<4xf64>
    }
    %j = arith.muli %i, %c4 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%j] [4] [1]
          : tensor<4xf64> into tensor<8xf64>
    }
  }
  return %r : tensor<8xf64>
}

// -----

// The inner loop computes in a row of what the outer one shares.

// CHECK-LABEL: func.func @nested_threads
// CHECK: scf.forall (%i) in (2) shared_outs(%o = %e)
// CHECK: %[[R:.*]] = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<2x8xf64> to tensor<8xf64>
// CHECK-NEXT: scf.forall (%j) in (4) shared_outs(%p = %[[R]])
// CHECK: %[[D:.*]] = tensor.extract_slice %p[%{{.*}}] [2] [1]
// CHECK-NEXT: linalg.exp ins(%a : tensor<2xf64>) outs(%[[D]]
// BUFFERS-LABEL: func.func @nested_threads
// BUFFERS: memref.alloc() {alignment = 64 : i64} : memref<2x8xf64>
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @nested_threads(%t: tensor<2x8xf64>) -> tensor<2x8xf64> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<2x8xf64>
  %r = scf.forall (%i) in (2) shared_outs(%o = %e) -> (tensor<2x8xf64>) {
    %e0 = tensor.empty() : tensor<8xf64>
    %q = scf.forall (%j) in (4) shared_outs(%p = %e0) -> (tensor<8xf64>) {
      %k = arith.muli %j, %c2 : index
      %a = tensor.extract_slice %t[%i, %k] [1, 2] [1, 1]
          : tensor<2x8xf64> to tensor<2xf64>
      %e1 = tensor.empty() : tensor<2xf64>
      %s = linalg.exp ins(%a : tensor<2xf64>) outs(%e1 : tensor<2xf64>)
          -> tensor<2xf64>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %p[%k] [2] [1]
            : tensor<2xf64> into tensor<8xf64>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 8] [1, 1]
          : tensor<8xf64> into tensor<2x8xf64>
    }
  }
  return %r : tensor<2x8xf64>
}

// -----

// A thread reads what another one replaces: bufferization will read it in %t, which must
// be copied anyway. The threads compute in the copy.

// CHECK-LABEL: func.func @read_by_other_thread
// CHECK: tensor.extract_slice %o[%k] [4] [1]
// CHECK: %[[D:.*]] = tensor.extract_slice %o[%i] [4] [1]
// CHECK-NEXT: linalg.exp ins(%a : tensor<4xf64>) outs(%[[D]]
// BUFFERS-LABEL: func.func @read_by_other_thread
// BUFFERS: memref.alloc() {alignment = 64 : i64} : memref<8xf64>
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @read_by_other_thread(%t: tensor<8xf64>) -> tensor<8xf64> {
  %c4 = arith.constant 4 : index
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %t) -> (tensor<8xf64>) {
    %k = arith.subi %c4, %i : index
    %a = tensor.extract_slice %o[%k] [4] [1] : tensor<8xf64> to tensor<4xf64>
    %e = tensor.empty() : tensor<4xf64>
    %s = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1]
          : tensor<4xf64> into tensor<8xf64>
    }
  }
  return %r : tensor<8xf64>
}

// -----

// A thread also inserts part of what it computes elsewhere, so it may not compute it in
// place: bufferization would take its part of %t, with the contents.

// CHECK-LABEL: func.func @part_inserted_elsewhere
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2xf64>
// CHECK-NEXT: scf.for {{.*}} iter_args(%w = %[[E]])
// BUFFERS-LABEL: func.func @part_inserted_elsewhere
func.func @part_inserted_elsewhere(%t: tensor<8xf64>, %n: index, %x: f64)
    -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %t) -> (tensor<8xf64>) {
    %k = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %e = tensor.empty() : tensor<2xf64>
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%w = %e) -> (tensor<2xf64>) {
      %y = tensor.insert %x into %w[%j] : tensor<2xf64>
      scf.yield %y : tensor<2xf64>
    }
    %p = tensor.extract_slice %s[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [1]
          : tensor<2xf64> into tensor<8xf64>
      tensor.parallel_insert_slice %p into %o[%k] [1] [1]
          : tensor<1xf64> into tensor<8xf64>
    }
  }
  return %r : tensor<8xf64>
}

// -----

// Operands of tensor.concat are computed in the result; sizes that are checked at run time
// are left to the op.

// CHECK-LABEL: func.func @joined(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<6xf64>
// CHECK-NEXT:    %[[A:.*]] = tensor.extract_slice %[[E]][0] [3] [1]
// CHECK-NEXT:    %x = linalg.exp ins(%a : {{.*}}) outs(%[[A]] :
// CHECK-NEXT:    %[[U:.*]] = tensor.insert_slice %x into %[[E]][0] [3] [1]
// CHECK-NEXT:    tensor.insert_slice %b into %[[U]][3] [3] [1]
// CHECK-NOT:     tensor.concat
// CHECK:         return
// CHECK-LABEL: func.func @dynamic(
// CHECK:         tensor.concat
// CHECK-LABEL: func.func @nothing_new(
// CHECK:         tensor.concat
func.func @joined(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<6xf64> {
  %e = tensor.empty() : tensor<3xf64>
  %x = linalg.exp ins(%a : tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %c = tensor.concat dim(0) %x, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
  return %c : tensor<6xf64>
}
func.func @dynamic(%a: tensor<3xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %e = tensor.empty() : tensor<3xf64>
  %x = linalg.exp ins(%a : tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %c = tensor.concat dim(0) %x, %b : (tensor<3xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %c : tensor<?xf64>
}
func.func @nothing_new(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<6xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %c = tensor.concat dim(0) %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
  return %c : tensor<6xf64>
}

// -----

// Both branches compute in one tensor.empty from before them, as common subexpressions
// are one.

// CHECK-LABEL: func.func @one_empty_for_two_branches
// CHECK: %[[ROW:.*]] = tensor.extract_slice %t[%i, 0]
// CHECK: scf.if
// CHECK: linalg.exp {{.*}} outs(%[[ROW]]
// CHECK: linalg.abs {{.*}} outs(%[[ROW]]
func.func @one_empty_for_two_branches(%t: tensor<?x4xf64>, %x: tensor<4xf64>,
                                      %i: index, %c: i1) -> tensor<?x4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %y = scf.if %c -> (tensor<4xf64>) {
    %0 = linalg.exp ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.yield %0 : tensor<4xf64>
  } else {
    %0 = linalg.abs ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.yield %0 : tensor<4xf64>
  }
  %r = tensor.insert_slice %y into %t[%i, 0] [1, 4] [1, 1]
      : tensor<4xf64> into tensor<?x4xf64>
  return %r : tensor<?x4xf64>
}

// -----

// Elements, a padded tensor and computed elements have no tensor of their own, nor has a
// constant of equal elements that a branch inserts.

// CHECK-LABEL: func.func @elements
// CHECK:         %[[PART:.*]] = tensor.extract_slice %t[%i] [2] [1]
// CHECK:         %[[U:.*]] = tensor.insert %x into %[[PART]][%{{.*}}]
// CHECK-NEXT:    %[[V:.*]] = tensor.insert %y into %[[U]][%{{.*}}]
// CHECK-NEXT:    tensor.insert_slice %[[V]] into %t[%i] [2] [1]
func.func @elements(%t: tensor<?xf64>, %i: index, %x: f64, %y: f64) -> tensor<?xf64> {
  %s = tensor.from_elements %x, %y : tensor<2xf64>
  %r = tensor.insert_slice %s into %t[%i] [2] [1] : tensor<2xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @padding
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<6xf64>
// CHECK:         %[[F:.*]] = linalg.fill ins(%x : f64) outs(%[[E]]
// CHECK:         %[[MIDDLE:.*]] = tensor.extract_slice %[[F]][1] [4] [1]
// CHECK:         %y = linalg.exp ins(%a : {{.*}}) outs(%[[MIDDLE]] :
// CHECK:         tensor.insert_slice %y into %[[F]][1] [4] [1]
// CHECK-NOT:     tensor.pad
func.func @padding(%a: tensor<4xf64>, %x: f64) -> tensor<6xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %y = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %r = tensor.pad %y low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f64
  } : tensor<4xf64> to tensor<6xf64>
  return %r : tensor<6xf64>
}
// CHECK-LABEL: func.func @by_branches
// CHECK:         %[[PART:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK:         scf.if
// CHECK:           linalg.generic {{.*}} outs(%[[PART]] :
// CHECK:         } else {
// CHECK:           linalg.fill ins(%{{.*}} : f64) outs(%[[PART]] :
// CHECK-NOT:     tensor.generate
func.func @by_branches(%t: tensor<8xf64>, %a: tensor<8xf64>, %c: i1) -> tensor<8xf64> {
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %y = scf.if %c -> (tensor<4xf64>) {
    %0 = tensor.generate {
    ^bb0(%i: index):
      %1 = arith.addi %i, %i : index
      %2 = tensor.extract %a[%1] : tensor<8xf64>
      tensor.yield %2 : f64
    } : tensor<4xf64>
    scf.yield %0 : tensor<4xf64>
  } else {
    scf.yield %zeros : tensor<4xf64>
  }
  %r = tensor.insert_slice %y into %t[0] [4] [1] : tensor<4xf64> into tensor<8xf64>
  return %r : tensor<8xf64>
}
// What is padded was not computed here; a `nofold` asks for a copy.
// CHECK-LABEL: func.func @as_it_is
// CHECK:         tensor.pad
// CHECK:         tensor.pad %y nofold
func.func @as_it_is(%a: tensor<4xf64>, %x: f64) -> (tensor<6xf64>, tensor<4xf64>) {
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f64
  } : tensor<4xf64> to tensor<6xf64>
  %e = tensor.empty() : tensor<4xf64>
  %y = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %q = tensor.pad %y nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f64
  } : tensor<4xf64> to tensor<4xf64>
  return %p, %q : tensor<6xf64>, tensor<4xf64>
}
