// Views of buffers that change nothing, or that state sizes which are known.

func.func @expansion_of_cast(%a: memref<8x4xf32>, %b: memref<8x?xf32>, %c: memref<8x4xf32>) -> (memref<2x1x4x4xf32>, memref<1x8x1x?xf32>, memref<8x1x4xf32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.cast %a : memref<8x4xf32> to memref<?x4xf32>
  %1 = memref.expand_shape %0 [[0, 1, 2], [3]] output_shape [%c2, 1, 4, 4] : memref<?x4xf32> into memref<?x1x4x4xf32>
  %2 = memref.cast %1 : memref<?x1x4x4xf32> to memref<2x1x4x4xf32>
  %3 = memref.cast %b : memref<8x?xf32> to memref<?x?xf32>
  %4 = memref.dim %3, %c0 : memref<?x?xf32>
  %5 = memref.dim %3, %c1 : memref<?x?xf32>
  %6 = memref.expand_shape %3 [[0, 1], [2, 3]] output_shape [1, %4, 1, %5] : memref<?x?xf32> into memref<1x?x1x?xf32>
  %7 = memref.cast %6 : memref<1x?x1x?xf32> to memref<1x8x1x?xf32>
  %8 = memref.cast %c : memref<8x4xf32> to memref<8x4xf32, strided<[?, ?], offset: ?>>
  %9 = memref.expand_shape %8 [[0, 1], [2]] output_shape [8, 1, 4] : memref<8x4xf32, strided<[?, ?], offset: ?>> into memref<8x1x4xf32, strided<[?, ?, ?], offset: ?>>
  %10 = memref.cast %9 : memref<8x1x4xf32, strided<[?, ?, ?], offset: ?>> to memref<8x1x4xf32>
  return %2, %7, %10 : memref<2x1x4x4xf32>, memref<1x8x1x?xf32>, memref<8x1x4xf32>
}

// -----

func.func @collapsed_to_equivalent_layout(%m: memref<?xf32, strided<[1]>>, %n: index) -> memref<?xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [1, %n] : memref<?xf32, strided<[1]>> into memref<1x?xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<1x?xf32> into memref<?xf32>
  return %1 : memref<?xf32>
}

// -----

func.func @subview_of_all(%m: memref<?xf32, strided<[?], offset: ?>>, %n: index, %k: index) -> (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>) {
  %0 = memref.subview %m[5] [%n] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.subview %0[0] [%n] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %2 = memref.subview %0[0] [%k] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  return %1, %2 : memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>
}

// -----

func.func @reinterpretation_of_nothing(%m: memref<2x3xf32>, %b: memref<16xi8>) -> (memref<2x3xf32>, memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2, 3], strides: [3, 1] : memref<2x3xf32> to memref<2x3xf32>
  %1 = memref.view %b[%c0][] : memref<16xi8> to memref<16xi8>
  return %0, %1 : memref<2x3xf32>, memref<16xi8>
}

// -----

func.func @reinterpretation_backwards(%m: memref<2x3xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant -1 : index
  %0 = memref.reinterpret_cast %m to offset: [%c2], sizes: [%c1, %c2], strides: [%n, %c1] : memref<2x3xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// -----

func.func @reinterpretation_of_base(%m: memref<8x2xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<8x2xf32> -> memref<f32>, index, index, index, index, index
  %0 = memref.reinterpret_cast %b to offset: [1], sizes: [%s#0, %s#1], strides: [%t#0, %t#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// -----

func.func @metadata_of_precise_cast(%m: memref<?x?xi32, strided<[?, ?], offset: ?>>) -> (index, index, index, index, index) {
  %0 = memref.cast %m : memref<?x?xi32, strided<[?, ?], offset: ?>> to memref<4x?xi32, strided<[?, 18], offset: 25>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %0 : memref<4x?xi32, strided<[?, 18], offset: 25>> -> memref<i32>, index, index, index, index, index
  return %o, %s#0, %s#1, %t#0, %t#1 : index, index, index, index, index
}

// -----

func.func @dim_of_reshape_at_argument(%m: memref<*xf32>, %s: memref<?xindex>, %i: index) -> index {
  %0 = memref.reshape %m(%s) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %1 = memref.dim %0, %i : memref<*xf32>
  return %1 : index
}

// -----

module {
  memref.global "private" constant @table : memref<2x4xi16> = dense<[[-10, 20, 3, 4], [5, 6, 7, 8]]>
  memref.global "private" constant @equal : memref<4x4xi8> = dense<2>
  memref.global "private" @variable : memref<4xi8> = dense<2>
  func.func @loads_of_globals(%i: index) -> (i16, i8, i8, i16) {
    %c1 = arith.constant 1 : index
    %0 = memref.get_global @table : memref<2x4xi16>
    %1 = memref.get_global @equal : memref<4x4xi8>
    %2 = memref.get_global @variable : memref<4xi8>
    %3 = affine.load %0[%c1, %c1 + 2] : memref<2x4xi16>
    %4 = affine.load %1[%i, symbol(%i)] : memref<4x4xi8>
    %5 = affine.load %2[0] : memref<4xi8>
    %6 = affine.load %0[1, %i] : memref<2x4xi16>
    return %3, %4, %5, %6 : i16, i8, i8, i16
  }
}

// -----

func.func @unranked_cast_of_cast(%t: tensor<2x6xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %t : tensor<2x6xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<*xf32>
  return %1 : tensor<*xf32>
}
