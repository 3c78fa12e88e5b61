func.func @conv(%x: tensor<1x8x9x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x8x9x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x9x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x9x4xf32>
  return %0 : tensor<1x8x9x4xf32>
}

// -----

func.func @convq(%x: tensor<1x8x9x3xi8>, %w: tensor<4x3x3x3xi8>, %b: tensor<1xi32>) -> tensor<1x4x4x4xi32> {
  %z = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %z, %z0 {acc_type = i32, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x8x9x3xi8>, tensor<4x3x3x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
  return %0 : tensor<1x4x4x4xi32>
}

// -----

func.func @dwconv(%x: tensor<1x7x5x3xf32>, %w: tensor<3x1x3x11xf32>, %b: tensor<33xf32>) -> tensor<1x5x5x33xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x7x5x3xf32>, tensor<3x1x3x11xf32>, tensor<33xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5x33xf32>
  return %0 : tensor<1x5x5x33xf32>
}

// -----

func.func @dwconvq(%x: tensor<1x7x5x3xi8>, %w: tensor<3x1x3x11xi8>, %b: tensor<33xi32>) -> tensor<1x5x5x33xi32> {
  %z = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zz = "tosa.const"() <{values = dense<42> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %zz {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x7x5x3xi8>, tensor<3x1x3x11xi8>, tensor<33xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x33xi32>
  return %0 : tensor<1x5x5x33xi32>
}

// -----

func.func @mmq(%x: tensor<2x7x5xi8>, %w: tensor<2x5x4xi8>) -> tensor<2x7x4xi32> {
  %z = "tosa.const"() <{values = dense<-12> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %w, %z, %z : (tensor<2x7x5xi8>, tensor<2x5x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x7x4xi32>
  return %0 : tensor<2x7x4xi32>
}

// -----

func.func @mmbf(%x: tensor<2x7x5xbf16>, %w: tensor<2x5x4xbf16>) -> tensor<2x7x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.matmul %x, %w, %z, %z : (tensor<2x7x5xbf16>, tensor<2x5x4xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x7x4xf32>
  return %0 : tensor<2x7x4xf32>
}

// -----

func.func @gather(%x: tensor<2x3x4xf32>, %i: tensor<2x5xi32>, %y: tensor<2x5x4xf32>) -> (tensor<2x5x4xf32>) {
  %0 = tosa.gather %x, %i : (tensor<2x3x4xf32>, tensor<2x5xi32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// -----

func.func @argmax(%x: tensor<2x3x4xf32>, %y: tensor<3x4xi8>) -> (tensor<2x4xi32>, tensor<3xi32>) {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x4xi32>
  %1 = tosa.argmax %y {axis = 1 : i32} : (tensor<3x4xi8>) -> tensor<3xi32>
  return %0, %1 : tensor<2x4xi32>, tensor<3xi32>
}

// -----

func.func @argmaxnan(%x: tensor<2x3x4xf32>) -> (tensor<2x4xi32>) {
  %0 = tosa.argmax %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x3x4xf32>) -> tensor<2x4xi32>
  return %0: tensor<2x4xi32>
}

// -----

func.func @select(%c: tensor<1x4xi1>, %x: tensor<3x4xf32>, %y: tensor<3x1xf32>) -> tensor<3x4xf32> {
  %0 = tosa.select %c, %x, %y : (tensor<1x4xi1>, tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @identity(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = tosa.identity %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @neg(%x: tensor<3xf32>, %y: tensor<3xi8>) -> (tensor<3xf32>, tensor<3xi8>, tensor<3xi8>) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zi = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zj = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.negate %x, %z, %z : (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  %1 = tosa.negate %y, %zi, %zi : (tensor<3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  %2 = tosa.negate %y, %zj, %zi : (tensor<3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xi8>, tensor<3xi8>
}

// -----

func.func @pw(%x: tensor<1x4x4x3xf32>, %w: tensor<5x1x1x3xf32>, %b: tensor<5xf32>) -> tensor<1x4x4x5xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<5x1x1x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x5xf32>
  return %0 : tensor<1x4x4x5xf32>
}

// -----

func.func @abs_0(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.abs %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @ceil_1(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.ceil %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @floor_2(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.floor %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @exp_3(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.exp %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @log_4(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.log %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @rsqrt_5(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.rsqrt %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @sigmoid_6(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.sigmoid %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @tanh_7(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.tanh %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @erf_8(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.erf %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @reciprocal_9(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.reciprocal %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @sin_10(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.sin %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @cos_11(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.cos %a0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @abs_12(%a0: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.abs %a0 : (tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @bitwise_not_13(%a0: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.bitwise_not %a0 : (tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @clz_14(%a0: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.clz %a0 : (tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @logical_not_15(%a0: tensor<3x4xi1>) -> tensor<3x4xi1> {

  %r = tosa.logical_not %a0 : (tensor<3x4xi1>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @add_16(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.add %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @sub_17(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.sub %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @maximum_18(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.maximum %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @minimum_19(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.minimum %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @pow_20(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.pow %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @add_21(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.add %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @sub_22(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.sub %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @maximum_23(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.maximum %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @minimum_24(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.minimum %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @intdiv_25(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.intdiv %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @bitwise_and_26(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.bitwise_and %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @bitwise_or_27(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.bitwise_or %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @bitwise_xor_28(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.bitwise_xor %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @logical_left_shift_29(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.logical_left_shift %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @logical_right_shift_30(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.logical_right_shift %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @arithmetic_right_shift_31(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {

  %r = tosa.arithmetic_right_shift %a0, %a1 {round = true} : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @arithmetic_right_shift_32(%a0: tensor<3x4xi8>, %a1: tensor<3x4xi8>) -> tensor<3x4xi8> {

  %r = tosa.arithmetic_right_shift %a0, %a1 {round = false} : (tensor<3x4xi8>, tensor<3x4xi8>) -> tensor<3x4xi8>
  return %r : tensor<3x4xi8>
}

// -----

func.func @logical_and_33(%a0: tensor<3x4xi1>, %a1: tensor<3x4xi1>) -> tensor<3x4xi1> {

  %r = tosa.logical_and %a0, %a1 : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @logical_or_34(%a0: tensor<3x4xi1>, %a1: tensor<3x4xi1>) -> tensor<3x4xi1> {

  %r = tosa.logical_or %a0, %a1 : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @logical_xor_35(%a0: tensor<3x4xi1>, %a1: tensor<3x4xi1>) -> tensor<3x4xi1> {

  %r = tosa.logical_xor %a0, %a1 : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @equal_36(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xi1> {

  %r = tosa.equal %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @equal_37(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi1> {

  %r = tosa.equal %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @greater_38(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xi1> {

  %r = tosa.greater %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @greater_39(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi1> {

  %r = tosa.greater %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @greater_equal_40(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xi1> {

  %r = tosa.greater_equal %a0, %a1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @greater_equal_41(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi1> {

  %r = tosa.greater_equal %a0, %a1 : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @maximum_42(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.maximum %a0, %a1 {nan_mode = IGNORE} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @minimum_43(%a0: tensor<3x4xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.minimum %a0, %a1 {nan_mode = IGNORE} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @mul_44(%a0: tensor<3x4xi32>, %a1: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %s = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a0, %a1, %s : (tensor<3x4xi32>, tensor<3x4xi32>, tensor<1xi8>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @mul_45(%a0: tensor<3x4xi8>, %a1: tensor<3x4xi8>) -> tensor<3x4xi32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a0, %a1, %s : (tensor<3x4xi8>, tensor<3x4xi8>, tensor<1xi8>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @cast_46(%a0: tensor<3x4xf32>) -> tensor<3x4xi32> {

  %r = tosa.cast %a0 : (tensor<3x4xf32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @cast_47(%a0: tensor<3x4xf32>) -> tensor<3x4xi8> {

  %r = tosa.cast %a0 : (tensor<3x4xf32>) -> tensor<3x4xi8>
  return %r : tensor<3x4xi8>
}

// -----

func.func @cast_49(%a0: tensor<3x4xf32>) -> tensor<3x4xi16> {

  %r = tosa.cast %a0 : (tensor<3x4xf32>) -> tensor<3x4xi16>
  return %r : tensor<3x4xi16>
}

// -----

func.func @cast_50(%a0: tensor<3x4xf32>) -> tensor<3x4xf16> {

  %r = tosa.cast %a0 : (tensor<3x4xf32>) -> tensor<3x4xf16>
  return %r : tensor<3x4xf16>
}

// -----

func.func @cast_51(%a0: tensor<3x4xf16>) -> tensor<3x4xf32> {

  %r = tosa.cast %a0 : (tensor<3x4xf16>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @cast_52(%a0: tensor<3x4xbf16>) -> tensor<3x4xf32> {

  %r = tosa.cast %a0 : (tensor<3x4xbf16>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @cast_53(%a0: tensor<3x4xi32>) -> tensor<3x4xf32> {

  %r = tosa.cast %a0 : (tensor<3x4xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @cast_54(%a0: tensor<3x4xi8>) -> tensor<3x4xf32> {

  %r = tosa.cast %a0 : (tensor<3x4xi8>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @cast_56(%a0: tensor<3x4xi1>) -> tensor<3x4xi32> {

  %r = tosa.cast %a0 : (tensor<3x4xi1>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @cast_57(%a0: tensor<3x4xi8>) -> tensor<3x4xi32> {

  %r = tosa.cast %a0 : (tensor<3x4xi8>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @cast_58(%a0: tensor<3x4xi32>) -> tensor<3x4xi8> {

  %r = tosa.cast %a0 : (tensor<3x4xi32>) -> tensor<3x4xi8>
  return %r : tensor<3x4xi8>
}

// -----

func.func @cast_59(%a0: tensor<3x4xi32>) -> tensor<3x4xi1> {

  %r = tosa.cast %a0 : (tensor<3x4xi32>) -> tensor<3x4xi1>
  return %r : tensor<3x4xi1>
}

// -----

func.func @cast_60(%a0: tensor<3x4xi16>) -> tensor<3x4xi32> {

  %r = tosa.cast %a0 : (tensor<3x4xi16>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// -----

func.func @reduce_sum_65(%a0: tensor<3x4xi32>) -> tensor<3x1xi32> {

  %r = tosa.reduce_sum %a0 {axis = 1 : i32} : (tensor<3x4xi32>) -> tensor<3x1xi32>
  return %r : tensor<3x1xi32>
}

// -----

func.func @reduce_sum_66(%a0: tensor<3x4xbf16>) -> tensor<3x1xbf16> {

  %r = tosa.reduce_sum %a0 {axis = 1 : i32} : (tensor<3x4xbf16>) -> tensor<3x1xbf16>
  return %r : tensor<3x1xbf16>
}

// -----

func.func @reduce_max_68(%a0: tensor<3x4xf32>) -> tensor<3x1xf32> {

  %r = tosa.reduce_max %a0 {axis = 1 : i32} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

func.func @clamp_69(%a0: tensor<3x4xf32>) -> tensor<3x4xf32> {

  %r = tosa.clamp %a0 {min_val=0.0:f32,max_val=6.0:f32,nan_mode=IGNORE} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @neg16(%y: tensor<3xi16>, %w: tensor<3xi32>) -> (tensor<3xi16>, tensor<3xi32>) {
  %zi = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %zj = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %1 = tosa.negate %y, %zi, %zi : (tensor<3xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<3xi16>
  %2 = tosa.negate %w, %zj, %zj : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  return %1, %2 : tensor<3xi16>, tensor<3xi32>
}

// -----

func.func @avgzp(%x: tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8> {
  %z = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}

// -----

func.func @avgzp2(%x: tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8> {
  %z = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %z, %y {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}

// -----

func.func @avgf16(%x: tensor<1x4x4x1xf16>) -> tensor<1x2x2x1xf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x2x2x1xf16>
  return %0 : tensor<1x2x2x1xf16>
}

// -----

func.func @convbf(%x: tensor<1x4x4x3xbf16>, %w: tensor<5x1x1x3xbf16>, %b: tensor<5xbf16>) -> tensor<1x4x4x5xbf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xbf16>, tensor<5x1x1x3xbf16>, tensor<5xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x4x5xbf16>
  return %0 : tensor<1x4x4x5xbf16>
}

// -----

func.func @dwbf(%x: tensor<1x7x5x3xf16>, %w: tensor<3x1x3x11xf16>, %b: tensor<33xf16>) -> tensor<1x5x5x33xf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x7x5x3xf16>, tensor<3x1x3x11xf16>, tensor<33xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x5x5x33xf16>
  return %0 : tensor<1x5x5x33xf16>
}

// -----

func.func @rescale16(%x : tensor<2xi48>) -> tensor<2xi16> {
  %m = "tosa.const"() {values = dense<19737> : tensor<1xi16> } : () -> tensor<1xi16>
  %s = "tosa.const"() {values = dense<38> : tensor<1xi8> } : () -> tensor<1xi8>
  %i = "tosa.const"() {values = dense<0> : tensor<1xi48>} : () -> tensor<1xi48>
  %o = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  %0 = tosa.rescale %x, %m, %s, %i, %o {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<2xi16>
  return %0 : tensor<2xi16>
}

// -----

func.func @cast1(%x : tensor<2xi1>, %y: tensor<2xf32>, %z: tensor<2xi64>) -> (tensor<2xi8>, tensor<2xf16>, tensor<2xi32>) {
  %0 = tosa.cast %x : (tensor<2xi1>) -> tensor<2xi8>
  %1 = tosa.cast %y : (tensor<2xf32>) -> tensor<2xf16>
  %2 = tosa.cast %z : (tensor<2xi64>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xf16>, tensor<2xi32>
}

// -----

func.func @redf16(%x : tensor<2x3xf16>, %y: tensor<2x3xbf16>) -> (tensor<2x1xf16>, tensor<2x1xbf16>) {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3xf16>) -> tensor<2x1xf16>
  %1 = tosa.reduce_max %y {axis = 1 : i32} : (tensor<2x3xbf16>) -> tensor<2x1xbf16>
  return %0, %1 : tensor<2x1xf16>, tensor<2x1xbf16>
}

// -----

func.func @resh(%x : tensor<2x3x4xf32>, %y: tensor<1x1xf32>) -> (tensor<4x6xf32>, tensor<f32>) {
  %s = tosa.const_shape {values = dense<[4, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  %0 = tosa.reshape %x, %s : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<4x6xf32>
  %1 = tosa.reshape %y, %t : (tensor<1x1xf32>, !tosa.shape<0>) -> tensor<f32>
  return %0, %1 : tensor<4x6xf32>, tensor<f32>
}

// -----

func.func @slicedyn(%x: tensor<2x3xf32>) -> tensor<2x?xf32> {
  %a = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.slice %x, %a, %b : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}

// -----

func.func @red(%y: tensor<2x3xbf16>) -> (tensor<2x1xbf16>) {
  %1 = tosa.reduce_product %y {axis = 1 : i32} : (tensor<2x3xbf16>) -> tensor<2x1xbf16>
  return %1 : tensor<2x1xbf16>
}

// -----

func.func @convz(%x: tensor<1x4x4x3xi8>, %w: tensor<5x1x1x3xi8>, %b: tensor<5xi32>) -> tensor<1x4x4x5xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<5x1x1x3xi8>, tensor<5xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x5xi32>
  return %0 : tensor<1x4x4x5xi32>
}
