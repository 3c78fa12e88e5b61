// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline{static-ownership},verify-deallocation{allow-undecided=false}' --split-input-file | filecheck %s

// A result that is always new belongs to the caller.

func.func private @new(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}

func.func @new_is_freed(%n: index, %i: index) -> f32 {
  %0 = call @new(%n) : (index) -> memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func private @new(
// CHECK-SAME:      %{{.*}}: index) -> memref<?xf32> {
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    func.return
// CHECK-LABEL: func.func @new_is_freed(
// CHECK:         [[BASE:%.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK-NEXT:    memref.dealloc [[BASE]]
// CHECK-NEXT:    func.return

// -----

// A part of an argument does not, and is not copied.

func.func private @part(%m: memref<8xf32>, %i: index)
    -> memref<4xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%i] [4] [1]
    : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %0 : memref<4xf32, strided<[1], offset: ?>>
}

func.func @part_is_borrowed(%i: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  memref.store %x, %m[%i] : memref<8xf32>
  %0 = call @part(%m, %i)
    : (memref<8xf32>, index) -> memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.load %0[%i] : memref<4xf32, strided<[1], offset: ?>>
  return %1 : f32
}

// CHECK-LABEL: func.func private @part(
// CHECK-NEXT:    memref.subview
// CHECK-NEXT:    func.return
// CHECK-LABEL: func.func @part_is_borrowed(
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc %m :
// CHECK-NEXT:    func.return

// -----

// A recursive function that returns its argument at the end of each recursion.

