// extract_slice, insert_slice and parallel_insert_slice.

func.func @extract_static(%t: tensor<8x16xf32>) -> tensor<2x4xf32> {
  %0 = tensor.extract_slice %t[1, 2][2, 4][3, 2] : tensor<8x16xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @extract_dynamic(%t: tensor<?x16xf32>, %i: index, %n: index, %s: index) -> tensor<?x4xf32> {
  %0 = tensor.extract_slice %t[%i, 2][%n, 4][%s, 1] : tensor<?x16xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @extract_leading_unit(%t: tensor<8x16xf32>, %i: index) -> tensor<16xf32> {
  %0 = tensor.extract_slice %t[%i, 0][1, 16][1, 1] : tensor<8x16xf32> to tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @extract_trailing_unit(%t: tensor<8x16xf32>, %i: index) -> tensor<8xf32> {
  %0 = tensor.extract_slice %t[0, %i][8, 1][1, 1] : tensor<8x16xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @extract_some_units(%t: tensor<4x5x6x7xf32>) -> tensor<1x6xf32> {
  %0 = tensor.extract_slice %t[1, 2, 0, 3][1, 1, 6, 1][1, 1, 1, 1] : tensor<4x5x6x7xf32> to tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

// -----

func.func @extract_to_rank_0(%t: tensor<4x5xf32>) -> tensor<f32> {
  %0 = tensor.extract_slice %t[1, 2][1, 1][1, 1] : tensor<4x5xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @extract_dynamic_reduced(%t: tensor<?x?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.extract_slice %t[0, 1, 0][%n, 1, %n][1, 1, 2] : tensor<?x?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @extract_of_new(%n: index, %f: f32) -> tensor<?x4xf32> {
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %0 = tensor.extract_slice %w[1, 2][%n, 4][1, 3] : tensor<?x16xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @extract_of_extract(%f: f32, %i: index) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = tensor.extract_slice %w[1, 2][4, 8][2, 1] : tensor<8x16xf32> to tensor<4x8xf32>
  %1 = tensor.extract_slice %0[%i, 3][1, 2][1, 2] : tensor<4x8xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @extract_zero_offsets_of_dynamic(%f: f32, %n: index, %m: index) -> tensor<3x5xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = tensor.extract_slice %w[0, 7][3, 5][1, 1] : tensor<?x?xf32> to tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @write_into_slice_that_is_read_later(%t: tensor<8x16xf32>, %f: f32, %i: index) -> (tensor<2x4xf32>, f32) {
  %0 = tensor.extract_slice %t[1, 2][2, 4][1, 1] : tensor<8x16xf32> to tensor<2x4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = tensor.extract %t[%i, %i] : tensor<8x16xf32>
  return %1, %2 : tensor<2x4xf32>, f32
}

// -----

func.func @write_into_slice_partly(%t: tensor<?x16xf32>, %f: f32, %i: index, %n: index) -> (tensor<?x4xf32>, f32) {
  %0 = tensor.extract_slice %t[1, 2][%n, 4][1, 1] : tensor<?x16xf32> to tensor<?x4xf32>
  %1 = tensor.insert %f into %0[%i, %i] : tensor<?x4xf32>
  %2 = tensor.extract %t[%i, %i] : tensor<?x16xf32>
  return %1, %2 : tensor<?x4xf32>, f32
}

// -----

func.func @tile_update(%t: tensor<8x16xf32>, %f: f32) -> tensor<8x16xf32> {
  %0 = tensor.extract_slice %t[1, 2][2, 4][1, 1] : tensor<8x16xf32> to tensor<2x4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = tensor.insert_slice %1 into %t[1, 2][2, 4][1, 1] : tensor<2x4xf32> into tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

func.func @tile_update_dynamic(%t: tensor<?x?xf32>, %f: f32, %i: index, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.extract_slice %t[%i, 2][%n, 4][1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 2][%n, 4][1, 1] : tensor<?x4xf32> into tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

func.func @tile_update_rank_reduced(%t: tensor<?x?xf32>, %f: f32, %i: index, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.extract_slice %t[%i, 2][1, %n][1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 2][1, %n][1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// Offsets that are equal, but not the same value.
func.func @tile_update_equal_offsets(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = arith.addi %i, %c2 : index
  %b0 = arith.addi %c1, %i : index
  %b = arith.addi %b0, %c1 : index
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%b][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @tile_update_equal_affine_offsets(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %a = affine.apply affine_map<(d0) -> (d0 * 4 + 8)>(%i)
  %b = affine.apply affine_map<()[s0] -> (s0 * 4 + 8)>()[%i]
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%b][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @tile_update_other_offset(%t: tensor<?xf32>, %f: f32, %i: index, %j: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %t[%i][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%j][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @tile_update_other_size(%t: tensor<?xf32>, %f: f32, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %t[0][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[0][4][2] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @disjoint_static(%t: tensor<16xf32>, %f: f32) -> (tensor<16xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %v = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %v into %t[0][4][1] : tensor<4xf32> into tensor<16xf32>
  %1 = tensor.extract_slice %t[4][4][1] : tensor<16xf32> to tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %2 = linalg.copy ins(%1 : tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<16xf32>, tensor<4xf32>
}

// -----

func.func @overlapping_static(%t: tensor<16xf32>, %f: f32) -> (tensor<16xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %v = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %v into %t[0][4][1] : tensor<4xf32> into tensor<16xf32>
  %1 = tensor.extract_slice %t[3][4][1] : tensor<16xf32> to tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %2 = linalg.copy ins(%1 : tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<16xf32>, tensor<4xf32>
}

// -----

func.func @update_disjoint_tiles(%t: tensor<16xf32>, %f: f32, %g: f32) -> tensor<16xf32> {
  %a = tensor.extract_slice %t[0][4][1] : tensor<16xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[4][4][1] : tensor<16xf32> to tensor<4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%g : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %0 into %t[0][4][1] : tensor<4xf32> into tensor<16xf32>
  %3 = tensor.insert_slice %1 into %2[4][4][1] : tensor<4xf32> into tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

func.func @disjoint_dynamic(%t: tensor<?xf32>, %f: f32, %n: index, %i: index) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %v = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %a = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
  %0 = tensor.insert_slice %v into %t[%i][4][1] : tensor<4xf32> into tensor<?xf32>
  %1 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.extract %1[%c0] : tensor<4xf32>
  return %0, %2 : tensor<?xf32>, f32
}

// -----

func.func @insert_everything(%t: tensor<8x16xf32>, %s: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = tensor.insert_slice %s into %t[0, 0][8, 16][1, 1] : tensor<8x16xf32> into tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

func.func @insert_everything_needs_no_old_contents(%t: tensor<8xf32>, %s: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %s into %t[%c0][8][1] : tensor<8xf32> into tensor<8xf32>
  return %0, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @insert_everything_dynamic(%t: tensor<?xf32>, %s: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = tensor.insert_slice %s into %t[0][%n][1] : tensor<?xf32> into tensor<?xf32>
  return %0, %t : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @insert_rank_reduced(%t: tensor<8x16xf32>, %s: tensor<16xf32>, %i: index) -> tensor<8x16xf32> {
  %0 = tensor.insert_slice %s into %t[%i, 0][1, 16][1, 1] : tensor<16xf32> into tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

func.func @insert_rank_0(%t: tensor<8x16xf32>, %s: tensor<f32>, %i: index) -> tensor<8x16xf32> {
  %0 = tensor.insert_slice %s into %t[%i, 3][1, 1][1, 1] : tensor<f32> into tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

func.func @insert_out_of_place(%t: tensor<8x16xf32>, %s: tensor<2x4xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = tensor.insert_slice %s into %t[1, 2][2, 4][1, 1] : tensor<2x4xf32> into tensor<8x16xf32>
  return %0, %t : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

func.func @insert_slice_of_itself(%t: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tensor.extract_slice %t[0][4][1] : tensor<16xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[4][4][1] : tensor<4xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @insert_overlapping_slice_of_itself(%t: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tensor.extract_slice %t[0][4][1] : tensor<16xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[2][4][1] : tensor<4xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @nested_tiles(%t: tensor<16x16xf32>, %f: f32) -> tensor<16x16xf32> {
  %0 = tensor.extract_slice %t[4, 0][4, 16][1, 1] : tensor<16x16xf32> to tensor<4x16xf32>
  %1 = tensor.extract_slice %0[0, 8][4, 8][1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tensor.insert_slice %2 into %0[0, 8][4, 8][1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %4 = tensor.insert_slice %3 into %t[4, 0][4, 16][1, 1] : tensor<4x16xf32> into tensor<16x16xf32>
  return %4 : tensor<16x16xf32>
}

// -----

func.func @tiled_loop(%t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%a = %t) -> tensor<?xf32> {
    %m = affine.min affine_map<(d0)[s0] -> (4, -d0 + s0)>(%i)[%n]
    %0 = tensor.extract_slice %a[%i][%m][1] : tensor<?xf32> to tensor<?xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %2 = tensor.insert_slice %1 into %a[%i][%m][1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @tiled_matmul(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>, %c: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%acc = %c) -> tensor<64x16xf32> {
    %0 = tensor.extract_slice %a[%i, 0][8, 32][1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
    %1 = tensor.extract_slice %acc[%i, 0][8, 16][1, 1] : tensor<64x16xf32> to tensor<8x16xf32>
    %2 = linalg.matmul ins(%0, %b : tensor<8x32xf32>, tensor<32x16xf32>) outs(%1 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %3 = tensor.insert_slice %2 into %acc[%i, 0][8, 16][1, 1] : tensor<8x16xf32> into tensor<64x16xf32>
    scf.yield %3 : tensor<64x16xf32>
  }
  return %r : tensor<64x16xf32>
}

// -----

func.func @parallel_tiles(%t: tensor<64xf32>, %f: f32) -> tensor<64xf32> {
  %r = scf.forall (%i) in (16) shared_outs(%o = %t) -> tensor<64xf32> {
    %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %0 = tensor.extract_slice %o[%a][4][1] : tensor<64xf32> to tensor<4xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%a][4][1] : tensor<4xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}

// -----

func.func @parallel_rows(%t: tensor<?x?xf32>, %s: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<?x?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0][1, %m][1, 1] : tensor<?xf32> into tensor<?x?xf32>
    }
  }
  return %r : tensor<?x?xf32>
}

// -----

func.func @parallel_new_tiles(%t: tensor<64xf32>, %f: f32) -> (tensor<64xf32>, tensor<64xf32>) {
  %r = scf.forall (%i) in (16) shared_outs(%o = %t) -> tensor<64xf32> {
    %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %e = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%a][4][1] : tensor<4xf32> into tensor<64xf32>
    }
  }
  return %r, %t : tensor<64xf32>, tensor<64xf32>
}
