// Complex numbers. Products and quotients of small integers are exact, so that the order of
// the operations does not matter.

func.func private @unpack(%z: complex<f64>) -> f64 {
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %c = arith.constant 1000.0 : f64
  %a = arith.mulf %re, %c : f64
  %r = arith.addf %a, %im : f64
  return %r : f64
}

func.func @arithmetic(%a: i8, %b: i8) -> f64 {
  %x = arith.sitofp %a : i8 to f64
  %y = arith.sitofp %b : i8 to f64
  %u = complex.create %x, %y : complex<f64>
  %v = complex.constant [2.0, -3.0] : complex<f64>
  %0 = complex.add %u, %v : complex<f64>
  %1 = complex.mul %0, %u : complex<f64>
  %2 = complex.sub %1, %v : complex<f64>
  %3 = complex.neg %2 : complex<f64>
  %r = call @unpack(%3) : (complex<f64>) -> f64
  return %r : f64
}

func.func @equality(%a: f32, %b: f32) -> i1 {
  %u = complex.create %a, %b : complex<f32>
  %v = complex.create %b, %a : complex<f32>
  %e = complex.eq %u, %v : complex<f32>
  %n = complex.neq %u, %u : complex<f32>
  %r = arith.xori %e, %n : i1
  return %r : i1
}

memref.global "private" constant @table : memref<2xcomplex<f64>> = dense<[(1.5, 2.5), (-3.0, 4.0)]>

func.func @buffers(%a: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<3x2xcomplex<f64>>
  %t = memref.get_global @table : memref<2xcomplex<f64>>
  %z = memref.load %t[%c1] : memref<2xcomplex<f64>>
  %u = complex.create %a, %a : complex<f64>
  memref.store %u, %m[%c0, %c1] : memref<3x2xcomplex<f64>>
  memref.store %z, %m[%c1, %c1] : memref<3x2xcomplex<f64>>
  %v = memref.load %m[%c0, %c1] : memref<3x2xcomplex<f64>>
  %w = memref.load %m[%c1, %c1] : memref<3x2xcomplex<f64>>
  %s = complex.add %v, %w : complex<f64>
  memref.dealloc %m : memref<3x2xcomplex<f64>>
  %r = call @unpack(%s) : (complex<f64>) -> f64
  return %r : f64
}
