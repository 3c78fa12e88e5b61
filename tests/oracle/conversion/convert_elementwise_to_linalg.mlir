// PASSES: convert-elementwise-to-linalg
func.func @binary(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = arith.addf %a, %b fastmath<fast> : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

func.func @integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.addi %a, %b overflow<nsw> {note} : tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @unary(%a: tensor<?xf64>) -> tensor<?xf64> {
  %r = math.exp %a : tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

func.func @ternary(%a: tensor<2x3x?xf32>) -> tensor<2x3x?xf32> {
  %r = math.fma %a, %a, %a : tensor<2x3x?xf32>
  return %r : tensor<2x3x?xf32>
}

// -----

func.func @scalar(%a: tensor<f32>) -> tensor<f32> {
  %r = arith.negf %a : tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @select_scalar(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.select %c, %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @select_mask(%c: tensor<?xi1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.select %c, %a, %b : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @select_of_masks(%c: i1, %a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.select %c, %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @comparison(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xi1> {
  %r = arith.cmpf olt, %a, %b : tensor<?x?xf32>
  return %r : tensor<?x?xi1>
}

// -----

func.func @comparison_of_bits(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %r = arith.cmpi eq, %a, %b : tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

func.func @conversion(%a: tensor<?x4xf32>) -> tensor<?x4xi32> {
  %r = arith.fptosi %a : tensor<?x4xf32> to tensor<?x4xi32>
  return %r : tensor<?x4xi32>
}

// -----

func.func @index_cast(%a: tensor<4xi32>) -> tensor<4xindex> {
  %r = arith.index_cast %a : tensor<4xi32> to tensor<4xindex>
  return %r : tensor<4xindex>
}

// -----

func.func @bitcast(%a: tensor<4xf32>) -> tensor<4xi32> {
  %r = arith.bitcast %a : tensor<4xf32> to tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @extf(%a: tensor<4xf16>) -> tensor<4xf32> {
  %r = arith.extf %a : tensor<4xf16> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @power(%a: tensor<4xf32>, %b: tensor<4xi32>) -> tensor<4xf32> {
  %r = math.fpowi %a, %b : tensor<4xf32>, tensor<4xi32>
  return %r : tensor<4xf32>
}

// -----

func.func @encoding(%a: tensor<4xf32, "x">) -> tensor<4xf32, "x"> {
  %r = arith.mulf %a, %a : tensor<4xf32, "x">
  return %r : tensor<4xf32, "x">
}

// -----

func.func @vectors_stay(%a: vector<4xf32>) -> vector<4xf32> {
  %r = arith.mulf %a, %a : vector<4xf32>
  return %r : vector<4xf32>
}

// -----

func.func @scalars_stay(%a: f32) -> f32 {
  %r = arith.mulf %a, %a : f32
  return %r : f32
}

// -----

func.func @constants_stay() -> tensor<2xf32> {
  %r = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @of_constants(%a: tensor<2xf32>) -> tensor<2xf32> {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = arith.mulf %a, %k : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @chain(%a: tensor<?xf32>) -> tensor<?xf32> {
  %k = math.sqrt %a : tensor<?xf32>
  %l = arith.mulf %k, %a : tensor<?xf32>
  %r = arith.maximumf %l, %k : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @in_loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<4xf32> {
    %y = arith.addf %x, %a : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @two_results(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r, %o = arith.addui_extended %a, %b : tensor<?xi32>, tensor<?xi1>
  return %r : tensor<?xi32>
}

// -----

func.func @wide_product(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r, %h = arith.mulsi_extended %a, %b : tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// DIFFERS: the destination may be written; that of mlir-opt is the constant
func.func @constant_on_the_left(%a: tensor<2xf32>) -> tensor<2xf32> {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = arith.subf %k, %a : tensor<2xf32>
  return %r : tensor<2xf32>
}
