// Layouts that mlir-opt predicts less precisely.
// PASSES: one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}

func.func @if_of_new_buffers(%c: i1, %f: f32) -> tensor<4xf32> {
  // DIFFERS: mlir-opt gives the result a dynamic layout, though both buffers are contiguous
  %r = scf.if %c -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    %e = tensor.splat %f : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @loop_of_new_buffers(%f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %e = tensor.from_elements %f, %f, %f, %f : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @if_of_alloc_tensors(%c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
