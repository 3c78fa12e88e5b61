// From: Comprehensive Bufferization | Special Handling of tensor.extract_slice/tensor.insert_slice Pairs
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only allow-return-allocs-from-loops}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse,canonicalize' | filecheck %s --check-prefix IR

// CHECK-LABEL: @tile(
// CHECK:         tensor.extract_slice {{.*}}__inplace_operands_attr__ = ["true", "none", "none"]
// CHECK:         linalg.fill {{.*}}__inplace_operands_attr__ = ["none", "true"]
// CHECK:         tensor.insert_slice {{.*}}__inplace_operands_attr__ = ["true", "true", "none", "none"]
// IR-LABEL:    @tile(
// IR-NEXT:       %[[VIEW:.*]] = memref.subview %t[%o] [%s] [1]
// IR-NEXT:       linalg.fill ins(%f : f32) outs(%[[VIEW]]
// IR-NEXT:       func.return %t
func.func @tile(%t: tensor<?xf32>, %o: index, %s: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.extract_slice %t[%o] [%s] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[%o] [%s] [1] : tensor<?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}
