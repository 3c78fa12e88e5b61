// Vectors that rearrange the elements of others, and masks.

func.func @repeated_constants() -> (vector<2x3xi32>, vector<2x[4]xf32>, vector<2x2xi1>) {
  %a = arith.constant 5 : i32
  %b = arith.constant 1.0 : f32
  %c = arith.constant true
  %0 = vector.broadcast %a : i32 to vector<2x3xi32>
  %1 = vector.broadcast %b : f32 to vector<2x[4]xf32>
  %2 = vector.broadcast %c : i1 to vector<2x2xi1>
  return %0, %1, %2 : vector<2x3xi32>, vector<2x[4]xf32>, vector<2x2xi1>
}

// -----

// DIFFERS: mlir-opt broadcasts only elements that are all equal
func.func @repeated_row() -> vector<2x3xi8> {
  %0 = arith.constant dense<[1, 2, 3]> : vector<3xi8>
  %1 = vector.broadcast %0 : vector<3xi8> to vector<2x3xi8>
  return %1 : vector<2x3xi8>
}

// -----

func.func @vector_broadcast_of_broadcast(%a: vector<1x3xf32>, %b: index) -> (vector<4x2x3xf32>, vector<2x2xindex>) {
  %0 = vector.broadcast %a : vector<1x3xf32> to vector<2x3xf32>
  %1 = vector.broadcast %0 : vector<2x3xf32> to vector<4x2x3xf32>
  %2 = vector.broadcast %b : index to vector<2xindex>
  %3 = vector.broadcast %2 : vector<2xindex> to vector<2x2xindex>
  return %1, %3 : vector<4x2x3xf32>, vector<2x2xindex>
}

// -----

func.func @vector_shape_casts(%a: vector<6xf32>, %b: vector<2x3xf32>) -> (vector<6xf32>, vector<3x2xf32>, vector<2x3xf32>) {
  %0 = vector.shape_cast %a : vector<6xf32> to vector<2x3xf32>
  %1 = vector.shape_cast %0 : vector<2x3xf32> to vector<6xf32>
  %2 = vector.shape_cast %0 : vector<2x3xf32> to vector<3x2xf32>
  %3 = vector.shape_cast %b : vector<2x3xf32> to vector<2x3xf32>
  return %1, %2, %3 : vector<6xf32>, vector<3x2xf32>, vector<2x3xf32>
}

// -----

func.func @shape_cast_of_broadcast(%a: f32, %b: vector<3xf32>, %c: vector<2x1xf32>) -> (vector<12xf32>, vector<8x3xf32>, vector<6xf32>) {
  %0 = vector.broadcast %a : f32 to vector<3x4xf32>
  %1 = vector.shape_cast %0 : vector<3x4xf32> to vector<12xf32>
  %2 = vector.broadcast %b : vector<3xf32> to vector<2x4x3xf32>
  %3 = vector.shape_cast %2 : vector<2x4x3xf32> to vector<8x3xf32>
  %4 = vector.broadcast %c : vector<2x1xf32> to vector<2x3xf32>
  %5 = vector.shape_cast %4 : vector<2x3xf32> to vector<6xf32>
  return %1, %3, %5 : vector<12xf32>, vector<8x3xf32>, vector<6xf32>
}

// -----

func.func @vector_transposes(%a: vector<2x3x4xf32>) -> (vector<2x3x4xf32>, vector<4x2x3xf32>) {
  %0 = vector.transpose %a, [1, 2, 0] : vector<2x3x4xf32> to vector<3x4x2xf32>
  %1 = vector.transpose %0, [2, 0, 1] : vector<3x4x2xf32> to vector<2x3x4xf32>
  %2 = vector.transpose %0, [1, 2, 0] : vector<3x4x2xf32> to vector<4x2x3xf32>
  return %1, %2 : vector<2x3x4xf32>, vector<4x2x3xf32>
}

// -----

