// RUN: xdsl-opt %s --split-input-file --parsing-diagnostics | filecheck %s

// Sparse elements are read as the dense ones they stand for.

// CHECK-LABEL: @sparse
func.func @sparse() {
  // CHECK: dense<{{\[\[}}0.000000e+00, 1.000000e+00], [0.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
  %0 = arith.constant sparse<[[0, 1], [1, 1]], [1.0, 2.0]> : tensor<2x2xf32>
  // CHECK: dense<[0, 5, 0]> : tensor<3xi32>
  %1 = arith.constant sparse<[[1]], 5> : tensor<3xi32>
  // CHECK: dense<[false, true, false, true]> : tensor<4xi1>
  %2 = arith.constant sparse<[1, 3], true> : tensor<4xi1>
  // CHECK: dense<{{\[\[}}7, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = arith.constant sparse<0, 7> : tensor<2x2xi64>
  // CHECK: dense<0.000000e+00> : vector<4xf32>
  %4 = arith.constant sparse<> : vector<4xf32>
  func.return
}
// CHECK: memref.global constant @global : memref<2xf32> = dense<[0.000000e+00, 2.000000e+00]>
memref.global constant @global : memref<2xf32> = sparse<[[1]], [2.0]>

// -----

// CHECK: sparse index [0, 4] is outside of tensor<2x2xi64>
func.func @outside() {
  %0 = arith.constant sparse<[[0, 4]], 7> : tensor<2x2xi64>
  func.return
}

// -----

// CHECK: expected indices of shape [1, 2]
func.func @indices() {
  %0 = arith.constant sparse<[[0]], [7]> : tensor<2x2xi64>
  func.return
}

// -----

// CHECK: expected as many values as indices: 1
func.func @values() {
  %0 = arith.constant sparse<[[0, 1]], [7, 8]> : tensor<2x2xi64>
  func.return
}

// -----

// CHECK: sparse elements of a type of unknown size
memref.global @unknown_size : memref<?xi64> = sparse<>

// -----

// CHECK: Integer value 300 is out of range for type i8
func.func @out_of_range() {
  %0 = arith.constant dense<300> : tensor<4xi8>
  func.return
}
