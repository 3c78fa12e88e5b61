// Programs that mlir-opt rejects, and we with a message of the same substance.

// REJECTED: cast incompatible
func.func @tensor_bitcast(%t: tensor<4xf32>) {
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xi16>
  return
}

// -----

// REJECTED: cast incompatible
func.func @tensor_cast(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<5xf32>
  return
}

// -----

// REJECTED: cast incompatible
func.func @tensor_cast_2(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<4xf64>
  return
}

// -----

// REJECTED: to be static|to be dynamic
func.func @tensor_collapse_shape(%t: tensor<4x8xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<31xf32>
  return
}

// -----

// REJECTED: number of reassociation maps|rank
func.func @tensor_collapse_shape_2(%t: tensor<4x8xf32>) {
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<4x8xf32> into tensor<32xf32>
  return
}

// -----

// REJECTED: contiguous
func.func @tensor_collapse_shape_3(%t: tensor<4x8x2xf32>) {
  %0 = tensor.collapse_shape %t [[0, 2], [1]] : tensor<4x8x2xf32> into tensor<8x8xf32>
  return
}

// -----

// REJECTED: non-concatenated
func.func @tensor_concat(%t: tensor<4x8xf32>, %u: tensor<5x7xf32>) {
  %0 = tensor.concat dim(0) %t, %u : (tensor<4x8xf32>, tensor<5x7xf32>) -> tensor<9x8xf32>
  return
}

// -----

// REJECTED: less than the tensor rank
func.func @tensor_concat_2(%t: tensor<4x8xf32>) {
  %0 = tensor.concat dim(2) %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// REJECTED: does not match inferred
func.func @tensor_concat_3(%t: tensor<4x8xf32>) {
  %0 = tensor.concat dim(0) %t, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<9x8xf32>
  return
}

// -----

// REJECTED: 0-rank
func.func @tensor_dim(%t: tensor<f32>, %i: index) {
  %0 = tensor.dim %t, %i : tensor<f32>
  return
}

// -----

// REJECTED: dynamic
func.func @tensor_empty(%i: index) {
  %0 = tensor.empty(%i) : tensor<4xf32>
  return
}

// -----

// REJECTED: dynamic
func.func @tensor_empty_2() {
  %0 = tensor.empty() : tensor<?xf32>
  return
}

// -----

// REJECTED: static value
func.func @tensor_expand_shape(%t: tensor<8xf32>) {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 5] : tensor<8xf32> into tensor<2x5xf32>
  return
}

// -----

// REJECTED: output shape|output rank
func.func @tensor_expand_shape_2(%t: tensor<8xf32>) {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [2] : tensor<8xf32> into tensor<2x4xf32>
  return
}

// -----

// REJECTED: number of indices
func.func @tensor_extract(%t: tensor<4x8xf32>, %i: index) {
  %0 = tensor.extract %t[%i] : tensor<4x8xf32>
  return
}

// -----

// REJECTED: out-of-bounds
func.func @tensor_extract_slice(%t: tensor<4xf32>) {
  %0 = tensor.extract_slice %t[2] [4] [1] : tensor<4xf32> to tensor<4xf32>
  return
}

// -----

// REJECTED: size mismatch
func.func @tensor_extract_slice_2(%t: tensor<4xf32>) {
  %0 = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<3xf32>
  return
}

// -----

// REJECTED: element type
func.func @tensor_extract_slice_3(%t: tensor<4xf32>) {
  %0 = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf64>
  return
}

// -----

// REJECTED: expected 2 offset
func.func @tensor_extract_slice_4(%t: tensor<4x4xf32>) {
  %0 = tensor.extract_slice %t[0] [2] [1] : tensor<4x4xf32> to tensor<2xf32>
  return
}

// -----

// REJECTED: as many elements
func.func @tensor_from_elements(%f: f32) {
  %0 = tensor.from_elements %f, %f : tensor<3xf32>
  return
}

// -----

// REJECTED: non-empty
func.func @tensor_gather(%t: tensor<4x4xf32>, %i: tensor<1x2xindex>) {
  %0 = tensor.gather %t[%i] gather_dims([]) unique : (tensor<4x4xf32>, tensor<1x2xindex>) -> tensor<1x4xf32>
  return
}

// -----

// REJECTED: increasing
func.func @tensor_gather_2(%t: tensor<4x4xf32>, %i: tensor<1x2xindex>) {
  %0 = tensor.gather %t[%i] gather_dims([1, 0]) unique : (tensor<4x4xf32>, tensor<1x2xindex>) -> tensor<1xf32>
  return
}

// -----

// REJECTED: smaller than source rank|rank
func.func @tensor_gather_3(%t: tensor<4x4xf32>, %i: tensor<1x1xindex>) {
  %0 = tensor.gather %t[%i] gather_dims([2]) unique : (tensor<4x4xf32>, tensor<1x1xindex>) -> tensor<1x4xf32>
  return
}

// -----

// REJECTED: does not match
func.func @tensor_gather_4(%t: tensor<4x4xf32>, %i: tensor<1x1xindex>) {
  %0 = tensor.gather %t[%i] gather_dims([0]) unique : (tensor<4x4xf32>, tensor<1x1xindex>) -> tensor<1x5xf32>
  return
}

