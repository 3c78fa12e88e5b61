// Float arithmetic, to the last bit: signed zeros, NaN, infinities, rounding.

func.func @sum_with_zero(%x: f32, %v: vector<2xf16>) -> (f32, f32, f32, vector<2xf16>) {
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %w = arith.constant dense<-0.0> : vector<2xf16>
  %0 = arith.addf %x, %p : f32
  %1 = arith.addf %x, %n : f32
  %2 = arith.addf %n, %x : f32
  %3 = arith.addf %v, %w : vector<2xf16>
  return %0, %1, %2, %3 : f32, f32, f32, vector<2xf16>
}

// -----

func.func @difference_with_zero(%x: f64) -> (f64, f64, f64) {
  %p = arith.constant 0.0 : f64
  %n = arith.constant -0.0 : f64
  %0 = arith.subf %x, %p : f64
  %1 = arith.subf %x, %n : f64
  %2 = arith.subf %p, %x : f64
  return %0, %1, %2 : f64, f64, f64
}

// -----

func.func @products_and_quotients(%x: bf16) -> (bf16, bf16, bf16, bf16) {
  %one = arith.constant 1.0 : bf16
  %zero = arith.constant 0.0 : bf16
  %0 = arith.mulf %one, %x : bf16
  %1 = arith.divf %x, %one : bf16
  %2 = arith.divf %one, %x : bf16
  %3 = arith.mulf %x, %zero : bf16
  return %0, %1, %2, %3 : bf16, bf16, bf16, bf16
}

// -----

func.func @product_with_zero_if_allowed(%x: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %0 = arith.mulf %x, %zero fastmath<nnan,nsz> : f32
  %1 = arith.mulf %x, %zero fastmath<nnan> : f32
  return %0, %1 : f32, f32
}

// -----

