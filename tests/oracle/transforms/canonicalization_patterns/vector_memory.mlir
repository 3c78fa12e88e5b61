// Loads, stores and transfers of vectors under masks and in bounds that are known.

func.func @known_masks_of_loads(%m: memref<?x16xf32>, %i: index, %p: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %t = arith.constant dense<true> : vector<16xi1>
  %f = vector.constant_mask [0] : vector<16xi1>
  %0 = vector.maskedload %m[%i, %i], %t, %p : memref<?x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %1 = vector.maskedload %m[%i, %i], %f, %p : memref<?x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %2 = vector.expandload %m[%i, %i], %t, %p : memref<?x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %3 = vector.expandload %m[%i, %i], %f, %p : memref<?x16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  return %0, %1, %2, %3 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// -----

func.func @known_masks_of_stores(%m: memref<?xi8>, %i: index, %v: vector<8xi8>) {
  %t = arith.constant dense<true> : vector<8xi1>
  %f = arith.constant dense<false> : vector<8xi1>
  vector.maskedstore %m[%i], %t, %v : memref<?xi8>, vector<8xi1>, vector<8xi8>
  vector.maskedstore %m[%i], %f, %v : memref<?xi8>, vector<8xi1>, vector<8xi8>
  vector.compressstore %m[%i], %t, %v : memref<?xi8>, vector<8xi1>, vector<8xi8>
  vector.compressstore %m[%i], %f, %v : memref<?xi8>, vector<8xi1>, vector<8xi8>
  return
}

// -----

func.func @known_indices(%m: memref<?xf32>, %i: index, %k: vector<4xi1>, %p: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %n = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %o = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %f = arith.constant dense<false> : vector<4xi1>
  %0 = vector.gather %m[%i][%n], %k, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.gather %m[%i][%o], %k, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.gather %m[%i][%o], %f, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i][%n], %k, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%i][%o], %k, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%i][%o], %f, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// -----

func.func @gather_of_step_under_no_mask(%m: memref<?xf32>, %i: index, %p: vector<4xf32>) -> vector<4xf32> {
  %n = vector.step : vector<4xindex>
  %t = vector.constant_mask [4] : vector<4xi1>
  %0 = vector.gather %m[%i][%n], %t, %p : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @ops_under_masks(%t: tensor<3x4xf32>, %v: vector<3x4xf32>, %m: vector<3x4xi1>, %p: vector<3x4xf32>) -> (vector<3x4xf32>, vector<3x4xf32>, vector<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %all = vector.constant_mask [3, 4] : vector<3x4xi1>
  %0 = vector.mask %all { vector.transfer_read %t[%c0, %c0], %f0 : tensor<3x4xf32>, vector<3x4xf32> } : vector<3x4xi1> -> vector<3x4xf32>
  %1 = vector.mask %m { vector.yield %v : vector<3x4xf32> } : vector<3x4xi1> -> vector<3x4xf32>
  %2 = vector.mask %m, %p { vector.yield %v : vector<3x4xf32> } : vector<3x4xi1> -> vector<3x4xf32>
  return %0, %1, %2 : vector<3x4xf32>, vector<3x4xf32>, vector<3x4xf32>
}

// -----

// DIFFERS: mlir-opt drops only trailing unit dimensions
func.func @mask_cast_in_front(%n: index) -> vector<4x1xi1> {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %c1, %n, %c1 : vector<1x4x1xi1>
  %1 = vector.shape_cast %0 : vector<1x4x1xi1> to vector<4x1xi1>
  return %1 : vector<4x1xi1>
}

// -----

func.func @masks_cast(%n: index, %k: index) -> (vector<4xi1>, vector<[4]xi1>, vector<2x3xi1>, vector<2xi1>) {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %n, %c1 : vector<4x1xi1>
  %1 = vector.shape_cast %0 : vector<4x1xi1> to vector<4xi1>
  %2 = vector.create_mask %n, %c1 : vector<[4]x1xi1>
  %3 = vector.shape_cast %2 : vector<[4]x1xi1> to vector<[4]xi1>
  %4 = vector.create_mask %n, %k : vector<3x2xi1>
  %5 = vector.shape_cast %4 : vector<3x2xi1> to vector<2x3xi1>
  %6 = vector.create_mask %n, %k : vector<2x1xi1>
  %7 = vector.shape_cast %6 : vector<2x1xi1> to vector<2xi1>
  return %1, %3, %5, %7 : vector<4xi1>, vector<[4]xi1>, vector<2x3xi1>, vector<2xi1>
}

// -----

func.func @scalable_mask_of_all() -> (vector<8x[16]xi1>, vector<8x[16]xi1>) {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %v = vector.vscale
  %n = arith.muli %v, %c16 : index
  %h = arith.muli %v, %c8 : index
  %0 = vector.create_mask %c8, %n : vector<8x[16]xi1>
  %1 = vector.create_mask %c8, %h : vector<8x[16]xi1>
  return %0, %1 : vector<8x[16]xi1>, vector<8x[16]xi1>
}

// -----

func.func @mask_without_rows(%n: index, %i: index) -> vector<6xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %c1, %c0, %n : vector<1x4x6xi1>
  %1 = vector.extract %0[0, %i] : vector<6xi1> from vector<1x4x6xi1>
  return %1 : vector<6xi1>
}

