// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// Each iteration hands on the buffer it was given: the loop works on %t itself.

func.func @in_place(%t: tensor<?xf32>, %f: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK:      func.func @in_place(%t: memref<?xf32, strided<[?], offset: ?>>, %f: f32, %n: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     memref.store %f, %a[%i] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %a : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// The loop writes %t, which is read afterwards: it gets a copy, contents included, because
// there may be no iteration.

func.func @copy_before_loop(%t: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<4xf32>
  return %r, %v : tensor<4xf32>, f32
}

// CHECK:      func.func @copy_before_loop(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %n: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %t, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<4xf32>) {
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
// CHECK-NEXT:     scf.yield %a : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = memref.load %t[%c0] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %r, %v : memref<4xf32>, f32
// CHECK-NEXT: }

// -----

// There are iterations, and each overwrites everything: the copy needs no contents.

func.func @buffer_without_contents(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<4xf32>
  return %r, %v : tensor<4xf32>, f32
}

// CHECK:      func.func @buffer_without_contents(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32) -> (memref<4xf32>, f32) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c4 = arith.constant 4 : index
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %0) -> (memref<4xf32>) {
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
// CHECK-NEXT:     scf.yield %a : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = memref.load %t[%c0] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %r, %v : memref<4xf32>, f32
// CHECK-NEXT: }

// -----

// The same with bounds that are compared as unsigned numbers: -1 is the greatest of them,
// there is no iteration, and the copy is what the loop gives.

func.func @unsigned(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lb = arith.constant -1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for unsigned %i = %lb to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %w = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %t[%c0] : tensor<4xf32>
  return %r, %v : tensor<4xf32>, f32
}

// CHECK:      func.func @unsigned(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32) -> (memref<4xf32>, f32) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %lb = arith.constant -1 : index
// CHECK-NEXT:   %c4 = arith.constant 4 : index
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %t, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %r = scf.for unsigned %i = %lb to %c4 step %c1 iter_args(%a = %0) -> (memref<4xf32>) {
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
// CHECK-NEXT:     scf.yield %a : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = memref.load %t[%c0] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %r, %v : memref<4xf32>, f32
// CHECK-NEXT: }

// -----

// A new buffer comes around. It is contiguous where %s is strided: iter_arg and result get
// a layout that both can be cast to.

func.func @new_buffer(%t: tensor<16xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> tensor<4xf32> {
    %e = bufferization.alloc_tensor() copy(%a) : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  return %v : f32
}

// CHECK:      func.func @new_buffer(%t: memref<16xf32, strided<[?], offset: ?>>, %n: index) -> f32 {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %s = memref.subview %t[4] [4] [2] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     memref.copy %a, %e : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:     %0 = memref.cast %e : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = memref.load %r[%c0] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %v : f32
// CHECK-NEXT: }

// -----

// Iterations that exchange their buffers hand on copies: %b must not be seen as %a.

func.func @swap(%s: tensor<4xf32>, %t: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      func.func @swap(%s: memref<4xf32, strided<[?], offset: ?>>, %t: memref<4xf32, strided<[?], offset: ?>>, %n: index) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %r, %r_1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     memref.copy %b, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:     %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     memref.copy %a, %1 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:     %2 = memref.cast %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %3 = memref.cast %1 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %2, %3 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r, %r_1 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// One new tensor for both iter_args: the second gets a copy, for the first is written.

func.func @new_buffer_twice(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    %e = bufferization.alloc_tensor() copy(%w) : tensor<4xf32>
    scf.yield %e, %e : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      func.func @new_buffer_twice(%t: memref<4xf32, strided<[?], offset: ?>>, %u: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %n: index) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %r, %r_1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     memref.store %f, %a[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     memref.copy %a, %e : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:     %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     memref.copy %e, %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:     %1 = memref.cast %e : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %2 = memref.cast %0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %1, %2 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r, %r_1 : memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// Two iter_args may be one buffer while both are only read.

// CHECK-LABEL: @yields_one_value_twice
// CHECK:         scf.yield %new, %new
func.func @yields_one_value_twice(
    %t: tensor<4xi32>, %n: index, %x: i32, %i: index) -> (i32, i32) {
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %i to %n step %c1 iter_args(%a = %t, %b = %t)
      -> (tensor<4xi32>, tensor<4xi32>) {
    %new = tensor.splat %x : tensor<4xi32>
    scf.yield %new, %new : tensor<4xi32>, tensor<4xi32>
  }
  %e = tensor.extract %r#0[%i] : tensor<4xi32>
  %f = tensor.extract %r#1[%i] : tensor<4xi32>
  return %e, %f : i32, i32
}

// -----

// Not if the result of the loop is written afterwards, or returned to who may write it.

// CHECK-LABEL: @yields_one_value_twice_written
// CHECK:         memref.copy %new, %[[COPY:[0-9]+]]
// CHECK-NEXT:    scf.yield %new, %[[COPY]]
func.func @yields_one_value_twice_written(
    %t: tensor<4xi32>, %n: index, %x: i32, %i: index) -> (i32, i32) {
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %i to %n step %c1 iter_args(%a = %t, %b = %t)
      -> (tensor<4xi32>, tensor<4xi32>) {
    %new = tensor.splat %x : tensor<4xi32>
    scf.yield %new, %new : tensor<4xi32>, tensor<4xi32>
  }
  %w = tensor.insert %x into %r#0[%i] : tensor<4xi32>
  %e = tensor.extract %w[%i] : tensor<4xi32>
  %f = tensor.extract %r#1[%i] : tensor<4xi32>
  return %e, %f : i32, i32
}

// CHECK-LABEL: @yields_one_value_twice_returned
// CHECK:         memref.copy %new, %[[COPY:[0-9]+]]
// CHECK-NEXT:    scf.yield %new, %[[COPY]]
func.func @yields_one_value_twice_returned(
    %t: tensor<4xi32>, %n: index, %x: i32) -> (tensor<4xi32>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c1 to %n step %c1 iter_args(%a = %t, %b = %t)
      -> (tensor<4xi32>, tensor<4xi32>) {
    %new = tensor.splat %x : tensor<4xi32>
    scf.yield %new, %new : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// What was copied before the loop is not copied again, if nobody writes it.

// CHECK-LABEL: @yields_copy_that_is_only_read
// CHECK:         memref.copy %v, %[[V:.*]] :
// CHECK:         scf.yield %[[V]]
func.func @yields_copy_that_is_only_read(
    %t: tensor<4xi32>, %o: tensor<8xi32>, %n: index, %x: i32, %i: index)
    -> (i32, i32, tensor<8xi32>) {
  %c1 = arith.constant 1 : index
  %v = tensor.extract_slice %o[1] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %u = tensor.insert %x into %o[%i] : tensor<8xi32>
  %r = scf.for %k = %i to %n step %c1 iter_args(%a = %t) -> tensor<4xi32> {
    scf.yield %v : tensor<4xi32>
  }
  %e = tensor.extract %r[%i] : tensor<4xi32>
  %f = tensor.extract %t[%i] : tensor<4xi32>
  return %e, %f, %u : i32, i32, tensor<8xi32>
}

// -----

// It is if the copy is written after the loop.

// CHECK-LABEL: @yields_what_is_written_later
// CHECK:         memref.copy %v, %[[V:.*]] :
// CHECK:         scf.for
// CHECK:           memref.copy %[[V]], %[[COPY:[0-9]+]]
// CHECK-NEXT:      scf.yield %[[COPY]]
// CHECK:         memref.store %x, %[[V]]
func.func @yields_what_is_written_later(
    %t: tensor<4xi32>, %o: tensor<8xi32>, %n: index, %x: i32, %i: index)
    -> (i32, i32, tensor<8xi32>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %v = tensor.extract_slice %o[1] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %u = tensor.insert %x into %o[%i] : tensor<8xi32>
  %r = scf.for %k = %i to %n step %c1 iter_args(%a = %t) -> tensor<4xi32> {
    scf.yield %v : tensor<4xi32>
  }
  %w = tensor.insert %x into %v[%i] : tensor<4xi32>
  %e = tensor.extract %r[%i] : tensor<4xi32>
  %f = tensor.extract %t[%i] : tensor<4xi32>
  return %e, %f, %u, %w : i32, i32, tensor<8xi32>, tensor<4xi32>
}

// -----

// An iter_arg and a result without uses may be any buffer.

// CHECK-LABEL: @yields_to_nobody
// CHECK:         scf.yield %w, %w
func.func @yields_to_nobody(%t: tensor<4xi32>, %n: index, %x: i32) -> tensor<4xi32> {
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c1 to %n step %c1 iter_args(%a = %t, %b = %t)
      -> (tensor<4xi32>, tensor<4xi32>) {
    %w = tensor.splat %x : tensor<4xi32>
    scf.yield %w, %w : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

// -----

// Of the arguments that get the buffer, only two have uses: %a is read before %b is written.

// CHECK-LABEL: @yields_to_two_that_have_uses
// CHECK:         scf.yield %w, %w, %w, %w, %w
func.func @yields_to_two_that_have_uses(%t: tensor<4xi32>, %n: index, %x: i32) {
  %c1 = arith.constant 1 : index
  %r:5 = scf.for %k = %c1 to %n step %c1
      iter_args(%a = %t, %b = %t, %c = %t, %d = %t, %e = %t)
      -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %v = tensor.extract %a[%c1] : tensor<4xi32>
    %u = tensor.insert %v into %b[%k] : tensor<4xi32>
    %z = tensor.extract %u[%c1] : tensor<4xi32>
    %w = tensor.splat %z : tensor<4xi32>
    scf.yield %w, %w, %w, %w, %w
        : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return
}

// -----

// It yields the buffer that it was given. %s, which may be that buffer, may also be %t, which
// must not be written after the loop: no reason to copy.

// CHECK-LABEL: @yields_its_own
// CHECK:         scf.yield %a
func.func @yields_its_own(%t: tensor<4xi32>, %n: index, %x: i32, %p: i1) -> (tensor<4xi32>, i32) {
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c1 to %n step %c1 iter_args(%a = %t) -> tensor<4xi32> {
    %s = arith.select %p, %a, %t : tensor<4xi32>
    %v = tensor.extract %s[%k] : tensor<4xi32>
    vector.print %v : i32
    scf.yield %a : tensor<4xi32>
  }
  %w = tensor.insert %x into %r[%c1] : tensor<4xi32>
  %z = tensor.extract %t[%c1] : tensor<4xi32>
  return %w, %z : tensor<4xi32>, i32
}
