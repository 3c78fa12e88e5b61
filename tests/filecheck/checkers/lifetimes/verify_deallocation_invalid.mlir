// RUN: xdsl-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics -p 'verify-deallocation{allow-undecided=false}' | filecheck %s

// CHECK: verify-deallocation: memref.store: uses an allocation that has been freed
// CHECK-NEXT: at {{.*}} in @used_after_free:
// CHECK-NEXT: memref.store %x, %a[] : memref<f32>
// CHECK-NEXT: comes from:
// CHECK-NEXT: at {{.*}} in @used_after_free:
// CHECK-NEXT: %a = memref.alloc() : memref<f32>
// CHECK-NEXT: on the way:
// CHECK-NEXT: %c is true
// CHECK-NEXT: freed by memref.dealloc
func.func @used_after_free(%c: i1, %x: f32) {
  %a = memref.alloc() : memref<f32>
  scf.if %c {
    memref.dealloc %a : memref<f32>
  }
  memref.store %x, %a[] : memref<f32>
  scf.if %c {
  } else {
    memref.dealloc %a : memref<f32>
  }
  return
}

// -----

// CHECK: verify-deallocation: func.return: the allocation is not freed
func.func @leak(%x: f32) {
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  return
}

// -----

// CHECK: verify-deallocation: memref.dealloc: frees an allocation that has been freed
func.func @freed_in_every_iteration() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<f32>
  scf.for %i = %c0 to %c2 step %c1 {
    memref.dealloc %a : memref<f32>
  }
  return
}

// -----

// CHECK: verify-deallocation: memref.dealloc: frees memory that is not ours to free
// CHECK: is memory of an argument of @argument
func.func @argument(%m: memref<4xf32>) {
  %v = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.dealloc %v : memref<2xf32, strided<[1], offset: 1>>
  return
}

// -----

// CHECK: verify-deallocation: undecided, whether this is right: memref.store: it is not known what becomes of the allocation
func.func @hidden(%list: memref<1xmemref<f32>>, %i: index) {
  %a = memref.alloc() : memref<f32>
  memref.store %a, %list[%i] : memref<1xmemref<f32>>
  return
}

// -----

// CHECK: verify-deallocation: scf.if: the allocation is not freed
// CHECK: %d is false
func.func @equal_conditions(%n: index, %m: index) {
  %a = memref.alloc() : memref<4xf32>
  %d = arith.cmpi slt, %n, %m : index
  scf.if %d { memref.dealloc %a : memref<4xf32> }
  %e = arith.cmpi sgt, %m, %n : index
  scf.if %e { memref.dealloc %a : memref<4xf32> }
  return
}

// -----

// CHECK: verify-deallocation: memref.dealloc: frees an allocation that has been freed
func.func @unsigned_loop() {
  %lo = arith.constant 0 : i8
  %hi = arith.constant 200 : i8
  %step = arith.constant 100 : i8
  %a = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %lo to %hi step %step : i8 {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// CHECK: verify-deallocation: memref.dealloc: frees an allocation that has been freed
func.func @alloca_scope() {
  %a = memref.alloc() : memref<4xf32>
  memref.alloca_scope {
    memref.dealloc %a : memref<4xf32>
    memref.alloca_scope.return
  }
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// CHECK: verify-deallocation: undecided, whether this is right: builtin.unregistered: it is not known what becomes of the allocation
func.func @unknown_region() {
  %a = memref.alloc() : memref<4xf32>
  "test.region"() ({
    memref.dealloc %a : memref<4xf32>
  }) : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// CHECK: verify-deallocation: memref.dealloc: frees an allocation that has been freed
func.func @affine_for() {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

// CHECK: verify-deallocation: memref.load: uses memory of the stack that has been taken back
// CHECK: comes from:
// CHECK: %b = memref.alloca() : memref<f32>
func.func @leaves_scope(%x: f32) -> f32 {
  %a = memref.alloca_scope -> memref<f32> {
    %b = memref.alloca() : memref<f32>
    memref.store %x, %b[] : memref<f32>
    memref.alloca_scope.return %b : memref<f32>
  }
  %y = memref.load %a[] : memref<f32>
  return %y : f32
}

// -----

// CHECK: verify-deallocation: memref.load: uses memory of the stack that has been taken back
func.func @of_the_iteration_before(%x: f32, %m: memref<f32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%q = %m, %z = %x) -> (memref<f32>, f32) {
    %y = memref.load %q[] : memref<f32>
    %b = memref.alloca() : memref<f32>
    memref.store %x, %b[] : memref<f32>
    scf.yield %b, %y : memref<f32>, f32
  }
  return %s : f32
}

// -----

// CHECK: verify-deallocation: memref.load: uses memory of the stack that has been taken back
func.func @affine(%x: f32, %m: memref<f32>) -> f32 {
  %r = affine.for %i = 0 to 8 iter_args(%q = %m) -> memref<f32> {
    %b = memref.alloca() : memref<f32>
    affine.yield %b : memref<f32>
  }
  %y = memref.load %r[] : memref<f32>
  return %y : f32
}

// -----

// CHECK: verify-deallocation: func.return: returns memory of the stack, which has been taken back then
func.func private @of_function() -> memref<f32> {
  %b = memref.alloca() : memref<f32>
  return %b : memref<f32>
}
func.func @caller() -> f32 {
  %b = func.call @of_function() : () -> memref<f32>
  %y = memref.load %b[] : memref<f32>
  return %y : f32
}

// -----

// CHECK: verify-deallocation: func.return: returns an allocation more than once, and a caller frees each result
func.func @returned_twice() -> (memref<4xf32>, memref<?xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  return %a, %b : memref<4xf32>, memref<?xf32>
}

// -----

// All faults of a program are shown, each as if it were alone.

// CHECK: verify-deallocation: scf.for: the allocation is not freed
// CHECK-NEXT: at {{.*}} in @freed_in_loop:
// CHECK: {{^.*:[0-9]+:[0-9]+}}: error: verify-deallocation: memref.dealloc: frees an allocation that has been freed
// CHECK-NEXT: at {{.*}} in @freed_in_loop:
// CHECK-NEXT: memref.dealloc %m : memref<4xf32>
// CHECK-NOT: more)
func.func @freed_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.dealloc %m : memref<4xf32>
  }
  return
}

// -----

// Of many, the first ten.

// CHECK-COUNT-10: verify-deallocation: memref.alloc: the allocation is not freed
// CHECK-NOT: verify-deallocation
// CHECK: (and 2 more)
func.func @many_leaks() {
  %0 = memref.alloc() : memref<f32>
  %1 = memref.alloc() : memref<f32>
  %2 = memref.alloc() : memref<f32>
  %3 = memref.alloc() : memref<f32>
  %4 = memref.alloc() : memref<f32>
  %5 = memref.alloc() : memref<f32>
  %6 = memref.alloc() : memref<f32>
  %7 = memref.alloc() : memref<f32>
  %8 = memref.alloc() : memref<f32>
  %9 = memref.alloc() : memref<f32>
  %10 = memref.alloc() : memref<f32>
  %11 = memref.alloc() : memref<f32>
  return
}
