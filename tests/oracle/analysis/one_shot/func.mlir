// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
func.func @identity_layout(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
// A slice is not contiguous where the result type demands it.
func.func @identity_slice(%t: tensor<10x10xf32>) -> tensor<4x4xf32> {
  %0 = tensor.extract_slice %t[2, 2] [4, 4] [1, 1] : tensor<10x10xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
// Nor where a callee demands it.
func.func private @wants_identity(%t: tensor<4x4xf32>, %i: index) -> f32 {
  %0 = tensor.extract %t[%i, %i] : tensor<4x4xf32>
  return %0 : f32
}
func.func @identity_call(%t: tensor<10x10xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[2, 2] [4, 4] [1, 1] : tensor<10x10xf32> to tensor<4x4xf32>
  %1 = call @wants_identity(%0, %i) : (tensor<4x4xf32>, index) -> f32
  return %1 : f32
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
func.func @identity_recursion(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = call @identity_recursion(%t, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=fully-dynamic-layout-map}
func.func @dynamic_layout(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=fully-dynamic-layout-map}
func.func private @even(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = call @odd(%t, %i) : (tensor<4xf32>, index) -> f32
  return %0 : f32
}
func.func private @odd(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = call @even(%t, %i) : (tensor<4xf32>, index) -> f32
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries copy-before-write}
func.func @copy_before_write(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries no-analysis-func-filter=unanalyzed}
func.func private @unanalyzed(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @calls_unanalyzed(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = call @unanalyzed(%0, %i, %f) : (tensor<?xf32>, index, f32) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries buffer-alignment=128}
func.func @alignment(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries buffer-alignment=0}
func.func @no_alignment(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize
// Functions stay on tensors.
func.func @no_boundaries(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize
func.func private @callee(%t: tensor<?xf32>) -> tensor<?xf32>
func.func @no_boundaries_call(%t: tensor<?xf32>, %i: index, %f: f32) -> f32 {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = func.call @callee(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.extract %1[%i] : tensor<?xf32>
  return %2 : f32
}

// -----
// PASSES: one-shot-bufferize{allow-unknown-ops unknown-type-conversion=identity-layout-map}
func.func @unknown_identity(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}

// -----
// PASSES: one-shot-bufferize{dialect-filter=tensor,bufferization}
func.func @filter(%n: index, %f: f32, %i: index) -> f32 {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.extract %1[%i] : tensor<?xf32>
  return %2 : f32
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries must-infer-memory-space}
// REJECTED: could not infer memory space
func.func @memory_space(%t: tensor<?xf32>) -> tensor<?xf32> {
  return %t : tensor<?xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries use-encoding-for-memory-space}
func.func @encoding(%t: tensor<4xf32, 1>, %i: index, %f: f32) -> tensor<4xf32, 1> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32, 1>
  return %0 : tensor<4xf32, 1>
}

// -----
// PASSES: one-shot-bufferize{dialect-filter=tensor}
// DIFFERS: mlir-opt turns tensor.empty into bufferization.alloc_tensor, which the filter
// then excludes; here tensor.empty becomes an allocation.
func.func @filter_tensor(%n: index, %i: index) -> f32 {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries}
// REJECTED: op was not bufferized
func.func @not_bufferizable(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.reciprocal %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
// A result in another memory space than the function's type says is copied.
func.func @other_space(%x: f32, %i: index) -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @caller(%x: f32, %i: index) -> f32 {
  %0 = func.call @other_space(%x, %i) : (f32, index) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----
// PASSES: one-shot-bufferize{dialect-filter=tensor,bufferization}
// Ops that stay on tensors take them from where the buffers are made.
func.func @some_ops_stay(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.map { math.exp } ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>)
  %x = tensor.extract %1[%i] : tensor<8xf32>
  %2 = vector.transfer_read %0[%i], %x : tensor<8xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %0[%i] : vector<4xf32>, tensor<8xf32>
  %4 = tensor.insert %x into %3[%i] : tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----
// PASSES: one-shot-bufferize{dialect-filter=tensor,bufferization,scf}
func.func @some_ops_stay_in_loop(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %v = vector.transfer_read %a[%i], %f : tensor<8xf32>, vector<4xf32>
    %0 = tensor.insert %f into %a[%i] : tensor<8xf32>
    %w = vector.transfer_read %0[%i], %f : tensor<8xf32>, vector<4xf32>
    vector.print %v : vector<4xf32>
    vector.print %w : vector<4xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----
// PASSES: one-shot-bufferize
func.func private @ext(tensor<*xf32>) -> tensor<*xf32>
func.func @unranked_call(%t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %u = tensor.cast %t : tensor<8xf32> to tensor<*xf32>
  %v = call @ext(%u) : (tensor<*xf32>) -> tensor<*xf32>
  %w = tensor.cast %v : tensor<*xf32> to tensor<8xf32>
  %x = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %x : tensor<8xf32>, f32
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops function-boundary-type-conversion=identity-layout-map}
func.func @returned_by_an_unknown_op(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops unknown-type-conversion=identity-layout-map}
func.func @returned_by_an_unknown_op_twice(%a: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.negf %a : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %0, %1, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries dialect-filter=tensor,bufferization,func allow-unknown-ops}
// DIFFERS: mlir-opt rewrites the branches with their function, but its analysis ignores
// them
func.func @branches_go_with_their_function(%t: tensor<4xf32>, %u: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %e = tensor.insert %f into %t[%i] : tensor<4xf32>
  cf.cond_br %c, ^bb1(%e : tensor<4xf32>), ^bb2(%u : tensor<4xf32>)
^bb1(%a: tensor<4xf32>):
  cf.br ^bb2(%a : tensor<4xf32>)
^bb2(%b: tensor<4xf32>):
  return %b : tensor<4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}
%t = arith.constant dense<1.0> : tensor<4xf32>
%u = arith.negf %t : tensor<4xf32>
%i = arith.constant 1 : index
%f = arith.constant 2.0 : f32
%0 = tensor.insert %f into %u[%i] : tensor<4xf32>
%1 = arith.addf %0, %u : tensor<4xf32>
func.func @beside_ops_outside_of_functions(%a: tensor<4xf32>, %g: f32, %n: index) -> tensor<4xf32> {
  %r = tensor.insert %g into %a[%n] : tensor<4xf32>
  return %r : tensor<4xf32>
}
