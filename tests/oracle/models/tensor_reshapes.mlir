// cast, expand_shape, collapse_shape and reshape.

func.func @cast_to_dynamic(%t: tensor<4x5xf32>, %o: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>
  %1 = linalg.copy ins(%0 : tensor<?x5xf32>) outs(%o : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

func.func @cast_to_static(%n: index, %f: f32) -> tensor<4x5xf32> {
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %0 = tensor.cast %w : tensor<?x5xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func private @use(%t: tensor<*xf32>)

func.func @cast_to_unranked(%t: tensor<4x5xf32>) {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<*xf32>
  call @use(%0) : (tensor<*xf32>) -> ()
  return
}

// -----

func.func @cast_from_unranked(%t: tensor<*xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<4x?xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<4x?xf32>
  return %1 : f32
}

// -----

func.func @cast_slice(%t: tensor<8x16xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[1, 2][2, 4][1, 1] : tensor<8x16xf32> to tensor<2x4xf32>
  %0 = tensor.cast %s : tensor<2x4xf32> to tensor<?x?xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<?x?xf32>
  return %1 : f32
}

// -----

func.func @cast_is_no_copy(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<?xf32>, f32) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %1, %2 : tensor<?xf32>, f32
}

// -----

func.func @expand(%t: tensor<20x6xf32>) -> tensor<4x5x2x3xf32> {
  %0 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [4, 5, 2, 3] : tensor<20x6xf32> into tensor<4x5x2x3xf32>
  return %0 : tensor<4x5x2x3xf32>
}

// -----

func.func @expand_dynamic(%n: index, %m: index, %k: index, %f: f32) -> tensor<?x4x?xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = tensor.expand_shape %w [[0, 1], [2]] output_shape [%k, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}

// -----

func.func @expand_slice(%f: f32) -> tensor<2x2x1x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[1, 2][4, 4][1, 2] : tensor<8x16xf32> to tensor<4x4xf32>
  %0 = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [2, 2, 1, 4] : tensor<4x4xf32> into tensor<2x2x1x4xf32>
  return %0 : tensor<2x2x1x4xf32>
}

// -----

func.func @expand_rank_0(%t: tensor<f32>) -> tensor<1x1xf32> {
  %0 = tensor.expand_shape %t [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

func.func @expand_rank_0_slice(%t: tensor<8xf32>, %i: index) -> tensor<1x1xf32> {
  %s = tensor.extract_slice %t[%i][1][1] : tensor<8xf32> to tensor<f32>
  %0 = tensor.expand_shape %s [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

func.func @expand_is_no_copy(%t: tensor<20xf32>, %f: f32, %i: index) -> (tensor<4x5xf32>, f32) {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [4, 5] : tensor<20xf32> into tensor<4x5xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<4x5xf32>
  %2 = tensor.extract %t[%i] : tensor<20xf32>
  return %1, %2 : tensor<4x5xf32>, f32
}

// -----

func.func @collapse(%t: tensor<4x5x2x3xf32>) -> tensor<20x6xf32> {
  %0 = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<4x5x2x3xf32> into tensor<20x6xf32>
  return %0 : tensor<20x6xf32>
}

// -----

func.func @collapse_dynamic(%n: index, %m: index, %f: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = tensor.collapse_shape %w [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @collapse_to_rank_0(%t: tensor<1x1xf32>) -> tensor<f32> {
  %0 = tensor.collapse_shape %t [] : tensor<1x1xf32> into tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @collapse_slice_to_rank_0(%t: tensor<8x8xf32>, %i: index) -> tensor<f32> {
  %s = tensor.extract_slice %t[%i, 2][1, 1][1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
  %0 = tensor.collapse_shape %s [] : tensor<1x1xf32> into tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @collapse_new_to_rank_0(%f: f32) -> tensor<f32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %w[1, 2][1, 1][1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
  %0 = tensor.collapse_shape %s [] : tensor<1x1xf32> into tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @collapse_whole_rows(%f: f32) -> tensor<48xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[1, 0][3, 16][1, 1] : tensor<8x16xf32> to tensor<3x16xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<3x16xf32> into tensor<48xf32>
  return %0 : tensor<48xf32>
}

// -----

func.func @collapse_part_of_rows_is_a_copy(%f: f32) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[1, 0][3, 4][1, 1] : tensor<8x16xf32> to tensor<3x4xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

func.func @collapse_strided_whole_rows(%f: f32) -> tensor<3x16x2xf32> {
  %e = tensor.empty() : tensor<8x4x4x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x4x4x16xf32>) -> tensor<8x4x4x16xf32>
  %s = tensor.extract_slice %w[1, 0, 0, 0][3, 4, 4, 2][2, 1, 1, 3] : tensor<8x4x4x16xf32> to tensor<3x4x4x2xf32>
  %0 = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<3x4x4x2xf32> into tensor<3x16x2xf32>
  return %0 : tensor<3x16x2xf32>
}

// -----

func.func @collapse_units_of_slice(%f: f32, %i: index) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<8x4x4x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x4x4x16xf32>) -> tensor<8x4x4x16xf32>
  %s = tensor.extract_slice %w[%i, 0, 1, 0][1, 4, 1, 3][1, 1, 1, 1] : tensor<8x4x4x16xf32> to tensor<1x4x1x3xf32>
  %0 = tensor.collapse_shape %s [[0, 1], [2, 3]] : tensor<1x4x1x3xf32> into tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @collapse_trailing_unit_of_slice(%f: f32, %i: index) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<8x4x16x4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x4x16x4xf32>) -> tensor<8x4x16x4xf32>
  %s = tensor.extract_slice %w[%i, 0, 1, 0][4, 1, 3, 1][1, 1, 1, 1] : tensor<8x4x16x4xf32> to tensor<4x1x3x1xf32>
  %0 = tensor.collapse_shape %s [[0, 1], [2, 3]] : tensor<4x1x3x1xf32> into tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @collapse_dynamic_slice(%f: f32, %n: index) -> tensor<?xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[0, 0][%n, 16][1, 1] : tensor<8x16xf32> to tensor<?x16xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<?x16xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @collapse_dynamic_inner_slice(%f: f32, %n: index) -> tensor<?xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %w[0, 0][3, %n][1, 1] : tensor<8x16xf32> to tensor<3x?xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<3x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @collapse_and_write(%t: tensor<4x5xf32>, %f: f32, %i: index) -> (tensor<20xf32>, tensor<4x5xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<20xf32>
  return %1, %t : tensor<20xf32>, tensor<4x5xf32>
}

// -----

func.func @collapse_after_write(%t: tensor<4x5xf32>, %f: f32, %i: index) -> (tensor<20xf32>, tensor<4x5xf32>) {
  %1 = tensor.insert %f into %t[%i, %i] : tensor<4x5xf32>
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  return %0, %1 : tensor<20xf32>, tensor<4x5xf32>
}

// -----

func.func @expand_and_collapse_back(%t: tensor<20xf32>, %f: f32, %i: index) -> tensor<20xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [4, 5] : tensor<20xf32> into tensor<4x5xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<4x5xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  return %2 : tensor<20xf32>
}

// -----

func.func @reshape(%s: tensor<2xindex>, %f: f32) -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = tensor.reshape %w(%s) : (tensor<8x16xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @reshape_argument(%t: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @reshape_slice(%s: tensor<2xindex>, %f: f32, %i: index) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %a = tensor.extract_slice %w[0][4][1] : tensor<16xf32> to tensor<4xf32>
  %0 = tensor.reshape %a(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @reshape_and_write(%t: tensor<4xf32>, %s: tensor<2xindex>, %f: f32, %i: index) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %0 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<2x2xf32>
  return %1, %t : tensor<2x2xf32>, tensor<4xf32>
}

// -----

// The shape is a constant, which must not be written.
func.func @reshape_to_constant_shape(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<2x2xf32> {
  %s = arith.constant dense<2> : tensor<2xindex>
  %0 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

func.func @reshape_from_unranked(%t: tensor<*xf32>, %s: tensor<1xindex>) -> tensor<?xf32> {
  %0 = tensor.reshape %t(%s) : (tensor<*xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @reshape_to_unranked(%n: index, %s: tensor<?xindex>, %f: f32) -> tensor<*xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = tensor.reshape %w(%s) : (tensor<?xf32>, tensor<?xindex>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @collapse_unit_row_of_any_layout(%t: tensor<5x3xf32>) -> tensor<3xf32> {
  %0 = tensor.extract_slice %t[4, 0] [1, 3] [1, 1] : tensor<5x3xf32> to tensor<1x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

func.func @collapse_unit_dimension_in_the_middle(%t: tensor<4x5x3xf32>) -> tensor<12xf32> {
  %0 = tensor.extract_slice %t[0, 4, 0] [4, 1, 3] [1, 1, 1] : tensor<4x5x3xf32> to tensor<4x1x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<4x1x3xf32> into tensor<12xf32>
  return %1 : tensor<12xf32>
}
