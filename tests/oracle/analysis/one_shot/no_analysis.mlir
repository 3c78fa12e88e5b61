// Functions that are excluded from the analysis are not annotated.

// PASSES: one-shot-bufferize{bufferize-function-boundaries test-analysis-only no-analysis-func-filter=excluded}
func.func @excluded(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<4xf32>
  return %0 : f32
}
func.func @calls_excluded(%t: tensor<4xf32>, %i: index, %x: f32) -> (f32, tensor<4xf32>) {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = call @excluded(%0, %i) : (tensor<4xf32>, index) -> f32
  return %1, %0 : f32, tensor<4xf32>
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries test-analysis-only no-analysis-func-filter=in_cycle}
func.func @in_cycle(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = call @analyzed_in_cycle(%t, %i) : (tensor<4xf32>, index) -> f32
  return %0 : f32
}
func.func @analyzed_in_cycle(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = call @in_cycle(%t, %i) : (tensor<4xf32>, index) -> f32
  return %0 : f32
}

// -----
// PASSES: one-shot-bufferize{bufferize-function-boundaries test-analysis-only dialect-filter=tensor}
func.func @of_another_dialect(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
