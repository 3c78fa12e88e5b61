// RUN: xdsl-opt %s | filecheck %s

// Floats written as bits are these bits, not their number.
// CHECK-LABEL: @infinity
func.func @infinity() -> (tensor<4xf32>, tensor<2xf16>) {
  // CHECK: dense<0xff800000> : tensor<4xf32>
  %0 = arith.constant dense<0xFF800000> : tensor<4xf32>
  // CHECK: dense<[1.000000e+00, 0x7c00]> : tensor<2xf16>
  %1 = arith.constant dense<[0x3C00, 0x7C00]> : tensor<2xf16>
  func.return %0, %1 : tensor<4xf32>, tensor<2xf16>
}
