// From: Buffer Deallocation 2021 | Callbacks for Unpacking Types
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples results-to-out-params},finalizing-bufferize' | filecheck %s

// CHECK: func.func private @func_on_tensors(i1, f32, memref<10xf32>, memref<5xf32>)
func.func private @func_on_tensors(%arg0: tuple<i1,f32>) -> (tuple<tensor<10xf32>, tensor<5xf32>>)
