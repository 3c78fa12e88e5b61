// Ops of the vector dialect that take tensors.

func.func @read(%t: tensor<?x8xf32>, %i: index, %f: f32) -> (vector<4xf32>, vector<2x4xf32>) {
  %0 = vector.transfer_read %t[%i, %i], %f : tensor<?x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %t[%i, %i], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x8xf32>, vector<2x4xf32>
  return %0, %1 : vector<4xf32>, vector<2x4xf32>
}

// -----

func.func @read_masked(%t: tensor<?xf32>, %i: index, %f: f32, %m: vector<4xi1>) -> vector<4xf32> {
  %0 = vector.transfer_read %t[%i], %f, %m : tensor<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @write(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index) -> tensor<?x8xf32> {
  %0 = vector.transfer_write %v, %t[%i, %i] : vector<4xf32>, tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @write_masked(%t: tensor<?xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> tensor<?xf32> {
  %0 = vector.transfer_write %v, %t[%i], %m : vector<4xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @write_somewhere_needs_the_old_contents(%t: tensor<8xf32>, %v: vector<8xf32>, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = vector.transfer_write %v, %t[%i] : vector<8xf32>, tensor<8xf32>
  return %0, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @write_everything(%t: tensor<4x8xf32>, %v: vector<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

func.func @write_more_than_everything(%t: tensor<3x8xf32>, %v: vector<4x8xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] : vector<4x8xf32>, tensor<3x8xf32>
  return %0, %t : tensor<3x8xf32>, tensor<3x8xf32>
}

// -----

func.func @write_part(%t: tensor<4x8xf32>, %v: vector<4x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

func.func @read_and_write_back(%t: tensor<8x8xf32>, %i: index, %f: f32) -> tensor<8x8xf32> {
  %0 = vector.transfer_read %t[%i, %i], %f : tensor<8x8xf32>, vector<4xf32>
  %1 = vector.transfer_write %0, %t[%i, %i] : vector<4xf32>, tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

func.func @write_then_read_old(%t: tensor<8x8xf32>, %v: vector<8xf32>, %i: index, %f: f32) -> (tensor<8x8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%i, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<8x8xf32>
  %1 = vector.transfer_read %t[%i, %c0], %f {in_bounds = [true]} : tensor<8x8xf32>, vector<8xf32>
  return %0, %1 : tensor<8x8xf32>, vector<8xf32>
}

// -----

func.func @write_then_read_elsewhere(%t: tensor<8x8xf32>, %v: vector<8xf32>, %i: index, %f: f32) -> (tensor<8x8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  %0 = vector.transfer_write %v, %t[%i, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<8x8xf32>
  %1 = vector.transfer_read %t[%j, %c0], %f {in_bounds = [true]} : tensor<8x8xf32>, vector<8xf32>
  return %0, %1 : tensor<8x8xf32>, vector<8xf32>
}

// -----

func.func @write_then_read_elsewhere_static(%t: tensor<16xf32>, %v: vector<4xf32>, %f: f32) -> (tensor<16xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %1 = vector.transfer_read %t[%c4], %f {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  return %0, %1 : tensor<16xf32>, vector<4xf32>
}

// -----

func.func @in_tile(%t: tensor<?x8xf32>, %n: index, %f: f32) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%a = %t) -> tensor<?x8xf32> {
    %s = tensor.extract_slice %a[%i, 0][4, 8][1, 1] : tensor<?x8xf32> to tensor<4x8xf32>
    %v = vector.transfer_read %s[%c0, %c0], %f {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %w = arith.addf %v, %v : vector<4x8xf32>
    %x = vector.transfer_write %w, %s[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
    %y = tensor.insert_slice %x into %a[%i, 0][4, 8][1, 1] : tensor<4x8xf32> into tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

func.func @gather(%t: tensor<?x8xf32>, %i: index, %v: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>, %f: f32) -> (vector<4xf32>, tensor<?x8xf32>) {
  %1 = tensor.insert %f into %t[%i, %i] : tensor<?x8xf32>
  %0 = vector.gather %t[%i, %i] [%v], %m, %p : tensor<?x8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, tensor<?x8xf32>
}

// -----

func.func @mask_write(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> tensor<?x8xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32> } : vector<4xi1> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @mask_read(%t: tensor<?x8xf32>, %i: index, %f: f32, %m: vector<4xi1>) -> vector<4xf32> {
  %0 = vector.mask %m { vector.transfer_read %t[%i, %i], %f {in_bounds = [true]} : tensor<?x8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @mask_write_read_by_mask(%t: tensor<?x8xf32>, %v: vector<4xf32>, %i: index, %f: f32, %m: vector<4xi1>) -> (tensor<?x8xf32>, vector<4xf32>) {
  %0 = vector.mask %m { vector.transfer_write %v, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32> } : vector<4xi1> -> tensor<?x8xf32>
  %2 = vector.mask %m { vector.transfer_read %0[%i, %i], %f {in_bounds = [true]} : tensor<?x8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0, %2 : tensor<?x8xf32>, vector<4xf32>
}

// -----

func.func @scatter(%t: tensor<16xf32>, %x: vector<4xindex>, %m: vector<4xi1>, %v: vector<4xf32>, %i: index) -> tensor<16xf32> {
  %0 = vector.scatter %t[%i] [%x], %m, %v : tensor<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @scatter_beside_the_old_tensor(%t: tensor<?x16xf32>, %x: vector<2x4xi32>, %m: vector<2x4xi1>, %v: vector<2x4xf32>, %i: index) -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %0 = vector.scatter %t[%i, %i] [%x], %m, %v : tensor<?x16xf32>, vector<2x4xi32>, vector<2x4xi1>, vector<2x4xf32> -> tensor<?x16xf32>
  return %0, %t : tensor<?x16xf32>, tensor<?x16xf32>
}

// -----

func.func @scatter_and_gather(%x: vector<4xindex>, %m: vector<4xi1>, %v: vector<4xf32>, %i: index, %c: f32) -> (tensor<16xf32>, vector<4xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %t = linalg.fill ins(%c : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %0 = vector.scatter %t[%i] [%x], %m, %v : tensor<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> -> tensor<16xf32>
  %1 = vector.gather %t[%i] [%x], %m, %v : tensor<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : tensor<16xf32>, vector<4xf32>
}
