// RUN: xdsl-opt %s -p tensor-bufferize | filecheck %s --check-prefix TENSOR
// RUN: xdsl-opt %s -p scf-bufferize | filecheck %s --check-prefix SCF
// RUN: xdsl-opt %s -p linalg-bufferize | filecheck %s --check-prefix LINALG
// RUN: xdsl-opt %s -p arith-bufferize | filecheck %s --check-prefix ARITH
// RUN: xdsl-opt %s -p bufferization-bufferize | filecheck %s --check-prefix BUFFERIZATION
// RUN: xdsl-opt %s -p func-bufferize | filecheck %s --check-prefix FUNC
// RUN: xdsl-opt %s -p arith-bufferize,bufferization-bufferize,linalg-bufferize,scf-bufferize,tensor-bufferize,func-bufferize,finalizing-bufferize | filecheck %s --check-prefix ALL
// RUN: xdsl-opt %s -p func-bufferize,scf-bufferize,tensor-bufferize,arith-bufferize,linalg-bufferize,bufferization-bufferize,finalizing-bufferize | filecheck %s --check-prefix ALL
// RUN: xdsl-opt %s -p func-bufferize,tensor-bufferize,finalizing-bufferize --verify-diagnostics | filecheck %s --check-prefix LEFT

// TENSOR-LABEL:   @f(%t: tensor<4xf32>
// TENSOR:           bufferization.to_tensor
// TENSOR:           scf.if %c -> (tensor<4xf32>)
// TENSOR:           memref.load
// SCF-LABEL:      @f(%t: tensor<4xf32>
// SCF:              scf.if %c -> (memref<4xf32>)
// SCF:              tensor.extract
// LINALG-LABEL:   @f(%t: tensor<4xf32>
// LINALG:           memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// LINALG:           linalg.fill ins(%f : f32) outs(%{{.*}} : memref<4xf32>)
// LINALG:           bufferization.to_tensor
// LINALG:           scf.if %c -> (tensor<4xf32>)
// ARITH:          memref.global "private" constant @__constant_4xf32
// ARITH:            memref.get_global @__constant_4xf32 : memref<4xf32>
// ARITH:            bufferization.to_tensor
// BUFFERIZATION:    memref.alloc
// BUFFERIZATION:    bufferization.to_tensor
// FUNC-LABEL:     @f(%t: memref<4xf32>
// FUNC-SAME:        -> (memref<4xf32>, f32)
// FUNC:             bufferization.to_tensor %t
// FUNC:             func.return %{{.*}}, %{{.*}} : memref<4xf32>, f32
// ALL-LABEL:      @f(%t: memref<4xf32>
// ALL-NOT:          tensor
// LEFT:           arith.constant: a tensor is left.
// LEFT:           at {{.*}} in @f:
func.func @f(%t: tensor<4xf32>, %c: i1, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = bufferization.alloc_tensor() : tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = scf.if %c -> (tensor<4xf32>) {
    %5 = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %5 : tensor<4xf32>
  } else {
    %5 = tensor.insert %f into %2[%i] : tensor<4xf32>
    %6 = tensor.insert %f into %0[%i] : tensor<4xf32>
    scf.yield %6 : tensor<4xf32>
  }
  %4 = tensor.extract %3[%i] : tensor<4xf32>
  func.return %3, %4 : tensor<4xf32>, f32
}
