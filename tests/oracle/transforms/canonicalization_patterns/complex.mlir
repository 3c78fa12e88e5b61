func.func @parts_of_created(%x: f64, %y: f64) -> (f64, f64) {
  %a = complex.create %x, %y : complex<f64>
  %r = complex.re %a : complex<f64>
  %i = complex.im %a : complex<f64>
  return %r, %i : f64, f64
}

// -----

func.func @parts_of_constant() -> (f32, f32) {
  %a = complex.constant [1.5 : f32, -2.0 : f32] : complex<f32>
  %r = complex.re %a : complex<f32>
  %i = complex.im %a : complex<f32>
  return %r, %i : f32, f32
}

// -----

func.func @parts_of_negated(%x: f32, %y: f32) -> (f32, f32) {
  %a = complex.create %x, %y : complex<f32>
  %n = complex.neg %a : complex<f32>
  %r = complex.re %n : complex<f32>
  %i = complex.im %n : complex<f32>
  return %r, %i : f32, f32
}

// -----

func.func @parts_put_together(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>) {
  %r = complex.re %a : complex<f32>
  %i = complex.im %a : complex<f32>
  %j = complex.im %b : complex<f32>
  %c = complex.create %r, %i : complex<f32>
  %d = complex.create %r, %j : complex<f32>
  return %c, %d : complex<f32>, complex<f32>
}

// -----

func.func @complex_negated_twice(%a: complex<f32>) -> complex<f32> {
  %b = complex.neg %a : complex<f32>
  %c = complex.neg %b : complex<f32>
  return %c : complex<f32>
}

// -----

func.func @conjugated_twice(%a: complex<f32>) -> complex<f32> {
  %b = complex.conj %a : complex<f32>
  %c = complex.conj %b : complex<f32>
  return %c : complex<f32>
}

// -----

func.func @complex_bitcasts(%a: complex<f32>) -> (complex<f32>, i64, complex<f32>) {
  %b = complex.bitcast %a : complex<f32> to i64
  %c = complex.bitcast %b : i64 to complex<f32>
  %d = complex.bitcast %a : complex<f32> to complex<f32>
  return %c, %b, %d : complex<f32>, i64, complex<f32>
}
