// RUN: xdsl-opt %s -p llvm-request-c-wrappers | filecheck %s
// RUN: xdsl-opt %s -p llvm-request-c-wrappers,lower-to-llvm-pipeline | filecheck %s --check-prefix=LLVM

func.func @f(%a: memref<4xf32>) {
  return
}

func.func private @declared(memref<4xf32>)

module {
  func.func @nested() {
    return
  }
}

// CHECK:      func.func @f(%a: memref<4xf32>) attributes {llvm.emit_c_interface} {
// CHECK:      func.func private @declared(memref<4xf32>) -> () attributes {llvm.emit_c_interface}
// CHECK:      func.func @nested() {

// LLVM-DAG: llvm.func @_mlir_ciface_f(%{{.*}}: !llvm.ptr)
// LLVM-DAG: llvm.func @_mlir_ciface_declared(!llvm.ptr)
