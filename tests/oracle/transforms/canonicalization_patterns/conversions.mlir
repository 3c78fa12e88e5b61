// Casts of casts, and conversions back.

func.func @conversion_back(%a: i64, %b: f32) -> (i64, f32, i64) {
  %0:2 = builtin.unrealized_conversion_cast %a, %b : i64, f32 to i32, i16
  %1:2 = builtin.unrealized_conversion_cast %0#0, %0#1 : i32, i16 to i64, f32
  %2 = builtin.unrealized_conversion_cast %a : i64 to i64
  return %1#0, %1#1, %2 : i64, f32, i64
}

// -----

func.func @conversion_elsewhere(%a: i64, %b: f32) -> (f32, i64, i8) {
  %0:2 = builtin.unrealized_conversion_cast %a, %b : i64, f32 to i32, i16
  %1:2 = builtin.unrealized_conversion_cast %0#1, %0#0 : i16, i32 to f32, i64
  %2 = builtin.unrealized_conversion_cast %0#0 : i32 to i8
  return %1#0, %1#1, %2 : f32, i64, i8
}

// -----

func.func @tensor_casts_in_steps(%a: tensor<*xi32>, %b: tensor<?x?xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
  %0 = tensor.cast %a : tensor<*xi32> to tensor<4x?xi32>
  %1 = tensor.cast %0 : tensor<4x?xi32> to tensor<4x8xi32>
  %2 = tensor.cast %b : tensor<?x?xi32> to tensor<?x8xi32>
  %3 = tensor.cast %2 : tensor<?x8xi32> to tensor<4x8xi32>
  return %1, %3 : tensor<4x8xi32>, tensor<4x8xi32>
}

// -----

func.func @tensor_cast_that_checks(%a: tensor<?x?xi32>) -> tensor<?x8xi32> {
  %0 = tensor.cast %a : tensor<?x?xi32> to tensor<4x?xi32>
  %1 = tensor.cast %0 : tensor<4x?xi32> to tensor<?x8xi32>
  return %1 : tensor<?x8xi32>
}

// -----

func.func @unused_remainder(%a: f32, %v: tensor<?xf32>) {
  %0 = arith.remf %a, %a : f32
  %1 = arith.remf %v, %v : tensor<?xf32>
  return
}
