func.func @alloc_constant() -> memref<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = memref.alloc(%c4, %c5) {alignment = 64 : i64} : memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// -----

func.func @alloca_constant(%n: index, %x: f32) -> f32 {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = memref.alloca(%c4, %n) : memref<?x?xf32>
  memref.store %x, %0[%c0, %c0] : memref<?x?xf32>
  %1 = memref.load %0[%n, %c0] : memref<?x?xf32>
  return %1 : f32
}

// -----

func.func @dim_of_reduced_subview(%a: memref<?x?xf32>, %i: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.subview %a[%i, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %d = memref.dim %s, %c0 : memref<?xf32, strided<[1], offset: ?>>
  return %d : index
}

// -----

func.func @dim_of_reduced_subview_two(%a: memref<?x?x?xf32>, %i: index, %n: index, %m: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %a[%i, 0, 0] [%m, 1, %n] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %d = memref.dim %s, %c0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  %e = memref.dim %s, %c1 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  return %d, %e : index, index
}

// -----

func.func @dim_of_collapse_memref(%a: memref<?x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.collapse_shape %a [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  %d = memref.dim %s, %c0 : memref<?xf32>
  return %d : index
}

// -----

// DIFFERS: mlir-opt does not use the sizes of an expansion.
func.func @dim_of_expand_memref(%a: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.expand_shape %a [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  %d = memref.dim %s, %c0 : memref<?x4xf32>
  return %d : index
}

// -----

func.func @dim_of_view(%a: memref<?xi8>, %n: index, %o: index) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.view %a[%o][%n] : memref<?xi8> to memref<?x4xf32>
  %d = memref.dim %s, %c0 : memref<?x4xf32>
  return %d : index
}

// -----

func.func @dim_of_transpose_memref(%a: memref<?x4x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.transpose %a (i, j, k) -> (k, i, j) : memref<?x4x?xf32> to memref<?x?x4xf32, strided<[1, ?, ?]>>
  %d = memref.dim %s, %c0 : memref<?x?x4xf32, strided<[1, ?, ?]>>
  return %d : index
}

// -----

func.func @dim_of_memory_space_cast(%a: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.memory_space_cast %a : memref<?xf32> to memref<?xf32, 1>
  %d = memref.dim %s, %c0 : memref<?xf32, 1>
  return %d : index
}

// -----

func.func @dim_of_reshape_memref(%a: memref<?xf32>, %s: memref<2xindex>) -> index {
  %c1 = arith.constant 1 : index
  %0 = memref.reshape %a(%s) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  %d = memref.dim %0, %c1 : memref<?x?xf32>
  return %d : index
}

// -----

func.func @dim_of_realloc(%a: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = memref.realloc %a(%n) : memref<?xf32> to memref<?xf32>
  %d = memref.dim %0, %c0 : memref<?xf32>
  return %d : index
}

// -----

// DIFFERS: mlir-opt keeps the cast to an unranked buffer.
func.func @dim_of_cast_unranked(%a: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = memref.cast %a : memref<?xf32> to memref<*xf32>
  %d = memref.dim %0, %c0 : memref<*xf32>
  return %d : index
}

// -----

func.func @dim_of_clone(%a: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  %d = memref.dim %0, %c0 : memref<?xf32>
  return %d : index
}

// -----

func.func @rank_memref(%a: memref<?x3xf32>) -> index {
  %0 = memref.rank %a : memref<?x3xf32>
  return %0 : index
}

// -----

func.func @rank_of_cast(%a: memref<?x3xf32>) -> index {
  %1 = memref.cast %a : memref<?x3xf32> to memref<*xf32>
  %0 = memref.rank %1 : memref<*xf32>
  return %0 : index
}

// -----

func.func @subview_of_subview_again(%a: memref<16xf32>) -> memref<2xf32, strided<[1], offset: 6>> {
  %0 = memref.subview %a[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  %1 = memref.subview %0[2] [2] [1] : memref<8xf32, strided<[1], offset: 4>> to memref<2xf32, strided<[1], offset: 6>>
  return %1 : memref<2xf32, strided<[1], offset: 6>>
}

// -----

func.func @whole_subview_again(%a: memref<16xf32>) -> memref<16xf32> {
  %0 = memref.subview %a[0] [16] [1] : memref<16xf32> to memref<16xf32>
  return %0 : memref<16xf32>
}

// -----

func.func @whole_subview_same_layout(%a: memref<16xf32, strided<[2], offset: ?>>) -> memref<16xf32, strided<[2], offset: ?>> {
  %0 = memref.subview %a[0] [16] [1] : memref<16xf32, strided<[2], offset: ?>> to memref<16xf32, strided<[2], offset: ?>>
  return %0 : memref<16xf32, strided<[2], offset: ?>>
}

// -----

func.func @whole_subview_dynamic(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %0 = memref.subview %a[0] [%n] [1] : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

func.func @whole_subview_strided_result(%a: memref<16xf32>) -> memref<16xf32, strided<[1]>> {
  %0 = memref.subview %a[0] [16] [1] : memref<16xf32> to memref<16xf32, strided<[1]>>
  return %0 : memref<16xf32, strided<[1]>>
}

// -----

func.func @subview_constant(%a: memref<8x8xf32>, %n: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c2 = arith.constant 2 : index
  %0 = memref.subview %a[%c2, %n] [%c2, %c2] [%c2, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %1 = memref.cast %0 : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// -----

func.func @subview_of_cast_again(%a: memref<8x8xf32>, %n: index) -> memref<4x?xf32, strided<[?, 1], offset: ?>> {
  %0 = memref.cast %a : memref<8x8xf32> to memref<?x?xf32>
  %1 = memref.subview %0[%n, 0] [4, %n] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  return %1 : memref<4x?xf32, strided<[?, 1], offset: ?>>
}

// -----

func.func @collapse_identity_memref(%a: memref<8x4xf32>) -> memref<8x4xf32> {
  %0 = memref.collapse_shape %a [[0], [1]] : memref<8x4xf32> into memref<8x4xf32>
  return %0 : memref<8x4xf32>
}

// -----

func.func @collapse_of_collapse_memref(%a: memref<2x?x4xf32>) -> memref<?xf32> {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<2x?x4xf32> into memref<?x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @expand_of_expand_memref(%a: memref<16xf32>) -> memref<2x2x4xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
  return %1 : memref<2x2x4xf32>
}

// -----

func.func @collapse_of_expand_memref(%a: memref<16xf32>) -> memref<16xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  return %1 : memref<16xf32>
}

// -----

func.func @collapse_of_expand_partly_memref(%a: memref<16xf32>) -> memref<4x4xf32> {
  %0 = memref.expand_shape %a [[0, 1, 2]] output_shape [2, 2, 4] : memref<16xf32> into memref<2x2x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1], [2]] : memref<2x2x4xf32> into memref<4x4xf32>
  return %1 : memref<4x4xf32>
}

// -----

func.func @expand_of_collapse_memref(%a: memref<4x4xf32>) -> memref<4x4xf32> {
  %0 = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  return %1 : memref<4x4xf32>
}

// -----

func.func @collapse_of_cast_memref(%a: memref<4x5xf32>) -> memref<?xf32> {
  %0 = memref.cast %a : memref<4x5xf32> to memref<?x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

// DIFFERS: mlir-opt requires a constant, although the size can be inferred
func.func @expand_of_cast_memref(%a: memref<20xf32>, %n: index) -> memref<?x5xf32> {
  %0 = memref.cast %a : memref<20xf32> to memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%n, 5] : memref<?xf32> into memref<?x5xf32>
  return %1 : memref<?x5xf32>
}

// -----

func.func @view_constant(%a: memref<2048xi8>) -> memref<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = memref.view %a[%c0][%c4, %c4] : memref<2048xi8> to memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// -----

func.func @view_of_cast(%a: memref<2048xi8>, %n: index) -> memref<?x4xf32> {
  %1 = memref.cast %a : memref<2048xi8> to memref<?xi8>
  %0 = memref.view %1[%n][%n] : memref<?xi8> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// -----

func.func @view_of_alloc(%n: index) -> memref<?x4xf32> {
  %c64 = arith.constant 64 : index
  %1 = memref.alloc(%c64) : memref<?xi8>
  %0 = memref.view %1[%n][%n] : memref<?xi8> to memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// -----

func.func @reinterpret_constant(%a: memref<?xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0 = memref.reinterpret_cast %a to offset: [%c1], sizes: [%c4, %c4], strides: [%c4, %c1] : memref<?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// -----

func.func @reinterpret_of_reinterpret(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.reinterpret_cast %a to offset: [%n], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%n], strides: [1] : memref<4xf32, strided<[1], offset: ?>> to memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @reinterpret_of_cast(%a: memref<16xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.cast %a : memref<16xf32> to memref<?xf32>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @reinterpret_of_subview(%a: memref<16x4xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<16x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [%n], strides: [1] : memref<2x4xf32, strided<[4, 1]>> to memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @reinterpret_of_own_metadata(%a: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?x4xf32, strided<[?, 1], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<?x4xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %1 = memref.reinterpret_cast %b to offset: [%o], sizes: [%s#0, 4], strides: [%t#0, 1] : memref<f32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %1 : memref<?x4xf32, strided<[?, 1], offset: ?>>
}

// -----

func.func @metadata_static(%a: memref<3x4xf32, strided<[8, 2], offset: 5>>) -> (index, index, index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<3x4xf32, strided<[8, 2], offset: 5>> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %s#1, %t#0, %t#1 : index, index, index, index, index
}

// -----

func.func @metadata_partly_static(%a: memref<3x?xf32, strided<[?, 1], offset: ?>>) -> (index, index, index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<3x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %s#1, %t#0, %t#1 : index, index, index, index, index
}

// -----

func.func @metadata_of_cast(%a: memref<3x4xf32>) -> (memref<f32>, index, index) {
  %0 = memref.cast %a : memref<3x4xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %0 : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %b, %o, %s#0 : memref<f32>, index, index
}

// -----

func.func @metadata_of_reinterpret(%a: memref<f32>, %n: index, %m: index) -> (memref<f32>, index, index, index) {
  %0 = memref.reinterpret_cast %a to offset: [%n], sizes: [%m], strides: [%n] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
  %b, %o, %s, %t = memref.extract_strided_metadata %0 : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  return %b, %o, %s, %t : memref<f32>, index, index, index
}

// -----

// DIFFERS: mlir-opt keeps the cast.
func.func @pointer_of_cast(%a: memref<3x4xf32>) -> index {
  %0 = memref.cast %a : memref<3x4xf32> to memref<?x?xf32>
  %1 = memref.extract_aligned_pointer_as_index %0 : memref<?x?xf32> -> index
  return %1 : index
}

// -----

func.func @pointer_of_subview(%a: memref<3x4xf32>, %i: index) -> index {
  %0 = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.extract_aligned_pointer_as_index %0 : memref<4xf32, strided<[1], offset: ?>> -> index
  return %1 : index
}

// -----

func.func @memory_space_casts(%a: memref<3xf32>) -> memref<3xf32, 2> {
  %0 = memref.memory_space_cast %a : memref<3xf32> to memref<3xf32, 1>
  %1 = memref.memory_space_cast %0 : memref<3xf32, 1> to memref<3xf32, 2>
  return %1 : memref<3xf32, 2>
}

// -----

func.func @memory_space_cast_back(%a: memref<3xf32>) -> memref<3xf32> {
  %0 = memref.memory_space_cast %a : memref<3xf32> to memref<3xf32, 1>
  %1 = memref.memory_space_cast %0 : memref<3xf32, 1> to memref<3xf32>
  return %1 : memref<3xf32>
}

// -----

// DIFFERS: mlir-opt keeps a transpose that is a cast.
func.func @transpose_identity(%a: memref<3x4xf32>) -> memref<3x4xf32, strided<[4, 1]>> {
  %0 = memref.transpose %a (i, j) -> (i, j) : memref<3x4xf32> to memref<3x4xf32, strided<[4, 1]>>
  return %0 : memref<3x4xf32, strided<[4, 1]>>
}

// -----

// DIFFERS: mlir-opt keeps a transpose that is a cast.
func.func @transpose_of_transpose_memref(%a: memref<3x4xf32>) -> memref<3x4xf32, strided<[4, 1]>> {
  %0 = memref.transpose %a (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  %1 = memref.transpose %0 (i, j) -> (j, i) : memref<4x3xf32, strided<[1, 4]>> to memref<3x4xf32, strided<[4, 1]>>
  return %1 : memref<3x4xf32, strided<[4, 1]>>
}

// -----

func.func @copy_of_casts(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  %0 = memref.cast %a : memref<3x4xf32> to memref<?x4xf32>
  %1 = memref.cast %b : memref<3x4xf32> to memref<3x?xf32>
  memref.copy %0, %1 : memref<?x4xf32> to memref<3x?xf32>
  return
}

// -----

func.func @copy_to_itself(%a: memref<3x4xf32>) {
  memref.copy %a, %a : memref<3x4xf32> to memref<3x4xf32>
  return
}

// -----

func.func @copy_of_nothing(%a: memref<0x?xf32>, %b: memref<0x?xf32>) {
  memref.copy %a, %b : memref<0x?xf32> to memref<0x?xf32>
  return
}

// -----

func.func @copy_to_same_subview(%a: memref<16xf32>, %i: index) {
  %0 = memref.subview %a[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.subview %a[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %0, %1 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  return
}

// -----

func.func @atomic_of_cast(%a: memref<3xf32>, %x: f32, %i: index) -> f32 {
  %0 = memref.cast %a : memref<3xf32> to memref<?xf32>
  %1 = memref.atomic_rmw addf %x, %0[%i] : (f32, memref<?xf32>) -> f32
  return %1 : f32
}

// -----

// DIFFERS: mlir-opt keeps the cast.
func.func @generic_atomic_of_cast(%a: memref<3xf32>, %i: index) -> f32 {
  %0 = memref.cast %a : memref<3xf32> to memref<?xf32>
  %1 = memref.generic_atomic_rmw %0[%i] : memref<?xf32> {
  ^bb0(%c: f32):
    memref.atomic_yield %c : f32
  }
  return %1 : f32
}

// -----

func.func @prefetch_of_cast(%a: memref<3xf32>, %i: index) {
  %0 = memref.cast %a : memref<3xf32> to memref<?xf32>
  memref.prefetch %0[%i], read, locality<3>, data : memref<?xf32>
  return
}

// -----

func.func @reshape_to_own_type(%a: memref<4xf32>, %s: memref<1xindex>) -> memref<4xf32> {
  %0 = memref.reshape %a(%s) : (memref<4xf32>, memref<1xindex>) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @store_of_loaded(%a: memref<4xf32>, %i: index) {
  %0 = memref.load %a[%i] : memref<4xf32>
  memref.store %0, %a[%i] : memref<4xf32>
  return
}

// -----

func.func @alloca_scope(%a: memref<4xf32>, %i: index, %x: f32) {
  memref.alloca_scope {
    memref.store %x, %a[%i] : memref<4xf32>
    memref.alloca_scope.return
  }
  return
}

// -----

func.func @alloca_scope_at_end(%a: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = memref.alloca_scope -> f32 {
    %b = memref.alloca() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    memref.store %x, %b[%i] : memref<4xf32>
    %1 = memref.load %b[%i] : memref<4xf32>
    memref.alloca_scope.return %1 : f32
  }
  return %0 : f32
}

// -----

func.func @alloca_scope_in_loop(%a: memref<4xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %b = memref.alloca(%i) : memref<?xf32>
      memref.store %x, %b[%c0] : memref<?xf32>
      %1 = memref.load %b[%c0] : memref<?xf32>
      memref.store %1, %a[%c0] : memref<4xf32>
      memref.alloca_scope.return
    }
    memref.store %x, %a[%c1] : memref<4xf32>
  }
  return
}

// -----

func.func @dealloc_of_cast() {
  %a = memref.alloc() : memref<4xf32>
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return
}

// -----

func.func @cast_chain(%a: memref<4x?xf32>) -> memref<?x?xf32> {
  %0 = memref.cast %a : memref<4x?xf32> to memref<4x5xf32>
  %1 = memref.cast %0 : memref<4x5xf32> to memref<?x?xf32>
  return %1 : memref<?x?xf32>
}

// -----

func.func @cast_of_metadata(%a: memref<4xf32, strided<[1], offset: 0>>) -> memref<4xf32> {
  %0 = memref.cast %a : memref<4xf32, strided<[1], offset: 0>> to memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @assume_alignment_twice(%a: memref<4xf32>) -> memref<4xf32> {
  %0 = memref.assume_alignment %a, 16 : memref<4xf32>
  %1 = memref.assume_alignment %0, 16 : memref<4xf32>
  return %1 : memref<4xf32>
}

// -----

func.func @dead_loads(%a: memref<4xf32>, %i: index) {
  %0 = memref.load %a[%i] : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  %2 = memref.subview %a[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
  %3 = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %b, %o, %s, %t = memref.extract_strided_metadata %a : memref<4xf32> -> memref<f32>, index, index, index
  %c0 = arith.constant 0 : index
  %4 = memref.dim %a, %i : memref<4xf32>
  return
}

// -----

func.func @linalg_on_casts(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  %1 = memref.cast %b : memref<4xf32> to memref<?xf32, strided<[?], offset: ?>>
  linalg.add ins(%0, %1 : memref<?xf32>, memref<?xf32, strided<[?], offset: ?>>) outs(%c : memref<4xf32>)
  return
}

// -----

func.func @linalg_transpose_on_cast(%a: memref<4x5xf32>, %c: memref<?x?xf32>) {
  %0 = memref.cast %a : memref<4x5xf32> to memref<?x?xf32>
  linalg.transpose ins(%0 : memref<?x?xf32>) outs(%c : memref<?x?xf32>) permutation = [1, 0]
  return
}

// -----

func.func @linalg_copy_to_itself(%a: memref<4x?xf32>) {
  linalg.copy ins(%a : memref<4x?xf32>) outs(%a : memref<4x?xf32>)
  return
}

// -----

func.func @linalg_on_nothing(%a: memref<0x4xf32>, %c: memref<0x4xf32>) {
  linalg.exp ins(%a : memref<0x4xf32>) outs(%c : memref<0x4xf32>)
  return
}

// -----

func.func @store_of_cast(%a: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.store %x, %0[%i] : memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.load %0[%i] : memref<?xf32, strided<[?], offset: ?>>
  return %1 : f32
}

// -----

func.func @clone_for_call(%b: memref<6xf32>) {
  %1 = bufferization.clone %b : memref<6xf32> to memref<6xf32>
  call @use_memref(%1) : (memref<6xf32>) -> ()
  memref.dealloc %1 : memref<6xf32>
  return
}

func.func private @use_memref(memref<6xf32>)

// -----

func.func @clone_of_clone(%b: memref<6xf32>) -> memref<6xf32> {
  %1 = bufferization.clone %b : memref<6xf32> to memref<6xf32>
  %2 = bufferization.clone %1 : memref<6xf32> to memref<6xf32>
  memref.dealloc %1 : memref<6xf32>
  return %2 : memref<6xf32>
}

// -----

func.func @clone_with_dealloc_of_source() -> memref<6xf32> {
  %b = memref.alloc() : memref<6xf32>
  %1 = bufferization.clone %b : memref<6xf32> to memref<6xf32>
  memref.dealloc %b : memref<6xf32>
  return %1 : memref<6xf32>
}

// -----

func.func @materialize(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @materialize_dead(%t: tensor<4xf32>, %u: tensor<4xf32>) {
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @materialize_of_cast(%t: tensor<4xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %0 = bufferization.materialize_in_destination %c in %u : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @stored_cast(%a: memref<4xf32>, %m: memref<2xmemref<?xf32>>, %i: index) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.store %0, %m[%i] : memref<2xmemref<?xf32>>
  return
}

// -----

func.func @clone_freed_by_other(%b: memref<6xf32>, %o: memref<6xf32>) {
  %1 = bufferization.clone %b : memref<6xf32> to memref<6xf32>
  memref.dealloc %o : memref<6xf32>
  call @use_clone(%1) : (memref<6xf32>) -> ()
  memref.dealloc %1 : memref<6xf32>
  return
}

func.func private @use_clone(memref<6xf32>)
