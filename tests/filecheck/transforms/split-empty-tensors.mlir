// RUN: xdsl-opt %s -p split-empty-tensors --split-input-file --allow-unregistered-dialect | filecheck %s

// What the loop yields is computed in a buffer of its own. The other op in the loop keeps
// the shared one.

// CHECK-LABEL: func.func @carried
// CHECK: %e = tensor.empty()
// CHECK: scf.for
// CHECK-NEXT: linalg.fill ins(%f : f64) outs(%e
// CHECK-NEXT: %[[OWN:.*]] = tensor.empty() : tensor<8xf64>
// CHECK-NEXT: linalg.add {{.*}} outs(%[[OWN]]
func.func @carried(%t: tensor<8xf64>, %n: index, %f: f64) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<8xf64>) {
    %z = linalg.fill ins(%f : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
    %y = linalg.add ins(%x, %z : tensor<8xf64>, tensor<8xf64>)
        outs(%e : tensor<8xf64>) -> tensor<8xf64>
    scf.yield %y : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}

// -----

// One buffer for two tensors, one after the other, is better than two.

// CHECK-LABEL: func.func @no_copy
// CHECK: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @no_copy(%t: tensor<8xf64>, %i: index) -> (f64, f64) {
  %e = tensor.empty() : tensor<8xf64>
  %a = linalg.exp ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %x = tensor.extract %a[%i] : tensor<8xf64>
  %b = linalg.abs ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %y = tensor.extract %b[%i] : tensor<8xf64>
  return %x, %y : f64, f64
}

// -----

// What is copied was computed in an argument.

// CHECK-LABEL: func.func @argument
// CHECK: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @argument(%t: tensor<8xf64>, %i: index, %f: f64) -> (f64, f64, f64) {
  %e = tensor.empty() : tensor<8xf64>
  %z = linalg.fill ins(%f : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %p = tensor.extract %z[%i] : tensor<8xf64>
  %w = linalg.exp ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %q = tensor.extract %w[%i] : tensor<8xf64>
  %u = tensor.insert %f into %t[%i] : tensor<8xf64>
  %x = tensor.extract %u[%i] : tensor<8xf64>
  %y = tensor.extract %t[%i] : tensor<8xf64>
  %s = arith.addf %x, %y : f64
  return %p, %q, %s : f64, f64, f64
}

// -----

// A row is computed from the row before, in a loop whose size is dynamic. An iteration
// allocates as much as the copy of its result did, whose size is that of %e, as the inner
// loop keeps it.

