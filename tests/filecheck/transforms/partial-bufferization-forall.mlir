// RUN: xdsl-opt %s -p 'tensor-bufferize,scf-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'scf-bufferize,tensor-bufferize,func-bufferize,finalizing-bufferize' | filecheck %s

// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor,bufferization}' | filecheck %s --check-prefix TENSOR
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=scf,bufferization}' | filecheck %s --check-prefix SCF

// tensor.parallel_insert_slice is bufferized with the scf.forall that it ends, whichever
// of the two passes runs first, and whichever of the two dialects is chosen.

// CHECK-LABEL: @forall
// CHECK:         scf.forall (%i) in (4) {
// CHECK-NEXT:      memref.subview %s[%i] [1] [1]
// CHECK:           %[[TO:.*]] = memref.subview %o[%i] [1] [1]
// CHECK-NEXT:      memref.copy %{{.*}}, %[[TO]]

// TENSOR-LABEL: @forall
// TENSOR:         scf.forall (%i) in (4) shared_outs(%o = %t)
// TENSOR-NEXT:      %[[FROM:.*]] = memref.subview %{{.*}}[%i] [1] [1]
// TENSOR-NEXT:      %[[SLICE:.*]] = bufferization.to_tensor %[[FROM]]
// TENSOR-NEXT:      scf.forall.in_parallel {
// TENSOR-NEXT:        tensor.parallel_insert_slice %[[SLICE]] into %o[%i] [1] [1]

// SCF-LABEL:    @forall
// SCF:            scf.forall (%i) in (4) {
// SCF-NEXT:         %e = tensor.extract_slice %s[%i] [1] [1]
// SCF-NEXT:         %[[FROM:.*]] = bufferization.to_buffer %e
// SCF-NEXT:         %[[TO:.*]] = memref.subview %{{.*}}[%i] [1] [1]
// SCF-NEXT:         memref.copy %[[FROM]], %[[TO]]
func.func @forall(%s: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    %e = tensor.extract_slice %s[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
