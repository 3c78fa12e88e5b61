// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

// Intrinsics where LLVM has one on every target ...

func.func @intrinsics(%a: f32, %i: i32) -> (f32, i32) {
  %0 = math.exp %a : f32
  %1 = math.sqrt %0 fastmath<nnan> : f32
  %2 = math.powf %1, %a : f32
  %3 = math.fma %2, %a, %0 : f32
  %4 = math.rsqrt %3 : f32
  %5 = math.ctlz %i : i32
  %6 = math.absi %5 : i32
  return %4, %6 : f32, i32
}

// CHECK:      llvm.func @intrinsics(%a: f32, %i: i32) -> !llvm.struct<(f32, i32)> {
// CHECK-NEXT:   %0 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT:   %1 = llvm.intr.exp(%a) : (f32) -> f32
// CHECK-NEXT:   %2 = llvm.intr.sqrt(%1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
// CHECK-NEXT:   %3 = llvm.intr.pow(%2, %a) : (f32, f32) -> f32
// CHECK-NEXT:   %4 = llvm.intr.fma(%3, %a, %1) : (f32, f32, f32) -> f32
// CHECK-NEXT:   %5 = llvm.intr.sqrt(%4) : (f32) -> f32
// CHECK-NEXT:   %6 = llvm.fdiv %0, %5 : f32
// CHECK-NEXT:   %7 = "llvm.intr.ctlz"(%i) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:   %8 = "llvm.intr.abs"(%7) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK-NEXT:   %9 = llvm.mlir.poison : !llvm.struct<(f32, i32)>
// CHECK-NEXT:   %10 = llvm.insertvalue %6, %9[0] : !llvm.struct<(f32, i32)>
// CHECK-NEXT:   %11 = llvm.insertvalue %8, %10[1] : !llvm.struct<(f32, i32)>
// CHECK-NEXT:   llvm.return %11 : !llvm.struct<(f32, i32)>
// CHECK-NEXT: }

// -----

// ... and libm for the rest, in the precision it has.

func.func @libm(%a: f32, %b: f64, %c: f16) -> (f32, f64, f16) {
  %0 = math.tanh %a : f32
  %1 = math.atan2 %b, %b : f64
  %2 = math.erf %c : f16
  return %0, %1, %2 : f32, f64, f16
}

// CHECK:      llvm.func @tanhf(f32) -> f32
// CHECK-NEXT: llvm.func @atan2(f64, f64) -> f64
// CHECK-NEXT: llvm.func @erff(f32) -> f32
// CHECK-NEXT: llvm.func @libm(%a: f32, %b: f64, %c: f16) -> !llvm.struct<(f32, f64, f16)> {
// CHECK-NEXT:   %0 = llvm.call @tanhf(%a) : (f32) -> f32
// CHECK-NEXT:   %1 = llvm.call @atan2(%b, %b) : (f64, f64) -> f64
// CHECK-NEXT:   %2 = llvm.fpext %c : f16 to f32
// CHECK-NEXT:   %3 = llvm.call @erff(%2) : (f32) -> f32
// CHECK-NEXT:   %4 = llvm.fptrunc %3 : f32 to f16
// CHECK-NEXT:   %5 = llvm.mlir.poison : !llvm.struct<(f32, f64, f16)>
// CHECK-NEXT:   %6 = llvm.insertvalue %0, %5[0] : !llvm.struct<(f32, f64, f16)>
// CHECK-NEXT:   %7 = llvm.insertvalue %1, %6[1] : !llvm.struct<(f32, f64, f16)>
// CHECK-NEXT:   %8 = llvm.insertvalue %4, %7[2] : !llvm.struct<(f32, f64, f16)>
// CHECK-NEXT:   llvm.return %8 : !llvm.struct<(f32, f64, f16)>
// CHECK-NEXT: }

// -----

func.func @vector(%a: vector<2xf32>) -> vector<2xf32> {
  %0 = math.tanh %a : vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK:      llvm.func @tanhf(f32) -> f32
// CHECK-NEXT: llvm.func @vector(%a: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT:   %0 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %1 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %2 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:   %3 = llvm.extractelement %a[%0 : i64] : vector<2xf32>
// CHECK-NEXT:   %4 = llvm.call @tanhf(%3) : (f32) -> f32
// CHECK-NEXT:   %5 = llvm.insertelement %4, %2[%0 : i64] : vector<2xf32>
// CHECK-NEXT:   %6 = llvm.extractelement %a[%1 : i64] : vector<2xf32>
// CHECK-NEXT:   %7 = llvm.call @tanhf(%6) : (f32) -> f32
// CHECK-NEXT:   %8 = llvm.insertelement %7, %5[%1 : i64] : vector<2xf32>
// CHECK-NEXT:   llvm.return %8 : vector<2xf32>
// CHECK-NEXT: }
