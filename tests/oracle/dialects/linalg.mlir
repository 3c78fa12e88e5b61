// Every op of the linalg dialect in each of its forms.

func.func @linalg_matmul(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c: tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @linalg_matmul_2(%c: tensor<4x16xf32>, %i8a: tensor<4x8xi8>, %i8b: tensor<8x16xi8>) {
  %1 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%i8a, %i8b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%c: tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @linalg_matmul_3(%i8a: tensor<4x8xi8>, %i8b: tensor<8x16xi8>, %i32: tensor<4x16xi32>) {
  %2 = linalg.matmul {cast = #linalg.type_fn<cast_signed>, foo = 1} ins(%i8a, %i8b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%i32: tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}

// -----

func.func @linalg_matmul_4(%a: tensor<4x8xf32>, %c: tensor<4x16xf32>, %x: tensor<8xf32>) {
  %3 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%c: tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @linalg_contract(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  %4 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] {foo} ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c: tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @linalg_elementwise(%a: tensor<4x8xf32>) {
  %5 = linalg.elementwise kind=#linalg.elementwise_kind<exp> {foo} ins(%a: tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @linalg_elementwise_2(%a: tensor<4x8xf32>) {
  %6 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0,d1)>] ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @linalg_elementwise_3(%a: tensor<4x8xf32>, %x: tensor<8xf32>) {
  %66 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d1)>, affine_map<(d0,d1)->(d0,d1)>] ins(%a, %x: tensor<4x8xf32>, tensor<8xf32>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @linalg_map(%a: tensor<4x8xf32>) {
  %7 = linalg.map { arith.addf } ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) {foo}
  return
}

// -----

func.func @linalg_map_2(%a: tensor<4x8xf32>) {
  %8 = linalg.map ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) (%p: f32, %q: f32, %out: f32) { %z = arith.addf %q, %p : f32  linalg.yield %z : f32 } 
  return
}

// -----

func.func @linalg_map_3(%a: tensor<4x8xf32>) {
  %88 = linalg.map outs(%a: tensor<4x8xf32>) (%out: f32) { linalg.yield %out : f32 } 
  return
}

// -----

func.func @linalg_reduce(%a: tensor<4x8xf32>, %x: tensor<8xf32>) {
  %9 = linalg.reduce { arith.addf } ins(%a: tensor<4x8xf32>) outs(%x: tensor<8xf32>) dimensions = [0] 
  return
}

// -----

func.func @linalg_reduce_2(%a: tensor<4x8xf32>, %x: tensor<8xf32>) {
  %10 = linalg.reduce ins(%a: tensor<4x8xf32>) outs(%x: tensor<8xf32>) dimensions = [0] {foo} (%p: f32, %q: f32) { %z = arith.addf %p, %q : f32  linalg.yield %z : f32 } 
  return
}

// -----

func.func @linalg_reduce_3(%a: tensor<4x8xf32>, %x: tensor<8xf32>) {
  %99 = linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a: tensor<4x8xf32>) outs(%x: tensor<8xf32>) dimensions = [0] 
  return
}

// -----

func.func @linalg_reduce_4(%a: tensor<4x8xf32>, %x: tensor<8xf32>) {
  %11:2 = linalg.reduce ins(%a, %a: tensor<4x8xf32>, tensor<4x8xf32>) outs(%x, %x: tensor<8xf32>, tensor<8xf32>) dimensions = [0]  (%p: f32, %q: f32, %r: f32, %s: f32) { linalg.yield %p, %q : f32, f32 } 
  return
}

// -----

func.func @linalg_transpose(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  %12 = linalg.transpose ins(%a: tensor<4x8xf32>) outs(%b: tensor<8x4xf32>) permutation = [1, 0] {foo}
  return
}

// -----

func.func @linalg_broadcast(%a: tensor<4x8xf32>, %x: tensor<8xf32>) {
  %13 = linalg.broadcast ins(%x: tensor<8xf32>) outs(%a: tensor<4x8xf32>) dimensions = [0] {foo}
  return
}

// -----

func.func @linalg_softmax(%a: tensor<4x8xf32>) {
  %14 = linalg.softmax {foo} dimension(1) ins(%a : tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @linalg_softmax_2(%m: memref<4x8xf32>) {
  linalg.softmax dimension(1) ins(%m : memref<4x8xf32>) outs(%m: memref<4x8xf32>)
  return
}

// -----

func.func @linalg_pack(%a: tensor<4x8xf32>, %f: f32, %p4: tensor<1x2x4x4xf32>) {
  %15 = linalg.pack %a padding_value(%f : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p4 {foo}: tensor<4x8xf32> -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @linalg_unpack(%a: tensor<4x8xf32>, %p4: tensor<1x2x4x4xf32>) {
  %16 = linalg.unpack %p4 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %a : tensor<1x2x4x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @linalg_fill(%a: tensor<4x8xf32>, %f: f32) {
  %17 = linalg.fill {foo} ins(%f : f32) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @linalg_fill_2(%m: memref<4x8xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%m: memref<4x8xf32>)
  return
}

// -----

func.func @linalg_conv_2d_nhwc_hwcf(%in: tensor<1x16x16x4xf32>, %k: tensor<3x3x4x8xf32>, %o: tensor<1x14x14x8xf32>) {
  %18 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[1,1]> : tensor<2xi64>} ins(%in, %k: tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%o: tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  return
}

// -----

func.func @linalg_conv_2d_nhwc_hwcf_2(%in: tensor<1x16x16x4xf32>, %k: tensor<3x3x4x8xf32>, %o: tensor<1x14x14x8xf32>) {
  %19 = linalg.conv_2d_nhwc_hwcf ins(%in, %k: tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%o: tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  return
}

// -----

func.func @generic(%a: tensor<4x8xf32>, %b: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], doc = "documentation", library_call = "f"}
      ins(%a, %s : tensor<4x8xf32>, f32) outs(%b, %b : tensor<4xf32>, tensor<4xf32>) attrs = {foo} {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
    %i = linalg.index 0 : index
    linalg.yield %x, %y : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

#trait = {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
func.func @generic_alias_on_buffer(%m: memref<?xf32>, %f: f32) {
  linalg.generic #trait outs(%m : memref<?xf32>) {
  ^bb0(%x: f32):
    linalg.yield %f : f32
  }
  return
}

// -----

func.func @winograd(%f: tensor<2x3x3x5xf32>, %fo: tensor<6x6x5x2xf32>, %i: tensor<2x10x10x5xf32>, %io: tensor<6x6x2x2x2x5xf32>, %v: tensor<6x6x2x2x2x2xf32>, %o: tensor<2x8x8x2xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%fo : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %1 = linalg.winograd_input_transform fmr(F_4_3) ins(%i : tensor<2x10x10x5xf32>) outs(%io : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %2 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x2x2x2xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}
