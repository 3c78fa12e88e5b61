// PASSES: convert-tensor-to-linalg
func.func @pad_dynamic(%t: tensor<?x4xf32>, %l: index, %x: f32) -> tensor<?x7xf32> {
  %0 = tensor.pad %t low[%l, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}

// -----

func.func @pad_constant(%t: tensor<?x4xf32>, %l: index) -> tensor<?x7xf32> {
  %0 = tensor.pad %t low[%l, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    %x = arith.constant 0.0 : f32
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}

// -----

func.func @pad_computed(%t: tensor<?x4xindex>, %l: index) -> tensor<?x7xindex> {
  %0 = tensor.pad %t low[%l, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    %x = arith.addi %i, %j : index
    tensor.yield %x : index
  } : tensor<?x4xindex> to tensor<?x7xindex>
  return %0 : tensor<?x7xindex>
}

// -----

func.func @pad_static(%t: tensor<3x4xf32>, %x: f32) -> tensor<6x7xf32> {
  %0 = tensor.pad %t nofold low[1, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<3x4xf32> to tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
}

// -----

func.func @pad_nothing_nofold(%t: tensor<3x4xf32>, %x: f32) -> tensor<3x4xf32> {
  %0 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<3x4xf32> to tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @pad_nothing(%t: tensor<3x?xf32>, %x: f32) -> tensor<3x?xf32> {
  %0 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<3x?xf32> to tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

func.func @generate_3d(%m: tensor<2x3xf32>, %n: index) -> tensor<2x?x3xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index, %k: index):
    %x = tensor.extract %m[%i, %k] : tensor<2x3xf32>
    tensor.yield %x : f32
  } : tensor<2x?x3xf32>
  return %0 : tensor<2x?x3xf32>
}

// -----

func.func @generate_outer_value(%x: f32) -> tensor<4xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @generate_nested(%x: f32) -> tensor<4xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %e = tensor.from_elements %x, %x : tensor<2xf32>
    %y = tensor.extract %e[%c0] : tensor<2xf32>
    tensor.yield %y : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @from_elements_2d(%a: i8, %b: i8) -> tensor<2x1x3xi8> {
  %0 = tensor.from_elements %a, %b, %a, %b, %a, %b : tensor<2x1x3xi8>
  return %0 : tensor<2x1x3xi8>
}

// -----

func.func @pad_coordinate(%t: tensor<3xindex>) -> tensor<5xindex> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<3xindex> to tensor<5xindex>
  return %0 : tensor<5xindex>
}

// -----

func.func @pad_nofold_dynamic(%t: tensor<?xf32>, %n: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %t nofold low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @pad_all_dynamic(%t: tensor<?x?xf32>, %l: index, %h: index, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %t low[%l, %l] high[%h, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @pad_in_loop(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tensor.empty() : tensor<8xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> tensor<8xf32> {
    %0 = tensor.pad %t low[1] high[3] {
    ^bb0(%i0: index):
      tensor.yield %x : f32
    } : tensor<4xf32> to tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
