// RUN: xdsl-opt %s -p 'tensor-bufferize,scf-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'scf-bufferize,tensor-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s

// tensor.parallel_insert_slice is bufferized with the scf.forall that it ends, whichever
// of the two passes runs first.

// CHECK-LABEL: @forall
// CHECK:         scf.forall (%i) in (4) {
// CHECK-NEXT:      memref.subview %s[%i] [1] [1]
// CHECK:           %[[TO:.*]] = memref.subview %o[%i] [1] [1]
// CHECK-NEXT:      memref.copy %{{.*}}, %[[TO]]
func.func @forall(%s: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    %e = tensor.extract_slice %s[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
