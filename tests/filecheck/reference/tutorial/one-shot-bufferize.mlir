// From: Tutorial 2023 | One-Shot Bufferize, and Pass Options (1)
// RUN: xdsl-opt %s -p 'one-shot-bufferize' | filecheck %s --check-prefix NONE
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s --check-prefix FUNCTIONS
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix IDENTITY
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions}' | filecheck %s --check-prefix DROPPED

// NONE-LABEL:      @test(%t: tensor<8xf32>, %idx: index) -> tensor<8xf32>
// NONE-NEXT:         %[[M:.*]] = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// NONE-NEXT:         %f = arith.constant 5.000000e+00 : f32
// NONE-NEXT:         %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// NONE-NEXT:         memref.copy %[[M]], %[[COPY]]
// NONE-NEXT:         memref.store %f, %[[COPY]][%idx] : memref<8xf32>
// NONE-NEXT:         %[[R:.*]] = bufferization.to_tensor %[[COPY]] : memref<8xf32> to tensor<8xf32>
// NONE-NEXT:         func.return %[[R]] : tensor<8xf32>

// FUNCTIONS-LABEL: @test(%t: memref<8xf32, strided<[?], offset: ?>>, %idx: index) -> memref<8xf32, strided<[?], offset: ?>>
// FUNCTIONS-NEXT:    %f = arith.constant 5.000000e+00 : f32
// FUNCTIONS-NEXT:    memref.store %f, %t[%idx] : memref<8xf32, strided<[?], offset: ?>>
// FUNCTIONS-NEXT:    func.return %t : memref<8xf32, strided<[?], offset: ?>>

// Pass Options (2)
// IDENTITY-LABEL:  @test(%t: memref<8xf32>, %idx: index) -> memref<8xf32>
// IDENTITY-NEXT:     %f = arith.constant 5.000000e+00 : f32
// IDENTITY-NEXT:     memref.store %f, %t[%idx] : memref<8xf32>
// IDENTITY-NEXT:     func.return %t : memref<8xf32>

// Pass Options (4)
// DROPPED-LABEL:   @test(%t: memref<8xf32>, %idx: index) {
// DROPPED-NEXT:      %f = arith.constant 5.000000e+00 : f32
// DROPPED-NEXT:      memref.store %f, %t[%idx] : memref<8xf32>
// DROPPED-NEXT:      func.return
func.func @test(%t: tensor<8xf32>, %idx: index) -> tensor<8xf32> {
  %f = arith.constant 5.000000e+00 : f32
  %0 = tensor.insert %f into %t[%idx] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
