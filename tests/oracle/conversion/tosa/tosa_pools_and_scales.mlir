func.func @max_pool(%x: tensor<1x6x34x62xf32>) -> tensor<1x4x32x62xf32> {
  %0 = tosa.max_pool2d %x {pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>} : (tensor<1x6x34x62xf32>) -> tensor<1x4x32x62xf32>
  return %0 : tensor<1x4x32x62xf32>
}

// -----

// Padding is less than any element.
func.func @max_pool_padded(%x: tensor<1x6x35x62xi8>) -> tensor<1x4x34x62xi8> {
  %0 = tosa.max_pool2d %x {pad = array<i64: 0, 0, 0, 1>, kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>} : (tensor<1x6x35x62xi8>) -> tensor<1x4x34x62xi8>
  return %0 : tensor<1x4x34x62xi8>
}

// -----

func.func @max_pool_strided(%x: tensor<2x8x8x3xi32>) -> tensor<2x4x3x3xi32> {
  %0 = tosa.max_pool2d %x {pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 4>, stride = array<i64: 2, 2>} : (tensor<2x8x8x3xi32>) -> tensor<2x4x3x3xi32>
  return %0 : tensor<2x4x3x3xi32>
}

// -----

func.func @avg_pool(%x: tensor<1x6x34x62xf32>) -> tensor<1x5x33x62xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, kernel = array<i64: 4, 4>, stride = array<i64: 1, 1>} : (tensor<1x6x34x62xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x33x62xf32>
  return %0 : tensor<1x5x33x62xf32>
}

// -----

func.func @avg_pool_strided(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, pad = array<i64: 1, 0, 0, 1>, kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

func.func @avg_pool_of_integers(%x: tensor<1x6x34x62xi8>) -> tensor<1x5x33x62xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, kernel = array<i64: 4, 4>, stride = array<i64: 1, 1>} : (tensor<1x6x34x62xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x33x62xi8>
  return %0 : tensor<1x5x33x62xi8>
}

// -----

func.func @cond_if(%c: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<4xf32> {
    tosa.yield %a : tensor<4xf32>
  } else {
    %1 = tosa.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @rescale(%x : tensor<2xi8>) -> tensor<2xi8> {
  %m = "tosa.const"() {values = dense<19689> : tensor<1xi32> } : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<15> : tensor<1xi8> } : () -> tensor<1xi8>
  %i = "tosa.const"() {values = dense<17> : tensor<1xi8>} : () -> tensor<1xi8>
  %o = "tosa.const"() {values = dense<22> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = true} : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// -----

func.func @rescale_to_i32(%x : tensor<2x3xi8>) -> tensor<2x3xi32> {
  %m = "tosa.const"() {values = dense<19689> : tensor<1xi32> } : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<15> : tensor<1xi8> } : () -> tensor<1xi8>
  %i = "tosa.const"() {values = dense<17> : tensor<1xi8>} : () -> tensor<1xi8>
  %o = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

func.func @rescale_channels(%x : tensor<4x3xi8>) -> tensor<4x3xi8> {
  %m = "tosa.const"() {values = dense<[42, 43, 44]> : tensor<3xi16> } : () -> tensor<3xi16>
  %s = "tosa.const"() {values = dense<[14, 15, 62]> : tensor<3xi8> } : () -> tensor<3xi8>
  %i = "tosa.const"() {values = dense<43> : tensor<1xi8>} : () -> tensor<1xi8>
  %o = "tosa.const"() {values = dense<52> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = true, output_unsigned = false} : (tensor<4x3xi8>, tensor<3xi16>, tensor<3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x3xi8>
  return %0 : tensor<4x3xi8>
}