// -----

// REJECTED: unique
func.func @tensor_scatter(%t: tensor<4x4xf32>, %s: tensor<1x4xf32>, %i: tensor<1x1xindex>) {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) : (tensor<1x4xf32>, tensor<4x4xf32>, tensor<1x1xindex>) -> tensor<4x4xf32>
  return
}

// -----

// REJECTED: body argument|region
func.func @tensor_generate(%i: index, %f: f32) {
  %0 = tensor.generate %i {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  return
}

// -----

// REJECTED: yield
func.func @tensor_generate_2(%i: index, %f: f64) {
  %0 = tensor.generate %i {
  ^bb0(%a: index):
    tensor.yield %f : f64
  } : tensor<?xf32>
  return
}

// -----

// REJECTED: number of indices
func.func @tensor_insert(%t: tensor<4x8xf32>, %f: f32, %i: index) {
  %0 = tensor.insert %f into %t[%i] : tensor<4x8xf32>
  return
}

// -----

// REJECTED: size mismatch
func.func @tensor_insert_slice(%t: tensor<8xf32>, %s: tensor<4xf32>) {
  %0 = tensor.insert_slice %s into %t[0] [3] [1] : tensor<4xf32> into tensor<8xf32>
  return
}

// -----

// REJECTED: does not match the inferred
func.func @tensor_pad(%t: tensor<4xf32>, %f: f32) {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<7xf32>
  return
}

// -----

// REJECTED: body argument|arguments
func.func @tensor_pad_2(%t: tensor<4xf32>, %f: f32) {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<6xf32>
  return
}

// -----

// REJECTED: number of elements
func.func @tensor_reshape(%t: tensor<4xf32>, %s: tensor<1xindex>) {
  %0 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<5xf32>
  return
}

// -----

// REJECTED: length of shape operand
func.func @tensor_reshape_2(%t: tensor<4xf32>, %s: tensor<1xindex>) {
  %0 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<2x2xf32>
  return
}

// -----

// REJECTED: dynamic sizes
func.func @tensor_splat(%f: f32, %i: index) {
  %0 = tensor.splat %f[%i] : tensor<4xf32>
  return
}

// -----

// REJECTED: dynamic
func.func @memref_alloc(%i: index) {
  %0 = memref.alloc(%i) : memref<4xf32>
  return
}

// -----

// REJECTED: symbol
func.func @memref_alloc_2(%i: index) {
  %0 = memref.alloc()[%i] : memref<4xf32>
  return
}

// -----

// REJECTED: power of 2
func.func @memref_alloc_3() {
  %0 = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  return
}

// -----

// REJECTED: dynamic
func.func @memref_alloca() {
  %0 = memref.alloca() : memref<?xf32>
  return
}

// -----

// REJECTED: floating-point|integer
func.func @memref_atomic_rmw(%m: memref<4xf32>, %f: f32, %i: index) {
  %0 = memref.atomic_rmw addi %f, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

// REJECTED: cast incompatible
func.func @memref_cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}

// -----

// REJECTED: cast incompatible
func.func @memref_cast_2(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32, 1>
  return
}

// -----

// REJECTED: cast incompatible
func.func @memref_cast_3(%m: memref<*xf32>) {
  %0 = memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

// REJECTED: cast incompatible
func.func @memref_cast_4(%m: memref<4x4xf32, strided<[4, 1]>>) {
  %0 = memref.cast %m : memref<4x4xf32, strided<[4, 1]>> to memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

// REJECTED: same shape
func.func @memref_copy(%m: memref<4xf32>, %n: memref<5xf32>) {
  memref.copy %m, %n : memref<4xf32> to memref<5xf32>
  return
}

// -----

// REJECTED: element type
func.func @memref_copy_2(%m: memref<4xf32>, %n: memref<4xf64>) {
  memref.copy %m, %n : memref<4xf32> to memref<4xf64>
  return
}

// -----

// REJECTED: number of indices
func.func @memref_load(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

// REJECTED: number of indices
func.func @memref_store(%m: memref<4x4xf32>, %i: index, %f: f32) {
  memref.store %f, %m[%i] : memref<4x4xf32>
  return
}

// -----

// REJECTED: block argument|operand
func.func @memref_generic_atomic_rmw(%m: memref<4xf32>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%x: f64):
    memref.atomic_yield %x : f64
  }
  return
}

// -----

// REJECTED: 1D|rank 1
func.func @memref_realloc(%m: memref<4x4xf32>) {
  %0 = memref.realloc %m : memref<4x4xf32> to memref<8xf32>
  return
}

// -----

// REJECTED: element type
func.func @memref_realloc_2(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf64>
  return
}

// -----

// REJECTED: dynamic
func.func @memref_realloc_3(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<?xf32>
  return
}

// -----

// REJECTED: size = 
func.func @memref_reinterpret_cast(%m: memref<4xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [3], strides: [1] : memref<4xf32> to memref<2xf32>
  return
}

// -----

// REJECTED: stride
func.func @memref_reinterpret_cast_2(%m: memref<8xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[1]>>
  return
}

// -----

// REJECTED: length of shape operand
func.func @memref_reshape(%m: memref<4xf32>, %s: memref<1xindex>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<1xindex>) -> memref<2x2xf32>
  return
}

// -----

// REJECTED: out-of-bounds
func.func @memref_subview(%m: memref<4xf32>) {
  %0 = memref.subview %m[2] [4] [1] : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
  return
}

// -----

// REJECTED: offset
func.func @memref_subview_2(%m: memref<4xf32>) {
  %0 = memref.subview %m[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  return
}

// -----

// REJECTED: stride
func.func @memref_subview_3(%m: memref<8xf32>) {
  %0 = memref.subview %m[0] [2] [2] : memref<8xf32> to memref<2xf32, strided<[1]>>
  return
}

// -----

// REJECTED: memory space
func.func @memref_subview_4(%m: memref<8xf32>) {
  %0 = memref.subview %m[0] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1]>, 1>
  return
}

// -----

// REJECTED: result sizes
func.func @memref_subview_5(%m: memref<8xf32>) {
  %0 = memref.subview %m[0] [2] [1] : memref<8xf32> to memref<3xf32, strided<[1]>>
  return
}

// -----

// REJECTED: permutation
func.func @memref_transpose(%m: memref<4x8xf32>) {
  %0 = memref.transpose %m (i, j) -> (i, i) : memref<4x8xf32> to memref<4x4xf32>
  return
}

// -----

// REJECTED: permuted|result type
func.func @memref_transpose_2(%m: memref<4x8xf32>) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32>
  return
}

