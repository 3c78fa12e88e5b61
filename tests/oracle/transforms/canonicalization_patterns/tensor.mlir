func.func @extract_of_from_elements(%x: f32, %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = tensor.from_elements %x, %y : tensor<2xf32>
  %1 = tensor.extract %0[%c1] : tensor<2xf32>
  return %1 : f32
}

// -----

func.func @extract_of_from_elements_2d(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.from_elements %a, %b, %c, %d : tensor<2x2xf32>
  %1 = tensor.extract %0[%c1, %c0] : tensor<2x2xf32>
  return %1 : f32
}

// -----

func.func @extract_of_from_elements_out_of_bounds(%a: f32, %b: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %0 = tensor.from_elements %a, %b : tensor<2xf32>
  %1 = tensor.extract %0[%c2] : tensor<2xf32>
  return %1 : f32
}

// -----

func.func @extract_of_from_elements_somewhere(%a: f32, %b: f32, %i: index) -> f32 {
  %0 = tensor.from_elements %a, %b : tensor<2xf32>
  %1 = tensor.extract %0[%i] : tensor<2xf32>
  return %1 : f32
}

// -----

func.func @extract_of_constant() -> i32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = tensor.extract %0[%c1, %c2] : tensor<2x3xi32>
  return %1 : i32
}

// -----

func.func @extract_of_float_constant() -> f32 {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<[2.5, 3.5]> : tensor<2xf32>
  %1 = tensor.extract %0[%c0] : tensor<2xf32>
  return %1 : f32
}

// -----

