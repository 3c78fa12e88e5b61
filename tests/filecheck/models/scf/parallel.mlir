// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// Each thread writes its own slice of %t, in place.

func.func @own_slice(%t: tensor<100xf32>, %f: f32) -> tensor<100xf32> {
  %r = scf.forall (%i) in (20) shared_outs(%o = %t) -> (tensor<100xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 5)>(%i)
    %s = tensor.extract_slice %o[%b] [5] [1] : tensor<100xf32> to tensor<5xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<5xf32>) -> tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%b] [5] [1] : tensor<5xf32> into tensor<100xf32>
    }
  }
  return %r : tensor<100xf32>
}

// CHECK:      func.func @own_slice(%t: memref<100xf32, strided<[?], offset: ?>>, %f: f32) -> memref<100xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   scf.forall (%i) in (20) {
// CHECK-NEXT:     %b = affine.apply affine_map<(d0) -> ((d0 * 5))> (%i)
// CHECK-NEXT:     %s = memref.subview %t[%b] [5] [1] : memref<100xf32, strided<[?], offset: ?>> to memref<5xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%s : memref<5xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:     %0 = memref.subview %t[%b] [5] [1] : memref<100xf32, strided<[?], offset: ?>> to memref<5xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %s, %0 : memref<5xf32, strided<[?], offset: ?>> to memref<5xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : memref<100xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// %e is made outside and written inside: each thread gets a buffer of its own.

func.func @private(%t: tensor<10xf32>, %f: f32) -> tensor<10xf32> {
  %e = bufferization.alloc_tensor() : tensor<1xf32>
  %r = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<10xf32>) {
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<10xf32>
    }
  }
  return %r : tensor<10xf32>
}

// CHECK:      func.func @private(%t: memref<10xf32, strided<[?], offset: ?>>, %f: f32) -> memref<10xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   scf.forall (%i) in (10) {
// CHECK-NEXT:     %w = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%w : memref<1xf32>)
// CHECK-NEXT:     %0 = memref.subview %t[%i] [1] [1] : memref<10xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %w, %0 : memref<1xf32> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : memref<10xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// A thread reads the element of its neighbour, which to it is still that of %t: the threads
// write a copy of %t.

func.func @neighbour(%t: tensor<9xf32>) -> tensor<9xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<9xf32>) {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %s = tensor.extract_slice %o[%n] [1] [1] : tensor<9xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<9xf32>
    }
  }
  return %r : tensor<9xf32>
}

// CHECK:      func.func @neighbour(%t: memref<9xf32, strided<[?], offset: ?>>) -> memref<9xf32> {
// CHECK-NEXT:   %o = memref.alloc() {alignment = 64 : i64} : memref<9xf32>
// CHECK-NEXT:   memref.copy %t, %o : memref<9xf32, strided<[?], offset: ?>> to memref<9xf32>
// CHECK-NEXT:   scf.forall (%i) in (8) {
// CHECK-NEXT:     %n = affine.apply affine_map<(d0) -> ((d0 + 1))> (%i)
// CHECK-NEXT:     %s = memref.subview %t[%n] [1] [1] : memref<9xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %0 = memref.subview %o[%i] [1] [1] : memref<9xf32> to memref<1xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     memref.copy %s, %0 : memref<1xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %o : memref<9xf32>
// CHECK-NEXT: }

// -----

// A thread fills two elements and inserts one of them: the other must not change, so it
// fills a buffer of its own.

