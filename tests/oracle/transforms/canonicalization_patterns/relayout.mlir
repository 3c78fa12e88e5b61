// linalg.pack and linalg.unpack: of each other, of equal elements, and of casts.

func.func @unpacked_again(%t: tensor<16x24xf32>, %a: tensor<3x2x8x8xf32>, %b: tensor<16x24xf32>, %c: tensor<24x16xf32>) -> (tensor<16x24xf32>, tensor<24x16xf32>) {
  %0 = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %a : tensor<16x24xf32> -> tensor<3x2x8x8xf32>
  %1 = linalg.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<3x2x8x8xf32> -> tensor<16x24xf32>
  %2 = linalg.unpack %0 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %c : tensor<3x2x8x8xf32> -> tensor<24x16xf32>
  return %1, %2 : tensor<16x24xf32>, tensor<24x16xf32>
}

// -----

func.func @packed_again(%t: tensor<?x?x?x8xf32>, %u: tensor<?x?xf32>, %a: tensor<?x?x?x8xf32>, %n: index, %m: index) -> (tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>) {
  %0 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [%n, 8] into %u : tensor<?x?x?x8xf32> -> tensor<?x?xf32>
  %1 = linalg.pack %0 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [%n, 8] into %a : tensor<?x?xf32> -> tensor<?x?x?x8xf32>
  %2 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [%m, 8] into %a : tensor<?x?xf32> -> tensor<?x?x?x8xf32>
  return %1, %2 : tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>
}

// -----

// DIFFERS: mlir-opt considers the padding, which is removed again
func.func @padded_and_unpacked(%t: tensor<7x3xf32>, %a: tensor<1x3x8x1xf32>, %b: tensor<7x3xf32>, %p: f32) -> tensor<7x3xf32> {
  %0 = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %a : tensor<7x3xf32> -> tensor<1x3x8x1xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %b : tensor<1x3x8x1xf32> -> tensor<7x3xf32>
  return %1 : tensor<7x3xf32>
}

// -----

func.func @needless_padding(%t: tensor<16x24xf32>, %u: tensor<15x24xf32>, %a: tensor<2x3x8x8xf32>, %p: f32) -> (tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>) {
  %0 = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %a : tensor<16x24xf32> -> tensor<2x3x8x8xf32>
  %1 = linalg.pack %u padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %a : tensor<15x24xf32> -> tensor<2x3x8x8xf32>
  return %0, %1 : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>
}

// -----

func.func @equal_elements_packed(%d: tensor<2x3x8x8xf32>, %e: tensor<16x24xf32>) -> (tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>, tensor<16x24xf32>) {
  %c = arith.constant dense<0.5> : tensor<16x24xf32>
  %s = arith.constant dense<0.5> : tensor<15x24xf32>
  %k = arith.constant dense<2.0> : tensor<2x3x8x8xf32>
  %p = arith.constant 0.5 : f32
  %q = arith.constant 0.25 : f32
  %0 = linalg.pack %c inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<16x24xf32> -> tensor<2x3x8x8xf32>
  %1 = linalg.pack %s padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<15x24xf32> -> tensor<2x3x8x8xf32>
  %2 = linalg.pack %s padding_value(%q : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<15x24xf32> -> tensor<2x3x8x8xf32>
  %3 = linalg.unpack %k inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e : tensor<2x3x8x8xf32> -> tensor<16x24xf32>
  return %0, %1, %2, %3 : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>, tensor<16x24xf32>
}

// -----

func.func @fill_packed(%t: tensor<?x?xf32>, %d: tensor<?x?x8x8xf32>, %v: f32) -> tensor<?x?x8x8xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.pack %0 padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<?x?xf32> -> tensor<?x?x8x8xf32>
  return %1 : tensor<?x?x8x8xf32>
}

// -----

func.func @fill_packed_with_other_padding(%t: tensor<?x?xf32>, %d: tensor<?x?x8x8xf32>, %v: f32, %w: f32) -> tensor<?x?x8x8xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.pack %0 padding_value(%w : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<?x?xf32> -> tensor<?x?x8x8xf32>
  return %1 : tensor<?x?x8x8xf32>
}

// -----

func.func @unpacked_into_fill(%t: tensor<?x?x8x8xf32>, %d: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %0 = linalg.fill ins(%v : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %0 : tensor<?x?x8x8xf32> -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

func.func @relayout_of_cast(%d: tensor<1x1x8x1xi32>, %s: tensor<7x?xi32>, %p: i32, %e: tensor<7x3xi32>, %t: tensor<1x3x8x1xi32>, %n: index) -> (tensor<1x1x8x1xi32>, tensor<7x3xi32>) {
  %c8 = arith.constant 8 : index
  %0 = tensor.cast %d : tensor<1x1x8x1xi32> to tensor<1x1x?x1xi32>
  %1 = linalg.pack %s padding_value(%p : i32) inner_dims_pos = [0, 1] inner_tiles = [%c8, 1] into %0 {kept} : tensor<7x?xi32> -> tensor<1x1x?x1xi32>
  %2 = tensor.cast %1 : tensor<1x1x?x1xi32> to tensor<1x1x8x1xi32>
  %3 = tensor.cast %t : tensor<1x3x8x1xi32> to tensor<?x3x?x1xi32>
  %4 = linalg.unpack %3 inner_dims_pos = [0, 1] inner_tiles = [%n, 1] into %e : tensor<?x3x?x1xi32> -> tensor<7x3xi32>
  return %2, %4 : tensor<1x1x8x1xi32>, tensor<7x3xi32>
}

// -----

func.func @relayout_chain(%t: tensor<10x20x4x4xf32>) -> tensor<10x20x4x4xf32> {
  %c40 = arith.constant 40 : index
  %c80 = arith.constant 80 : index
  %0 = tensor.empty(%c40, %c80) : tensor<?x?xf32>
  %1 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %0 : tensor<10x20x4x4xf32> -> tensor<?x?xf32>
  %2 = tensor.cast %1 : tensor<?x?xf32> to tensor<40x80xf32>
  %3 = tensor.empty() : tensor<10x20x4x4xf32>
  %4 = linalg.pack %2 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %3 : tensor<40x80xf32> -> tensor<10x20x4x4xf32>
  return %4 : tensor<10x20x4x4xf32>
}
