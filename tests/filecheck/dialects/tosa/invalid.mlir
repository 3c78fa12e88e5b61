// RUN: xdsl-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @broadcast(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: 'tosa.add' Operand and result tensor shapes are not compatible

// -----

func.func @reshape(%a: tensor<2x3xf32>, %s: !tosa.shape<1>) {
  %0 = tosa.reshape %a, %s : (tensor<2x3xf32>, !tosa.shape<1>) -> tensor<5xf32>
  return
}

// CHECK: 'tosa.reshape' cannot make 5 elements of 6

// -----

func.func @transpose(%a: tensor<2x3xf32>) {
  %0 = tosa.transpose %a {perms = array<i32: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// CHECK: 'tosa.transpose' expects perms to be a permutation of 2 dimensions, got (0, 0)

// -----

func.func @slice(%a: tensor<2x3xf32>) {
  %s = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %n = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %a, %s, %n : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xf32>
  return
}

// CHECK: 'tosa.slice' is from 1, of size 3, in a size of 3

// -----

func.func @conv2d(%x: tensor<1x4x4x1xf32>, %w: tensor<1x3x3x1xf32>, %b: tensor<1xf32>) {
  %0 = tosa.conv2d %x, %w, %b, %b, %b {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  return
}

// CHECK: 'tosa.conv2d' has a tensor of type tensor<1x3x3x1xf32> where its other operands and attributes ask for the sizes 1x2x2x1

// -----

func.func @missing(%a: tensor<2xf32>) {
  %0 = tosa.clamp %a {min_val = 0.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: max_val

// -----

func.func @operands(%a: tensor<2xf32>) {
  %0 = tosa.add %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: 'tosa.add' expects 2 operands

// -----

func.func @accumulator(%x: tensor<1x4x4x1xf32>, %w: tensor<1x3x3x1xf32>, %b: tensor<1xf32>) {
  %0 = tosa.conv2d %x, %w, %b, %b, %b {acc_type = i8, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return
}

// CHECK: 'tosa.conv2d' cannot accumulate f32 in i8