func.func @rearranged_constants() -> (vector<3x2xi32>, vector<6xi32>, vector<2xi32>, vector<1x2xi32>, i32, vector<2x3xf32>) {
  %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %b = arith.constant dense<2.0> : vector<3x2xf32>
  %1 = vector.shape_cast %a : vector<2x3xi32> to vector<6xi32>
  %2 = vector.extract_strided_slice %a {offsets = [1, 1], sizes = [1, 2], strides = [1, 1]} : vector<2x3xi32> to vector<1x2xi32>
  %3 = vector.extract %2[0] : vector<2xi32> from vector<1x2xi32>
  %4 = vector.extract %a[1, 0] : i32 from vector<2x3xi32>
  %5 = vector.transpose %b, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %6 = vector.shape_cast %a : vector<2x3xi32> to vector<3x2xi32>
  return %6, %1, %3, %2, %4, %5 : vector<3x2xi32>, vector<6xi32>, vector<2xi32>, vector<1x2xi32>, i32, vector<2x3xf32>
}

// -----

// DIFFERS: mlir-opt does not combine slices
func.func @vector_slices(%a: vector<8x16xf32>) -> (vector<2x16xf32>, vector<8x16xf32>) {
  %0 = vector.extract_strided_slice %a {offsets = [2], sizes = [4], strides = [1]} : vector<8x16xf32> to vector<4x16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4x16xf32> to vector<2x16xf32>
  %2 = vector.extract_strided_slice %a {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : vector<8x16xf32> to vector<8x16xf32>
  return %1, %2 : vector<2x16xf32>, vector<8x16xf32>
}

// -----

func.func @extracted_from_broadcast(%a: f32, %b: vector<4xf32>, %i: index) -> (f32, vector<4xf32>, f32) {
  %0 = vector.broadcast %a : f32 to vector<2x3xf32>
  %1 = vector.extract %0[%i, 1] : f32 from vector<2x3xf32>
  %2 = vector.broadcast %b : vector<4xf32> to vector<2x4xf32>
  %3 = vector.extract %2[%i] : vector<4xf32> from vector<2x4xf32>
  %4 = vector.extract %2[%i, 2] : f32 from vector<2x4xf32>
  return %1, %3, %4 : f32, vector<4xf32>, f32
}

// -----

func.func @extracted_twice(%a: vector<2x3x4xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = vector.extract %a[%c1] : vector<3x4xf32> from vector<2x3x4xf32>
  %1 = vector.extract %0[2, 3] : f32 from vector<3x4xf32>
  return %1 : f32
}

// -----

func.func @extracted_where_inserted(%a: vector<2x3xf32>, %b: vector<3xf32>, %i: index) -> (vector<3xf32>, f32, vector<3xf32>, vector<3xf32>) {
  %0 = vector.insert %b, %a[1] : vector<3xf32> into vector<2x3xf32>
  %1 = vector.extract %0[1] : vector<3xf32> from vector<2x3xf32>
  %2 = vector.extract %0[1, 2] : f32 from vector<2x3xf32>
  %3 = vector.extract %0[0] : vector<3xf32> from vector<2x3xf32>
  %4 = vector.extract %0[%i] : vector<3xf32> from vector<2x3xf32>
  return %1, %2, %3, %4 : vector<3xf32>, f32, vector<3xf32>, vector<3xf32>
}

// -----

func.func @vector_inserted(%a: vector<2xf32>, %b: vector<2xf32>, %c: f32, %d: vector<f32>) -> (vector<2xf32>, vector<2xf32>, vector<f32>) {
  %0 = vector.insert %b, %a[] : vector<2xf32> into vector<2xf32>
  %1 = vector.insert_strided_slice %b, %a {offsets = [0], strides = [1]} : vector<2xf32> into vector<2xf32>
  %2 = vector.insert %c, %d[] : f32 into vector<f32>
  return %0, %1, %2 : vector<2xf32>, vector<2xf32>, vector<f32>
}

// -----

func.func @inserted_constant() -> vector<2x2xi16> {
  %a = arith.constant dense<0> : vector<2x2xi16>
  %b = arith.constant dense<[1, 2]> : vector<2xi16>
  %c = arith.constant 7 : i16
  %0 = vector.insert %b, %a[1] : vector<2xi16> into vector<2x2xi16>
  %1 = vector.insert %c, %0[0, 1] : i16 into vector<2x2xi16>
  return %1 : vector<2x2xi16>
}

// -----

func.func @vector_listed(%a: f32, %b: f32, %v: vector<2xf32>) -> (f32, f32, f32, vector<2xf32>, vector<2xi32>, vector<2xf32>) {
  %c = arith.constant 1 : i32
  %d = arith.constant 2 : i32
  %0 = vector.from_elements %a, %b : vector<2xf32>
  %1 = vector.extract %0[1] : f32 from vector<2xf32>
  %2:2 = vector.to_elements %0 : vector<2xf32>
  %3:2 = vector.to_elements %v : vector<2xf32>
  %4 = vector.from_elements %3#0, %3#1 : vector<2xf32>
  %5 = vector.from_elements %c, %d : vector<2xi32>
  %6 = vector.from_elements %a, %a : vector<2xf32>
  return %1, %2#0, %2#1, %4, %5, %6 : f32, f32, f32, vector<2xf32>, vector<2xi32>, vector<2xf32>
}

// -----

func.func @shuffled(%a: vector<2xf32>, %b: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>, vector<3xi8>, f32) {
  %c = arith.constant dense<[1, 2]> : vector<2xi8>
  %d = arith.constant dense<[3, 4]> : vector<2xi8>
  %0 = vector.shuffle %a, %b [0, 1] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %a, %b [2, 3] : vector<2xf32>, vector<2xf32>
  %2 = vector.shuffle %c, %d [3, 0, 2] : vector<2xi8>, vector<2xi8>
  %3 = vector.shuffle %a, %b [1, 2] : vector<2xf32>, vector<2xf32>
  %4 = vector.extract %3[1] : f32 from vector<2xf32>
  return %0, %1, %2, %4 : vector<2xf32>, vector<2xf32>, vector<3xi8>, f32
}

// -----

func.func @vector_bits(%a: vector<4xi16>) -> (vector<4xi16>, vector<8xi8>, vector<2xi32>) {
  %b = arith.constant dense<3> : vector<4xi16>
  %0 = vector.bitcast %a : vector<4xi16> to vector<2xi32>
  %1 = vector.bitcast %0 : vector<2xi32> to vector<4xi16>
  %2 = vector.bitcast %0 : vector<2xi32> to vector<8xi8>
  %3 = vector.bitcast %b : vector<4xi16> to vector<2xi32>
  return %1, %2, %3 : vector<4xi16>, vector<8xi8>, vector<2xi32>
}

// -----

// DIFFERS: mlir-opt does not know that a mask with a size of 0 is empty if it is scalable
func.func @vector_masks(%n: index) -> (vector<4x3xi1>, vector<4x3xi1>, vector<4x[3]xi1>, vector<3xi1>, vector<3xi1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = vector.create_mask %c9, %c2 : vector<4x3xi1>
  %1 = vector.constant_mask [4, 3] : vector<4x3xi1>
  %2 = vector.create_mask %c2, %c0 : vector<4x[3]xi1>
  %3 = vector.create_mask %c2, %n : vector<4x3xi1>
  %4 = vector.extract %3[1] : vector<3xi1> from vector<4x3xi1>
  %5 = vector.extract %3[2] : vector<3xi1> from vector<4x3xi1>
  return %0, %1, %2, %4, %5 : vector<4x3xi1>, vector<4x3xi1>, vector<4x[3]xi1>, vector<3xi1>, vector<3xi1>
}

// -----

func.func @slices_of_masks() -> (vector<2x2xi1>, vector<2x2xi1>, vector<1x3xi1>) {
  %0 = vector.constant_mask [2, 2] : vector<4x3xi1>
  %1 = vector.extract_strided_slice %0 {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]} : vector<4x3xi1> to vector<2x2xi1>
  %2 = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xi1> to vector<2x2xi1>
  %3 = vector.extract_strided_slice %0 {offsets = [3], sizes = [1], strides = [1]} : vector<4x3xi1> to vector<1x3xi1>
  return %1, %2, %3 : vector<2x2xi1>, vector<2x2xi1>, vector<1x3xi1>
}