// -----

// REJECTED: 1D memref
func.func @memref_view(%b: memref<4x4xi8>, %i: index) {
  %0 = memref.view %b[%i][] : memref<4x4xi8> to memref<4xf32>
  return
}

// -----

// REJECTED: dynamic
func.func @memref_view_2(%b: memref<64xi8>, %i: index) {
  %0 = memref.view %b[%i][%i] : memref<64xi8> to memref<4xf32>
  return
}

// -----

// REJECTED: yield
func.func @scf_for(%a: index, %f: f32) {
  %0 = scf.for %i = %a to %a step %a iter_args(%s = %f) -> (f32) {
    scf.yield %a : index
  }
  return
}

// -----

// REJECTED: in_parallel|parallel combining|combining
func.func @scf_forall(%t: tensor<4xf32>) {
  scf.forall (%i) in (4) {
    scf.forall.in_parallel {
      %x = arith.constant 1 : i32
    }
  }
  return
}

// -----

// REJECTED: mapping
func.func @scf_forall_2() {
  scf.forall (%i, %j) in (4, 4) {
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// REJECTED: else
func.func @scf_if(%c: i1, %f: f32) {
  %0 = scf.if %c -> (f32) {
    scf.yield %f : f32
  }
  return
}

// -----

// REJECTED: yield
func.func @scf_if_2(%c: i1, %f: f32, %d: f64) {
  %0 = scf.if %c -> (f32) {
    scf.yield %d : f64
  } else {
    scf.yield %f : f32
  }
  return
}

// -----

// REJECTED: duplicate case
func.func @scf_index_switch(%a: index) {
  scf.index_switch %a
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
  }
  return
}

// -----

// REJECTED: reduc
func.func @scf_parallel(%a: index, %f: f32) {
  %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 {
  }
  return
}

// -----

// REJECTED: expects|operand|type
func.func @scf_while(%a: index, %c: i1, %f: f32) {
  %0 = scf.while (%i = %a) : (index) -> f32 {
    scf.condition(%c) %i : index
  } do {
  ^bb0(%x: f32):
    scf.yield %a : index
  }
  return
}

// -----

// REJECTED: yields|type
func.func @scf_while_2(%a: index, %c: i1, %f: f32) {
  %0 = scf.while (%i = %a) : (index) -> f32 {
    scf.condition(%c) %f : f32
  } do {
  ^bb0(%x: f32):
    scf.yield %x : f32
  }
  return
}

// -----

// REJECTED: at least one block|region
func.func @scf_execute_region() {
  scf.execute_region {
  }
  return
}

// -----

// REJECTED: operand
func.func @cf_br(%f: f32) {
  cf.br ^bb1(%f : f32)
^bb1:
  return
}

// -----

// REJECTED: type mismatch
func.func @cf_br_2(%f: f32) {
  cf.br ^bb1(%f : f32)
^bb1(%x: f64):
  return
}

// -----

// REJECTED: weights
func.func @cf_cond_br(%c: i1) {
  cf.cond_br %c weights([1, 2, 3]), ^bb1, ^bb1
^bb1:
  return
}

// -----

// REJECTED: dynamic
func.func @bufferization_alloc_tensor() {
  %0 = bufferization.alloc_tensor() : tensor<?xf32>
  return
}

// -----

// REJECTED: not needed
func.func @bufferization_alloc_tensor_2(%t: tensor<?xf32>, %i: index) {
  %0 = bufferization.alloc_tensor(%i) copy(%t) : tensor<?xf32>
  return
}

// -----

// REJECTED: condition
func.func @bufferization_dealloc(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c, %c)
  return
}

