// Outputs that are partly written, and bodies that write tensors.

// DIFFERS: mlir-opt assumes that the complete output is overwritten, and does not copy it

func.func @diagonal(%a: tensor<4xf32>, %o: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %0, %o : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// DIFFERS: mlir-opt assumes that the complete output is overwritten, and does not copy it

func.func @every_second(%a: tensor<4xf32>, %o: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<7xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<7xf32>
  return %0, %o : tensor<7xf32>, tensor<7xf32>
}

// -----

// DIFFERS: mlir-opt assumes that the complete output is overwritten, and does not copy it

func.func @first_row(%a: tensor<4xf32>, %o: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0, d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %0, %o : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// DIFFERS: mlir-opt writes the same buffer for each element

func.func @write_in_generate(%t: tensor<2xf32>, %f: f32, %c: index) -> tensor<2xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %x = tensor.insert %f into %t[%i] : tensor<2xf32>
    %e = tensor.extract %x[%c] : tensor<2xf32>
    tensor.yield %e : f32
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// DIFFERS: mlir-opt writes the same buffer for each element

func.func @write_in_generic(%t: tensor<2xf32>, %a: tensor<2xf32>, %o: tensor<2xf32>, %c: index) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%o : tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %w = tensor.insert %x into %t[%i] : tensor<2xf32>
    %e = tensor.extract %w[%c] : tensor<2xf32>
    linalg.yield %e : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
