// arith.constant and arith.select on tensors.

func.func @constants(%i: index) -> (f32, f32, i1, index, i8) {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<5.0> : tensor<f32>
  %c = arith.constant dense<[true, false]> : tensor<2xi1>
  %d = arith.constant dense<[1, 2]> : tensor<2xindex>
  %e = arith.constant dense<7> : tensor<3x1xi8>
  %0 = tensor.extract %a[%i, %i] : tensor<2x2xf32>
  %1 = tensor.extract %b[] : tensor<f32>
  %2 = tensor.extract %c[%i] : tensor<2xi1>
  %3 = tensor.extract %d[%i] : tensor<2xindex>
  %4 = tensor.extract %e[%i, %i] : tensor<3x1xi8>
  return %0, %1, %2, %3, %4 : f32, f32, i1, index, i8
}

// -----

func.func @equal_constants_are_one(%i: index) -> (f32, f32, f32, i32) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %d = arith.constant dense<[1, 3]> : tensor<2xi32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  %1 = tensor.extract %b[%i] : tensor<2xf32>
  %2 = tensor.extract %c[%i] : tensor<2xf32>
  %3 = tensor.extract %d[%i] : tensor<2xi32>
  return %0, %1, %2, %3 : f32, f32, f32, i32
}

func.func @equal_constants_of_two_functions(%i: index) -> f32 {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  return %0 : f32
}

// -----

memref.global "private" @__constant_2xf32 : memref<2xf32> = dense<[8.0, 9.0]>

memref.global "private" constant @known : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}

func.func @names_that_are_taken(%i: index) -> (f32, f32, memref<2xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  %1 = tensor.extract %b[%i] : tensor<2xf32>
  %2 = memref.get_global @__constant_2xf32 : memref<2xf32>
  return %0, %1, %2 : f32, f32, memref<2xf32>
}

// -----

func.func @constant_is_not_written(%i: index, %f: f32) -> tensor<2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.insert %f into %a[%i] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @slice_of_constant_is_not_written(%i: index, %f: f32) -> tensor<2xf32> {
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %s = tensor.extract_slice %a[%i][2][1] : tensor<4xf32> to tensor<2xf32>
  %0 = tensor.insert %f into %s[%i] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant_filled_over(%f: f32) -> tensor<2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = linalg.fill ins(%f : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant_returned() -> tensor<2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %a : tensor<2xf32>
}

// -----

func.func @select(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.select %c, %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @select_and_write(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @select_and_write_one_still_read(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %a[%i] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, f32
}

// -----

func.func @select_constant_and_write(%c: i1, %a: tensor<2xf32>, %f: f32, %i: index) -> tensor<2xf32> {
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = arith.select %c, %a, %b : tensor<2xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @select_layouts(%c: i1, %f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %a = tensor.extract_slice %w[2][4][1] : tensor<16xf32> to tensor<4xf32>
  %b = tensor.extract_slice %w[3][4][2] : tensor<16xf32> to tensor<4xf32>
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @select_layout_or_none(%c: i1, %f: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<16xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %a = tensor.extract_slice %w[2][4][1] : tensor<16xf32> to tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %b = linalg.fill ins(%f : f32) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

func.func @select_of_same(%c: i1, %a: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %a : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @select_in_loop(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>, %f: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %0 = arith.select %c, %x, %x : tensor<?xf32>
    %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @index_cast(%t: tensor<?x4xi32>, %i: index) -> index {
  %0 = arith.index_cast %t : tensor<?x4xi32> to tensor<?x4xindex>
  %1 = tensor.extract %0[%i, %i] : tensor<?x4xindex>
  return %1 : index
}

// -----

func.func @index_cast_of_slice(%t: tensor<16xindex>, %i: index) -> i64 {
  %s = tensor.extract_slice %t[2][4][2] : tensor<16xindex> to tensor<4xindex>
  %0 = arith.index_cast %s : tensor<4xindex> to tensor<4xi64>
  %1 = tensor.extract %0[%i] : tensor<4xi64>
  return %1 : i64
}

// -----

func.func @index_cast_and_write(%t: tensor<4xi64>, %f: index, %i: index) -> (index, i64) {
  %0 = arith.index_cast %t : tensor<4xi64> to tensor<4xindex>
  %1 = tensor.insert %f into %0[%i] : tensor<4xindex>
  %2 = tensor.extract %1[%i] : tensor<4xindex>
  %3 = tensor.extract %t[%i] : tensor<4xi64>
  return %2, %3 : index, i64
}
