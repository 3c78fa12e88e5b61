// From: Tutorial 2023 | Common Pitfalls
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics | filecheck %s --check-prefix REFUSED

// CHECK-LABEL: @swap(
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (memref<5xf32>, memref<5xf32>)
// CHECK:           scf.yield
// REFUSED:       Yield operand #0 is not equivalent to the corresponding iter bbArg
func.func @swap(%c: tensor<5xf32>, %d: tensor<5xf32>, %lb: index, %ub: index, %step: index) -> (tensor<5xf32>, tensor<5xf32>) {
  %a, %b = scf.for %i = %lb to %ub step %step iter_args(%arg0 = %c, %arg1 = %d) -> (tensor<5xf32>, tensor<5xf32>) {
    scf.yield %arg1, %arg0 : tensor<5xf32>, tensor<5xf32>
  }
  return %a, %b : tensor<5xf32>, tensor<5xf32>
}
