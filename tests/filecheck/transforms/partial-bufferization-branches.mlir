// RUN: xdsl-opt %s -p scf-bufferize | filecheck %s
// RUN: xdsl-opt %s -p tensor-bufferize,func-bufferize,scf-bufferize,finalizing-bufferize | filecheck %s --check-prefix ALL

// Branches in a region of scf are bufferized with it, those of a function with func.

// CHECK-LABEL: @main(%t: tensor<4xf32>
// CHECK:         scf.execute_region -> (memref<4xf32>) {
// CHECK-NEXT:      %e = tensor.insert
// CHECK-NEXT:      %1 = bufferization.to_buffer %e
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%1 : memref<4xf32>), ^bb2(%0 : memref<4xf32>)
// CHECK-NEXT:    ^bb1(%a: memref<4xf32>):
// CHECK-NEXT:      cf.br ^bb2(%a : memref<4xf32>)
// CHECK:         %2 = bufferization.to_tensor %r
// CHECK-NEXT:    cf.br ^exit(%2 : tensor<4xf32>)

// ALL-LABEL:   @main(%t: memref<4xf32>
// ALL-NOT:       tensor
// ALL:           func.return
func.func @main(%t: tensor<4xf32>, %u: tensor<4xf32>, %c: i1, %f: f32, %i: index)
    -> tensor<4xf32> {
  %r = scf.execute_region -> tensor<4xf32> {
    %e = tensor.insert %f into %t[%i] : tensor<4xf32>
    cf.cond_br %c, ^bb1(%e : tensor<4xf32>), ^bb2(%u : tensor<4xf32>)
  ^bb1(%a: tensor<4xf32>):
    cf.br ^bb2(%a : tensor<4xf32>)
  ^bb2(%b: tensor<4xf32>):
    scf.yield %b : tensor<4xf32>
  }
  cf.br ^exit(%r : tensor<4xf32>)
^exit(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
}
