// Programs that mlir-opt refuses, or frees wrongly.

// PASSES: buffer-deallocation-pipeline
// MLIR-REJECTS: unstructured loops
func.func private @use(memref<4xf32>)
func.func private @decide() -> i1
func.func @loop(%m: memref<4xf32>) {
  cf.br ^loop(%m : memref<4xf32>)
^loop(%x: memref<4xf32>):
  call @use(%x) : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  %c = call @decide() : () -> i1
  cf.cond_br %c, ^loop(%a : memref<4xf32>), ^end
^end:
  return
}

// -----

// MLIR-REJECTS: terminators with more than two successors
func.func private @use(memref<4xf32>)
func.func @switch(%m: memref<4xf32>, %i: i32) {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  cf.switch %i : i32, [
    default: ^x(%m : memref<4xf32>),
    1: ^x(%a : memref<4xf32>),
    2: ^y
  ]
^x(%v: memref<4xf32>):
  call @use(%v) : (memref<4xf32>) -> ()
  return
^y:
  call @use(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// PASSES: ownership-based-buffer-deallocation
// MLIR-REJECTS: a buffer forwarded to a block in which it is also live
func.func private @use(memref<4xf32>)
func.func @forwarded_and_live() {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^x(%a : memref<4xf32>)
^x(%v: memref<4xf32>):
  call @use(%v) : (memref<4xf32>) -> ()
  call @use(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// MLIR-REJECTS: existing deallocations
func.func private @use(memref<4xf32>)
func.func @freed_already(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @use(%b) : (memref<4xf32>) -> ()
  scf.if %c {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// -----

// MLIR-REJECTS: a static realloc to a smaller size
func.func private @use(memref<4xf32>)
func.func @realloc_shrinks() {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.realloc %a : memref<8xf32> to memref<4xf32>
  call @use(%b) : (memref<4xf32>) -> ()
  return
}

// -----

// PASSES: buffer-deallocation-pipeline
// MLIR-REJECTS: mlir-opt produces an affine.for with the wrong number of operands
func.func @affine_for(%a: memref<10xf32>) {
  %0 = affine.for %k = 0 to 10 iter_args(%t = %a) -> memref<10xf32> {
    %m = memref.alloc() : memref<10xf32>
    memref.copy %t, %m : memref<10xf32> to memref<10xf32>
    affine.yield %m : memref<10xf32>
  }
  memref.copy %0, %a : memref<10xf32> to memref<10xf32>
  return
}
