// Ops of math that LLVM computes exactly or itself.

func.func @absf_f32(%a: f32) -> f32 {
  %r = math.absf %a : f32
  return %r : f32
}

func.func @absf_f64(%a: f64) -> f64 {
  %r = math.absf %a : f64
  return %r : f64
}

func.func @ceil_f32(%a: f32) -> f32 {
  %r = math.ceil %a : f32
  return %r : f32
}

func.func @ceil_f64(%a: f64) -> f64 {
  %r = math.ceil %a : f64
  return %r : f64
}

func.func @floor_f32(%a: f32) -> f32 {
  %r = math.floor %a : f32
  return %r : f32
}

func.func @floor_f64(%a: f64) -> f64 {
  %r = math.floor %a : f64
  return %r : f64
}

func.func @round_f32(%a: f32) -> f32 {
  %r = math.round %a : f32
  return %r : f32
}

func.func @round_f64(%a: f64) -> f64 {
  %r = math.round %a : f64
  return %r : f64
}

func.func @roundeven_f32(%a: f32) -> f32 {
  %r = math.roundeven %a : f32
  return %r : f32
}

func.func @roundeven_f64(%a: f64) -> f64 {
  %r = math.roundeven %a : f64
  return %r : f64
}

func.func @trunc_f32(%a: f32) -> f32 {
  %r = math.trunc %a : f32
  return %r : f32
}

func.func @trunc_f64(%a: f64) -> f64 {
  %r = math.trunc %a : f64
  return %r : f64
}

func.func @sqrt_f32(%a: f32) -> f32 {
  %r = math.sqrt %a : f32
  return %r : f32
}

func.func @sqrt_f64(%a: f64) -> f64 {
  %r = math.sqrt %a : f64
  return %r : f64
}

func.func @absi(%a: i32) -> i32 {
  %r = math.absi %a : i32
  return %r : i32
}

func.func @ctlz(%a: i32) -> i32 {
  %r = math.ctlz %a : i32
  return %r : i32
}

func.func @ctlz_i8(%a: i8) -> i8 {
  %r = math.ctlz %a : i8
  return %r : i8
}

func.func @cttz(%a: i32) -> i32 {
  %r = math.cttz %a : i32
  return %r : i32
}

func.func @cttz_i8(%a: i8) -> i8 {
  %r = math.cttz %a : i8
  return %r : i8
}

func.func @ctpop(%a: i32) -> i32 {
  %r = math.ctpop %a : i32
  return %r : i32
}

func.func @ctpop_i8(%a: i8) -> i8 {
  %r = math.ctpop %a : i8
  return %r : i8
}

func.func @copysign(%a: f32, %b: f32) -> f32 {
  %r = math.copysign %a, %b : f32
  return %r : f32
}

func.func @fma_f32(%a: f32, %b: f32, %c: f32) -> f32 {
  %r = math.fma %a, %b, %c : f32
  return %r : f32
}

func.func @rsqrt(%a: f32) -> f32 {
  %r = math.rsqrt %a : f32
  return %r : f32
}

func.func @sqrt_f16(%a: f32) -> f32 {
  %x = arith.truncf %a : f32 to f16
  %y = math.sqrt %x : f16
  %r = arith.extf %y : f16 to f32
  return %r : f32
}

func.func @ipowi(%a: i32, %b: i8) -> i32 {
  %one = arith.constant 1 : i32
  %x = arith.ori %a, %one : i32
  %y = arith.extsi %b : i8 to i32
  %r = math.ipowi %x, %y : i32
  return %r : i32
}

func.func @classes(%x: f32) -> i1 {
  %a = math.isfinite %x : f32
  %b = math.isnan %x : f32
  %r = arith.ori %a, %b : i1
  return %r : i1
}