func.func @extract_of_splat_constant(%i: index) -> f32 {
  %0 = arith.constant dense<2.5> : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

func.func @extract_of_index_constant() -> index {
  %c1 = arith.constant 1 : index
  %0 = arith.constant dense<[7, 9]> : tensor<2xindex>
  %1 = tensor.extract %0[%c1] : tensor<2xindex>
  return %1 : index
}

// -----

func.func @extract_of_boolean_constant() -> i1 {
  %c1 = arith.constant 1 : index
  %0 = arith.constant dense<[false, true]> : tensor<2xi1>
  %1 = tensor.extract %0[%c1] : tensor<2xi1>
  return %1 : i1
}

// -----

func.func @extract_of_complex_constant() -> complex<f32> {
  %c1 = arith.constant 1 : index
  %0 = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %1 = tensor.extract %0[%c1] : tensor<2xcomplex<f32>>
  return %1 : complex<f32>
}

// -----

// DIFFERS: mlir-opt extracts an element of a splat only at constant indices.
func.func @extract_of_splat(%x: f32, %i: index) -> f32 {
  %0 = tensor.splat %x : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// DIFFERS: mlir-opt finds an inserted element only at constant indices.
func.func @extract_of_insert(%t: tensor<?xf32>, %x: f32, %i: index) -> f32 {
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @extract_of_insert_elsewhere(%t: tensor<?xf32>, %x: f32, %i: index, %j: index) -> f32 {
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %0[%j] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @extract_of_insert_apart(%t: tensor<?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<?xf32>
  %1 = tensor.extract %0[%c1] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @extract_of_generate(%n: index, %i: index) -> index {
  %0 = tensor.generate %n {
  ^bb0(%j: index):
    %1 = arith.addi %j, %j : index
    tensor.yield %1 : index
  } : tensor<?xindex>
  %2 = tensor.extract %0[%i] : tensor<?xindex>
  return %2 : index
}

// -----

func.func @extract_of_generate_with_effects(%n: index, %i: index, %m: memref<1xindex>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.generate %n {
  ^bb0(%j: index):
    memref.store %j, %m[%c0] : memref<1xindex>
    tensor.yield %j : index
  } : tensor<?xindex>
  %2 = tensor.extract %0[%i] : tensor<?xindex>
  return %2 : index
}

// -----

func.func @extract_of_fill(%x: f32, %t: tensor<?x4xf32>, %i: index) -> f32 {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<?x4xf32>
  return %1 : f32
}

// -----

func.func @extract_of_fill_constant(%t: tensor<4xi32>, %i: index) -> i32 {
  %c = arith.constant 7 : i32
  %0 = linalg.fill ins(%c : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
  %1 = tensor.extract %0[%i] : tensor<4xi32>
  return %1 : i32
}

// -----

func.func @extract_of_cast(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// -----

func.func @extract_of_collapse_products(%t: tensor<4x5xf32>, %i: index) -> f32 {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  %1 = tensor.extract %0[%i] : tensor<20xf32>
  return %1 : f32
}

// -----

func.func @cast_of_cast_down(%t: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<4x5xf32>
  %1 = tensor.cast %0 : tensor<4x5xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

func.func @cast_of_cast_other_dimension(%t: tensor<4x?xf32>) -> tensor<?x5xf32> {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

// DIFFERS: mlir-opt keeps a cast that is undone by another one.
func.func @cast_of_cast_that_checks(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @cast_unranked(%t: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<*xf32>
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @cast_of_empty(%n: index) -> tensor<4xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @cast_of_empty_to_less_static() -> tensor<?xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @cast_of_slice(%t: tensor<8x8xf32>, %n: index) -> tensor<4x8xf32> {
  %0 = tensor.extract_slice %t[0, 0] [%n, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
  %1 = tensor.cast %0 : tensor<?x8xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @cast_of_reduced_slice(%t: tensor<8x8x8xf32>, %n: index) -> tensor<4x8xf32> {
  %0 = tensor.extract_slice %t[0, 0, 0] [%n, 1, 8] [1, 1, 1] : tensor<8x8x8xf32> to tensor<?x8xf32>
  %1 = tensor.cast %0 : tensor<?x8xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @slice_of_cast(%t: tensor<8x8xf32>, %i: index) -> tensor<4x4xf32> {
  %0 = tensor.cast %t : tensor<8x8xf32> to tensor<?x?xf32>
  %1 = tensor.extract_slice %0[%i, 0] [4, 4] [1, 1] : tensor<?x?xf32> to tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

func.func @constant_slice_of_cast(%t: tensor<8x8xf32>, %i: index) -> tensor<4x4xf32> {
  %0 = tensor.cast %t : tensor<8x8xf32> to tensor<?x?xf32>
  %1 = tensor.extract_slice %0[1, 0] [4, 4] [1, 1] : tensor<?x?xf32> to tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

func.func @slice_of_inserted_slice(%a: tensor<4xf32>, %b: tensor<?xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert_slice %a into %b[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %1 = tensor.extract_slice %0[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @slice_of_slice_inserted_elsewhere(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<4xf32> {
  %0 = tensor.insert_slice %a into %b[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract_slice %0[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @slice_of_splat_constant() -> tensor<2xf32> {
  %0 = arith.constant dense<1.5> : tensor<8xf32>
  %1 = tensor.extract_slice %0[4] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @slice_of_constant() -> tensor<2x2xi32> {
  %0 = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %1 = tensor.extract_slice %0[1, 1] [2, 2] [1, 1] : tensor<3x3xi32> to tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// -----

func.func @slice_of_splat(%x: f32) -> tensor<2xf32> {
  %0 = tensor.splat %x : tensor<8xf32>
  %1 = tensor.extract_slice %0[4] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @slice_of_empty(%i: index, %n: index) -> tensor<?xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = tensor.extract_slice %0[%i] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @whole_dynamic_slice(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = tensor.extract_slice %t[0] [%d] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @slice_of_slice(%t: tensor<16xf32>) -> tensor<2xf32> {
  %0 = tensor.extract_slice %t[4] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %1 = tensor.extract_slice %0[2] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @insert_slice_of_cast_dynamic_size(%a: tensor<4xf32>, %b: tensor<?xf32>, %i: index, %n: index) -> tensor<?xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %b[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @insert_slice_into_cast(%a: tensor<4xf32>, %b: tensor<16xf32>, %i: index) -> tensor<?xf32> {
  %0 = tensor.cast %b : tensor<16xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %a into %0[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @insert_slice_back(%b: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %b[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %0 into %b[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @insert_slice_twice(%a: tensor<4xf32>, %b: tensor<4xf32>, %t: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %0 = tensor.insert_slice %a into %t[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %1 = tensor.insert_slice %b into %0[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @insert_slice_into_whole(%a: tensor<?xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c8 = arith.constant 8 : index
  %0 = tensor.insert_slice %a into %b[0] [%c8] [1] : tensor<?xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @insert_splat_slice_into_splat() -> tensor<8xf32> {
  %a = arith.constant dense<1.0> : tensor<4xf32>
  %b = arith.constant dense<1.0> : tensor<8xf32>
  %0 = tensor.insert_slice %a into %b[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @insert_into_splat_constant() -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %b = arith.constant dense<1.0> : tensor<4xf32>
  %0 = tensor.insert %x into %b[%c1] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @insert_what_was_extracted(%t: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @insert_twice(%t: tensor<4xf32>, %i: index, %x: f32, %y: f32) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %y into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @insert_into_cast(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @from_constant_elements() -> tensor<2x2xi32> {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %0 = tensor.from_elements %a, %b, %b, %a : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @from_constant_floats() -> tensor<2xf32> {
  %a = arith.constant 1.5 : f32
  %b = arith.constant 2.5 : f32
  %0 = tensor.from_elements %a, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @splat_of_constant() -> tensor<2x2xi32> {
  %a = arith.constant 1 : i32
  %0 = tensor.splat %a : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @dynamic_splat_of_constant(%n: index) -> tensor<?xi32> {
  %a = arith.constant 1 : i32
  %0 = tensor.splat %a[%n] : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

func.func @splat_with_constant_size(%x: i32) -> tensor<?xi32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.splat %x[%c4] : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

func.func @generate_with_constant_size() -> tensor<?xindex> {
  %c4 = arith.constant 4 : index
  %0 = tensor.generate %c4 {
  ^bb0(%j: index):
    tensor.yield %j : index
  } : tensor<?xindex>
  return %0 : tensor<?xindex>
}

// -----

func.func @rank(%t: tensor<?x4xf32>) -> index {
  %0 = tensor.rank %t : tensor<?x4xf32>
  return %0 : index
}

// -----

func.func @dim_of_generate(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.generate %n {
  ^bb0(%j: index):
    tensor.yield %j : index
  } : tensor<?xindex>
  %1 = tensor.dim %0, %c0 : tensor<?xindex>
  return %1 : index
}

// -----

// DIFFERS: mlir-opt does not use the sizes of a rank-reducing slice.
func.func @dim_of_reduced_slice(%t: tensor<?x?x?xf32>, %n: index, %m: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %t[0, 0, 0] [%n, 1, %m] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}

// -----

func.func @dim_of_insert(%t: tensor<?xf32>, %x: f32, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @dim_of_insert_slice(%t: tensor<?xf32>, %s: tensor<4xf32>, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %s into %t[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @dim_of_linalg(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %i: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %2 = tensor.dim %0, %i : tensor<?x?xf32>
  return %1, %2 : index, index
}

// -----

// DIFFERS: mlir-opt does not use the sizes of an expansion.
func.func @dim_of_expand(%t: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %1 : index
}

// -----

func.func @dim_of_collapse(%t: tensor<?x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @dim_of_pad(%t: tensor<?xf32>, %n: index, %x: f32) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[2] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @dim_of_reshape(%t: tensor<?xf32>, %s: tensor<2xindex>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}

// -----

func.func @dim_of_reshape_i32(%t: tensor<?xf32>, %s: tensor<2xi32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}

// -----

func.func @dim_of_cast_from_less_static(%t: tensor<?x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.cast %t : tensor<?x?xf32> to tensor<4x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<4x?xf32>
  return %1 : index
}

// -----

func.func @dim_of_cast_from_unranked(%t: tensor<*xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.cast %t : tensor<*xf32> to tensor<4x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<4x?xf32>
  return %1 : index
}

// -----

func.func @dim_of_for(%t: tensor<?xf32>, %n: index, %x: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<?xf32> {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %j = arith.remui %i, %d : index
    %2 = tensor.insert %x into %a[%j] : tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @dim_of_if(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %0 = arith.select %c, %a, %b : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @dim_of_alloc_tensor_copy(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor() copy(%a) : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// -----

func.func @expand_of_expand(%t: tensor<16xf32>) -> tensor<2x2x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 4] : tensor<4x4xf32> into tensor<2x2x4xf32>
  return %1 : tensor<2x2x4xf32>
}

// -----

func.func @expand_of_dynamic_expand(%t: tensor<?xf32>, %n: index, %m: index, %k: index) -> tensor<?x?x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%m, %k, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  return %1 : tensor<?x?x4xf32>
}

// -----

func.func @collapse_of_collapse(%t: tensor<2x?x4xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x?x4xf32> into tensor<?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @collapse_of_expand(%t: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @collapse_of_expand_partly(%t: tensor<16xf32>) -> tensor<4x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, 2, 4] : tensor<16xf32> into tensor<2x2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x2x4xf32> into tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

func.func @collapse_of_expand_further(%t: tensor<4x4xf32>) -> tensor<16xf32> {
  %0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, 4] : tensor<4x4xf32> into tensor<2x2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<2x2x4xf32> into tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @expand_of_collapse(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

func.func @expand_of_collapse_partly(%t: tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32> {
  %0 = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<2x2x4x5xf32> into tensor<16x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 4, 5] : tensor<16x5xf32> into tensor<4x4x5xf32>
  return %1 : tensor<4x4x5xf32>
}

// -----

func.func @expand_with_constant_size(%t: tensor<?xf32>) -> tensor<?x4xf32> {
  %c3 = arith.constant 3 : index
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [%c3, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @expand_identity(%t: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.expand_shape %t [[0], [1]] output_shape [4, 5] : tensor<4x5xf32> into tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @collapse_identity(%t: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<4x5xf32> into tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @collapse_of_cast(%t: tensor<4x5xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<?x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// DIFFERS: mlir-opt requires a constant, although the size can be inferred.
func.func @expand_of_cast(%t: tensor<20xf32>, %n: index) -> tensor<?x5xf32> {
  %0 = tensor.cast %t : tensor<20xf32> to tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 5] : tensor<?xf32> into tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

func.func @collapse_of_constant() -> tensor<4xi32> {
  %0 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

func.func @collapse_of_splat_constant() -> tensor<4xi32> {
  %0 = arith.constant dense<1> : tensor<2x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

func.func @expand_of_splat_constant() -> tensor<2x2xi32> {
  %0 = arith.constant dense<1> : tensor<4xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// -----

func.func @reshape_of_constant() -> tensor<2x2xi32> {
  %0 = arith.constant dense<1> : tensor<4xi32>
  %s = arith.constant dense<2> : tensor<2xindex>
  %1 = tensor.reshape %0(%s) : (tensor<4xi32>, tensor<2xindex>) -> tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// -----

func.func @collapse_of_splat(%x: i32) -> tensor<4xi32> {
  %0 = tensor.splat %x : tensor<2x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

func.func @expand_of_splat(%x: i32) -> tensor<2x2xi32> {
  %0 = tensor.splat %x : tensor<4xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// -----

func.func @collapse_of_from_elements(%a: i32, %b: i32) -> tensor<2xi32> {
  %0 = tensor.from_elements %a, %b : tensor<1x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<1x2xi32> into tensor<2xi32>
  return %1 : tensor<2xi32>
}

// -----

func.func @expand_of_from_elements(%a: i32, %b: i32) -> tensor<1x2xi32> {
  %0 = tensor.from_elements %a, %b : tensor<2xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 2] : tensor<2xi32> into tensor<1x2xi32>
  return %1 : tensor<1x2xi32>
}

// -----

func.func @reshape_to_same_static_shape(%t: tensor<4xf32>, %s: tensor<1xindex>) -> tensor<4xf32> {
  %0 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @reshape_of_reshape(%t: tensor<?xf32>, %s: tensor<1xindex>, %r: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = tensor.reshape %0(%r) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

func.func @reshape_1d(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.from_elements %n : tensor<1xindex>
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @reshape_to_own_shape(%t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x?xf32>
  %m = tensor.dim %t, %c1 : tensor<?x?xf32>
  %s = tensor.from_elements %n, %m : tensor<2xindex>
  %0 = tensor.reshape %t(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @bitcast_of_bitcast(%t: tensor<4xi32>) -> tensor<4xf32> {
  %0 = tensor.bitcast %t : tensor<4xi32> to tensor<4xui32>
  %1 = tensor.bitcast %0 : tensor<4xui32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @bitcast_back(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tensor.bitcast %t : tensor<4xi32> to tensor<4xui32>
  %1 = tensor.bitcast %0 : tensor<4xui32> to tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

func.func @concat_of_one(%t: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %0 = tensor.concat dim(1) %t : (tensor<4x?xi32>) -> tensor<4x?xi32>
  return %0 : tensor<4x?xi32>
}

// -----

func.func @concat_result(%t: tensor<4x2xi32>, %u: tensor<4x3xi32>) -> tensor<?x?xi32> {
  %0 = tensor.concat dim(1) %t, %u : (tensor<4x2xi32>, tensor<4x3xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @concat_operands(%t: tensor<?x2xi32>, %u: tensor<4x3xi32>) -> tensor<?x5xi32> {
  %0 = tensor.concat dim(1) %t, %u : (tensor<?x2xi32>, tensor<4x3xi32>) -> tensor<?x5xi32>
  return %0 : tensor<?x5xi32>
}

// -----

func.func @pad_of_nothing(%t: tensor<4x5xf32>, %x: f32) -> tensor<4x5xf32> {
  %0 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x5xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @pad_of_nothing_dynamic(%t: tensor<?x5xf32>, %x: f32) -> tensor<?x5xf32> {
  %0 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x5xf32> to tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @pad_of_nothing_static_result(%t: tensor<?x5xf32>, %x: f32) -> tensor<4x5xf32> {
  %0 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x5xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @pad_of_nothing_but_copy(%t: tensor<4x5xf32>, %x: f32) -> tensor<4x5xf32> {
  %0 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x5xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @pad_of_constants(%t: tensor<4x5xf32>, %x: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c0, %c2] high[%c2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x5xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @pad_of_cast(%t: tensor<4x5xf32>, %x: f32, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.cast %t : tensor<4x5xf32> to tensor<?x?xf32>
  %1 = tensor.pad %0 low[0, %n] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

func.func @cast_of_pad(%t: tensor<?xf32>, %x: f32, %n: index) -> tensor<8xf32> {
  %1 = tensor.pad %t low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

func.func @empty_of_dim(%t: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<4x?xf32>
  %m = tensor.dim %t, %c1 : tensor<4x?xf32>
  %0 = tensor.empty(%n, %m) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @fill_of_cast(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @scatter_parallel(%a: tensor<4xf32>, %t: tensor<16xf32>) -> tensor<16xf32> {
  %c4 = arith.constant 4 : index
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<16xf32> {
    %k = arith.muli %i, %c4 : index
    %s = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [%c4] [1] : tensor<?xf32> into tensor<16xf32>
    }
  }
  return %0 : tensor<16xf32>
}

// -----

func.func @extract_of_index_cast(%t: tensor<1xi32>, %c: i32) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.from_elements %c : tensor<1xi32>
  %1 = arith.index_cast %0 : tensor<1xi32> to tensor<1xindex>
  %2 = tensor.extract %1[%c0] : tensor<1xindex>
  return %2 : index
}

// -----

func.func @dead(%t: tensor<?xf32>, %i: index, %x: f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  %2 = tensor.pad %t low[0] high[%i] {
  ^bb0(%j: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %3 = tensor.generate %i {
  ^bb0(%j: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  %4 = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %5 = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %6 = bufferization.alloc_tensor(%i) : tensor<?xf32>
  return
}