// -----

func.func @transfers_without_masks(%m: memref<?x?xf32>, %i: index) -> vector<4x8xf32> {
  %f0 = arith.constant 0.0 : f32
  %t = vector.constant_mask [8, 4] : vector<8x4xi1>
  %0 = vector.transfer_read %m[%i, %i], %f0, %t {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  vector.transfer_write %0, %m[%i, %i], %t {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<?x?xf32>
  return %0 : vector<4x8xf32>
}

// -----

func.func @written_where_read(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %t[%c1, %c0], %f0 : tensor<4x4xf32>, vector<1x4xf32>
  %1 = vector.transfer_write %0, %t[%c1, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

func.func @all_written(%t: tensor<4x4xf32>, %d: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %t[%c0, %c0], %f0 : tensor<4x4xf32>, vector<4x4xf32>
  %1 = vector.transfer_write %0, %d[%c0, %c0] : vector<4x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_read %t[%c0, %c0], %f0 : tensor<4x4xf32>, vector<2x4xf32>
  %3 = vector.transfer_write %2, %e[%c0, %c0] : vector<2x4xf32>, tensor<4x4xf32>
  return %1, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

func.func @read_around_a_write(%t: tensor<4x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>, %i: index) -> (vector<1x4xf32>, vector<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %t[%c1, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %w, %0[%c2, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_read %1[%c1, %c0], %f0 : tensor<4x4xf32>, vector<1x4xf32>
  %3 = vector.transfer_write %w, %0[%i, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  %4 = vector.transfer_read %3[%c1, %c0], %f0 : tensor<4x4xf32>, vector<1x4xf32>
  return %2, %4 : vector<1x4xf32>, vector<1x4xf32>
}

// -----

func.func @read_repeated(%t: tensor<4x4xf32>, %u: tensor<?xf32>, %v: vector<4x2xf32>, %w: vector<[4]xf32>) -> (vector<4x2x6xf32>, vector<2x4xf32>, vector<6x[4]xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %t[%c0, %c0] : vector<4x2xf32>, tensor<4x4xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %f0 {permutation_map = affine_map<(d0, d1) -> (d0, d1, 0)>} : tensor<4x4xf32>, vector<4x2x6xf32>
  %2 = vector.transfer_read %0[%c0, %c0], %f0 {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<4x4xf32>, vector<2x4xf32>
  %3 = vector.transfer_write %w, %u[%c0] {in_bounds = [true]} : vector<[4]xf32>, tensor<?xf32>
  %4 = vector.transfer_read %3[%c0], %f0 {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : tensor<?xf32>, vector<6x[4]xf32>
  return %1, %2, %4 : vector<4x2x6xf32>, vector<2x4xf32>, vector<6x[4]xf32>
}

// -----

func.func @overwritten_transfer(%t: tensor<4x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.transfer_write %v, %t[%c1, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %v, %0[%c2, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_write %w, %1[%c1, %c0] : vector<1x4xf32>, tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
