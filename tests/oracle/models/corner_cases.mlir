// Shapes and elements that are seldom met.

func.func @empty_constant() -> tensor<0xf32> {
  %0 = arith.constant dense<> : tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

func.func @complex(%i: index) -> complex<f32> {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %1 = tensor.extract %0[%i] : tensor<2xcomplex<f32>>
  return %1 : complex<f32>
}

// -----

func.func @nested_slices_of_constants(%f: f32, %i: index) -> (tensor<2xf32>, f32) {
  %a = arith.constant dense<1.0> : tensor<4x4xf32>
  %s = tensor.extract_slice %a[%i, 0][1, 4][1, 1] : tensor<4x4xf32> to tensor<4xf32>
  %u = tensor.extract_slice %s[1][2][1] : tensor<4xf32> to tensor<2xf32>
  %0 = tensor.insert %f into %u[%i] : tensor<2xf32>
  %1 = tensor.extract %s[%i] : tensor<4xf32>
  return %0, %1 : tensor<2xf32>, f32
}

// -----

func.func @vector_elements(%t: tensor<4xvector<4xf32>>, %v: vector<4xf32>, %i: index) -> tensor<4xvector<4xf32>> {
  %0 = tensor.insert %v into %t[%i] : tensor<4xvector<4xf32>>
  return %0 : tensor<4xvector<4xf32>>
}

// -----

func.func @rank_0_slices(%t: tensor<f32>, %f: f32) -> (tensor<f32>, f32) {
  %0 = tensor.extract_slice %t[][][] : tensor<f32> to tensor<f32>
  %1 = tensor.insert %f into %0[] : tensor<f32>
  %2 = tensor.insert_slice %1 into %t[][][] : tensor<f32> into tensor<f32>
  %3 = tensor.extract %t[] : tensor<f32>
  return %2, %3 : tensor<f32>, f32
}

// -----

func.func @splat_of_constant_size(%f: f32) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.splat %f[%c4] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