// -----

// REJECTED: writable
func.func @bufferization_materialize_in_destination(%t: tensor<4xf32>, %m: memref<4xf32>) {
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// REJECTED: restrict
func.func @bufferization_materialize_in_destination_2(%t: tensor<4xf32>) {
  %0 = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// REJECTED: same shape|shape
func.func @bufferization_materialize_in_destination_3(%t: tensor<4xf32>, %u: tensor<5xf32>) {
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

// REJECTED: match
func.func @bufferization_to_tensor(%m: memref<4xf32>) {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<5xf32>
  return
}

// -----

// REJECTED: match
func.func @bufferization_to_buffer(%t: tensor<4xf32>) {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf64>
  return
}

// -----

// REJECTED: increasing order|sorted
func.func @linalg_reduce(%t: tensor<4x4xf32>, %f: tensor<f32>) {
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<4x4xf32>) outs(%f : tensor<f32>) dimensions = [1, 0]
  return
}

// -----

// REJECTED: permutation
func.func @linalg_transpose(%t: tensor<4x8xf32>) {
  %0 = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) permutation = [0, 0]
  return
}

// -----

// REJECTED: doesn't match
func.func @linalg_transpose_2(%t: tensor<4x8xf32>) {
  %0 = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) permutation = [1, 0]
  return
}

// -----

// REJECTED: rank
func.func @linalg_broadcast(%t: tensor<4x8xf32>, %u: tensor<4xf32>) {
  %0 = linalg.broadcast ins(%u : tensor<4xf32>) outs(%t : tensor<4x8xf32>) dimensions = [0, 1]
  return
}

// -----

