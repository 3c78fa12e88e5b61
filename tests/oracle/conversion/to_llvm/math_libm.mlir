// Ops of math whose algorithms may differ in the last place.

func.func @exp_f32(%a: f32) -> f32 {
  %r = math.exp %a : f32
  return %r : f32
}

func.func @exp_f64(%a: f64) -> f64 {
  %r = math.exp %a : f64
  return %r : f64
}

func.func @exp2_f32(%a: f32) -> f32 {
  %r = math.exp2 %a : f32
  return %r : f32
}

func.func @exp2_f64(%a: f64) -> f64 {
  %r = math.exp2 %a : f64
  return %r : f64
}

func.func @log_f32(%a: f32) -> f32 {
  %r = math.log %a : f32
  return %r : f32
}

func.func @log_f64(%a: f64) -> f64 {
  %r = math.log %a : f64
  return %r : f64
}

func.func @log2_f32(%a: f32) -> f32 {
  %r = math.log2 %a : f32
  return %r : f32
}

func.func @log2_f64(%a: f64) -> f64 {
  %r = math.log2 %a : f64
  return %r : f64
}

func.func @log10_f32(%a: f32) -> f32 {
  %r = math.log10 %a : f32
  return %r : f32
}

func.func @log10_f64(%a: f64) -> f64 {
  %r = math.log10 %a : f64
  return %r : f64
}

func.func @sin_f32(%a: f32) -> f32 {
  %r = math.sin %a : f32
  return %r : f32
}

func.func @sin_f64(%a: f64) -> f64 {
  %r = math.sin %a : f64
  return %r : f64
}

func.func @cos_f32(%a: f32) -> f32 {
  %r = math.cos %a : f32
  return %r : f32
}

func.func @cos_f64(%a: f64) -> f64 {
  %r = math.cos %a : f64
  return %r : f64
}

func.func @acos_f32(%a: f32) -> f32 {
  %r = math.acos %a : f32
  return %r : f32
}

func.func @acos_f64(%a: f64) -> f64 {
  %r = math.acos %a : f64
  return %r : f64
}

func.func @asin_f32(%a: f32) -> f32 {
  %r = math.asin %a : f32
  return %r : f32
}

func.func @asin_f64(%a: f64) -> f64 {
  %r = math.asin %a : f64
  return %r : f64
}

func.func @atan_f32(%a: f32) -> f32 {
  %r = math.atan %a : f32
  return %r : f32
}

func.func @atan_f64(%a: f64) -> f64 {
  %r = math.atan %a : f64
  return %r : f64
}

func.func @cosh_f32(%a: f32) -> f32 {
  %r = math.cosh %a : f32
  return %r : f32
}

func.func @cosh_f64(%a: f64) -> f64 {
  %r = math.cosh %a : f64
  return %r : f64
}

func.func @sinh_f32(%a: f32) -> f32 {
  %r = math.sinh %a : f32
  return %r : f32
}

func.func @sinh_f64(%a: f64) -> f64 {
  %r = math.sinh %a : f64
  return %r : f64
}

func.func @tanh_f32(%a: f32) -> f32 {
  %r = math.tanh %a : f32
  return %r : f32
}

func.func @tanh_f64(%a: f64) -> f64 {
  %r = math.tanh %a : f64
  return %r : f64
}

func.func @acosh_f32(%a: f32) -> f32 {
  %r = math.acosh %a : f32
  return %r : f32
}

func.func @acosh_f64(%a: f64) -> f64 {
  %r = math.acosh %a : f64
  return %r : f64
}

func.func @asinh_f32(%a: f32) -> f32 {
  %r = math.asinh %a : f32
  return %r : f32
}

func.func @asinh_f64(%a: f64) -> f64 {
  %r = math.asinh %a : f64
  return %r : f64
}

func.func @atanh_f32(%a: f32) -> f32 {
  %r = math.atanh %a : f32
  return %r : f32
}

func.func @atanh_f64(%a: f64) -> f64 {
  %r = math.atanh %a : f64
  return %r : f64
}

func.func @tan_f32(%a: f32) -> f32 {
  %r = math.tan %a : f32
  return %r : f32
}

func.func @tan_f64(%a: f64) -> f64 {
  %r = math.tan %a : f64
  return %r : f64
}

func.func @erf_f32(%a: f32) -> f32 {
  %r = math.erf %a : f32
  return %r : f32
}

func.func @erf_f64(%a: f64) -> f64 {
  %r = math.erf %a : f64
  return %r : f64
}

func.func @cbrt_f32(%a: f32) -> f32 {
  %r = math.cbrt %a : f32
  return %r : f32
}

func.func @cbrt_f64(%a: f64) -> f64 {
  %r = math.cbrt %a : f64
  return %r : f64
}



func.func @powf_f32(%a: f32, %b: f32) -> f32 {
  %r = math.powf %a, %b : f32
  return %r : f32
}

func.func @powf_f64(%a: f64, %b: f64) -> f64 {
  %r = math.powf %a, %b : f64
  return %r : f64
}

func.func @atan2_f32(%a: f32, %b: f32) -> f32 {
  %r = math.atan2 %a, %b : f32
  return %r : f32
}

func.func @atan2_f64(%a: f64, %b: f64) -> f64 {
  %r = math.atan2 %a, %b : f64
  return %r : f64
}

func.func @fpowi(%a: f64, %b: i8) -> f64 {
  %w = arith.extsi %b : i8 to i32
  %r = math.fpowi %a, %w : f64, i32
  return %r : f64
}

func.func @tanh_f16(%a: f32) -> f32 {
  %x = arith.truncf %a : f32 to f16
  %y = math.tanh %x : f16
  %r = arith.extf %y : f16 to f32
  return %r : f32
}

func.func @erfc_f64(%a: f64) -> f64 {
  %r = math.erfc %a : f64
  return %r : f64
}
