// RUN: xdsl-opt %s -p tosa-to-linalg --split-input-file --verify-diagnostics | filecheck %s

func.func @shift(%a: tensor<4xi32>, %shift: tensor<1xi8>) -> tensor<4xi32> {
  %0 = tosa.mul %a, %a, %shift : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK: tosa.mul: a shift that is not constant, or not of a product in i32, is not supported

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

// CHECK: tosa.matmul: a zero point that is not a constant integer, or zero, is not supported

// -----

func.func @pool_zero_point(%x: tensor<1x4x4x1xi8>, %z: tensor<1xi8>) -> tensor<1x2x2x1xi8> {
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}

// CHECK: tosa.avg_pool2d: a zero point that is not a constant integer, or zero, is not supported

// -----

func.func @pool_dynamic(%x: tensor<?x4x4x1xi8>) -> tensor<?x2x2x1xi8> {
  %0 = tosa.max_pool2d %x {pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<?x4x4x1xi8>) -> tensor<?x2x2x1xi8>
  return %0 : tensor<?x2x2x1xi8>
}

// CHECK: tosa.max_pool2d: dynamic sizes are not supported

// -----

func.func @rescale_by_argument(%x : tensor<2xi8>, %m: tensor<1xi32>) -> tensor<2xi8> {
  %s = "tosa.const"() {values = dense<15> : tensor<1xi8> } : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// CHECK: tosa.rescale: a multiplier, shift or zero point that is not constant is not supported

// -----

func.func @rescale_shift(%x : tensor<2xi8>) -> tensor<2xi8> {
  %m = "tosa.const"() {values = dense<42> : tensor<1xi32> } : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<64> : tensor<1xi8> } : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// CHECK: tosa.rescale: a shift is from 2 to 62

// -----

func.func @slice_by_argument(%x : tensor<2x3xi8>, %s: !tosa.shape<2>) -> tensor<1x1xi8> {
  %0 = tosa.slice %x, %s, %s : (tensor<2x3xi8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1xi8>
  return %0 : tensor<1x1xi8>
}

// CHECK: tosa.slice: a shape that is not constant is not supported

// -----

func.func @tile_dynamic(%x : tensor<?xi8>) -> tensor<?xi8> {
  %s = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %0 = tosa.tile %x, %s : (tensor<?xi8>, !tosa.shape<1>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// CHECK: tosa.tile: dynamic sizes are not supported

// -----

func.func @bits_of_floats(%x : tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.bitwise_not %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: tosa.bitwise_not: is for integers, got elements of f32

// -----

func.func @all_of_floats(%x : tensor<4xf32>) -> tensor<1xf32> {
  %0 = tosa.reduce_all %x {axis = 0 : i32} : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// CHECK: tosa.reduce_all: is for booleans, got elements of f32
