// ml_program globals. A program is named after its global.

// DIFFERS: mlir-opt stores undefined contents

ml_program.global private mutable @stored_constant(dense<1> : tensor<2x2xi32>) : tensor<2x2xi32>

func.func @f() {
  %0 = arith.constant dense<2> : tensor<2x2xi32>
  ml_program.global_store @stored_constant = %0 : tensor<2x2xi32>
  return
}

// -----

// DIFFERS: mlir-opt reads the new contents where the program reads the old ones

ml_program.global private mutable @old_contents_read(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = ml_program.global_load @old_contents_read : tensor<4xf32>
  ml_program.global_store @old_contents_read = %t : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// DIFFERS: mlir-opt reads the new contents where the program reads the old ones

ml_program.global private mutable @old_contents_of_slice_read(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%c: i1, %t: tensor<4xf32>, %i: index) -> f32 {
  %0 = ml_program.global_load @old_contents_of_slice_read : tensor<4xf32>
  %s = tensor.extract_slice %0[1][2][1] : tensor<4xf32> to tensor<2xf32>
  scf.if %c {
    ml_program.global_store @old_contents_of_slice_read = %t : tensor<4xf32>
  }
  %1 = tensor.extract %s[%i] : tensor<2xf32>
  return %1 : f32
}

// -----

// DIFFERS: mlir-opt returns the global's own memory, which later stores change

ml_program.global private mutable @old_contents_returned(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @get() -> tensor<4xf32> {
  %0 = ml_program.global_load @old_contents_returned : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @set(%t: tensor<4xf32>) {
  ml_program.global_store @old_contents_returned = %t : tensor<4xf32>
  return
}

// -----

// DIFFERS: mlir-opt ignores the read of the store, and stores the contents written
// afterwards

ml_program.global private mutable @store_reads(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  ml_program.global_store @store_reads = %t : tensor<4xf32>
  return %2 : f32
}

// -----

// MLIR-REJECTS: mlir-opt crashes on a global that is not a tensor

ml_program.global private mutable @scalar(1 : i32) : i32

func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// MLIR-REJECTS: mlir-opt does not bufferize ml_program.global_load_const

ml_program.global private @load_const(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%i: index) -> f32 {
  %0 = ml_program.global_load_const @load_const : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// MLIR-REJECTS: mlir-opt uses the external value as initial contents

ml_program.global private mutable @extern(#ml_program.extern : tensor<4xf32>) : tensor<4xf32>

func.func @f(%i: index) -> f32 {
  %0 = ml_program.global_load @extern : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// REJECTED: must have a value

ml_program.global private mutable @no_value : tensor<4xf32>

func.func @f(%i: index) -> f32 {
  %0 = ml_program.global_load @no_value : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
