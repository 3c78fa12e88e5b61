func.func @matmul(%a: tensor<1x4x8xf32>, %b: tensor<1x8x16xf32>) -> tensor<1x4x16xf32> {
  %az = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %az, %az : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}

// -----

func.func @add(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.add %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @broadcast_rows(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @broadcast_both(%a: tensor<4x1xi32>, %b: tensor<1x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.sub %a, %b : (tensor<4x1xi32>, tensor<1x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @mul(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @mul_integers(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<1xi8>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @unary(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.reciprocal %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.sin %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.cos %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

func.func @clamp(%a: tensor<4x8xf32>, %i: tensor<4xi8>) -> (tensor<4x8xf32>, tensor<4xi8>) {
  %0 = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.clamp %i {min_val = -5 : i8, max_val = 6 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %0, %1 : tensor<4x8xf32>, tensor<4xi8>
}

// -----

func.func @concat(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>) -> tensor<7x8xf32> {
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// -----

func.func @reduce_rank_1(%a: tensor<4xf32>) -> tensor<1xf32> {
  %0 = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @reduce_middle(%a: tensor<4x8x3xf32>) -> tensor<4x1x3xf32> {
  %0 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<4x8x3xf32>) -> tensor<4x1x3xf32>
  return %0 : tensor<4x1x3xf32>
}

// -----

func.func @reduce_f16(%a: tensor<4x8xf16>) -> (tensor<1x8xf16>, tensor<4x1xf16>) {
  %0 = tosa.reduce_max %a {axis = 0 : i32} : (tensor<4x8xf16>) -> tensor<1x8xf16>
  %1 = tosa.reduce_min %a {axis = 1 : i32} : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return %0, %1 : tensor<1x8xf16>, tensor<4x1xf16>
}

// -----

func.func @layer(%x: tensor<1x4x8xf32>, %w: tensor<1x8x16xf32>, %b: tensor<1x1x16xf32>) -> tensor<1x4x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  %1 = tosa.add %0, %b : (tensor<1x4x16xf32>, tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %2 : tensor<1x4x16xf32>
}

// -----

func.func @reductions(%a: tensor<4x8xf32>, %b: tensor<4x8xi1>, %c: tensor<4x8xi32>) -> (tensor<1x8xf32>, tensor<4x1xf32>, tensor<4x1xi1>, tensor<4x1xi1>, tensor<1x8xi32>, tensor<4x1xf32>, tensor<4x1xi32>) {
  %0 = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %1 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %2 = tosa.reduce_all %b {axis = 1 : i32} : (tensor<4x8xi1>) -> tensor<4x1xi1>
  %3 = tosa.reduce_any %b {axis = 1 : i32} : (tensor<4x8xi1>) -> tensor<4x1xi1>
  %4 = tosa.reduce_min %c {axis = 0 : i32} : (tensor<4x8xi32>) -> tensor<1x8xi32>
  %5 = tosa.reduce_product %a {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %6 = tosa.reduce_sum %c {axis = 1 : i32} : (tensor<4x8xi32>) -> tensor<4x1xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x8xf32>, tensor<4x1xf32>, tensor<4x1xi1>, tensor<4x1xi1>, tensor<1x8xi32>, tensor<4x1xf32>, tensor<4x1xi32>
}

// -----

func.func @reduce_max_of_integers(%a: tensor<4x8xi32>) -> tensor<4x1xi32> {
  %0 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<4x8xi32>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}

// -----

func.func @concat_columns(%a: tensor<4x8xf32>, %b: tensor<4x1xf32>) -> tensor<4x17xf32> {
  %0 = tosa.concat %a, %b, %a {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x17xf32>
  return %0 : tensor<4x17xf32>
}