func.func @not_all_inserted(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %s = tensor.extract_slice %o[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %w = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    %e = tensor.extract_slice %w[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// CHECK:      func.func @not_all_inserted(%t: memref<8xf32, strided<[?], offset: ?>>, %f: f32) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   scf.forall (%i) in (4) {
// CHECK-NEXT:     %b = affine.apply affine_map<(d0) -> ((d0 * 2))> (%i)
// CHECK-NEXT:     %s = memref.subview %t[%b] [2] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %w = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%w : memref<2xf32>)
// CHECK-NEXT:     %e = memref.subview %w[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
// CHECK-NEXT:     %0 = memref.subview %t[%b] [1] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %e, %0 : memref<1xf32, strided<[1]>> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// To read a part of the slice that is inserted is no race.

func.func @part_of_own_slice(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %n = arith.addi %b, %c1 : index
    %v = tensor.extract %o[%n] : tensor<8xf32>
    %g = arith.addf %v, %f : f32
    %s = tensor.from_elements %v, %g : tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// CHECK:      func.func @part_of_own_slice(%t: memref<8xf32, strided<[?], offset: ?>>, %f: f32) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   scf.forall (%i) in (4) {
// CHECK-NEXT:     %b = affine.apply affine_map<(d0) -> ((d0 * 2))> (%i)
// CHECK-NEXT:     %n = arith.addi %b, %c1 : index
// CHECK-NEXT:     %v = memref.load %t[%n] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %g = arith.addf %v, %f : f32
// CHECK-NEXT:     %s = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:     %0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.constant 1 : index
// CHECK-NEXT:     memref.store %v, %s[%0] : memref<2xf32>
// CHECK-NEXT:     memref.store %g, %s[%1] : memref<2xf32>
// CHECK-NEXT:     %2 = memref.subview %t[%b] [2] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %s, %2 : memref<2xf32> to memref<2xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// scf.parallel too gives each iteration a buffer of its own to write.

func.func @parallel(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %g = memref.load %m[%i] : memref<8xf32>
    %w = linalg.fill ins(%g : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v = tensor.extract %w[%c0] : tensor<4xf32>
    memref.store %v, %m[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// CHECK:      func.func @parallel(%m: memref<8xf32>) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c8 = arith.constant 8 : index
// CHECK-NEXT:   scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
// CHECK-NEXT:     %g = memref.load %m[%i] : memref<8xf32>
// CHECK-NEXT:     %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     linalg.fill ins(%g : f32) outs(%w : memref<4xf32>)
// CHECK-NEXT:     %v = memref.load %w[%c0] : memref<4xf32>
// CHECK-NEXT:     memref.store %v, %m[%i] : memref<8xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// The second insertion may insert the slice that the first one has overwritten by then.

// CHECK-LABEL: func.func @inserted_after_it_is_overwritten(
// CHECK:         memref.copy
// CHECK:         scf.forall
func.func @inserted_after_it_is_overwritten(%t: tensor<12xf64>, %u: tensor<12xf64>,
    %x: tensor<2xf64>, %c: i1, %own: index, %other: index)
    -> (tensor<12xf64>, tensor<12xf64>) {
  %r:2 = scf.forall (%i) in (1) shared_outs(%o = %t, %p = %u)
      -> (tensor<12xf64>, tensor<12xf64>) {
    %s = tensor.extract_slice %p[%own] [2] [1] : tensor<12xf64> to tensor<2xf64>
    %y = scf.if %c -> (tensor<2xf64>) {
      scf.yield %s : tensor<2xf64>
    } else {
      scf.yield %x : tensor<2xf64>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %p[%other] [2] [1] : tensor<2xf64> into tensor<12xf64>
      tensor.parallel_insert_slice %y into %o[%own] [2] [1] : tensor<2xf64> into tensor<12xf64>
    }
  }
  return %r#0, %r#1 : tensor<12xf64>, tensor<12xf64>
}

// -----

// The only thread fills all of an output that nobody looks at afterwards.

func.func @one_thread(%t: tensor<8xf32>, %e: tensor<1xf32>, %f: f32, %j: index) -> f32 {
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %w = linalg.fill ins(%f : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %f : f32
}
// CHECK:      func.func @one_thread(
// CHECK-NEXT:   scf.forall (%i) in (1) {
// CHECK-NEXT:     linalg.fill ins(%f : f32) outs(%t : memref<8xf32, strided<[?], offset: ?>>)

// -----

// It inserts a slice after another one, which may be the same: the slice is not that of the
// output.

func.func @one_thread_inserts_twice(%t: tensor<8xf32>, %e: tensor<1xf32>, %j: index) {
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %o[%j] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return
}
// CHECK:      func.func @one_thread_inserts_twice(
// CHECK-NEXT:   %o = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:   memref.copy %t, %o : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:   scf.forall (%i) in (1) {
// CHECK-NEXT:     %s = memref.subview %t[%j]

// -----

// Each thread carries the output through a loop that does not look at it.

func.func @unused_iter_arg(%t: tensor<8xf32>, %e: tensor<1xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %l = scf.for %k = %c0 to %n step %c1 iter_args(%a = %o) -> (tensor<8xf32>) {
      %s = tensor.splat %f : tensor<8xf32>
      scf.yield %s : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
// CHECK:      func.func @unused_iter_arg(
// CHECK-NOT:      memref.copy
// CHECK:          scf.for %k = %c0 to %n step %c1 iter_args(%a = %t)

// -----

// A loop reads, by yielding it twice, what it has written: each thread starts it with a
// buffer of its own, though nothing reads the first result of the loop.

// CHECK-LABEL: func.func @written_by_a_loop(
// CHECK:         scf.parallel
// CHECK:           %0 = memref.alloc() {{.*}} : memref<4xf32>
// CHECK:           scf.for %j = %c0 to %c8 step %c1 iter_args(%a = %0, %b = %1)
// CHECK-NEXT:        linalg.fill ins(%g : f32) outs(%a : memref<4xf32>)
func.func @written_by_a_loop(%m: memref<8xf32>, %t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %g = memref.load %m[%i] : memref<8xf32>
    %v, %w = scf.for %j = %c0 to %c8 step %c1 iter_args(%a = %e, %b = %t)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %f = linalg.fill ins(%g : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %f, %f : tensor<4xf32>, tensor<4xf32>
    }
    %x = tensor.extract %w[%c0] : tensor<4xf32>
    memref.store %x, %m[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

// The same with a write before the loop.

// CHECK-LABEL: func.func @written_before_a_loop(
// CHECK:         scf.parallel
// CHECK:           %s = memref.alloc() {{.*}} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%g : f32) outs(%s : memref<4xf32>)
// CHECK:           iter_args(%a = %s, %b = %{{.*}})
func.func @written_before_a_loop(%m: memref<8xf32>, %t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %g = memref.load %m[%i] : memref<8xf32>
    %s = linalg.fill ins(%g : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v, %w = scf.for %j = %c0 to %c8 step %c1 iter_args(%a = %s, %b = %t)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %f = linalg.fill ins(%g : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %f, %f : tensor<4xf32>, tensor<4xf32>
    }
    %x = tensor.extract %w[%c0] : tensor<4xf32>
    memref.store %x, %m[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

// Nothing uses the reshaped output, which may therefore be anything.

// CHECK-LABEL: func.func @unused_reshape(
// CHECK-NEXT:    scf.forall
// CHECK:           %[[slice:.*]] = memref.subview %t[%i, 0] [1, 3] [1, 1]
// CHECK-NEXT:      memref.copy %s, %[[slice]]
// CHECK:         func.return %t
func.func @unused_reshape(%t: tensor<3x3xf32>, %s: tensor<3xf32>) -> tensor<3x3xf32> {
  %r = scf.forall (%i) in (3) shared_outs(%o = %t) -> (tensor<3x3xf32>) {
    %c = tensor.collapse_shape %o [[0, 1]] : tensor<3x3xf32> into tensor<9xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 3] [1, 1]
        : tensor<3xf32> into tensor<3x3xf32>
    }
  }
  return %r : tensor<3x3xf32>
}
