// Results that are cast last: functions return what they had before the cast.

func.func @less_static(%t: tensor<4x5xf32>) -> tensor<?x5xf32> {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @more_static(%t: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @to_unranked(%t: tensor<4x5xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @from_unranked(%t: tensor<*xf32>) -> tensor<4x5xf32> {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @callee(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @caller(%t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
  %0 = call @callee(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @two_results(%t: tensor<4xf32>, %u: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  return %0, %u : tensor<?xf32>, tensor<?xf32>
}
