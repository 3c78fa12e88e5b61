// Branches that mlir-opt fails on.

func.func @cond_br_to_one_block(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  // MLIR-REJECTS: mlir-opt replaces the operands of only one of the two branches
  cf.cond_br %c, ^end(%t : tensor<8xf32>), ^end(%u : tensor<8xf32>)
^end(%a: tensor<8xf32>):
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

func.func @switch_to_one_block(%k: i32, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  // MLIR-REJECTS: mlir-opt replaces the operands of only one of the branches
  cf.switch %k : i32, [
    default: ^end(%t : tensor<8xf32>),
    1: ^one(%u : tensor<8xf32>),
    2: ^end(%u : tensor<8xf32>)
  ]
^one(%a: tensor<8xf32>):
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  cf.br ^end(%w : tensor<8xf32>)
^end(%b: tensor<8xf32>):
  return %b : tensor<8xf32>
}

// -----

func.func @unreachable_block(%t: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  // MLIR-REJECTS: mlir-opt finds no type for a block argument to which nothing is forwarded
  %e = tensor.extract %t[%i] : tensor<8xf32>
  return %e : f32
^never(%a: tensor<8xf32>):
  %g = tensor.extract %a[%i] : tensor<8xf32>
  return %g : f32
}
