// Destination-style ops of linalg.

#id = affine_map<(d0) -> (d0)>

func.func @generic_output_is_overwritten(%a: tensor<?xf32>, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0, %o : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

func.func @generic_output_is_read(%a: tensor<?xf32>, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0, %o : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

func.func @generic_in_place_elementwise(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

func.func @generic_transposed_is_not_elementwise(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#tr = affine_map<(d0, d1) -> (d1, d0)>

func.func @generic_both_transposed(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#tr, #tr], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @generic_reduction(%a: tensor<4x?xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

func.func @generic_scalars_and_broadcasts(%f: f32, %s: tensor<f32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #all, #id], iterator_types = ["parallel"]} ins(%f, %s : f32, tensor<f32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

func.func @generic_two_results(%a: tensor<4xf32>, %o: tensor<4xf32>, %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o, %p : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%x: f32, %y: f32, %z: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.addi %j, %z : i32
    linalg.yield %x, %k : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1, %o : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

func.func @generic_input_only_for_its_shape(%a: tensor<4xf32>, %f: f32, %i: index, %o: tensor<4xindex>) -> (tensor<4xindex>, tensor<4xf32>) {
  %1 = tensor.insert %f into %a[%i] : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xindex>) {
  ^bb0(%x: f32, %y: index):
    %j = linalg.index 0 : index
    linalg.yield %j : index
  } -> tensor<4xindex>
  return %0, %1 : tensor<4xindex>, tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

func.func @generic_extract_inside(%table: tensor<16xf32>, %a: tensor<4xindex>, %o: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<16xf32>) {
  %1 = tensor.insert %f into %table[%i] : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xindex>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: index, %y: f32):
    %e = tensor.extract %table[%x] : tensor<16xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> (0)>

func.func @generic_writes_one_element(%a: tensor<4xf32>) -> tensor<1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction"]} ins(%a : tensor<4xf32>) outs(%e : tensor<1xf32>) attrs = {kind = "sum"} {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @fill_and_copy(%f: f32, %a: tensor<?xf32>, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.fill ins(%f : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.copy ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @copy_onto_itself(%a: tensor<?xf32>) -> tensor<?xf32> {
  %1 = linalg.copy ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @elementwise_chain(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.mul ins(%0, %b : tensor<?xf32>, tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.exp ins(%1 : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @matmul(%a: tensor<?x8xf32>, %b: tensor<8x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @matmul_into_its_input(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @matmul_of_new(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

func.func @batch_matmul(%a: tensor<2x?x8xf32>, %b: tensor<2x8x?xf32>, %c: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%c : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}

// -----

func.func @contract(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @convolution(%i: tensor<1x16x16x4xf32>, %k: tensor<3x3x4x8xf32>, %o: tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%i, %k : tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%o : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return %0 : tensor<1x7x7x8xf32>
}

// -----

// The window is there for its shape, and not read.
func.func @pooling(%i: tensor<1x16x16x4xf32>, %w: tensor<3x3xf32>, %o: tensor<1x14x14x4xf32>, %f: f32, %j: index) -> (tensor<1x14x14x4xf32>, tensor<3x3xf32>) {
  %1 = tensor.insert %f into %w[%j, %j] : tensor<3x3xf32>
  %0 = linalg.pooling_nhwc_max ins(%i, %w : tensor<1x16x16x4xf32>, tensor<3x3xf32>) outs(%o : tensor<1x14x14x4xf32>) -> tensor<1x14x14x4xf32>
  return %0, %1 : tensor<1x14x14x4xf32>, tensor<3x3xf32>
}

// -----

func.func @transpose(%a: tensor<4x8xf32>, %o: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%o : tensor<8x4xf32>) permutation = [1, 0]
  return %0, %o : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

func.func @transpose_onto_itself(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) permutation = [1, 0]
  return %0 : tensor<4x4xf32>
}

// -----

func.func @broadcast(%a: tensor<4xf32>, %o: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%o : tensor<4x?xf32>) dimensions = [1]
  return %0, %o : tensor<4x?xf32>, tensor<4x?xf32>
}

// -----

func.func @reduce(%a: tensor<4x?xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x?xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

func.func @reduce_two(%a: tensor<4x?xf32>, %b: tensor<4x?xi32>, %o: tensor<4xf32>, %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0, %1 = linalg.reduce ins(%a, %b : tensor<4x?xf32>, tensor<4x?xi32>) outs(%o, %p : tensor<4xf32>, tensor<4xi32>) dimensions = [1]
    (%x: f32, %y: i32, %u: f32, %v: i32) {
      %s = arith.addf %x, %u : f32
      linalg.yield %s, %y : f32, i32
    }
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}

// -----

func.func @map(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.map { arith.addf } ins(%a, %b : tensor<4x?xf32>, tensor<4x?xf32>) outs(%b : tensor<4x?xf32>)
  return %0 : tensor<4x?xf32>
}

// -----

func.func @map_with_captured_tensor(%a: tensor<4xindex>, %t: tensor<16xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%a : tensor<4xindex>) outs(%o : tensor<4xf32>)
    (%i: index, %init: f32) {
      %x = tensor.extract %t[%i] : tensor<16xf32>
      linalg.yield %x : f32
    }
  return %0 : tensor<4xf32>
}

// -----

func.func @softmax(%a: tensor<4x?xf32>, %o: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x?xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0, %o : tensor<4x?xf32>, tensor<4x?xf32>
}

// -----

func.func @softmax_in_place(%a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x?xf32>) outs(%a : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

func.func @on_slices(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<4x4xf32> {
  %0 = tensor.extract_slice %a[0, 0][4, 8][1, 1] : tensor<16x16xf32> to tensor<4x8xf32>
  %1 = tensor.extract_slice %a[8, 4][8, 4][1, 2] : tensor<16x16xf32> to tensor<8x4xf32>
  %2 = tensor.extract_slice %b[8, 4][4, 4][1, 2] : tensor<16x16xf32> to tensor<4x4xf32>
  %3 = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// -----

func.func @in_loop(%a: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %o = linalg.copy ins(%m : tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %o : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

func.func @read_destination_in_generic(%a: tensor<4xindex>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xindex>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: index, %y: f32):
    %e = tensor.extract %o[%x] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @read_destination_in_map(%a: tensor<4xindex>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%a : tensor<4xindex>) outs(%o : tensor<4xf32>)
    (%x: index, %init: f32) {
      %e = tensor.extract %o[%x] : tensor<4xf32>
      linalg.yield %e : f32
    }
  return %0 : tensor<4xf32>
}

// -----

func.func @slice_from_the_start(%t: tensor<5xf32>, %c: i1) -> tensor<5xf32> {
  %a = tensor.extract_slice %t[0] [5] [1] : tensor<5xf32> to tensor<5xf32>
  %v = scf.if %c -> tensor<5xf32> {
    scf.yield %a : tensor<5xf32>
  } else {
    scf.yield %t : tensor<5xf32>
  }
  %r = linalg.map { math.absf } ins(%v : tensor<5xf32>) outs(%a : tensor<5xf32>)
  return %r : tensor<5xf32>
}
