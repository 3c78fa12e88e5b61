// ml_program globals. The name of a program is that of its global.

ml_program.global private mutable @loaded_and_stored(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%i: index, %f: f32) -> f32 {
  %0 = "ml_program.global_load"() <{global = @loaded_and_stored}> : () -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  "ml_program.global_store"(%1) <{global = @loaded_and_stored}> : (tensor<4xf32>) -> ()
  return %2 : f32
}

// -----

ml_program.global private @constant(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %0 = "ml_program.global_load"() <{global = @constant}> : () -> tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %2, %1 : f32, tensor<4xf32>
}

// -----

// DIFFERS: mlir-opt stores undefined contents

ml_program.global private mutable @stored_constant(dense<1> : tensor<2x2xi32>) : tensor<2x2xi32>

func.func @f() {
  %0 = arith.constant dense<2> : tensor<2x2xi32>
  "ml_program.global_store"(%0) <{global = @stored_constant}> : (tensor<2x2xi32>) -> ()
  return
}

// -----

ml_program.global private mutable @stored_argument(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  "ml_program.global_store"(%t) <{global = @stored_argument}> : (tensor<4xf32>) -> ()
  return %1 : tensor<4xf32>
}

// -----

ml_program.global private mutable @updated_in_loop(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = "ml_program.global_load"() <{global = @updated_in_loop}> : () -> tensor<4xf32>
    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
    "ml_program.global_store"(%1) <{global = @updated_in_loop}> : (tensor<4xf32>) -> ()
    scf.yield
  }
  return
}

// -----

// DIFFERS: mlir-opt reads the new contents where the program reads the old ones

ml_program.global private mutable @old_contents_read(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = "ml_program.global_load"() <{global = @old_contents_read}> : () -> tensor<4xf32>
  "ml_program.global_store"(%t) <{global = @old_contents_read}> : (tensor<4xf32>) -> ()
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----

// DIFFERS: mlir-opt reads the new contents where the program reads the old ones

ml_program.global private mutable @old_contents_of_slice_read(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%c: i1, %t: tensor<4xf32>, %i: index) -> f32 {
  %0 = "ml_program.global_load"() <{global = @old_contents_of_slice_read}> : () -> tensor<4xf32>
  %s = tensor.extract_slice %0[1][2][1] : tensor<4xf32> to tensor<2xf32>
  scf.if %c {
    "ml_program.global_store"(%t) <{global = @old_contents_of_slice_read}> : (tensor<4xf32>) -> ()
    scf.yield
  }
  %1 = tensor.extract %s[%i] : tensor<2xf32>
  return %1 : f32
}

// -----

// DIFFERS: mlir-opt gives away the global's own memory, which later stores change

ml_program.global private mutable @old_contents_returned(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @get() -> tensor<4xf32> {
  %0 = "ml_program.global_load"() <{global = @old_contents_returned}> : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @set(%t: tensor<4xf32>) {
  "ml_program.global_store"(%t) <{global = @old_contents_returned}> : (tensor<4xf32>) -> ()
  return
}

// -----

// DIFFERS: mlir-opt does not see that the store reads, and stores what is written after

ml_program.global private mutable @store_reads(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  "ml_program.global_store"(%t) <{global = @store_reads}> : (tensor<4xf32>) -> ()
  return %2 : f32
}

// -----

// MLIR-REJECTS: mlir-opt crashes on a global that is no tensor

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