// REJECTED: shape's dimension|dimension
func.func @linalg_matmul(%t: tensor<4x8xf32>, %u: tensor<7x3xf32>, %o: tensor<4x3xf32>) {
  %0 = linalg.matmul ins(%t, %u : tensor<4x8xf32>, tensor<7x3xf32>) outs(%o : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// REJECTED: dimension
func.func @linalg_softmax(%t: tensor<4x8xf32>) {
  %0 = linalg.softmax dimension(2) ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// REJECTED: packed|expected
func.func @linalg_pack(%t: tensor<8xf32>, %p: tensor<3x4xf32>) {
  %0 = linalg.pack %t inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8xf32> -> tensor<3x4xf32>
  return
}

// -----

// REJECTED: yield
func.func @linalg_generic(%t: tensor<8xf32>, %d: f64) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<8xf32>) {
  ^bb0(%x: f32):
    linalg.yield %d : f64
  } -> tensor<8xf32>
  return
}

// -----

// REJECTED: parent|inside|expected
func.func @tensor_yield_alone(%f: f32) {
  tensor.yield %f : f32
}

// -----

// REJECTED: static
memref.global @dynamic : memref<?xf32>

// -----

// REJECTED: type
memref.global @other_type : memref<4xf32> = dense<1> : tensor<4xi32>

// -----

// REJECTED: insert into an output|destination|block argument
func.func @scf_forall_in_parallel_destination(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

// REJECTED: 'bufferization.writable' is expected to be a boolean attribute
func.func @writable_is_boolean(%t: tensor<4xf32> {bufferization.writable = 1 : i32}) {
  return
}

// -----

// REJECTED: 'bufferization.writable' is invalid on external functions
func.func private @writable_of_external(tensor<4xf32> {bufferization.writable = false})

// -----

// REJECTED: 'bufferization.access' is expected to be a string attribute
func.func @access_is_string(%t: tensor<4xf32> {bufferization.access = 1}) {
  return
}

// -----

// REJECTED: invalid value for 'bufferization.access'
func.func @access_is_known(%t: tensor<4xf32> {bufferization.access = "reads"}) {
  return
}

// -----

// REJECTED: 'bufferization.buffer_layout' is expected to be a memref layout attribute
func.func @layout_is_layout(%t: tensor<4xf32> {bufferization.buffer_layout = 1}) {
  return
}

// -----

// REJECTED: not supported as a region arg attribute by the bufferization dialect
func.func @argument_attribute(%t: tensor<4xf32> {bufferization.manual_deallocation}) {
  return
}

// -----

// REJECTED: 'bufferization.access' not supported as an op attribute by the bufferization dialect
func.func @function_attribute(%t: tensor<4xf32>) attributes {bufferization.access = "read"} {
  return
}

// -----

// REJECTED: 'bufferization.writable' not supported as an op attribute by the bufferization dialect
func.func @op_attribute() {
  %c = arith.constant {bufferization.writable = true} 1 : index
  return
}

// -----

// REJECTED: 'bufferization.unknown' not supported as an op attribute by the bufferization dialect
func.func @nested_op_attribute(%c: i1) {
  scf.if %c {
    %0 = arith.constant {bufferization.unknown} 1 : index
  }
  return
}

// -----

// REJECTED: can be used only on ops that have an allocation and/or free side effect
func.func @manual_deallocation_of_function() attributes {bufferization.manual_deallocation} {
  return
}

// -----

// REJECTED: can be used only on ops that have an allocation and/or free side effect
func.func @manual_deallocation_of_tensor(%i: index) {
  %0 = bufferization.alloc_tensor(%i) {bufferization.manual_deallocation} : tensor<?xf32>
  return
}

// -----

// REJECTED: can be used only on ops that have an allocation and/or free side effect
func.func @manual_deallocation_of_region(%i: index) {
  scf.execute_region {
    %0 = memref.alloc(%i) : memref<?xf32>
    scf.yield
  } {bufferization.manual_deallocation}
  return
}

// -----

// REJECTED: can be used only on ops that have an allocation and/or free side effect
func.func @manual_deallocation_of_call() {
  func.call @manual_deallocation_of_call() {bufferization.manual_deallocation} : () -> ()
  return
}

// -----

// REJECTED: must have operands of the types
ml_program.func @ml_program_return_of_other_type(%i: i32) -> i64 {
  ml_program.return %i : i32
}

// -----

// REJECTED: parent
ml_program.func @ml_program_output_of_function(%i: i32) -> i32 {
  ml_program.output %i : i32
}

// -----
// REJECTED: expected one of
func.func @quoted_predicate(%a: index) {
  %0 = arith.cmpi "smaller", %a, %a : index
  return
}

// -----

// REJECTED: symbol operand count
func.func @too_few_symbols_of_a_layout(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

// REJECTED: symbol operand count
func.func @too_many_symbols_of_a_layout(%o: index) {
  %0 = memref.alloca()[%o] : memref<5xf32, strided<[5], offset: 2>>
  return
}

// -----

// REJECTED: at least one of the multiply operands has to be either a constant or symbolic
func.func private @product_of_dimensions(memref<?x?xf32, affine_map<(d0, d1) -> (d0 * d1)>>)

// -----

// REJECTED: right operand of floordiv has to be either a constant or symbolic
func.func private @quotient_of_dimensions(
    memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d0 floordiv (d1 + s0))>>)

// -----

// REJECTED: does not reference a valid global memref
func.func @get_global_of_nothing() {
  %0 = memref.get_global @nothing : memref<4xf32>
  return
}

// -----

// REJECTED: does not reference a valid global memref
func.func @get_global_of_a_function() {
  %0 = memref.get_global @get_global_of_a_function : memref<4xf32>
  return
}

// -----

// REJECTED: does not match type
memref.global @get_global_of_another_type : memref<3xf32> = dense<1.0>
func.func @read() {
  %0 = memref.get_global @get_global_of_another_type : memref<4xf32>
  return
}

// -----

// REJECTED: invalid source layout map|not contiguous
func.func @collapse_of_rows_apart(%m: memref<4x5xf32, strided<[10, 1]>>) {
  %0 = memref.collapse_shape %m [[0, 1]]
      : memref<4x5xf32, strided<[10, 1]>> into memref<20xf32, strided<[1]>>
  return
}

// -----

// REJECTED: to be
func.func @collapse_without_the_layout(%m: memref<4x5xf32, strided<[?, 1]>>) {
  %0 = memref.collapse_shape %m [[0, 1]]
      : memref<4x5xf32, strided<[?, 1]>> into memref<20xf32>
  return
}

// -----

// REJECTED: to be
func.func @collapse_to_another_stride(%m: memref<4x5xf32>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<20xf32, strided<[2]>>
  return
}

// -----

// REJECTED: to be
func.func @expand_to_other_strides(%m: memref<20xf32, strided<[2]>>) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [5, 4]
      : memref<20xf32, strided<[2]>> into memref<5x4xf32, strided<[1, 4]>>
  return
}

// -----

// REJECTED: to be
func.func @expand_to_another_offset(%m: memref<20xf32, strided<[1], offset: ?>>) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [5, 4]
      : memref<20xf32, strided<[1], offset: ?>> into memref<5x4xf32, strided<[4, 1], offset: 2>>
  return
}

// -----

// REJECTED: elements are index
func.func @vector_store_elements(%m: memref<4xindex>, %i: index, %v: vector<2xi32>) {
  vector.store %v, %m[%i] : memref<4xindex>, vector<2xi32>
  return
}

// -----