// -----

// DIFFERS: mlir-opt does not look through an insertion elsewhere
func.func @slice_where_inserted(%a: vector<2x2xf32>, %b: vector<4x4xf32>) -> (vector<2x2xf32>, vector<2x2xf32>) {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %2 = vector.insert_strided_slice %a, %b {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  %3 = vector.extract_strided_slice %2 {offsets = [2, 0], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  return %1, %3 : vector<2x2xf32>, vector<2x2xf32>
}

// -----

// DIFFERS: mlir-opt keeps the bits of poison
func.func @poisoned() -> (vector<2x2xf32>, f32, vector<4xi16>) {
  %p = ub.poison : vector<2xf32>
  %0 = vector.broadcast %p : vector<2xf32> to vector<2x2xf32>
  %1 = vector.extract %p[1] : f32 from vector<2xf32>
  %2 = vector.bitcast %p : vector<2xf32> to vector<4xi16>
  return %0, %1, %2 : vector<2x2xf32>, f32, vector<4xi16>
}

// -----

// DIFFERS: mlir-opt keeps a cast before vector.compressstore
func.func @accesses_of_cast(%m: memref<8x16xf32>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  %0 = memref.cast %m : memref<8x16xf32> to memref<?x?xf32>
  %1 = vector.load %0[%i, %i] : memref<?x?xf32>, vector<4xf32>
  %2 = vector.maskedload %0[%i, %i], %mask, %1 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %2, %0[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.maskedstore %0[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %0[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  return %2 : vector<4xf32>
}

// -----

func.func @element_of_slice(%a: vector<32x16x4xf16>, %b: vector<1x1x1xf32>, %c: vector<f32>, %i: index) -> (vector<4xf16>, f32, f32) {
  %0 = vector.extract_strided_slice %a {offsets = [7, 3], sizes = [10, 8], strides = [1, 1]} : vector<32x16x4xf16> to vector<10x8x4xf16>
  %1 = vector.extract %0[2, 4] : vector<4xf16> from vector<10x8x4xf16>
  %2 = vector.shape_cast %b : vector<1x1x1xf32> to vector<f32>
  %3 = vector.extract %2[] : f32 from vector<f32>
  %4 = vector.broadcast %c : vector<f32> to vector<2x4xf32>
  %5 = vector.extract %4[%i, %i] : f32 from vector<2x4xf32>
  return %1, %3, %5 : vector<4xf16>, f32, f32
}

// -----

func.func @slice_of_inserted(%a: vector<6x4xf32>, %b: vector<8x16xf32>) -> vector<3x2xf32> {
  %0 = vector.insert_strided_slice %a, %b {offsets = [2, 2], strides = [1, 1]} : vector<6x4xf32> into vector<8x16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [3, 4], sizes = [3, 2], strides = [1, 1]} : vector<8x16xf32> to vector<3x2xf32>
  return %1 : vector<3x2xf32>
}

// -----

func.func @part_of_shape_cast(%a: vector<16xf32>) -> vector<4x2xf32> {
  %0 = vector.shape_cast %a : vector<16xf32> to vector<2x4x2xf32>
  %1 = vector.extract %0[1] : vector<4x2xf32> from vector<2x4x2xf32>
  return %1 : vector<4x2xf32>
}
