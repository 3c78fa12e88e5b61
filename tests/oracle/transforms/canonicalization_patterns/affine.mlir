// Affine maps over what their operands are computed from, loops that do nothing, and
// conditions that are known.

func.func @apply_of_constants() -> index {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0 floordiv 2)>(%c3)[%c5]
  return %0 : index
}

// -----

func.func @apply_of_operand(%i: index) -> (index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0)>(%i)
  %1 = affine.apply affine_map<()[s0] -> (s0)>()[%i]
  return %0, %1 : index, index
}

// -----

func.func @apply_of_difference_with_itself(%i: index) -> index {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %i)
  return %0 : index
}

// -----

func.func @apply_of_applies(%i: index, %n: index) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]
  %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
  %2 = affine.apply affine_map<(d0, d1) -> (d0 mod 3 + d1)>(%0, %1)
  return %2 : index
}

// -----

func.func @symbol_of_apply(%n: index, %m: memref<?xf32>) -> f32 {
  %0 = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  %1 = affine.load %m[symbol(%0) + 1] : memref<?xf32>
  return %1 : f32
}

// -----

func.func @quotient_by_symbol(%i: index) -> index {
  %c4 = arith.constant 4 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%c4]
  return %0 : index
}

// -----

func.func @accesses(%m: memref<10x10xf32>, %v: f32, %w: vector<4xf32>) -> (f32, vector<4xf32>) {
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %i = 0 to 6 iter_args(%a = %v, %b = %w) -> (f32, vector<4xf32>) {
    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %1 = affine.load %m[%0, %c1] : memref<10x10xf32>
    affine.store %a, %m[%0 + 2, %c1 * 3] : memref<10x10xf32>
    %2 = affine.vector_load %m[%0, %c1] : memref<10x10xf32>, vector<4xf32>
    affine.vector_store %b, %m[%c1, %0] : memref<10x10xf32>, vector<4xf32>
    affine.prefetch %m[%0, %c1], read, locality<3>, data : memref<10x10xf32>
    affine.yield %1, %2 : f32, vector<4xf32>
  }
  return %r#0, %r#1 : f32, vector<4xf32>
}

// -----

func.func @access_of_cast(%m: memref<10xf32>, %i: index, %v: f32) -> f32 {
  %0 = memref.cast %m : memref<10xf32> to memref<?xf32>
  affine.store %v, %0[0] : memref<?xf32>
  %1 = affine.load %0[3] : memref<?xf32>
  return %1 : f32
}

// -----

func.func @extrema_of_constants() -> (index, index) {
  %c3 = arith.constant 3 : index
  %0 = affine.min affine_map<(d0) -> (d0 * 2, 7, 9)>(%c3)
  %1 = affine.max affine_map<(d0) -> (d0 * 2, 7, -9)>(%c3)
  return %0, %1 : index, index
}

// -----

func.func @extrema_of_one(%i: index) -> (index, index) {
  %0 = affine.min affine_map<(d0) -> (d0)>(%i)
  %1 = affine.max affine_map<(d0)[s0] -> (d0 + 1, s0 + 1)>(%i)[%i]
  return %0, %1 : index, index
}

// -----

func.func @minimum_of_minima(%i: index, %j: index) -> index {
  %0 = affine.min affine_map<(d0) -> (d0, 10)>(%i)
  %1 = affine.min affine_map<(d0, d1) -> (d0, d1 * 2, 8)>(%0, %j)
  return %1 : index
}

// -----

func.func @minimum_of_maximum(%i: index, %j: index) -> index {
  %0 = affine.max affine_map<(d0) -> (d0, 10)>(%i)
  %1 = affine.min affine_map<(d0, d1) -> (d0, d1 * 2, 8)>(%0, %j)
  return %1 : index
}

// -----

func.func @dead_loop(%n: index, %m: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n] {
      %0 = affine.load %m[%j] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @loop_of_constant_bounds(%v: f32, %m: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  affine.for %i = max affine_map<()[s0] -> (s0, 1)>()[%c2] to min affine_map<(d0) -> (d0, d0 + 1)>(%c9) {
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// -----

func.func @loop_that_never_runs(%a: f32, %m: memref<?xf32>) -> f32 {
  %0 = affine.for %i = 5 to 5 iter_args(%x = %a) -> f32 {
    %1 = affine.load %m[%i] : memref<?xf32>
    %2 = arith.addf %x, %1 : f32
    affine.yield %2 : f32
  }
  return %0 : f32
}

// -----

func.func @loop_that_yields_its_arguments(%a: f32, %b: f32, %n: index) -> (f32, f32) {
  %0:2 = affine.for %i = 0 to %n iter_args(%x = %a, %y = %b) -> (f32, f32) {
    affine.yield %x, %y : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

// -----

func.func @loop_that_swaps_its_arguments(%a: f32, %b: f32) -> (f32, f32) {
  %0:2 = affine.for %i = 0 to 2 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    affine.yield %y, %x : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

// -----

func.func @loop_that_yields_another_value(%a: f32, %b: f32) -> f32 {
  %0 = affine.for %i = 0 to 3 iter_args(%x = %a) -> f32 {
    affine.yield %b : f32
  }
  return %0 : f32
}

// -----

func.func @loop_that_may_yield_another_value(%a: f32, %b: f32, %n: index) -> f32 {
  %0 = affine.for %i = 0 to %n iter_args(%x = %a) -> f32 {
    affine.yield %b : f32
  }
  return %0 : f32
}

// -----

func.func @loop_that_yields_its_counter(%a: index) -> index {
  %0 = affine.for %i = 0 to 3 iter_args(%x = %a) -> index {
    affine.yield %i : index
  }
  return %0 : index
}

// -----

// DIFFERS: mlir-opt keeps an affine.if whose condition has no operands left
func.func @known_conditions(%a: f32, %b: f32) -> (f32, f32) {
  %c3 = arith.constant 3 : index
  %0 = affine.if affine_set<(d0) : (d0 - 3 == 0, d0 >= 0)>(%c3) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  %1 = affine.if affine_set<(d0)[s0] : (d0 - 4 >= 0, s0 >= 0)>(%c3)[%c3] -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  return %0, %1 : f32, f32
}

// -----

func.func @condition_of_apply(%m: memref<10xf32>, %v: f32) {
  affine.for %i = 0 to 9 {
    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.if affine_set<(d0, d1) : (d0 - 4 >= 0, d1 >= 0)>(%0, %i) {
      affine.store %v, %m[%0] : memref<10xf32>
    } else {
    }
  }
  return
}
