// Programs in which the order of the decisions matters.

func.func @fork(%t: tensor<?xf32>, %f: f32, %i: index, %c: i1) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %2 = scf.if %c -> tensor<?xf32> {
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %1 : tensor<?xf32>
  }
  return %2, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @many(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.map { arith.addf } ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>)
  %3 = tensor.insert %f into %0[%i] : tensor<8xf32>
  %4 = tensor.insert %f into %2[%i] : tensor<8xf32>
  return %0, %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @select_in_loop(%t: tensor<4x4xi32> {bufferization.writable = false}, %i: index, %c: i1) -> i32 {
  %0 = tensor.extract_slice %t[1, 0] [1, 4] [1, 1] : tensor<4x4xi32> to tensor<1x4xi32>
  %zero = arith.constant 0 : i32
  %1:2 = scf.while (%j = %i, %a = %0) : (index, tensor<1x4xi32>) -> (index, tensor<1x4xi32>) {
    scf.condition(%c) %j, %0 : index, tensor<1x4xi32>
  } do {
  ^bb0(%j: index, %a: tensor<1x4xi32>):
    scf.yield %j, %a : index, tensor<1x4xi32>
  }
  %2:2 = scf.while (%j = %1#0, %a = %1#1) : (index, tensor<1x4xi32>) -> (index, tensor<1x4xi32>) {
    %s = arith.select %c, %1#1, %0 : tensor<1x4xi32>
    scf.condition(%c) %j, %0 : index, tensor<1x4xi32>
  } do {
  ^bb0(%j: index, %a: tensor<1x4xi32>):
    scf.yield %j, %a : index, tensor<1x4xi32>
  }
  return %zero : i32
}

// -----

func.func @selected_results_of_loop(%t: tensor<5xi32> {bufferization.writable = false}, %i: index, %c: i1) -> tensor<5xi32> {
  %r:2 = scf.for %k = %i to %i step %i iter_args(%a = %t, %b = %t) -> (tensor<5xi32>, tensor<5xi32>) {
    scf.yield %b, %b : tensor<5xi32>, tensor<5xi32>
  }
  %w:3 = scf.while (%j = %i, %a = %t, %b = %r#0) : (index, tensor<5xi32>, tensor<5xi32>) -> (index, tensor<5xi32>, tensor<5xi32>) {
    scf.condition(%c) %j, %a, %b : index, tensor<5xi32>, tensor<5xi32>
  } do {
  ^bb0(%j: index, %a: tensor<5xi32>, %b: tensor<5xi32>):
    %s = arith.select %c, %r#1, %r#0 : tensor<5xi32>
    scf.yield %j, %a, %b : index, tensor<5xi32>, tensor<5xi32>
  }
  %v = tensor.insert_slice %r#1 into %w#2[%w#0] [5] [1] : tensor<5xi32> into tensor<5xi32>
  return %v : tensor<5xi32>
}

// -----

func.func @tiles(%t: tensor<16xf32>, %u: tensor<16xf32>, %f: f32, %i: index) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %1 = tensor.extract_slice %u[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.map { arith.mulf } ins(%2, %1 : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>)
  %4 = tensor.insert_slice %3 into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %5 = tensor.insert_slice %2 into %u[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %6 = tensor.insert %f into %4[%i] : tensor<16xf32>
  %7 = linalg.map { arith.addf } ins(%4, %6 : tensor<16xf32>, tensor<16xf32>) outs(%5 : tensor<16xf32>)
  return %6, %7 : tensor<16xf32>, tensor<16xf32>
}

// -----

func.func private @write(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @calls(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @write(%t, %f, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %1 = call @write(%t, %f, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %2 = call @write(%0, %f, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %3 = linalg.map { arith.addf } ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>)
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
