// RUN: xdsl-opt %s -p reuse-freed-buffers | filecheck %s

// What is freed without a condition may be an argument, of any size.

func.func @frees_argument(%a: memref<?xf64>, %m: index, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<?xf64>) {
    %new = memref.alloc(%m) : memref<?xf64>
    %x = memref.load %old[%c0] : memref<?xf64>
    linalg.fill ins(%x : f64) outs(%new : memref<?xf64>)
    memref.dealloc %old : memref<?xf64>
    scf.yield %new : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// CHECK-LABEL: func.func @frees_argument(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
