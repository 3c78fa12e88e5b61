// When two slices are known to be the same: an insertion of a tile needs no copy then.

func.func @dims(%t: tensor<?x8xf32>, %f: f32, %i: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?x8xf32>
  %0 = tensor.extract_slice %t[0, 0][%n, 8][1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = tensor.dim %1, %c0 : tensor<?x8xf32>
  %2 = tensor.insert_slice %1 into %t[0, 0][%m, 8][1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// -----

func.func @affine_min(%t: tensor<?xf32>, %f: f32, %i: index, %n: index) -> tensor<?xf32> {
  %m = affine.min affine_map<(d0)[s0] -> (4, -d0 + s0)>(%i)[%n]
  %k = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 4)>(%i)[%n]
  %0 = tensor.extract_slice %t[%i][%m][1] : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[%i][%k][1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @same_affine_min_twice(%t: tensor<?xf32>, %f: f32, %i: index, %n: index) -> tensor<?xf32> {
  %m = affine.min affine_map<(d0)[s0] -> (4, -d0 + s0)>(%i)[%n]
  %k = affine.min affine_map<(d0)[s0] -> (4, -d0 + s0)>(%i)[%n]
  %0 = tensor.extract_slice %t[%i][%m][1] : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[%i][%k][1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @constant_operand(%t: tensor<?xf32>, %f: f32, %i: index, %n: index) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %t[%i][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %c = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
  %2 = tensor.insert_slice %c into %t[%i][%c4][1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @subtraction(%t: tensor<?xf32>, %f: f32, %i: index, %j: index) -> tensor<?xf32> {
  %a = arith.subi %i, %j : index
  %b0 = arith.addi %i, %i : index
  %b1 = arith.addi %j, %i : index
  %b = arith.subi %b0, %b1 : index
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%b][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @multiplication(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %a = arith.muli %i, %c4 : index
  %b = arith.muli %c4, %i : index
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%b][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @nonlinear(%t: tensor<?xf32>, %f: f32, %i: index, %j: index) -> tensor<?xf32> {
  %a = arith.muli %i, %j : index
  %b = arith.muli %i, %j : index
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%b][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @floordiv(%t: tensor<?xf32>, %f: f32, %i: index, %j: index) -> tensor<?xf32> {
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%b][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @empty_size(%n: index, %f: f32, %i: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = tensor.extract_slice %t[0][%n][2] : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[0][%m][2] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// The value of an induction variable of a loop with one iteration is known.
func.func @single_iteration(%t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %0 = tensor.extract_slice %a[0][4][1] : tensor<?xf32> to tensor<4xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.insert_slice %1 into %a[%i][4][1] : tensor<4xf32> into tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @cast_and_slice_dims(%t: tensor<?x8xf32>, %f: f32, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %t[0, 0][%n, 8][1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %c = tensor.cast %1 : tensor<?x8xf32> to tensor<?x?xf32>
  %m = tensor.dim %c, %c0 : tensor<?x?xf32>
  %2 = tensor.insert_slice %1 into %t[0, 0][%m, 8][1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// -----

func.func @select_index(%t: tensor<?xf32>, %f: f32, %c: i1, %i: index) -> tensor<?xf32> {
  %a = arith.select %c, %i, %i : index
  %0 = tensor.extract_slice %t[%a][4][1] : tensor<?xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%i][4][1] : tensor<4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}
