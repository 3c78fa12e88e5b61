// Insertions into vectors and extractions of what was inserted; shuffles; lists.

func.func @slices_of_constants() -> (vector<2x3xi8>, vector<4xf16>, vector<2x2xi1>) {
  %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi8>
  %b = arith.constant dense<[8, 9]> : vector<2xi8>
  %c = arith.constant dense<1.5> : vector<4xf16>
  %d = arith.constant dense<1.5> : vector<2xf16>
  %e = arith.constant dense<false> : vector<2x2xi1>
  %f = arith.constant dense<true> : vector<1x2xi1>
  %0 = vector.insert_strided_slice %b, %a {offsets = [1, 1], strides = [1]} : vector<2xi8> into vector<2x3xi8>
  %1 = vector.insert_strided_slice %d, %c {offsets = [2], strides = [1]} : vector<2xf16> into vector<4xf16>
  %2 = vector.insert_strided_slice %f, %e {offsets = [1, 0], strides = [1, 1]} : vector<1x2xi1> into vector<2x2xi1>
  return %0, %1, %2 : vector<2x3xi8>, vector<4xf16>, vector<2x2xi1>
}

// -----

func.func @extracted_from_slices(%a: vector<2x3xf32>, %b: vector<4x4x3xf32>, %i: index) -> (f32, vector<3xf32>, vector<3xf32>, vector<4x3xf32>, vector<3xf32>) {
  %0 = vector.insert_strided_slice %a, %b {offsets = [2, 1, 0], strides = [1, 1]} : vector<2x3xf32> into vector<4x4x3xf32>
  %1 = vector.extract %0[2, 2, 1] : f32 from vector<4x4x3xf32>
  %2 = vector.extract %0[2, 1] : vector<3xf32> from vector<4x4x3xf32>
  %3 = vector.extract %0[2, 3] : vector<3xf32> from vector<4x4x3xf32>
  %4 = vector.extract %0[2] : vector<4x3xf32> from vector<4x4x3xf32>
  %5 = vector.extract %0[1, %i] : vector<3xf32> from vector<4x4x3xf32>
  return %1, %2, %3, %4, %5 : f32, vector<3xf32>, vector<3xf32>, vector<4x3xf32>, vector<3xf32>
}

// -----

