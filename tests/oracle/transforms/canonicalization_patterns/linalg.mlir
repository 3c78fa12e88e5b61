#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @identity_generic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @identity_generic_swapped(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
    linalg.yield %y, %z : f32, f32
  } -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @identity_generic_more_precise(%a: tensor<?x?xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%b : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposing_generic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposing_generic_in_place(%a: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#map = affine_map<() -> ()>
func.func @scalar_to_tensor(%a: f32, %b: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []}
    ins(%a : f32) outs(%b : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @copying_generic_to_itself(%a: memref<4x5xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<4x5xf32>) outs(%a : memref<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @copying_generic(%a: memref<4x5xf32>, %b: memref<4x5xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<4x5xf32>) outs(%b : memref<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @unused_input(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<4x5xf32>, tensor<4x5xf32>) outs(%b : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.addf %x, %x : f32
    linalg.yield %1 : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @copy_of_tensor(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.copy ins(%a : tensor<4x5xf32>) outs(%b : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @copy_to_wider_type(%a: tensor<4xf32>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @matmul_of_casts(%a: tensor<3x4xf32>, %b: tensor<4x?xf32>, %c: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %ta = tensor.cast %a : tensor<3x4xf32> to tensor<?x?xf32>
  %tb = tensor.cast %b : tensor<4x?xf32> to tensor<?x?xf32>
  %tc = tensor.cast %c : tensor<3x?xf32> to tensor<?x?xf32>
  %0 = linalg.matmul ins(%ta, %tb : tensor<?x?xf32>, tensor<?x?xf32>) outs(%tc : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<3x?xf32>
  return %1 : tensor<3x?xf32>
}

// -----

func.func @sizes_from_other_operands(%a: tensor<3x4xf32>, %b: tensor<?x5xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<?x5xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @sizes_from_result(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<4x5xf32> {
  %0 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

func.func @transpose_of_cast(%a: tensor<4x5xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %ta = tensor.cast %a : tensor<4x5xf32> to tensor<?x?xf32>
  %0 = linalg.transpose ins(%ta : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) permutation = [1, 0]
  return %0 : tensor<?x?xf32>
}

// -----

func.func @reshape_of_fill(%x: f32, %t: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// -----

func.func @copy_of_fill(%x: f32, %t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @transpose_of_fill(%x: f32, %t: tensor<4x5xf32>, %u: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x5xf32>) outs(%u : tensor<5x4xf32>) permutation = [1, 0]
  return %1 : tensor<5x4xf32>
}

// -----

func.func @concat_of_fills(%x: f32, %t: tensor<4x5xf32>, %u: tensor<5x5xf32>) -> tensor<9x5xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.fill ins(%x : f32) outs(%u : tensor<5x5xf32>) -> tensor<5x5xf32>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<4x5xf32>, tensor<5x5xf32>) -> tensor<9x5xf32>
  return %2 : tensor<9x5xf32>
}

// -----

// DIFFERS: mlir-opt keeps a fill that another one overwrites.
func.func @fill_of_fill(%x: f32, %y: f32, %t: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = linalg.fill ins(%y : f32) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

func.func @pad_of_fill(%t: tensor<4xf32>) -> tensor<9xf32> {
  %x = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.pad %0 low[2] high[3] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<9xf32>
  return %1 : tensor<9xf32>
}

// -----

func.func @identity_transpose(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%b : tensor<4x5xf32>) permutation = [0, 1]
  return %0 : tensor<4x5xf32>
}

// -----

func.func @transpose_of_transpose(%a: tensor<3x4x5xf32>, %b: tensor<4x5x3xf32>, %c: tensor<5x4x3xf32>) -> tensor<5x4x3xf32> {
  %0 = linalg.transpose ins(%a : tensor<3x4x5xf32>) outs(%b : tensor<4x5x3xf32>) permutation = [1, 2, 0]
  %1 = linalg.transpose ins(%0 : tensor<4x5x3xf32>) outs(%c : tensor<5x4x3xf32>) permutation = [1, 0, 2]
  return %1 : tensor<5x4x3xf32>
}

// -----

func.func @transpose_back(%a: tensor<4x5xf32>, %b: tensor<5x4xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%b : tensor<5x4xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%0 : tensor<5x4xf32>) outs(%c : tensor<4x5xf32>) permutation = [1, 0]
  return %1 : tensor<4x5xf32>
}

// -----

func.func @broadcast_of_nothing(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.broadcast ins(%a : tensor<4x5xf32>) outs(%b : tensor<4x5xf32>) dimensions = []
  return %0 : tensor<4x5xf32>
}

// -----

func.func @broadcast_of_broadcast(%a: tensor<4xf32>, %b: tensor<4x5xf32>, %c: tensor<6x4x5xf32>) -> tensor<6x4x5xf32> {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%b : tensor<4x5xf32>) dimensions = [1]
  %1 = linalg.broadcast ins(%0 : tensor<4x5xf32>) outs(%c : tensor<6x4x5xf32>) dimensions = [0]
  return %1 : tensor<6x4x5xf32>
}

// -----

func.func @transpose_of_broadcast(%a: tensor<4xf32>, %b: tensor<4x5xf32>, %c: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%b : tensor<4x5xf32>) dimensions = [1]
  %1 = linalg.transpose ins(%0 : tensor<4x5xf32>) outs(%c : tensor<5x4xf32>) permutation = [1, 0]
  return %1 : tensor<5x4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @unit_index(%b: tensor<1x5xindex>) -> tensor<1x5xindex> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
    outs(%b : tensor<1x5xindex>) {
  ^bb0(%x: index):
    %1 = linalg.index 0 : index
    %2 = linalg.index 1 : index
    %3 = arith.muli %2, %x : index
    %4 = arith.addi %3, %1 : index
    linalg.yield %4 : index
  } -> tensor<1x5xindex>
  return %0 : tensor<1x5xindex>
}

// -----

// DIFFERS: mlir-opt keeps a map that computes nothing.
func.func @identity_map(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f32, %o: f32) {
    linalg.yield %x : f32
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @on_no_elements(%a: memref<0x4xf32>, %b: memref<0x4xf32>) {
  linalg.copy ins(%a : memref<0x4xf32>) outs(%b : memref<0x4xf32>)
  return
}
