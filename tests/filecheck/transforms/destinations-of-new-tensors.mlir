// RUN: xdsl-opt %s -p "rewrite-in-destination-passing-style,eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries},cse,canonicalize" | filecheck %s

// What is inserted into a tensor is computed there: nothing is allocated or copied.
func.func @tile(%t: tensor<128xf32>, %x: f32, %y: f32) -> tensor<128xf32> {
  %0 = tensor.from_elements %x, %y : tensor<2xf32>
  %1 = tensor.insert_slice %0 into %t[16] [2] [1] : tensor<2xf32> into tensor<128xf32>
  return %1 : tensor<128xf32>
}

// CHECK-LABEL: @tile
// CHECK-NOT:     memref.alloc
// CHECK:         %[[TILE:.*]] = memref.subview %t[16] [2] [1]
// CHECK:         memref.store %x, %[[TILE]]
// CHECK:         memref.store %y, %[[TILE]]
// CHECK-NOT:     memref.copy
// CHECK:         return %t
