// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt --print-op-generic %s | filecheck %s --check-prefix GENERIC

// The body of a named op is not written; it follows from the op and the element types.
// CHECK-LABEL: @matmul
func.func @matmul(%a: tensor<4x8xi8>, %b: tensor<8x2xi8>, %c: tensor<4x2xi32>) -> tensor<4x2xi32> {
  // CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x2xi8>) outs(%c : tensor<4x2xi32>) -> tensor<4x2xi32>
  // GENERIC: "linalg.matmul"(%a, %b, %c)
  // GENERIC: "arith.extui"(%{{.*}}) : (i8) -> i32
  // GENERIC: "arith.extui"(%{{.*}}) : (i8) -> i32
  // GENERIC: "arith.muli"
  // GENERIC: "arith.addi"
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x2xi8>) outs(%c : tensor<4x2xi32>) -> tensor<4x2xi32>
  func.return %0 : tensor<4x2xi32>
}

// A body of one op that takes the elements in order is written as that op.
// CHECK-LABEL: @short_bodies
func.func @short_bodies(%a: tensor<4x8xf32>, %r: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  // CHECK: linalg.map { arith.addf } ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  %0 = linalg.map { arith.addf } ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  // CHECK: linalg.reduce { arith.maximumf } ins(%a : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  func.return %0, %1 : tensor<4x8xf32>, tensor<4xf32>
}