func.func @negations(%x: f32, %y: f32) -> (f32, f32, f32) {
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %0 = arith.negf %a : f32
  %1 = arith.mulf %a, %b : f32
  %2 = arith.divf %a, %b : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

func.func @float_constants() -> (f32, f16, vector<2xf64>, f32, f32, f32) {
  %a = arith.constant 0.1 : f32
  %b = arith.constant 0.2 : f32
  %h = arith.constant 60000.0 : f16
  %v = arith.constant dense<[1.0, -2.0]> : vector<2xf64>
  %w = arith.constant dense<3.0> : vector<2xf64>
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %h, %h : f16
  %2 = arith.divf %v, %w : vector<2xf64>
  %3 = arith.remf %b, %a : f32
  %4 = arith.negf %a : f32
  %5 = arith.mulf %a, %b : f32
  return %0, %1, %2, %3, %4, %5 : f32, f16, vector<2xf64>, f32, f32, f32
}

// -----

func.func @extrema(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.maximumf %x, %ninf : f32
  %1 = arith.minimumf %inf, %x : f32
  %2 = arith.maximumf %x, %x : f32
  %3 = arith.maxnumf %x, %nan : f32
  %4 = arith.maximumf %x, %inf : f32
  %5 = arith.minnumf %x, %x : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// -----

func.func @float_extrema_of_constants() -> (f32, f32) {
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %0 = arith.maximumf %n, %p : f32
  %1 = arith.minimumf %n, %p : f32
  return %0, %1 : f32, f32
}

// -----

func.func @comparisons(%x: f32) -> (i1, i1, i1, i1, i1, i1) {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf olt, %a, %b : f32
  %1 = arith.cmpf une, %a, %b : f32
  %2 = arith.cmpf ogt, %x, %nan : f32
  %3 = arith.cmpf ult, %x, %nan : f32
  %4 = arith.cmpf ueq, %a, %x : f32
  %5 = arith.cmpf one, %a, %a : f32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// -----

func.func @comparisons_of_integers(%i: i16, %j: i8) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %a = arith.constant 2.5 : f32
  %b = arith.constant -1.0 : f32
  %c = arith.constant 1.0e9 : f32
  %x = arith.sitofp %i : i16 to f32
  %y = arith.uitofp %j : i8 to f32
  %0 = arith.cmpf ogt, %x, %a : f32
  %1 = arith.cmpf ole, %x, %a : f32
  %2 = arith.cmpf oeq, %x, %a : f32
  %3 = arith.cmpf une, %x, %b : f32
  %4 = arith.cmpf ult, %y, %a : f32
  %5 = arith.cmpf oge, %y, %b : f32
  %6 = arith.cmpf ogt, %y, %c : f32
  %7 = arith.cmpf ord, %y, %c : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}

// -----

func.func @comparison_of_rounded_integer(%i: i64) -> i1 {
  %a = arith.constant 2.5 : f32
  %x = arith.sitofp %i : i64 to f32
  %0 = arith.cmpf ogt, %x, %a : f32
  return %0 : i1
}

// -----

func.func @casts_of_constants() -> (f64, f16, bf16, f32, f32, i8, i8, f32, f64) {
  %a = arith.constant 0.1 : f32
  %b = arith.constant 1.0e6 : f32
  %e = arith.constant -1.5 : f32
  %m = arith.constant -1 : i8
  %w = arith.constant 16777217 : i64
  %x = arith.constant -1.75 : f64
  %y = arith.constant 200.5 : f64
  %0 = arith.extf %a : f32 to f64
  %1 = arith.truncf %b : f32 to f16
  %2 = arith.truncf %e : f32 to bf16
  %3 = arith.sitofp %m : i8 to f32
  %4 = arith.uitofp %m : i8 to f32
  %5 = arith.fptosi %x : f64 to i8
  %6 = arith.fptoui %y : f64 to i8
  %7 = arith.sitofp %w : i64 to f32
  %8 = arith.uitofp %w : i64 to f64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : f64, f16, bf16, f32, f32, i8, i8, f32, f64
}

// -----

func.func @integers_that_do_not_fit() -> (i8, i8) {
  %x = arith.constant 128.0 : f32
  %y = arith.constant -1.0 : f32
  %0 = arith.fptosi %x : f32 to i8
  %1 = arith.fptoui %y : f32 to i8
  return %0, %1 : i8, i8
}

// -----

func.func @casts_of_casts(%x: f32, %i: i32) -> (f32, f16, f32) {
  %a = arith.extf %x : f32 to f64
  %0 = arith.truncf %a : f64 to f32
  %1 = arith.truncf %a : f64 to f16
  %c = arith.sitofp %i : i32 to f64
  %2 = arith.truncf %c : f64 to f32
  return %0, %1, %2 : f32, f16, f32
}

// -----

// DIFFERS: mlir-opt keeps both casts
func.func @extension_in_two_steps(%h: f16) -> f32 {
  %a = arith.extf %h : f16 to f64
  %0 = arith.truncf %a : f64 to f32
  return %0 : f32
}

// -----

func.func @contracted_casts(%x: f32) -> (f32, f32) {
  %a = arith.truncf %x fastmath<contract> : f32 to f16
  %b = arith.truncf %x : f32 to f16
  %0 = arith.extf %a fastmath<contract> : f16 to f32
  %1 = arith.extf %b fastmath<contract> : f16 to f32
  return %0, %1 : f32, f32
}

// -----

func.func @bitcasts(%x: f32, %y: i32) -> (f32, i32, i32, f16, vector<2xi32>) {
  %a = arith.constant -0.0 : f32
  %b = arith.constant -1025 : i16
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %0 = arith.bitcast %x : f32 to f32
  %c = arith.bitcast %y : i32 to f32
  %1 = arith.bitcast %c : f32 to i32
  %2 = arith.bitcast %a : f32 to i32
  %3 = arith.bitcast %b : i16 to f16
  %4 = arith.bitcast %v : vector<2xf32> to vector<2xi32>
  return %0, %1, %2, %3, %4 : f32, i32, i32, f16, vector<2xi32>
}
