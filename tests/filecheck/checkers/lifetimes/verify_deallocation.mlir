// RUN: xdsl-opt %s --split-input-file -p 'buffer-deallocation-pipeline,verify-deallocation{allow-undecided=false}' | filecheck %s
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
