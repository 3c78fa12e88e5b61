// From: Tutorial 2023 | Public Function Boundary ABI, and Extending the ABI
// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation{private-function-dynamic-ownership},canonicalize' | filecheck %s

memref.global "private" @global : memref<f64> = dense<1.0>

// The tutorial returns the global itself, not owned. The caller could then write it.
// CHECK-LABEL: func.func private @dyn_own(%cond: i1) -> (memref<f64>, i1)
// CHECK:         scf.if %cond
// CHECK:         bufferization.clone
// CHECK:         func.return
func.func private @dyn_own(%cond: i1) -> memref<f64> {
  %0 = memref.alloc() : memref<f64>
  %1 = memref.get_global @global : memref<f64>
  %2 = arith.select %cond, %0, %1 : memref<f64>
  return %2 : memref<f64>
}

// CHECK-LABEL: func.func @ret_ownership() -> memref<f64>
// CHECK-NOT:     bufferization.clone
// CHECK:         func.return
func.func @ret_ownership() -> memref<f64> {
  %0 = memref.alloc() : memref<f64>
  return %0 : memref<f64>
}

// CHECK-LABEL: func.func @ret_no_ownership() -> memref<f64>
// CHECK:         bufferization.clone
// CHECK:         func.return
func.func @ret_no_ownership() -> memref<f64> {
  %0 = memref.get_global @global : memref<f64>
  return %0 : memref<f64>
}
