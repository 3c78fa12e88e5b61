// Tensors that are padded twice, reshaped back in part, made of constants, or of nothing.

func.func @padded_twice(%t: tensor<2x3xf32>, %u: tensor<?xf32>, %n: index, %v: f32, %w: f32) -> (tensor<7x8xf32>, tensor<?xf32>, tensor<7x8xf32>) {
  %0 = tensor.pad %t low[1, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<2x3xf32> to tensor<4x4xf32>
  %1 = tensor.pad %0 low[0, 2] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x4xf32> to tensor<7x8xf32>
  %2 = tensor.pad %u low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %3 = tensor.pad %2 low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %4 = tensor.pad %t low[1, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %w : f32
  } : tensor<2x3xf32> to tensor<4x4xf32>
  %5 = tensor.pad %4 low[0, 2] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x4xf32> to tensor<7x8xf32>
  return %1, %3, %5 : tensor<7x8xf32>, tensor<?xf32>, tensor<7x8xf32>
}

// -----

func.func @padded_to_the_same_size(%t: tensor<5x6xf32>, %n: index, %v: f32) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
  %0 = tensor.pad %t low[%n, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<5x6xf32> to tensor<5x6xf32>
  %1 = tensor.pad %t nofold low[%n, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<5x6xf32> to tensor<5x6xf32>
  return %0, %1 : tensor<5x6xf32>, tensor<5x6xf32>
}

// -----

func.func @padding_that_is_there(%t: tensor<7x12xf32>, %a: tensor<8x16xf32>, %n: index) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %f = arith.constant 0.0 : f32
  %0 = tensor.pad %t low[1, 2] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<7x12xf32> to tensor<8x16xf32>
  %1 = tensor.empty() : tensor<8x64xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = tensor.insert_slice %a into %2[0, 16] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x64xf32>
  %4 = tensor.insert_slice %0 into %3[0, 32] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x64xf32>
  %5 = tensor.insert_slice %a into %2[0, %n] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x64xf32>
  %6 = tensor.insert_slice %0 into %5[0, 32] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x64xf32>
  return %4, %6 : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

func.func @partly_expanded_again(%t: tensor<?x4x?x2xf32>, %u: tensor<?x?x4xf32>, %n: index, %m: index, %k: index) -> (tensor<?x4x?xf32>, tensor<?x?x4xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<?x4x?x2xf32> into tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %2 = tensor.collapse_shape %u [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [%n, %k, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  return %1, %3 : tensor<?x4x?xf32>, tensor<?x?x4xf32>
}

// -----

func.func @collapsed_with_neighbours(%t: tensor<?x?x?xi64>, %n: index, %m: index, %k: index) -> (tensor<?x?xi64>, tensor<?x?xi64>) {
  %0 = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [%n, %m, %k, 1] : tensor<?x?x?xi64> into tensor<?x?x?x1xi64>
  %1 = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<?x?x?x1xi64> into tensor<?x?xi64>
  %2 = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [%n, %m, 1, %k] : tensor<?x?x?xi64> into tensor<?x?x1x?xi64>
  %3 = tensor.collapse_shape %2 [[0], [1, 2, 3]] : tensor<?x?x1x?xi64> into tensor<?x?xi64>
  return %1, %3 : tensor<?x?xi64>, tensor<?x?xi64>
}

// -----

func.func @complex_elements() -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<i32>>) {
  %a = complex.constant [1.5 : f32, 2.0 : f32] : complex<f32>
  %b = complex.constant [0.0 : f32, 2.0 : f32] : complex<f32>
  %c = complex.constant [1 : i32, -2 : i32] : complex<i32>
  %0 = tensor.from_elements %a, %b : tensor<2xcomplex<f32>>
  %1 = tensor.from_elements %c, %c : tensor<2xcomplex<i32>>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<i32>>
}

// -----

func.func @nothing_inserted(%a: tensor<0x2xi8>, %t: tensor<3x3xi8>) -> tensor<3x3xi8> {
  %0 = tensor.insert_slice %a into %t[0, 0] [0, 2] [1, 1] : tensor<0x2xi8> into tensor<3x3xi8>
  return %0 : tensor<3x3xi8>
}

// -----

func.func @gathered_from_splat(%i: tensor<1x2x3xindex>) -> tensor<1x2x1x1x1xf32> {
  %c = arith.constant dense<0.1> : tensor<4x4x4xf32>
  %0 = tensor.gather %c[%i] gather_dims([0, 1, 2]) : (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2x1x1x1xf32>
  return %0 : tensor<1x2x1x1x1xf32>
}

// -----

func.func @zeros_among_elements() -> (tensor<2xindex>, tensor<2xf32>, tensor<2x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %b0 = arith.constant 0 : i8
  %0 = tensor.from_elements %c0, %c1 : tensor<2xindex>
  %1 = tensor.from_elements %f0, %f1 : tensor<2xf32>
  %2 = tensor.splat %b0 : tensor<2x2xi8>
  return %0, %1, %2 : tensor<2xindex>, tensor<2xf32>, tensor<2x2xi8>
}
