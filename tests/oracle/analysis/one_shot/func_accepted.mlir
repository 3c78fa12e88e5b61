// PASSES: one-shot-bufferize{bufferize-function-boundaries}
// MLIR-REJECTS: mlir-opt cannot bufferize func.call_indirect
func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> {
  %f = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @indirect(%t: tensor<4xf32>, %f: (tensor<4xf32>) -> tensor<4xf32>, %i: index) -> (f32, tensor<4xf32>) {
  %0 = func.call_indirect %f(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1, %0 : f32, tensor<4xf32>
}
func.func @use(%t: tensor<4xf32>, %i: index) -> f32 {
  %g = func.constant @g : (tensor<4xf32>) -> tensor<4xf32>
  %0:2 = func.call @indirect(%t, %g, %i) : (tensor<4xf32>, (tensor<4xf32>) -> tensor<4xf32>, index) -> (f32, tensor<4xf32>)
  return %0#0 : f32
}

// -----
// MLIR-REJECTS: mlir-opt determines the type of the call before that of the function
func.func @recursion(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = func.call @recursion(%t, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %a = tensor.empty() : tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----
// MLIR-REJECTS: mlir-opt does not propagate the memory space of a result to the call
func.func private @space() -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @use_space(%i: index) -> f32 {
  %0 = call @space() : () -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// -----
// MLIR-REJECTS: an unranked tensor cannot be copied, but its source can be
func.func private @external(tensor<*xf32>)
func.func @unranked(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  call @external(%0) : (tensor<*xf32>) -> ()
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}

// -----
// The cast is folded into the function type. mlir-opt's caller goes on with the shape that
// it is given; here it casts it to the one it was promised.
func.func private @gain(%t: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @use_gain(%n: index, %f: f32) -> tensor<4xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = call @gain(%0) : (tensor<?xf32>) -> tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----
// DIFFERS: mlir-opt writes to one of two results that are the same buffer.
func.func private @pair(%f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @use_pair(%f: f32, %g: f32, %i: index) -> (f32, tensor<4xf32>) {
  %0:2 = call @pair(%f) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = tensor.insert %g into %0#0[%i] : tensor<4xf32>
  %2 = tensor.extract %0#1[%i] : tensor<4xf32>
  return %2, %1 : f32, tensor<4xf32>
}

// -----
// A function in a nested module.
module @inner {
  func.func @nested(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
    %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----
// DIFFERS: mlir-opt does not process nested modules.
module @outer {
  module @inner {
    func.func @nested(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
      %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
}