// REJECTED: elements are index
func.func @vector_maskedload_elements(%m: memref<4xindex>, %i: index, %k: vector<2xi1>, %v: vector<2xi32>) -> vector<2xi32> {
  %0 = vector.maskedload %m[%i], %k, %v : memref<4xindex>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// REJECTED: elements are index
func.func @vector_maskedstore_elements(%m: memref<4xindex>, %i: index, %k: vector<2xi1>, %v: vector<2xi32>) {
  vector.maskedstore %m[%i], %k, %v : memref<4xindex>, vector<2xi1>, vector<2xi32>
  return
}

// -----

// REJECTED: elements are index
func.func @vector_gather_elements(%m: memref<4xindex>, %i: index, %k: vector<2xi1>, %v: vector<2xi32>, %x: vector<2xindex>) -> vector<2xi32> {
  %0 = vector.gather %m[%i] [%x], %k, %v : memref<4xindex>, vector<2xindex>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// REJECTED: elements are index
func.func @vector_scatter_elements(%m: memref<4xindex>, %i: index, %k: vector<2xi1>, %v: vector<2xi32>, %x: vector<2xindex>) {
  vector.scatter %m[%i] [%x], %k, %v : memref<4xindex>, vector<2xindex>, vector<2xi1>, vector<2xi32>
  return
}

// -----

// REJECTED: elements are index
func.func @vector_expandload_elements(%m: memref<4xindex>, %i: index, %k: vector<2xi1>, %v: vector<2xi32>) -> vector<2xi32> {
  %0 = vector.expandload %m[%i], %k, %v : memref<4xindex>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// REJECTED: elements are index
func.func @vector_compressstore_elements(%m: memref<4xindex>, %i: index, %k: vector<3xi1>, %v: vector<2xi32>) {
  vector.compressstore %m[%i], %k, %v : memref<4xindex>, vector<3xi1>, vector<2xi32>
  return
}

// -----

// REJECTED: elements are index
func.func @vector_load_elements(%m: memref<4x4xindex>, %i: index) -> vector<2xi32> {
  %0 = vector.load %m[%i, %i] : memref<4x4xindex>, vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// REJECTED: mask of the shape
func.func @vector_compressstore_mask(%m: memref<4xi32>, %i: index, %k: vector<3xi1>, %v: vector<2xi32>) {
  vector.compressstore %m[%i], %k, %v : memref<4xi32>, vector<3xi1>, vector<2xi32>
  return
}

// -----

// REJECTED: power of 2 of type i64
memref.global @global_alignment_type : memref<1xindex> = dense<0> {alignment = 64 : i32}

// -----

// REJECTED: masked places
func.func @vector_maskedload_pass_thru(%m: memref<2xi32>, %i: index, %k: vector<2xi1>, %v: vector<2xindex>) -> vector<2xi32> {
  %0 = "vector.maskedload"(%m, %i, %k, %v) : (memref<2xi32>, index, vector<2xi1>, vector<2xindex>) -> vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// REJECTED: signless-integer-like
func.func @cmpi_of_floats(%x: f32) {
  %0 = arith.cmpi eq, %x, %x : f32
  return
}

// -----

// REJECTED: undefined function
func.func @function_undefined() {
  %0 = func.constant @nope : (i32) -> i32
  return
}

// -----

// REJECTED: has type
func.func @function_of_other_type() {
  %0 = func.constant @function_of_other_type : (i32) -> i32
  return
}

// -----

// REJECTED: different number of elements
func.func @vector_shape_cast_count(%v: vector<4xf32>) {
  %0 = vector.shape_cast %v : vector<4xf32> to vector<3xf32>
  return
}

// -----

// REJECTED: different .*element types
func.func @vector_shape_cast_elements(%v: vector<4xf32>) {
  %0 = vector.shape_cast %v : vector<4xf32> to vector<2x2xi32>
  return
}

// -----

// REJECTED: scalable dim
func.func @vector_shape_cast_scalable(%v: vector<4xf32>) {
  %0 = vector.shape_cast %v : vector<4xf32> to vector<[4]xf32>
  return
}

// -----

// REJECTED: permutation
func.func @vector_transpose_permutation(%v: vector<4x4xf32>) {
  %0 = vector.transpose %v, [0, 0] : vector<4x4xf32> to vector<4x4xf32>
  return
}

// -----

// REJECTED: shape 8x4
func.func @vector_transpose_shape(%v: vector<4x8xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

// REJECTED: unsupported reduction type
func.func @vector_reduction_kind(%v: vector<4xf32>) {
  %0 = vector.reduction <minsi>, %v : vector<4xf32> into f32
  return
}

// -----

// REJECTED: incompatible with source
func.func @vector_multi_reduction_dims(%v: vector<4x2xf32>, %a: vector<4xf32>) {
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<4x2xf32> to vector<4xf32>
  return
}

// -----

// REJECTED: got 2
func.func @vector_from_elements_count(%x: f32) {
  %0 = "vector.from_elements"(%x, %x) : (f32, f32) -> vector<3xf32>
  return
}

// -----

// REJECTED: from 2 on in a dimension of 4
func.func @vector_extract_slice_outside(%v: vector<4xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
  return
}

// -----

// REJECTED: strides to be
func.func @vector_extract_slice_strides(%v: vector<4xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [2]} : vector<4xf32> to vector<2xf32>
  return
}

// -----

// REJECTED: shape 2,
func.func @vector_extract_slice_result(%v: vector<4xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<3xf32>
  return
}

// -----

// REJECTED: from 1 on in a dimension of 4
func.func @vector_insert_slice_outside(%v: vector<4xf32>) {
  %0 = vector.insert_strided_slice %v, %v {offsets = [1], strides = [1]} : vector<4xf32> into vector<4xf32>
  return
}

// -----

// REJECTED: out of bounds
func.func @vector_constant_mask_size() {
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

// REJECTED: 1-bit
func.func @vector_constant_mask_type() {
  %0 = vector.constant_mask [4] : vector<4xf32>
  return
}

// -----

// REJECTED: index values
func.func @vector_step_elements() {
  %0 = vector.step : vector<4xf32>
  return
}

// -----

// REJECTED: twice
func.func @vector_interleave_size(%v: vector<4xf32>) {
  %0 = vector.interleave %v, %v : vector<4xf32> -> vector<4xf32>
  return
}

// -----

// REJECTED: twice
func.func @vector_deinterleave_size(%v: vector<4xf32>) {
  %0, %1 = vector.deinterleave %v : vector<4xf32> -> vector<3xf32>
  return
}

// -----

// REJECTED: smaller than the corresponding
func.func @vector_extract(%v: vector<4xf32>) {
  %0 = vector.extract %v[7] : f32 from vector<4xf32>
  return
}

// -----

// REJECTED: smaller than the corresponding
func.func @vector_extract_2(%v: vector<4xf32>) {
  %0 = vector.extract %v[-2] : f32 from vector<4xf32>
  return
}

// -----

// REJECTED: smaller than the corresponding
func.func @vector_extract_3(%v: vector<[4]xf32>) {
  %0 = vector.extract %v[5] : f32 from vector<[4]xf32>
  return
}

// -----

// REJECTED: expects a part|incompatible
func.func @vector_extract_4(%v: vector<2x4xf32>) {
  %0 = vector.extract %v[1] : vector<3xf32> from vector<2x4xf32>
  return
}

// -----

// REJECTED: expects a part|incompatible
func.func @vector_extract_5(%v: vector<2x[4]xf32>) {
  %0 = vector.extract %v[1] : vector<4xf32> from vector<2x[4]xf32>
  return
}

// -----

// REJECTED: smaller than the corresponding
func.func @vector_insert(%v: vector<4xf32>, %x: f32) {
  %0 = vector.insert %x, %v[4] : f32 into vector<4xf32>
  return
}

// -----

// REJECTED: smaller than the corresponding
func.func @vector_insert_2(%v: vector<2x4xf32>, %i: index, %x: f32) {
  %0 = vector.insert %x, %v[%i, 4] : f32 into vector<2x4xf32>
  return
}

// -----

// REJECTED: smaller than the corresponding
func.func @vector_insert_3(%v: vector<2x4xf32>, %x: vector<4xf32>) {
  %0 = vector.insert %x, %v[2] : vector<4xf32> into vector<2x4xf32>
  return
}

// -----

// REJECTED: dimension mismatch
func.func @vector_broadcast(%v: vector<3xf32>) {
  %0 = vector.broadcast %v : vector<3xf32> to vector<4xf32>
  return
}

// -----

// REJECTED: dimension mismatch
func.func @vector_broadcast_2(%v: vector<4xf32>) {
  %0 = vector.broadcast %v : vector<4xf32> to vector<4x2xf32>
  return
}

// -----

// REJECTED: source rank higher
func.func @vector_broadcast_3(%v: vector<2x4xf32>) {
  %0 = vector.broadcast %v : vector<2x4xf32> to vector<4xf32>
  return
}

// -----

// REJECTED: dimension mismatch
func.func @vector_broadcast_4(%v: vector<4xf32>) {
  %0 = vector.broadcast %v : vector<4xf32> to vector<[4]xf32>
  return
}

// -----

// REJECTED: at least one result
func.func @affine_min(%i: index) {
  %0 = affine.min affine_map<(d0) -> ()>(%i)
  return
}

// -----

// REJECTED: at least one result
func.func @affine_max(%i: index) {
  %0 = affine.max affine_map<(d0) -> ()>(%i)
  return
}

// -----

// REJECTED: count|dimensions
func.func @affine_if(%i: index) {
  affine.if affine_set<(d0) : (d0 >= 0)>(%i, %i) {
  }
  return
}

// -----

// REJECTED: count|symbols
func.func @affine_if_2(%i: index) {
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i) {
  }
  return
}

// -----

// REJECTED: count
func.func @affine_if_3(%i: index) {
  "affine.if"(%i, %i) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    affine.yield
  }, {
  }) : (index, index) -> ()
  return
}

// -----

// REJECTED: region
func.func @affine_if_4(%i: index, %x: f32) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

// REJECTED: yields?
func.func @affine_if_5(%i: index, %x: f32) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 {
    affine.yield %x : f32
  } else {
    affine.yield %i : index
  }
  return
}

// -----

// REJECTED: yields?
func.func @affine_for(%x: f32) {
  %0 = affine.for %j = 0 to 4 iter_args(%q = %x) -> (f32) {
  }
  return
}

// -----

// REJECTED: at least a terminator
func.func @affine_for_2(%x: f32) {
  %0 = "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>,
      step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 1>}> ({
  ^bb0(%j: index, %q: f32):
  }) : (f32) -> f32
  return
}

// -----

// REJECTED: yields?
func.func @affine_for_3(%x: f32) {
  %0 = "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>,
      step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 1>}> ({
  ^bb0(%j: index, %q: f32):
    affine.yield %j : index
  }) : (f32) -> f32
  return
}

