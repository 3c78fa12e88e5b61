// Sizes of new buffers, as the ops that are computed in them tell from their operands.

func.func @input_gives_size(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %f: f32) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %b, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %0 = linalg.map { math.exp } ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>)
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

func.func @input_is_static(%a: tensor<8x?xf32>, %b: tensor<?x4xf32>, %t: tensor<?x?xf32>, %f: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<8x?xf32>, tensor<?x4xf32>) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

func.func @sum_of_loops(%a: tensor<?xf32>, %k: tensor<3xf32>, %t: tensor<?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @expanded(%a: tensor<?xf32>, %n: index, %f: f32) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0, %1 : tensor<?x2xf32>, tensor<?x2xf32>
}

// -----

func.func @collapsed_dynamic_and_static(%a: tensor<?x4xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// DIFFERS: mlir-opt multiplies the sizes in an affine map, which xDSL cannot
func.func @collapsed(%a: tensor<?x?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @slice(%a: tensor<?x?xf32>, %i: index, %n: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.extract_slice %a[%i, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @inserted(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.insert_slice %b into %a[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @padded(%a: tensor<?xf32>, %n: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.pad %a low[%n] high[2] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @softmax(%a: tensor<?x4xf32>, %e: tensor<?x4xf32>, %f: f32) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

func.func @generated(%n: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.splat %f[%n] : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
