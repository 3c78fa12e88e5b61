// RUN: xdsl-opt %s -p tosa-to-linalg --split-input-file --verify-diagnostics | filecheck %s

func.func @shift(%a: tensor<4xi32>) -> tensor<4xi32> {
  %shift = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %a, %shift : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK: tosa.mul: a shift that is not a constant zero is not supported

// -----

func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK: tosa.add: operands of dynamic sizes are not supported

// -----

func.func @zero_point(%a: tensor<1x4x8xf32>, %b: tensor<1x8x16xf32>, %zp: tensor<1xf32>) -> tensor<1x4x16xf32> {
  %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}

// CHECK: tosa.matmul: a zero point that is not a constant zero is not supported