// -----

// REJECTED: at least one result
func.func @affine_for_4(%i: index) {
  affine.for %j = max affine_map<(d0) -> ()>(%i) to 4 {
  }
  return
}

// -----

// REJECTED: yields?
func.func @affine_parallel_2(%x: f32) {
  affine.parallel (%j) = (0) to (4) {
    affine.yield %x : f32
  }
  return
}

// -----

// REJECTED: undefined global
func.func @ml_program_global_load() {
  %0 = ml_program.global_load @nope : f32
  return
}

// -----

// REJECTED: undefined global
func.func @ml_program_global_load_const() {
  %0 = ml_program.global_load_const @nope : f32
  return
}

// -----

// REJECTED: undefined global
func.func @ml_program_global_store(%x: f32) {
  ml_program.global_store @nope = %x : f32
  return
}

// -----

// REJECTED: undefined global
func.func @ml_program_global_load_2() {
  %0 = ml_program.global_load @ml_program_global_load_2 : f32
  return
}

// -----

// REJECTED: immutable
ml_program.global private @ml_program_immutable(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func private @f(%t: tensor<4xf32>) {
  ml_program.global_store @ml_program_immutable = %t : tensor<4xf32>
  return
}

// -----

// REJECTED: typed
ml_program.global private mutable @ml_program_type(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func private @f() {
  %0 = ml_program.global_load @ml_program_type : tensor<5xf32>
  return
}

// -----

// REJECTED: typed
ml_program.global private mutable @ml_program_type_2(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func private @f(%t: tensor<5xf32>) {
  ml_program.global_store @ml_program_type_2 = %t : tensor<5xf32>
  return
}

// -----

// REJECTED: mutable
ml_program.global private mutable @ml_program_mutable(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func private @f() {
  %0 = ml_program.global_load_const @ml_program_mutable : tensor<4xf32>
  return
}

// -----

// REJECTED: initial value
ml_program.global private @ml_program_no_value : tensor<4xf32>

// -----

// REJECTED: undefined global
ml_program.subgraph @ml_program_graph(%t: tensor<4xf32>) -> () {
  %0 = "ml_program.global_store_graph"(%t) <{global = @g}> : (tensor<4xf32>) -> !ml_program.token
  ml_program.output
}

// -----

// REJECTED: index
func.func @affine_for_step() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>,
      step = 1 : i32, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%j: index):
    affine.yield
  }) : () -> ()
  return
}

