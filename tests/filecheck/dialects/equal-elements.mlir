// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries},lower-to-llvm-pipeline' | filecheck %s --check-prefix LLVM
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries},lower-to-llvm-pipeline' -t llvm | filecheck %s --check-prefix TEXT

// A constant of 66 million equal elements costs as much as one of a single element. LLVM IR
// cannot write it: a constructor fills it.

// LLVM-DAG: (dense<(1.000000e+00,2.000000e+00)> : tensor<128x1014x508xcomplex<f64>>)
// LLVM-DAG: (dense<-3> : tensor<128x1014x508xi64>)
// LLVM-DAG: (dense<0.000000e+00> : tensor<128x1014x508xf32>)

// TEXT-DAG: @"__constant_128x1014x508xcomplex<f64>" = private global [128 x [1014 x [508 x {double, double}]]] zeroinitializer, align 64
// TEXT-DAG: @"__constant_128x1014x508xindex" = private global [128 x [1014 x [508 x i64]]] zeroinitializer, align 64
// TEXT-DAG: @"__constant_128x1014x508xf32" = private constant [128 x [1014 x [508 x float]]] zeroinitializer, align 64
// TEXT-DAG: @"llvm.global_ctors" = appending global {{.*}} @"xdsl_bufferization.fill_globals"

// CHECK-LABEL: @read
func.func @read(%i: index) -> (complex<f64>, index, f32) {
  // CHECK: dense<(1.000000e+00,2.000000e+00)> : tensor<128x1014x508xcomplex<f64>>
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<128x1014x508xcomplex<f64>>
  // CHECK: dense<-3> : tensor<128x1014x508xindex>
  %1 = arith.constant dense<-3> : tensor<128x1014x508xindex>
  // CHECK: dense<0.000000e+00> : tensor<128x1014x508xf32>
  %2 = arith.constant dense<0.0> : tensor<128x1014x508xf32>
  %3 = tensor.extract %0[%i, %i, %i] : tensor<128x1014x508xcomplex<f64>>
  %4 = tensor.extract %1[%i, %i, %i] : tensor<128x1014x508xindex>
  %5 = tensor.extract %2[%i, %i, %i] : tensor<128x1014x508xf32>
  func.return %3, %4, %5 : complex<f64>, index, f32
}

// Zeros of both signs are not equal.
// CHECK-LABEL: @signed_zeros
func.func @signed_zeros() -> tensor<2xf32> {
  // CHECK: dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>
  %0 = arith.constant dense<[0.0, -0.0]> : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: @none
func.func @none() -> tensor<0xf32> {
  // CHECK: dense<> : tensor<0xf32>
  %0 = arith.constant dense<1.0> : tensor<0xf32>
  func.return %0 : tensor<0xf32>
}
