// Unranked tensors, which cannot be copied: their operands are in place, what is written
// is copied after a cast to a ranked tensor.

func.func @cast_and_write(%t: tensor<*xf32>, %f: f32, %i: index) -> (tensor<?xf32>, f32) {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %0[%i] : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, f32
}

// -----

func.func @cast_there_and_back_and_write(%t: tensor<?xf32>, %f: f32, %i: index) -> (f32, f32) {
  %u = tensor.cast %t : tensor<?xf32> to tensor<*xf32>
  %0 = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %t[%i] : tensor<?xf32>
  %3 = tensor.extract %1[%i] : tensor<?xf32>
  return %2, %3 : f32, f32
}

// -----

func.func @select_and_write(%c: i1, %t: tensor<*xf32>, %u: tensor<*xf32>, %f: f32, %i: index) -> (tensor<?xf32>, tensor<*xf32>) {
  %s = arith.select %c, %t, %u : tensor<*xf32>
  %0 = tensor.cast %s : tensor<*xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1, %t : tensor<?xf32>, tensor<*xf32>
}

// -----

func.func @constant_and_write(%f: f32, %i: index) -> f32 {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %u = tensor.cast %c : tensor<4xf32> to tensor<*xf32>
  %0 = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %1[%i] : tensor<?xf32>
  return %2 : f32
}
