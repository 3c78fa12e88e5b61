// RUN: xdsl-opt %s -p convert-elementwise-to-linalg --split-input-file | filecheck %s

func.func @binary(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @binary
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK-NEXT:      linalg.yield %[[SUM]] : f32
// CHECK:         return %[[R]]

// -----

// No operand has the type of the result.
func.func @comparison(%a: tensor<?xf32>) -> tensor<?xi1> {
  %0 = arith.cmpf olt, %a, %a : tensor<?xf32>
  return %0 : tensor<?xi1>
}

// CHECK-LABEL: @comparison
// CHECK:         %[[SIZE:.*]] = tensor.dim %a
// CHECK-NEXT:    %[[EMPTY:.*]] = tensor.empty(%[[SIZE]]) : tensor<?xi1>
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<?xi1>)

// -----

// A scalar operand is the same for all elements.
func.func @select(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @select
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>
// CHECK:           arith.select %{{.*}} : f32

// -----

// The destination is an operand that may be written: no constant, or view of one.
func.func @constant(%a: tensor<4xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = arith.subf %k, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @constant
// CHECK:         linalg.generic {{.*}} ins(%k, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>)

// -----

func.func @view_of_constant(%i: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %k = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %row = tensor.extract_slice %k[%i, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
  %cast = tensor.cast %row : tensor<2xf32> to tensor<?xf32>
  %0 = arith.subf %cast, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @view_of_constant
// CHECK:         linalg.generic {{.*}} outs(%a : tensor<?xf32>)

// -----

func.func @read_only_argument(%a: tensor<4xf32> {bufferization.writable = false}, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.subf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @read_only_argument
// CHECK:         linalg.generic {{.*}} outs(%b : tensor<4xf32>)

// -----

func.func @read_only_buffer(%m: memref<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %a = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %0 = arith.subf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @read_only_buffer
// CHECK:         linalg.generic {{.*}} outs(%b : tensor<4xf32>)

// -----

// What is inserted into a constant is inserted into a copy, which may be written.
func.func @new(%x: f32, %i: index, %b: tensor<4xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = tensor.insert %x into %k[%i] : tensor<4xf32>
  %0 = arith.subf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @new
// CHECK:         linalg.generic {{.*}} outs(%a : tensor<4xf32>)

// -----

func.func @only_constants() -> tensor<2xf32> {
  %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %l = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = arith.subf %k, %l : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @only_constants
// CHECK:         linalg.generic {{.*}} outs(%k : tensor<2xf32>)
