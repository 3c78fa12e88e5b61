// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{only-hoisted hoist-static-allocs hoist-dynamic-allocs}' | filecheck %s

// The caller allocates what the function allocates and returns, aligned as before.

// CHECK-LABEL: func.func private @new(
// CHECK-SAME:      %x: f32, %[[OUT:.*]]: memref<4xf32>) {
// CHECK-NEXT:    linalg.fill ins(%x : f32) outs(%[[OUT]] : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func private @new(%x: f32) -> memref<4xf32> {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<4xf32>)
  return %0 : memref<4xf32>
}

// Callees come first: the result of a function that returns what it is given by another
// one moves on to its callers.

// CHECK-LABEL: func.func private @passed_on(
// CHECK-SAME:      %x: f32, %[[OUT:.*]]: memref<4xf32>) {
// CHECK-NEXT:    func.call @new(%x, %[[OUT]])
func.func private @passed_on(%x: f32) -> memref<4xf32> {
  %0 = call @new(%x) : (f32) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// Other results stay as they are: there is no copy.

// CHECK-LABEL: func.func private @given(
// CHECK-SAME:      %m: memref<4xf32>, %n: index) -> memref<4xf32> {
// CHECK-NEXT:    func.return %m
func.func private @given(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// CHECK-LABEL: func.func private @sized(
// CHECK-SAME:      %n: index, %[[OUT:.*]]: memref<?xf32>) -> index {
func.func private @sized(%n: index) -> (memref<?xf32>, index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0, %n : memref<?xf32>, index
}

// The caller computes sizes as the function does, from its operands.

// CHECK-LABEL: func.func private @like(
// CHECK-SAME:      %m: memref<?x4xf32>, %[[OUT:.*]]: memref<?xf32>) {
func.func private @like(%m: memref<?x4xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?x4xf32>
  %n = arith.addi %d, %c1 : index
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}

// A size that is in memory is not known to the caller, and a division might end the program.

// CHECK-LABEL: func.func private @loaded(
// CHECK-SAME:      %m: memref<index>) -> memref<?xf32> {
func.func private @loaded(%m: memref<index>) -> memref<?xf32> {
  %n = memref.load %m[] : memref<index>
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func private @divided(
// CHECK-SAME:      %n: index, %d: index) -> memref<?xf32> {
func.func private @divided(%n: index, %d: index) -> memref<?xf32> {
  %q = arith.divui %n, %d : index
  %0 = memref.alloc(%q) : memref<?xf32>
  return %0 : memref<?xf32>
}

// Returned through a loop.

// CHECK-LABEL: func.func private @by_loop(
// CHECK-SAME:      %n: index, %x: f32, %[[OUT:.*]]: memref<4xf32>) {
func.func private @by_loop(%n: index, %x: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %0) -> (memref<4xf32>) {
    memref.store %x, %m[%i] : memref<4xf32>
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// Two buffers that a loop swaps: either may be returned.

// CHECK-LABEL: func.func private @swapped(
// CHECK-SAME:      %n: index) -> memref<4xf32> {
func.func private @swapped(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0, %b = %1)
      -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  return %r#0 : memref<4xf32>
}

// Before the allocation, memory is needed for a while: there would be more at a time.

// CHECK-LABEL: func.func private @after_a_call(
// CHECK-SAME:      ) -> memref<4xf32> {
func.func private @temporary() {
  %0 = memref.alloc() : memref<1024xf32>
  memref.dealloc %0 : memref<1024xf32>
  return
}
func.func private @after_a_call() -> memref<4xf32> {
  call @temporary() : () -> ()
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
}

// Allocated on one path only.

// CHECK-LABEL: func.func private @one_path(
// CHECK-SAME:      ) -> memref<4xf32> {
func.func private @one_path(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    scf.yield %0 : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// One buffer that is two results.

// CHECK-LABEL: func.func private @twice(
// CHECK-SAME:      ) -> (memref<4xf32>, memref<4xf32>) {
func.func private @twice() -> (memref<4xf32>, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  return %0, %0 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    func.call @passed_on(%x, %[[A]]) : (f32, memref<4xf32>) -> ()
// CHECK-NEXT:    %[[B:.*]] = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:    %[[S:.*]] = func.call @sized(%n, %[[B]]) : (index, memref<?xf32>) -> index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[D:.*]] = memref.dim %m, %[[C0]] : memref<?x4xf32>
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[N:.*]] = arith.addi %[[D]], %[[C1]] : index
// CHECK-NEXT:    %[[L:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK-NEXT:    func.call @like(%m, %[[L]]) : (memref<?x4xf32>, memref<?xf32>) -> ()
func.func @main(%x: f32, %n: index, %m: memref<?x4xf32>)
    -> (memref<4xf32>, memref<?xf32>, index, memref<?xf32>) {
  %0 = call @passed_on(%x) : (f32) -> memref<4xf32>
  %1:2 = call @sized(%n) : (index) -> (memref<?xf32>, index)
  %2 = call @like(%m) : (memref<?x4xf32>) -> memref<?xf32>
  return %0, %1#0, %1#1, %2 : memref<4xf32>, memref<?xf32>, index, memref<?xf32>
}