func.func @inserted_where_taken(%a: vector<4x4xi32>) -> (vector<4x4xi32>, vector<4x4xi32>) {
  %0 = vector.extract_strided_slice %a {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xi32> to vector<2x2xi32>
  %1 = vector.insert_strided_slice %0, %a {offsets = [1, 2], strides = [1, 1]} : vector<2x2xi32> into vector<4x4xi32>
  %2 = vector.insert_strided_slice %0, %a {offsets = [2, 1], strides = [1, 1]} : vector<2x2xi32> into vector<4x4xi32>
  return %1, %2 : vector<4x4xi32>, vector<4x4xi32>
}

// -----

func.func @all_elements_inserted(%d: vector<3xi16>, %a: i16, %b: i16, %c: i16) -> (vector<3xi16>, vector<3xi16>) {
  %0 = vector.insert %a, %d[2] : i16 into vector<3xi16>
  %1 = vector.insert %b, %0[0] : i16 into vector<3xi16>
  %2 = vector.insert %c, %1[1] : i16 into vector<3xi16>
  %3 = vector.insert %a, %d[0] : i16 into vector<3xi16>
  %4 = vector.insert %b, %3[1] : i16 into vector<3xi16>
  return %2, %4 : vector<3xi16>, vector<3xi16>
}

// -----

func.func @all_rows_inserted(%d: vector<2x2xf32>, %a: f32, %b: vector<2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %a, %d[0, 0] : f32 into vector<2x2xf32>
  %1 = vector.insert %b, %0[0] : vector<2xf32> into vector<2x2xf32>
  %2 = vector.insert %b, %1[1] : vector<2xf32> into vector<2x2xf32>
  %3 = vector.insert %a, %2[1, 0] : f32 into vector<2x2xf32>
  return %3 : vector<2x2xf32>
}

// -----

// DIFFERS: mlir-opt lists the elements of both rows
func.func @only_rows_inserted(%d: vector<2x2xf32>, %a: vector<2xf32>, %b: vector<2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %a, %d[0] : vector<2xf32> into vector<2x2xf32>
  %1 = vector.insert %b, %0[1] : vector<2xf32> into vector<2x2xf32>
  return %1 : vector<2x2xf32>
}

// -----

func.func @row_of_one_row(%a: vector<4xf16>, %d: vector<1x1x4xf16>) -> vector<1x1x4xf16> {
  %0 = vector.insert %a, %d[0, 0] : vector<4xf16> into vector<1x1x4xf16>
  return %0 : vector<1x1x4xf16>
}

// -----

func.func @position_of_none(%a: vector<4x5xf32>, %b: vector<5xf32>) -> (f32, vector<4x5xf32>) {
  %m = arith.constant -1 : index
  %0 = vector.extract %a[%m, 0] : f32 from vector<4x5xf32>
  %1 = vector.insert %b, %a[%m] : vector<5xf32> into vector<4x5xf32>
  return %0, %1 : f32, vector<4x5xf32>
}

// -----

func.func @unknown_positions(%a: vector<2x1xf32>, %b: vector<2x4xf32>, %i: index, %j: index, %k: index) -> (f32, vector<4xf32>, vector<4xf32>, f32) {
  %0 = vector.broadcast %a : vector<2x1xf32> to vector<3x2x4xf32>
  %1 = vector.extract %0[%i, %j, %k] : f32 from vector<3x2x4xf32>
  %2 = vector.broadcast %b : vector<2x4xf32> to vector<3x2x4xf32>
  %3 = vector.extract %2[%i, %j] : vector<4xf32> from vector<3x2x4xf32>
  %4 = vector.shape_cast %b : vector<2x4xf32> to vector<1x2x4xf32>
  %5 = vector.extract %4[%i, %j] : vector<4xf32> from vector<1x2x4xf32>
  %6 = vector.shape_cast %b : vector<2x4xf32> to vector<4x2xf32>
  %7 = vector.extract %6[%i, %j] : f32 from vector<4x2xf32>
  return %1, %3, %5, %7 : f32, vector<4xf32>, vector<4xf32>, f32
}

// -----

// DIFFERS: mlir-opt keeps unit dimensions that are not leading
func.func @unknown_position_before_unit_dimension(%b: vector<2x4xf32>, %i: index, %j: index) -> vector<4xf32> {
  %0 = vector.shape_cast %b : vector<2x4xf32> to vector<2x1x4xf32>
  %1 = vector.extract %0[%i, %j] : vector<4xf32> from vector<2x1x4xf32>
  return %1 : vector<4xf32>
}

// -----

func.func @shuffles_of_equal_scalars(%x: i32, %y: i32) -> (vector<3xi32>, vector<3xi32>) {
  %0 = vector.broadcast %x : i32 to vector<2xi32>
  %1 = vector.broadcast %x : i32 to vector<4xi32>
  %2 = vector.broadcast %y : i32 to vector<4xi32>
  %3 = vector.shuffle %0, %1 [0, 3, 5] : vector<2xi32>, vector<4xi32>
  %4 = vector.shuffle %0, %2 [0, 3, 5] : vector<2xi32>, vector<4xi32>
  return %3, %4 : vector<3xi32>, vector<3xi32>
}

// -----

func.func @shuffles_of_poison(%a: vector<3xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %p = ub.poison : vector<3xi32>
  %0 = vector.shuffle %p, %p [3, 1, 5, 4] : vector<3xi32>, vector<3xi32>
  %1 = vector.shuffle %a, %p [3, 1, 5, 4] : vector<3xi32>, vector<3xi32>
  return %0, %1 : vector<4xi32>, vector<4xi32>
}

// -----

func.func @elements_of_repeated_row(%a: vector<2xf32>, %b: vector<2x1xf32>) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
  %0 = vector.broadcast %a : vector<2xf32> to vector<2x2xf32>
  %1:4 = vector.to_elements %0 : vector<2x2xf32>
  %2 = vector.broadcast %b : vector<2x1xf32> to vector<2x2xf32>
  %3:4 = vector.to_elements %2 : vector<2x2xf32>
  return %1#0, %1#1, %1#2, %1#3, %3#0, %3#1, %3#2, %3#3 : f32, f32, f32, f32, f32, f32, f32, f32
}

// -----

func.func @slice_as_row(%a: vector<8x1x2x4xi32>) -> vector<4xi32> {
  %0 = vector.extract_strided_slice %a {offsets = [3, 0, 1], sizes = [1, 1, 1], strides = [1, 1, 1]} : vector<8x1x2x4xi32> to vector<1x1x1x4xi32>
  %1 = vector.shape_cast %0 : vector<1x1x1x4xi32> to vector<4xi32>
  return %1 : vector<4xi32>
}
