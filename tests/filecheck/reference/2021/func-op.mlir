// From: Buffer Deallocation 2021 | BufferizeFuncOpConverter
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples results-to-out-params},finalizing-bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples},finalizing-bufferize' | filecheck %s --check-prefix KEEP

// CHECK: func.func private @on_tensors(i1, f32, memref<5xf32>) -> memref<10xf32>
// KEEP:  func.func private @on_tensors(i1, f32) -> (memref<10xf32>, memref<5xf32>)
func.func private @on_tensors(%arg1: tuple<i1,f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>)
