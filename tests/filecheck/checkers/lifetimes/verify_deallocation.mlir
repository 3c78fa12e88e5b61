// RUN: xdsl-opt %s --split-input-file -p 'buffer-deallocation-pipeline,verify-deallocation{allow-undecided=false}' | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p 'buffer-deallocation-pipeline,coalesce-copies,reuse-loop-buffers,buffer-deallocation-pipeline,verify-deallocation{allow-undecided=false}' | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p 'ownership-based-buffer-deallocation,verify-deallocation{allow-undecided=false}' | filecheck %s

// Whether there is something to free depends on the condition.

// CHECK: func.func @one_way(%c: i1, %m: memref<4xf32>, %x: f32) {
func.func @one_way(%c: i1, %m: memref<4xf32>, %x: f32) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  linalg.fill ins(%x : f32) outs(%r : memref<4xf32>)
  return
}

// -----

// Buffers that a loop exchanges, and one that a function returns.

// CHECK: func.func @exchange(
func.func private @make(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}

func.func @exchange(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<?xf32>, memref<?xf32>) {
    memref.copy %p, %q : memref<?xf32> to memref<?xf32>
    %new = func.call @make(%n) : (index) -> memref<?xf32>
    scf.yield %q, %new : memref<?xf32>, memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// -----

// A call that may give its argument back, as far as one can see: what is freed under a
// condition is not the argument.

// CHECK: func.func private @recursive(
func.func private @recursive(%p: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %t = memref.alloc() : memref<4xf32>
    scf.yield %t : memref<4xf32>
  } else {
    %q = func.call @recursive(%p, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %q : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// Memory of the stack is used before it is taken back, and by callees.

// CHECK: func.func @within(
func.func @within(%n: index, %x: f32, %m: memref<f32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a) -> memref<f32> {
    %b = memref.alloca() : memref<f32>
    %s = scf.if %c -> memref<f32> {
      %d = memref.alloca() : memref<f32>
      scf.yield %d : memref<f32>
    } else {
      scf.yield %b : memref<f32>
    }
    memref.store %x, %s[] : memref<f32>
    memref.copy %s, %q : memref<f32> to memref<f32>
    scf.yield %q : memref<f32>
  }
  %same = func.call @again(%r, %c) : (memref<f32>, i1) -> memref<f32>
  %y = memref.load %same[] : memref<f32>
  return %y : f32
}

func.func private @again(%m: memref<f32>, %c: i1) -> memref<f32> {
  %false = arith.constant false
  %own = memref.alloca() : memref<f32>
  memref.copy %m, %own : memref<f32> to memref<f32>
  scf.if %c {
    %given = func.call @again(%own, %false) : (memref<f32>, i1) -> memref<f32>
    memref.copy %given, %m : memref<f32> to memref<f32>
  }
  return %m : memref<f32>
}
