// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s

// Elements that are not next to each other stay gathered, whatever their indices.

// CHECK-LABEL: @gather_with_stride
// CHECK:       vector.gather
func.func @gather_with_stride(%m: memref<?xf32, strided<[2]>>, %i: index, %k: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
  %n = arith.constant dense<[0, 1]> : vector<2xi32>
  %0 = vector.gather %m[%i][%n], %k, %p : memref<?xf32, strided<[2]>>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  func.return %0 : vector<2xf32>
}

// -----

// CHECK-LABEL: @gather_of_neighbours
// CHECK:       vector.load %m[%i] : memref<?xf32>, vector<2xf32>
// CHECK-NOT:   vector.gather
func.func @gather_of_neighbours(%m: memref<?xf32>, %i: index, %p: vector<2xf32>) -> vector<2xf32> {
  %n = arith.constant dense<[0, 1]> : vector<2xi32>
  %k = vector.constant_mask [2] : vector<2xi1>
  %0 = vector.gather %m[%i][%n], %k, %p : memref<?xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  func.return %0 : vector<2xf32>
}

// -----

// A scatter to a tensor under an empty mask is that tensor.

// CHECK-LABEL: @scatter_of_nothing
// CHECK-NEXT:    func.return %t
func.func @scatter_of_nothing(%t: tensor<8xf32>, %i: index, %n: vector<2xi32>, %v: vector<2xf32>) -> tensor<8xf32> {
  %k = arith.constant dense<false> : vector<2xi1>
  %0 = vector.scatter %t[%i][%n], %k, %v : tensor<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

// -----

// What is in bounds says so; a dynamic size, a negative index or a scalable size is not.

// CHECK-LABEL: @bounds
// CHECK:       vector.transfer_read %t[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true, true]}
// CHECK:       vector.transfer_read %t[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [false, true]}
// CHECK:       vector.transfer_read %t[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [false, true]}
// CHECK:       vector.transfer_read %u[%{{.*}}], %{{.*}} : tensor<?xf32>, vector<2xf32>
// CHECK:       vector.transfer_read %w[%{{.*}}], %{{.*}} : tensor<4xf32>, vector<[4]xf32>
func.func @bounds(%t: tensor<4x4xf32>, %u: tensor<?xf32>, %w: tensor<4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<2xf32>, vector<[4]xf32>) {
  %m = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant 0.0 : f32
  %0 = vector.transfer_read %t[%c2, %c0], %f : tensor<4x4xf32>, vector<2x4xf32>
  %1 = vector.transfer_read %t[%c3, %c0], %f : tensor<4x4xf32>, vector<2x4xf32>
  %2 = vector.transfer_read %t[%m, %c0], %f : tensor<4x4xf32>, vector<2x4xf32>
  %3 = vector.transfer_read %u[%c0], %f : tensor<?xf32>, vector<2xf32>
  %4 = vector.transfer_read %w[%c0], %f : tensor<4xf32>, vector<[4]xf32>
  func.return %0, %1, %2, %3, %4 : vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<2xf32>, vector<[4]xf32>
}

// -----

// A read out of bounds also reads padding; to write it back changes nothing.

// CHECK-LABEL: @out_of_bounds
// CHECK:       %[[W:.*]] = vector.transfer_write
// CHECK:       %[[R:.*]] = vector.transfer_read %[[W]]
// CHECK:       func.return %[[R]], %t
func.func @out_of_bounds(%t: tensor<?xf32>, %v: vector<4xf32>, %i: index) -> (vector<4xf32>, tensor<?xf32>) {
  %f = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
  %1 = vector.transfer_read %0[%i], %f : tensor<?xf32>, vector<4xf32>
  %2 = vector.transfer_read %t[%i], %f : tensor<?xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %t[%i] : vector<4xf32>, tensor<?xf32>
  func.return %1, %3 : vector<4xf32>, tensor<?xf32>
}

// -----

// A write that something else reads stays.

// CHECK-LABEL: @overwritten_but_read
// CHECK-COUNT-2: vector.transfer_write
func.func @overwritten_but_read(%t: tensor<4xf32>, %v: vector<4xf32>, %w: vector<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<4xf32>
  %1 = vector.transfer_write %w, %0[%c0] : vector<4xf32>, tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Insertions that leave elements out, or that are used otherwise, are no list.

// CHECK-LABEL: @not_listed
// CHECK-NOT:   vector.from_elements
func.func @not_listed(%d: vector<2xf32>, %a: f32, %b: f32, %i: index) -> (vector<2xf32>, vector<2xf32>, vector<2xf32>) {
  %0 = vector.insert %a, %d[0] : f32 into vector<2xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<2xf32>
  %2 = vector.insert %b, %d[%i] : f32 into vector<2xf32>
  func.return %0, %1, %2 : vector<2xf32>, vector<2xf32>, vector<2xf32>
}

// -----

// A fold makes the next one possible: constants of a chain of insertions and extractions.

// CHECK-LABEL: @chain
// CHECK-NEXT:    %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    func.return %a, %[[C]]
func.func @chain(%a: i32, %d: vector<2x2xi32>) -> (i32, i32) {
  %c7 = arith.constant 7 : i32
  %0 = vector.broadcast %c7 : i32 to vector<2xi32>
  %1 = vector.insert %0, %d[0] : vector<2xi32> into vector<2x2xi32>
  %2 = vector.insert %a, %1[1, 0] : i32 into vector<2x2xi32>
  %3 = vector.insert %a, %2[1, 1] : i32 into vector<2x2xi32>
  %4:4 = vector.to_elements %3 : vector<2x2xi32>
  func.return %4#2, %4#1 : i32, i32
}

// -----

// A mask around no op selects between vectors.

// CHECK-LABEL: @mask_around_nothing
// CHECK:       arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<3x4xi1>, vector<3x4xf32>
func.func @mask_around_nothing(%m: vector<3x4xi1>, %v: vector<3x4xf32>, %p: vector<3x4xf32>) -> vector<3x4xf32> {
  %0 = vector.mask %m, %p { vector.yield %v : vector<3x4xf32> } : vector<3x4xi1> -> vector<3x4xf32>
  return %0 : vector<3x4xf32>
}
