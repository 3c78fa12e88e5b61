// RUN: xdsl-opt %s -p split-copying-edges --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'bufferization-pipeline{verify-result}' --split-input-file | filecheck %s --check-prefix=PIPELINE

// What leaves the loop is copied when control leaves it.

// CHECK-LABEL: func.func @two_exits(
// CHECK:         cf.cond_br %inside weights([9, 1]), ^body, ^[[EDGE:.*]]
// CHECK-NEXT:  ^[[EDGE]]:
// CHECK-NEXT:    cf.br ^exit(%u : tensor<?xf32>)
// CHECK-NEXT:  ^body:
// CHECK:         cf.cond_br %enough, ^found, ^on
// PIPELINE-LABEL: func.func @two_exits(
// PIPELINE:         cf.cond_br
// PIPELINE-NEXT:  ^{{.*}}:
// PIPELINE:         memref.copy
// PIPELINE:         cf.br ^exit
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
func.func @two_exits(%t: tensor<?xf32>, %limit: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  cf.br ^head(%c0, %t : index, tensor<?xf32>)
^head(%i: index, %u: tensor<?xf32>):
  %inside = arith.cmpi ult, %i, %n : index
  cf.cond_br %inside weights([9, 1]), ^body, ^exit(%u : tensor<?xf32>)
^body:
  %x = tensor.extract %u[%i] : tensor<?xf32>
  %enough = arith.cmpf ogt, %x, %limit : f32
  cf.cond_br %enough, ^found, ^on
^found:
  %e = tensor.empty(%c1) : tensor<?xf32>
  %last = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  cf.br ^exit(%last : tensor<?xf32>)
^on:
  %v = tensor.insert %limit into %u[%i] : tensor<?xf32>
  %i1 = arith.addi %i, %c1 : index
  cf.br ^head(%i1, %v : index, tensor<?xf32>)
^exit(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}

// -----

// Nothing is copied for a branch.

// CHECK-LABEL: func.func @in_place(
// CHECK:         cf.cond_br %c, ^a(%t : tensor<8xf32>), ^b(%t : tensor<8xf32>)
func.func @in_place(%t: tensor<8xf32>, %c: i1, %i: index, %x: f32) -> tensor<8xf32> {
  cf.cond_br %c, ^a(%t : tensor<8xf32>), ^b(%t : tensor<8xf32>)
^a(%u: tensor<8xf32>):
  %0 = tensor.insert %x into %u[%i] : tensor<8xf32>
  cf.br ^b(%0 : tensor<8xf32>)
^b(%v: tensor<8xf32>):
  return %v : tensor<8xf32>
}

// -----

// Which operands are copied depends on the edges that are split, so both are.

// CHECK-LABEL: func.func @exchange(
// CHECK:         cf.cond_br %c, ^[[THEN:.*]], ^[[ELSE:.*]]
// CHECK-NEXT:  ^[[THEN]]:
// CHECK-NEXT:    cf.br ^b(%x, %t : tensor<4xf64>, tensor<4xf64>)
// CHECK-NEXT:  ^[[ELSE]]:
// CHECK-NEXT:    cf.br ^b(%t, %x : tensor<4xf64>, tensor<4xf64>)
// PIPELINE-LABEL: func.func @exchange(
// PIPELINE-NOT:     memref.copy
// PIPELINE:         cf.cond_br
// PIPELINE-NEXT:  ^{{.*}}:
// PIPELINE:         memref.copy
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
func.func @exchange(%t: tensor<4xf64>, %c: i1) -> (tensor<4xf64>, tensor<4xf64>) {
  %x = linalg.map { math.exp } ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>)
  cf.cond_br %c, ^b(%x, %t : tensor<4xf64>, tensor<4xf64>), ^b(%t, %x : tensor<4xf64>, tensor<4xf64>)
^b(%p: tensor<4xf64>, %q: tensor<4xf64>):
  %y = linalg.map { math.sqrt } ins(%p : tensor<4xf64>) outs(%p : tensor<4xf64>)
  %z = linalg.map { math.absf } ins(%q : tensor<4xf64>) outs(%q : tensor<4xf64>)
  return %y, %z : tensor<4xf64>, tensor<4xf64>
}

// -----

// Control never gets to ^never, where any value may be used.

// CHECK-LABEL: func.func @never(
// CHECK:         cf.cond_br %c, ^never(%v, %t : {{.*}}), ^exit(%x, %v : {{.*}})
// PIPELINE-LABEL: func.func @never(
// PIPELINE-NOT:     cf.
// PIPELINE:         return
func.func @never(%t: tensor<4xf64>, %c: i1) -> (tensor<4xf64>, tensor<4xf64>) {
  cf.br ^exit(%t, %t : tensor<4xf64>, tensor<4xf64>)
^never(%x: tensor<4xf64>, %y: tensor<4xf64>):
  %u = linalg.map { math.exp } ins(%x : tensor<4xf64>) outs(%x : tensor<4xf64>)
  %v = linalg.map { math.exp } ins(%u : tensor<4xf64>) outs(%y : tensor<4xf64>)
  cf.cond_br %c, ^never(%v, %t : tensor<4xf64>, tensor<4xf64>), ^exit(%x, %v : tensor<4xf64>, tensor<4xf64>)
^exit(%p: tensor<4xf64>, %q: tensor<4xf64>):
  %y1 = linalg.map { math.sqrt } ins(%p : tensor<4xf64>) outs(%p : tensor<4xf64>)
  %z = linalg.map { math.absf } ins(%q : tensor<4xf64>) outs(%q : tensor<4xf64>)
  return %y1, %z : tensor<4xf64>, tensor<4xf64>
}

// -----

// A switch: only the cases that exchange the tensors copy one.

// CHECK-LABEL: func.func @switch(
// CHECK:         cf.switch %k : i32, [
// CHECK-NEXT:      default: ^[[A:.*]],
// CHECK-NEXT:      0: ^[[B:.*]],
// CHECK-NEXT:      7: ^end
// CHECK-NEXT:    ]
// CHECK-NEXT:  ^[[A]]:
// CHECK-NEXT:    cf.br ^b(%x, %t : tensor<4xf64>, tensor<4xf64>)
// CHECK-NEXT:  ^[[B]]:
// CHECK-NEXT:    cf.br ^b(%t, %x : tensor<4xf64>, tensor<4xf64>)
// PIPELINE-LABEL: func.func @switch(
// PIPELINE-NOT:     memref.copy
// PIPELINE:         cf.switch
func.func @switch(%t: tensor<4xf64>, %k: i32) -> (tensor<4xf64>, tensor<4xf64>) {
  %x = linalg.map { math.exp } ins(%t : tensor<4xf64>) outs(%t : tensor<4xf64>)
  cf.switch %k : i32, [
    default: ^b(%x, %t : tensor<4xf64>, tensor<4xf64>),
    0: ^b(%t, %x : tensor<4xf64>, tensor<4xf64>),
    7: ^end
  ]
^b(%p: tensor<4xf64>, %q: tensor<4xf64>):
  %y = linalg.map { math.sqrt } ins(%p : tensor<4xf64>) outs(%p : tensor<4xf64>)
  %z = linalg.map { math.absf } ins(%q : tensor<4xf64>) outs(%q : tensor<4xf64>)
  return %y, %z : tensor<4xf64>, tensor<4xf64>
^end:
  return %x, %x : tensor<4xf64>, tensor<4xf64>
}
