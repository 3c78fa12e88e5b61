// From: Tutorial 2023 | Pass Options (3)
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: @test(%t: memref<8xf32>, %idx: index) -> memref<8xf32>
// CHECK-NEXT:    %f = arith.constant 5.000000e+00 : f32
// CHECK-NEXT:    %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    memref.copy %t, %[[COPY]]
// CHECK-NEXT:    memref.store %f, %[[COPY]][%idx] : memref<8xf32>
// CHECK-NEXT:    func.return %[[COPY]] : memref<8xf32>
func.func @test(%t: tensor<8xf32> {bufferization.writable = false}, %idx: index) -> tensor<8xf32> {
  %f = arith.constant 5.0 : f32
  %0 = tensor.insert %f into %t[%idx] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
