// RUN: xdsl-opt %s -p 'convert-to-llvm{use-generic-functions}' | filecheck %s --check-prefix=GENERIC
// RUN: xdsl-opt %s -p 'convert-to-llvm{use-aligned-alloc}' | filecheck %s --check-prefix=ALIGNED
// RUN: xdsl-opt %s -p 'convert-to-llvm{index-bitwidth=32}' | filecheck %s --check-prefix=NARROW

func.func @f(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return
}

// GENERIC:      llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
// GENERIC-NEXT: llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
// GENERIC:      llvm.call @_mlir_memref_to_llvm_alloc
// GENERIC:      llvm.call @_mlir_memref_to_llvm_free

// The size is rounded up to a multiple of the alignment.
// ALIGNED:      llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
// ALIGNED:      llvm.func @f(%n: i64) {
// ALIGNED-DAG:    %[[four:[0-9]+]] = llvm.mlir.constant(4) : i64
// ALIGNED-DAG:    %[[fifteen:[0-9]+]] = llvm.mlir.constant(15) : i64
// ALIGNED-DAG:    %[[sixteen:[0-9]+]] = llvm.mlir.constant(16) : i64
// ALIGNED:        %[[bytes:[0-9]+]] = llvm.mul %n, %[[four]] : i64
// ALIGNED-NEXT:   %[[last:[0-9]+]] = llvm.add %[[bytes]], %[[fifteen]] : i64
// ALIGNED-NEXT:   %[[over:[0-9]+]] = llvm.urem %[[last]], %[[sixteen]] : i64
// ALIGNED-NEXT:   %[[size:[0-9]+]] = llvm.sub %[[last]], %[[over]] : i64
// ALIGNED-NEXT:   llvm.call @aligned_alloc(%[[sixteen]], %[[size]])

// NARROW:      llvm.func @malloc(i32) -> !llvm.ptr
// NARROW:      llvm.func @f(%n: i32) {