// CHECK-LABEL: func.func @rows
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK-NEXT: %[[OWN:.*]] = tensor.empty(%n) : tensor<?xi32>
// CHECK-NEXT: tensor.insert %z into %[[OWN]]
func.func @rows(%n: index, %z: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xi32>
  %first = linalg.fill ins(%z : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%row = %first) -> (tensor<?xi32>) {
    %start = tensor.insert %z into %e[%c0] : tensor<?xi32>
    %next = scf.for %j = %c1 to %n step %c1 iter_args(%t = %start) -> (tensor<?xi32>) {
      %k = arith.subi %j, %c1 : index
      %a = tensor.extract %row[%j] : tensor<?xi32>
      %b = tensor.extract %t[%k] : tensor<?xi32>
      %c = arith.addi %a, %b : i32
      %u = tensor.insert %c into %t[%j] : tensor<?xi32>
      scf.yield %u : tensor<?xi32>
    }
    scf.yield %next : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// -----

// Only slices of them are used, and of one of those only a slice again.

// CHECK-LABEL: func.func @slice
// CHECK-NEXT: %s = tensor.empty(%n) : tensor<?x4xf64>
// CHECK-NEXT: %z = linalg.fill {{.*}} outs(%s : tensor<?x4xf64>)
// CHECK-NEXT: %u = tensor.empty() : tensor<2xf64>
// CHECK-NEXT: %w = linalg.fill {{.*}} outs(%u : tensor<2xf64>)
// CHECK-NEXT: return %z, %w
func.func @slice(%f: f64, %n: index, %i: index) -> (tensor<?x4xf64>, tensor<2xf64>) {
  %e = tensor.empty(%n, %i) : tensor<?x?x9xf64>
  %s = tensor.extract_slice %e[0, %i, 1] [%n, 1, 4] [1, 1, 2]
      : tensor<?x?x9xf64> to tensor<?x4xf64>
  %z = linalg.fill ins(%f : f64) outs(%s : tensor<?x4xf64>) -> tensor<?x4xf64>
  %g = tensor.empty() : tensor<8x8xf64>
  %t = tensor.extract_slice %g[%i, 0] [4, 4] [1, 1] : tensor<8x8xf64> to tensor<4x4xf64>
  %u = tensor.extract_slice %t[1, 1] [1, 2] [1, 1] : tensor<4x4xf64> to tensor<2xf64>
  %w = linalg.fill ins(%f : f64) outs(%u : tensor<2xf64>) -> tensor<2xf64>
  return %z, %w : tensor<?x4xf64>, tensor<2xf64>
}

// -----

// CHECK-LABEL: func.func @slice_of_alloc_tensor
// CHECK-NEXT: %s = bufferization.alloc_tensor(%n) {{{.*}}memory_space = 1 : i64} : tensor<?xf64>
// CHECK-NEXT: %z = linalg.fill {{.*}} outs(%s : tensor<?xf64>)
// CHECK-NEXT: bufferization.alloc_tensor() copy(%t)
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: return
func.func @slice_of_alloc_tensor(%f: f64, %n: index, %t: tensor<8xf64>)
    -> (tensor<?xf64>, tensor<4xf64>) {
  %e = bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<?x9xf64>
  %s = tensor.extract_slice %e[0, 3] [%n, 1] [1, 1] : tensor<?x9xf64> to tensor<?xf64>
  %z = linalg.fill ins(%f : f64) outs(%s : tensor<?xf64>) -> tensor<?xf64>
  %c = bufferization.alloc_tensor() copy(%t) : tensor<8xf64>
  %u = tensor.extract_slice %c[1] [4] [1] : tensor<8xf64> to tensor<4xf64>
  return %z, %u : tensor<?xf64>, tensor<4xf64>
}

// -----

// What the loop is given may not be written. In place in a buffer of its own, the op would
// write what the loop carries, so that the argument would be copied.

// CHECK-LABEL: func.func @slice_out_of_place
// CHECK: tensor.empty({{.*}}) : tensor<?x9xf64>
// CHECK-NEXT: tensor.extract_slice
func.func @slice_out_of_place(%t: tensor<?xf64> {bufferization.writable = false}, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<?xf64>)
^head(%i: index, %x: tensor<?xf64>):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %e = tensor.empty(%n) : tensor<?x9xf64>
  %s = tensor.extract_slice %e[0, 3] [%n, 1] [1, 1] : tensor<?x9xf64> to tensor<?xf64>
  %y = linalg.exp ins(%x : tensor<?xf64>) outs(%s : tensor<?xf64>) -> tensor<?xf64>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %y : index, tensor<?xf64>)
^end:
  %r = tensor.extract %x[%c0] : tensor<?xf64>
  return %r : f64
}

// -----

// One allocation serves all iterations, or two slices.

// CHECK-LABEL: func.func @shared_by_slices
// CHECK-NEXT: %e = tensor.empty
// CHECK-NEXT: %g = tensor.empty
// CHECK-COUNT-3: tensor.extract_slice
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @shared_by_slices(%f: f64, %n: index, %i: index, %j: index) -> f64 {
  %e = tensor.empty() : tensor<8xf64>
  %g = tensor.empty() : tensor<8xf64>
  %r = scf.for %k = %i to %n step %j iter_args(%x = %f) -> (f64) {
    %s = tensor.extract_slice %e[%k] [4] [1] : tensor<8xf64> to tensor<4xf64>
    %z = linalg.fill ins(%x : f64) outs(%s : tensor<4xf64>) -> tensor<4xf64>
    %y = tensor.extract %z[%i] : tensor<4xf64>
    scf.yield %y : f64
  }
  %s = tensor.extract_slice %g[%i] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %t = tensor.extract_slice %g[%j] [4] [1] : tensor<8xf64> to tensor<4xf64>
  %z = linalg.fill ins(%f : f64) outs(%s : tensor<4xf64>) -> tensor<4xf64>
  %w = linalg.fill ins(%r : f64) outs(%t : tensor<4xf64>) -> tensor<4xf64>
  %p = tensor.extract %z[%i] : tensor<4xf64>
  %q = tensor.extract %w[%i] : tensor<4xf64>
  %sum = arith.addf %p, %q : f64
  return %sum : f64
}

// -----

// Two products accumulate in a filled tensor that is read after that: each gets a fill of
// its own.

// CHECK-LABEL: func.func @shared_fill
// CHECK-COUNT-3: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @shared_fill(%x: tensor<4x4xf64>, %a: tensor<4x2xf64>, %b: tensor<4x2xf64>)
    -> tensor<4x4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x2xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<4x2xf64>) -> tensor<4x2xf64>
  %p = linalg.matmul ins(%x, %a : tensor<4x4xf64>, tensor<4x2xf64>)
      outs(%z : tensor<4x2xf64>) -> tensor<4x2xf64>
  %q = linalg.matmul ins(%x, %b : tensor<4x4xf64>, tensor<4x2xf64>)
      outs(%z : tensor<4x2xf64>) -> tensor<4x2xf64>
  %s = linalg.add ins(%p, %z : tensor<4x2xf64>, tensor<4x2xf64>)
      outs(%p : tensor<4x2xf64>) -> tensor<4x2xf64>
  %r = tensor.concat dim(1) %s, %q
      : (tensor<4x2xf64>, tensor<4x2xf64>) -> tensor<4x4xf64>
  return %r : tensor<4x4xf64>
}

