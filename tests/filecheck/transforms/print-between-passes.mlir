// RUN: xdsl-opt %s --print-between-passes -p 'buffer-deallocation-pipeline,canonicalize' | filecheck %s
// RUN: xdsl-opt %s --time-passes -p 'buffer-deallocation-pipeline' | filecheck %s --check-prefix TIME
// RUN: xdsl-opt %s --print-between-passes -p 'tensor-to-llvm-pipeline' | filecheck %s --check-prefix NESTED

// CHECK: IR after expand-realloc:
// CHECK: IR after canonicalize-control-flow:
// CHECK: IR after ownership-based-buffer-deallocation:
// CHECK: bufferization.dealloc
// CHECK: IR after canonicalize-control-flow:
// CHECK: IR after buffer-deallocation-simplification:
// CHECK: IR after bufferization-lower-deallocations:
// CHECK: memref.dealloc
// CHECK: IR after canonicalize-control-flow:
// CHECK-NOT: IR after

// TIME: Pass ownership-based-buffer-deallocation took {{.*}} seconds
// TIME-NOT: Pass buffer-deallocation-pipeline

// NESTED: IR after one-shot-bufferize:
// NESTED: IR after ownership-based-buffer-deallocation:
// NESTED: IR after convert-scf-to-cf:
// NESTED-NOT: pipeline:
func.func @f(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  func.return %x : f32
}