func.func private @halves(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %stop = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %stop -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  } else {
    %half = arith.divui %n, %c2 : index
    %0 = func.call @halves(%m, %half) : (memref<4xf32>, index) -> memref<4xf32>
    %1 = func.call @halves(%0, %half) : (memref<4xf32>, index) -> memref<4xf32>
    scf.yield %1 : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @halves(
// CHECK-SAME:      %{{.*}}: index) -> memref<4xf32> {
// CHECK-NOT:     bufferization.clone
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return %{{[a-z0-9]*}} : memref<4xf32>

// -----

// A result that is sometimes new comes with an i1. What is returned to somebody else is
// copied only if nothing here owns it.

func.func private @new_or_given(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    scf.yield %0 : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @new_or_given_here(%c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %0 = call @new_or_given(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func private @new_or_given(
// CHECK-SAME:      %{{.*}}: i1) -> (memref<4xf32>, i1) {
// CHECK:         func.return %r, %c :
// CHECK-LABEL: func.func @new_or_given_here(
// CHECK:         [[R:%.*]], [[OWN:%.*]] = func.call @new_or_given
// CHECK:         [[DIFFERENT:%.*]] = arith.cmpi ne
// CHECK-NEXT:    scf.if [[DIFFERENT]] {
// CHECK-NEXT:      memref.dealloc %m :
// CHECK:         [[SAME:%.*]] = arith.cmpi eq
// CHECK:         [[OWNED:%.*]] = arith.ori [[SAME]], [[OWN]]
// CHECK:         scf.if [[OWNED]]
// CHECK-NEXT:      scf.yield [[R]]
// CHECK:           bufferization.clone [[R]]

// -----

// What a loop carries is not freed if the function returns it.

func.func private @new_or_the_same(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^new, ^same
^new:
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
^same:
  return %m : memref<4xf32>
}

func.func @in_a_loop(%m: memref<4xf32>, %c: i1, %i: index, %j: index, %k: index) {
  %r = scf.for %n = %i to %j step %k iter_args(%u = %m) -> (memref<4xf32>) {
    %v = func.call @new_or_the_same(%u, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func private @new_or_the_same(
// CHECK-SAME:      %c: i1) -> (memref<4xf32>, i1) {
// CHECK-LABEL: func.func @in_a_loop(
// CHECK:         scf.for {{.*}} iter_args(%u = %m, [[OWN:%.*]] = %{{.*}})
// CHECK:           [[V:%.*]], {{%.*}} = func.call @new_or_the_same
// CHECK:           [[OTHER:%.*]] = arith.cmpi ne
// CHECK-NEXT:      [[FREE:%.*]] = arith.andi [[OTHER]], [[OWN]] : i1
// CHECK-NEXT:      scf.if [[FREE]] {
// CHECK-NEXT:        memref.dealloc

// -----

// Results of one call of a function that is not known may be one buffer. Results of
// different calls are not.

func.func private @unknown() -> (memref<f32>, memref<f32>)

func.func @two_calls() {
  %0:2 = call @unknown() : () -> (memref<f32>, memref<f32>)
  %1:2 = call @unknown() : () -> (memref<f32>, memref<f32>)
  return
}

// CHECK-LABEL: func.func @two_calls(
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc
// CHECK-NEXT:    [[FIRST:%.*]] = arith.cmpi ne
// CHECK-NEXT:    scf.if [[FIRST]] {
// CHECK-NEXT:      memref.dealloc
// CHECK:         memref.dealloc
// CHECK-NEXT:    [[SECOND:%.*]] = arith.cmpi ne
// CHECK-NEXT:    scf.if [[SECOND]] {
// CHECK-NEXT:      memref.dealloc
// CHECK-NOT:     arith.cmpi
// CHECK:         func.return

// -----

// Many that may be one another are compared in lists on the stack, in a loop too.

func.func private @seven()
    -> (memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>,
        memref<f32>)

func.func @many(%a: index, %b: index, %c: index) {
  scf.for %i = %a to %b step %c {
    %0:7 = func.call @seven()
      : () -> (memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>,
               memref<f32>, memref<f32>)
  }
  return
}

// CHECK-LABEL: func.func @many(
// CHECK:         memref.alloca() : memref<7xindex>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc
// CHECK:           func.call @dealloc_helper
// CHECK:           memref.dealloc %{{.*}} : memref<f32>
// CHECK-NOT:       memref.dealloc %{{.*}} : memref<7xindex>
// CHECK:         func.return

// -----

// Public functions return one buffer once, and constants never.

memref.global "private" constant @zero : memref<4xf32> = dense<0.0>

func.func private @constant() -> memref<4xf32> {
  %0 = memref.get_global @zero : memref<4xf32>
  return %0 : memref<4xf32>
}

func.func @twice(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0, %0 : memref<?xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func private @constant() -> memref<4xf32> {
// CHECK:         [[COPY:%.*]] = bufferization.clone
// CHECK-NEXT:    func.return [[COPY]]
// CHECK-LABEL: func.func @twice(
// CHECK:         [[NEW:%.*]] = memref.alloc(
// CHECK-NEXT:    [[COPY:%.*]] = bufferization.clone [[NEW]]
// CHECK-NEXT:    func.return [[NEW]], [[COPY]]

// -----

// A global is none of the buffers that the function makes: they are not compared with it.

memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

func.func @global_is_returned(%x: f32, %i: index, %n: index) -> (memref<4xf32>, f32) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.store %x, %b[%i] : memref<?xf32>
  %g = memref.get_global @table : memref<4xf32>
  %0 = memref.load %a[%i] : memref<4xf32>
  %1 = memref.load %b[%i] : memref<?xf32>
  %2 = arith.addf %0, %1 : f32
  return %g, %2 : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @global_is_returned(
// CHECK-NOT:     scf.if
// CHECK:         [[COPY:%.*]] = bufferization.clone %g
// CHECK-NOT:     scf.if
// CHECK:         func.return [[COPY]]

// -----

// The loop frees what it does not yield. It always yields %a, whose base buffer starts at
// the same pointer: there is no code that would free that.

func.func @yielded(%p: memref<5xf64>, %n: index, %c: i1) -> memref<5xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<5xf64>
  memref.copy %p, %m : memref<5xf64> to memref<5xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %b = %p)
      -> (memref<5xf64>, memref<5xf64>) {
    %next = scf.if %c -> memref<5xf64> {
      scf.yield %b : memref<5xf64>
    } else {
      %new = memref.alloc() : memref<5xf64>
      memref.copy %b, %new : memref<5xf64> to memref<5xf64>
      scf.yield %new : memref<5xf64>
    }
    scf.yield %next, %a : memref<5xf64>, memref<5xf64>
  }
  return %r#0 : memref<5xf64>
}

// CHECK-LABEL: func.func @yielded(
// CHECK:         scf.for {{.*}} iter_args(%a = %m, %b = %p
// CHECK-NOT:       memref.extract_strided_metadata %a
// CHECK:           [[B:%.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %b
// CHECK:           memref.dealloc [[B]]
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield %{{.*}}, %a
// CHECK:         func.return