// -----

// Each iteration needs zeros. The fill before the loop has no other use.

// CHECK-LABEL: func.func @filled_before_a_loop
// CHECK-NOT: linalg.fill
// CHECK: scf.for
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty(%n) : tensor<?xf64>
// CHECK-NEXT: %[[ZEROS:.*]] = linalg.fill ins(%zero : f64) outs(%[[EMPTY]]
// CHECK-NEXT: linalg.matvec {{.*}} outs(%[[ZEROS]]
func.func @filled_before_a_loop(%m: tensor<?x?xf64>, %t: tensor<?xf64>, %n: index,
                                %zero: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?xf64>) {
    %y = linalg.matvec ins(%m, %x : tensor<?x?xf64>, tensor<?xf64>)
        outs(%z : tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// -----

// A constant is never written. One of different elements is copied.

// CHECK-LABEL: func.func @constants
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4xi32>
// CHECK-NEXT: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : i32) outs(%[[EMPTY]]
// CHECK-NEXT: tensor.insert %x into %[[ZEROS]]
// CHECK-NEXT: tensor.insert %x into %others
func.func @constants(%x: i32, %i: index) -> (tensor<4xi32>, tensor<4xi32>) {
  %zeros = arith.constant dense<0> : tensor<4xi32>
  %others = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = tensor.insert %x into %zeros[%i] : tensor<4xi32>
  %1 = tensor.insert %x into %others[%i] : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// The fill is only read after the one op that writes it.

// CHECK-LABEL: func.func @one_user_writes
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @one_user_writes(%x: f64, %i: index) -> (f64, f64) {
  %e = tensor.empty() : tensor<4xf64>
  %z = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %p = tensor.extract %z[%i] : tensor<4xf64>
  %y = tensor.insert %p into %z[%i] : tensor<4xf64>
  %q = tensor.extract %y[%i] : tensor<4xf64>
  return %p, %q : f64, f64
}

// -----

// The result of @foo.add may be in the buffer of either operand: bufferization copies the
// second one if the product is computed in a buffer of the program, and not in a copy.

// CHECK-LABEL: func.func @unknown_ops
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @unknown_ops(%a: tensor<4x4xf64>, %x: tensor<4xf64>, %m: tensor<4xf64>)
    -> tensor<4xf64> {
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %p = "foo.view"(%m) : (tensor<4xf64>) -> tensor<4xf64>
  %y = linalg.matvec ins(%a, %x : tensor<4x4xf64>, tensor<4xf64>)
      outs(%zeros : tensor<4xf64>) -> tensor<4xf64>
  %s = "foo.add"(%y, %p) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %s : tensor<4xf64>
}

// -----

// The filled tensor is in a memory space of its own.

// CHECK-LABEL: func.func @memory_space
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @memory_space(%x: f32, %a: tensor<4x4xf32>, %b: tensor<4xf32>, %i: index)
    -> (f32, f32) {
  %e = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %z = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %p = linalg.matvec ins(%a, %b : tensor<4x4xf32>, tensor<4xf32>)
      outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %q = linalg.vecmat ins(%b, %a : tensor<4xf32>, tensor<4x4xf32>)
      outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.extract %p[%i] : tensor<4xf32>
  %t = tensor.extract %q[%i] : tensor<4xf32>
  return %s, %t : f32, f32
}

// -----

// scf.while copies what its first region passes on, unless the second has computed it in
// a buffer of its own.

// CHECK-LABEL: func.func @condition
// CHECK: } do {
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<8xf64>
// CHECK-NEXT: linalg.transpose ins(%{{.*}} : tensor<8xf64>) outs(%[[OWN]]
func.func @condition(%t: tensor<8xf64>, %f: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf64>
  %init = linalg.exp ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %r = scf.while (%old = %init) : (tensor<8xf64>) -> tensor<8xf64> {
    %x = tensor.extract %old[%c0] : tensor<8xf64>
    %c = arith.cmpf olt, %x, %f : f64
    scf.condition(%c) %old : tensor<8xf64>
  } do {
  ^bb0(%b: tensor<8xf64>):
    %n = linalg.transpose ins(%b : tensor<8xf64>) outs(%e : tensor<8xf64>)
      permutation = [0]
    scf.yield %n : tensor<8xf64>
  }
  %y = tensor.extract %r[%c0] : tensor<8xf64>
  return %y : f64
}
