// MLIR-REJECTS: in mlir-opt, the caller relies on a shape that the callee no longer returns

func.func @callee(%t: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @caller(%t: tensor<?xf32>) -> tensor<2x2xf32> {
  %0 = call @callee(%t) : (tensor<?xf32>) -> tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
