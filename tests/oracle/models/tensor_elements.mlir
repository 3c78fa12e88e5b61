// Ops on single elements and whole new tensors.

func.func @insert_chain(%t: tensor<4xf32>, %f: f32, %i: index, %j: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %f into %0[%j] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @insert_fork(%t: tensor<4xf32>, %f: f32, %i: index, %j: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.insert %f into %t[%j] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @insert_then_read_old(%t: tensor<?x4xf32>, %f: f32, %i: index) -> (tensor<?x4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  %1 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, f32
}

// -----

func.func @read_then_insert(%t: tensor<?x4xf32>, %i: index) -> (tensor<?x4xf32>, f32) {
  %1 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %0 = tensor.insert %1 into %t[%i, %i] : tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, f32
}

// -----

func.func @insert_rank_0(%t: tensor<f32>, %f: f32) -> (tensor<f32>, f32) {
  %0 = tensor.insert %f into %t[] : tensor<f32>
  %1 = tensor.extract %0[] : tensor<f32>
  return %0, %1 : tensor<f32>, f32
}

// -----

func.func @insert_into_empty(%f: f32, %n: index, %i: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @empty_twice_written(%f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @empty_unused(%f: f32) -> f32 {
  %0 = tensor.empty() : tensor<4xf32>
  return %f : f32
}

// -----

func.func @empty_returned(%n: index) -> (tensor<4x?xf32>, tensor<f32>) {
  %0 = tensor.empty(%n) : tensor<4x?xf32>
  %1 = tensor.empty() : tensor<f32>
  return %0, %1 : tensor<4x?xf32>, tensor<f32>
}

// -----

func.func @shapes(%t: tensor<?x4xf32>, %u: tensor<*xf32>, %i: index) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %t, %c0 : tensor<?x4xf32>
  %1 = tensor.dim %t, %i : tensor<?x4xf32>
  %2 = tensor.dim %u, %c0 : tensor<*xf32>
  %3 = tensor.rank %t : tensor<?x4xf32>
  %4 = tensor.rank %u : tensor<*xf32>
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

// -----

func.func @dim_is_no_read(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.dim %t, %c0 : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, index
}

// -----

func.func @dim_of_what_is_copied(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %t, %1 : tensor<?xf32>, tensor<?xf32>, index
}

// -----

func.func @from_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> tensor<2x1x2xf32> {
  %0 = tensor.from_elements %a, %b, %c, %d : tensor<2x1x2xf32>
  return %0 : tensor<2x1x2xf32>
}

// -----

func.func @from_elements_few(%a: i8) -> (tensor<i8>, tensor<1xi8>, tensor<0xi8>, tensor<2x0xi8>) {
  %0 = tensor.from_elements %a : tensor<i8>
  %1 = tensor.from_elements %a : tensor<1xi8>
  %2 = tensor.from_elements : tensor<0xi8>
  %3 = tensor.from_elements : tensor<2x0xi8>
  return %0, %1, %2, %3 : tensor<i8>, tensor<1xi8>, tensor<0xi8>, tensor<2x0xi8>
}

// -----

func.func @from_elements_written(%a: f32, %i: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = tensor.from_elements %a, %a : tensor<2xf32>
  %1 = tensor.insert %a into %0[%i] : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @splat(%a: f32, %n: index, %i: index) -> (tensor<2x?xf32>, tensor<f32>, tensor<3xf32>) {
  %0 = tensor.splat %a[%n] : tensor<2x?xf32>
  %1 = tensor.splat %a : tensor<f32>
  %2 = tensor.splat %a : tensor<3xf32>
  %3 = tensor.insert %a into %2[%i] : tensor<3xf32>
  return %0, %1, %3 : tensor<2x?xf32>, tensor<f32>, tensor<3xf32>
}

// -----

func.func @generate(%n: index) -> tensor<?x3xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.muli %i, %j : index
    tensor.yield %s : index
  } : tensor<?x3xindex>
  return %0 : tensor<?x3xindex>
}

// -----

func.func @generate_from_tensor(%t: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %s = tensor.extract %t[%j, %i] : tensor<3x4xf32>
    tensor.yield %s : f32
  } : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @generate_reads_what_is_written_later(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %0 = tensor.generate {
  ^bb0(%j: index):
    %s = tensor.extract %t[%j] : tensor<4xf32>
    tensor.yield %s : f32
  } : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @generate_rank_0(%f: f32) -> tensor<f32> {
  %0 = tensor.generate {
    tensor.yield %f : f32
  } : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @pad_static(%t: tensor<4x5xf32>, %f: f32) -> tensor<7x9xf32> {
  %0 = tensor.pad %t low[1, 0] high[2, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x5xf32> to tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// -----

func.func @pad_dynamic(%t: tensor<?x?x5xf32>, %l: index, %h: index) -> tensor<?x?x?xf32> {
  %0 = tensor.pad %t low[1, %l, 0] high[2, %h, %h] {
  ^bb0(%i: index, %j: index, %k: index):
    %s = arith.addi %i, %j : index
    %x = arith.index_cast %s : index to i32
    %f = arith.sitofp %x : i32 to f32
    tensor.yield %f : f32
  } : tensor<?x?x5xf32> to tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

func.func @pad_known_result(%t: tensor<?x5xf32>, %l: index, %f: f32) -> tensor<8x?xf32> {
  %0 = tensor.pad %t low[%l, 0] high[2, %l] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x5xf32> to tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// -----

func.func @pad_nofold(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%j: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<4xf32>
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @pad_of_slice(%t: tensor<16x16xf32>, %f: f32) -> tensor<8x8xf32> {
  %s = tensor.extract_slice %t[2, 3][4, 5][2, 1] : tensor<16x16xf32> to tensor<4x5xf32>
  %0 = tensor.pad %s low[2, 2] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x5xf32> to tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----
func.func @generate_of_coordinates() -> tensor<4xindex> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>, %c: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<2x3xf32>, tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

func.func @concat_static_twice(%a: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = tensor.concat dim(0) %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @concat_of_one(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tensor.concat dim(0) %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @concat_size_known_of_one(%a: tensor<?x3xf32>, %b: tensor<2x3xf32>, %c: tensor<?x?xf32>, %d: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %a, %b, %c, %d : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @concat_dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %a, %b, %c : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @concat_then_write(%a: tensor<2xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = tensor.concat dim(0) %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.insert %f into %a[%i] : tensor<2xf32>
  return %1, %2 : tensor<4xf32>, tensor<2xf32>
}
