// RUN: xdsl-opt %s -p 'plan-memory,verify-memory-plan' | filecheck %s

// A buffer that nothing frees goes to the next iteration: the arena must not be gone then.

// CHECK-LABEL: func.func @never_freed(
// CHECK:         scf.for
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield
func.func @never_freed(%x: memref<4xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 5 : i64
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x, %acc = %k)
      -> (memref<4xi64>, i64) {
    %w = memref.load %o[%c1] : memref<4xi64>
    %e = memref.alloc() : memref<32xi64>
    linalg.fill ins(%acc : i64) outs(%e : memref<32xi64>)
    %v = memref.load %e[%i] : memref<32xi64>
    %u = arith.addi %v, %w : i64
    %g = memref.alloc() : memref<4xi64>
    linalg.fill ins(%u : i64) outs(%g : memref<4xi64>)
    scf.yield %g, %u : memref<4xi64>, i64
  }
  return %s : i64
}
