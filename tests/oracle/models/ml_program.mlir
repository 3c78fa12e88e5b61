// ml_program globals. A program is named after its global.

ml_program.global private mutable @loaded_and_stored(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%i: index, %f: f32) -> f32 {
  %0 = ml_program.global_load @loaded_and_stored : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  ml_program.global_store @loaded_and_stored = %1 : tensor<4xf32>
  return %2 : f32
}

// -----

ml_program.global private @constant(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %0 = ml_program.global_load @constant : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %2, %1 : f32, tensor<4xf32>
}

// -----

ml_program.global private mutable @stored_argument(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  ml_program.global_store @stored_argument = %t : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

ml_program.global private mutable @updated_in_loop(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = ml_program.global_load @updated_in_loop : tensor<4xf32>
    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
    ml_program.global_store @updated_in_loop = %1 : tensor<4xf32>
  }
  return
}
