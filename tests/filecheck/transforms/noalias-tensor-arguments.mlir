// RUN: xdsl-opt %s -p noalias-tensor-arguments | filecheck %s
// RUN: xdsl-opt %s -p tensor-to-llvm-pipeline | filecheck %s --check-prefix=LLVM

func.func private @declared(tensor<4xf32>, i32) -> i32

// CHECK:      func.func private @declared(tensor<4xf32>, i32) -> i32

func.func @f(%a: tensor<4xf32>, %b: memref<4xf32>, %u: tensor<*xf32>, %i: index,
             %c: tensor<?xf32> {bufferization.writable = false}) {
  return
}

// CHECK-NEXT: func.func @f(%a: tensor<4xf32> {llvm.noalias}, %b: memref<4xf32>, %u: tensor<*xf32> {llvm.noalias}, %i: index, %c: tensor<?xf32> {bufferization.writable = false, llvm.noalias}) {

// The pointer that elements are accessed by.
// LLVM: llvm.func @f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %
