// Every op of the tensor dialect in each of its forms.

func.func @tensor_bitcast(%i8: tensor<4xui8>) {
  %0 = tensor.bitcast %i8 : tensor<4xui8> to tensor<4xi8>
  return
}

// -----

func.func @tensor_cast(%t: tensor<4x?xf32>) {
  %1 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @tensor_cast_2(%u: tensor<*xf32>) {
  %2 = tensor.cast %u : tensor<*xf32> to tensor<4x?xf32>
  return
}

// -----

func.func @tensor_collapse_shape(%g: tensor<8x8xf32>) {
  %3 = tensor.collapse_shape %g [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return
}

// -----

func.func @tensor_concat(%t: tensor<4x?xf32>) {
  %4 = tensor.concat dim(0) %t, %t : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<8x?xf32>
  return
}

// -----

func.func @tensor_dim(%t: tensor<4x?xf32>, %i: index) {
  %5 = tensor.dim %t, %i : tensor<4x?xf32>
  return
}

// -----

func.func @tensor_dim_2(%u: tensor<*xf32>, %i: index) {
  %6 = tensor.dim %u, %i : tensor<*xf32>
  return
}

// -----

func.func @tensor_empty(%i: index) {
  %7 = tensor.empty(%i) : tensor<4x?xf32>
  return
}

// -----

func.func @tensor_empty_2() {
  %8 = tensor.empty() : tensor<4x4xf32, "encoding">
  return
}

// -----

func.func @tensor_expand_shape(%t: tensor<4x?xf32>, %i: index) {
  %9 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, %i] : tensor<4x?xf32> into tensor<2x2x?xf32>
  return
}

// -----

func.func @tensor_expand_shape_2(%t: tensor<4x?xf32>, %i: index) {
  %10 = tensor.expand_shape %t [[0], [1, 2]] output_shape [4, %i, 2] {foo} : tensor<4x?xf32> into tensor<4x?x2xf32>
  return
}

// -----

func.func @tensor_extract(%t: tensor<4x?xf32>, %i: index) {
  %11 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  return
}

// -----

func.func @tensor_extract_slice(%t: tensor<4x?xf32>, %i: index) {
  %12 = tensor.extract_slice %t[%i, 0] [2, %i] [1, 2] : tensor<4x?xf32> to tensor<2x?xf32>
  return
}

// -----

func.func @tensor_extract_slice_2(%t: tensor<4x?xf32>, %i: index) {
  %13 = tensor.extract_slice %t[0, 0] [1, %i] [1, 1] : tensor<4x?xf32> to tensor<?xf32>
  return
}

// -----

func.func @tensor_from_elements(%f: f32) {
  %14 = tensor.from_elements %f, %f : tensor<2x1xf32>
  return
}

// -----

func.func @tensor_from_elements_2(%f: f32) {
  %144 = tensor.from_elements %f : tensor<f32>
  return
}

// -----

func.func @tensor_gather(%g: tensor<8x8xf32>, %ix: tensor<3x1xi32>) {
  %15 = tensor.gather %g[%ix] gather_dims([0]) unique : (tensor<8x8xf32>, tensor<3x1xi32>) -> tensor<3x1x8xf32>
  return
}

// -----

func.func @tensor_gather_2(%g: tensor<8x8xf32>, %ix: tensor<3x1xi32>) {
  %155 = tensor.gather %g[%ix] gather_dims([0]) : (tensor<8x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @tensor_generate(%i: index) {
  %16 = tensor.generate %i { ^bb0(%a: index, %b: index): %q = arith.constant 1.0 : f32
    tensor.yield %q : f32 } : tensor<4x?xf32>
  return
}

// -----

func.func @tensor_insert(%t: tensor<4x?xf32>, %i: index, %f: f32) {
  %17 = tensor.insert %f into %t[%i, %i] : tensor<4x?xf32>
  return
}

// -----

func.func @tensor_insert_slice(%i: index, %g: tensor<8x8xf32>, %st: tensor<4x4xf32>) {
  %18 = tensor.insert_slice %st into %g[4, %i] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return
}

// -----

func.func @tensor_pad(%t: tensor<4x?xf32>, %i: index, %f: f32) {
  %19 = tensor.pad %t nofold low[1, %i] high[0, 2] { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<4x?xf32> to tensor<5x?xf32>
  return
}

// -----

func.func @tensor_rank(%u: tensor<*xf32>) {
  %20 = tensor.rank %u : tensor<*xf32>
  return
}

// -----

func.func @tensor_reshape(%t: tensor<4x?xf32>, %s: tensor<2xindex>) {
  %21 = tensor.reshape %t(%s) : (tensor<4x?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return
}

// -----

func.func @tensor_reshape_2(%u: tensor<*xf32>, %sh: tensor<?xi32>) {
  %22 = tensor.reshape %u(%sh) : (tensor<*xf32>, tensor<?xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @tensor_scatter(%g: tensor<8x8xf32>, %ix: tensor<3x1xi32>, %p: tensor<3x1x8xf32>) {
  %23 = tensor.scatter %p into %g[%ix] scatter_dims([0]) unique : (tensor<3x1x8xf32>, tensor<8x8xf32>, tensor<3x1xi32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @tensor_splat(%f: f32) {
  %24 = tensor.splat %f : tensor<4x4xf32>
  return
}

// -----

func.func @tensor_splat_2(%i: index, %f: f32) {
  %25 = tensor.splat %f[%i] : tensor<4x?xf32>
  return
}

// -----

func.func @tensor_expand_shape_3(%f: f32) {
  %144 = tensor.from_elements %f : tensor<f32>
  %27 = tensor.expand_shape %144 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return
}

// -----

func.func @properties_among_attributes(%t: tensor<8xf32>, %x: f32) -> tensor<10xf32> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } {nofold} : tensor<8xf32> to tensor<10xf32>
  return %0 : tensor<10xf32>
}
