// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s

// Fewer elements may be unpacked than were packed, in as many tiles: dynamic sizes stay.

// CHECK-LABEL: @dynamic_sizes
// CHECK:       linalg.pack
// CHECK:       %[[U:.*]] = linalg.unpack
// CHECK:       func.return %[[U]]
func.func @dynamic_sizes(%t: tensor<?xf32>, %a: tensor<?x8xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.pack %t inner_dims_pos = [0] inner_tiles = [8] into %a : tensor<?xf32> -> tensor<?x8xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<?x8xf32> -> tensor<?xf32>
  func.return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @static_sizes
// CHECK-NEXT:    func.return %t
func.func @static_sizes(%t: tensor<15xf32>, %a: tensor<2x8xf32>, %b: tensor<15xf32>, %p: f32) -> tensor<15xf32> {
  %0 = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [8] into %a : tensor<15xf32> -> tensor<2x8xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<2x8xf32> -> tensor<15xf32>
  func.return %1 : tensor<15xf32>
}

// -----

// The padding is needed, and other tiles hold other elements.

// CHECK-LABEL: @not_the_same
// CHECK-COUNT-2: linalg.pack
// CHECK-COUNT-1: linalg.unpack
func.func @not_the_same(%t: tensor<15xf32>, %a: tensor<2x8xf32>, %m: tensor<16x16xf32>, %b: tensor<4x4x4x4xf32>, %p: f32) -> (tensor<2x8xf32>, tensor<16x16xf32>) {
  %0 = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [8] into %a : tensor<15xf32> -> tensor<2x8xf32>
  %1 = linalg.pack %m inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %b : tensor<16x16xf32> -> tensor<4x4x4x4xf32>
  %2 = linalg.unpack %1 inner_dims_pos = [1, 0] inner_tiles = [4, 4] into %m : tensor<4x4x4x4xf32> -> tensor<16x16xf32>
  func.return %0, %2 : tensor<2x8xf32>, tensor<16x16xf32>
}
