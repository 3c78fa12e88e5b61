// RUN: xdsl-opt %s -p tensor-to-llvm-pipeline | filecheck %s
// RUN: xdsl-opt %s -p 'tensor-to-llvm-pipeline{use-generic-functions buffer-alignment=0}' | filecheck %s --check-prefix=OPTIONS

func.func @scale(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.mul ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-DAG:  llvm.func @malloc(i64) -> !llvm.ptr
// CHECK:      llvm.func @scale(
// CHECK:        llvm.call @malloc
// CHECK:        llvm.fmul
// CHECK:        llvm.return

// OPTIONS:    llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
// OPTIONS-NOT: llvm.urem