// -----

// REJECTED: no arguments
func.func @affine_if_arguments(%i: index) {
  "affine.if"(%i) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
  ^bb0(%j: index):
    affine.yield
  }, {
  }) : (index) -> ()
  return
}

// -----

// REJECTED: cannot match reduction
func.func @affine_parallel_kind(%x: f32) {
  %0 = affine.parallel (%j) = (0) to (4) reduce ("addi") -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

// REJECTED: cannot match reduction
func.func @affine_parallel_kind_2(%i: i32) {
  %0 = affine.parallel (%j) = (0) to (4) reduce ("addf") -> i32 {
    affine.yield %i : i32
  }
  return
}

// -----

// REJECTED: expected a float literal
func.func @float_of_decimal_integer() {
  %0 = arith.constant 1 : f32
  return
}

// -----

// REJECTED: expected a float literal
func.func @float_of_negative_integer() {
  %0 = arith.constant -10000 : f64
  return
}

// -----

// REJECTED: too wide
func.func @float_of_wide_bits() {
  %0 = arith.constant 0x1FFFFFFFF : f32
  return
}

// -----

// REJECTED: too wide
func.func @float_of_wide_bits_2() {
  %0 = arith.constant 0x10 : f4E2M1FN
  return
}

// -----

// REJECTED: sign
func.func @float_of_signed_bits() {
  %0 = arith.constant -0x1 : f32
  return
}

// -----

// REJECTED: expected a float literal
func.func @floats_of_decimal_integers() {
  %0 = arith.constant dense<[1.0, 2]> : tensor<2xf32>
  return
}

// -----

// REJECTED: too wide
func.func @floats_of_wide_bits() {
  %0 = arith.constant dense<0x1FFFF> : tensor<2xbf16>
  return
}

// -----

// REJECTED: too wide
func.func @array_of_wide_bits() {
  "test.op"() {a = array<f16: 0x1FFFF>} : () -> ()
  return
}

// -----

// REJECTED: expected a float literal
func.func @complex_of_integers() {
  %0 = arith.constant dense<(1, 2)> : tensor<2xcomplex<f32>>
  return
}

// -----

// REJECTED: sign
func.func @complex_of_signed_bits() {
  %0 = arith.constant dense<(-0x10, 2.0)> : tensor<2xcomplex<f32>>
  return
}

// -----

// REJECTED: expected an integer
func.func @complex_of_wide_integers() {
  %0 = arith.constant dense<(0x1FF, 2)> : tensor<2xcomplex<i8>>
  return
}

// -----

// REJECTED: expected an integer
func.func @complex_of_floats() {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<i8>>
  return
}
