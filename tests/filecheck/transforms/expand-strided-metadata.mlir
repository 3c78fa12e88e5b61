// RUN: xdsl-opt %s -p expand-strided-metadata --split-input-file | filecheck %s

func.func @subview(%m: memref<8x16xf32>, %o: index) -> memref<4xf32, strided<[3], offset: ?>> {
  %0 = memref.subview %m[%o, 2] [1, 4] [1, 3] : memref<8x16xf32> to memref<4xf32, strided<[3], offset: ?>>
  return %0 : memref<4xf32, strided<[3], offset: ?>>
}

// CHECK-LABEL: @subview
// CHECK-NEXT:    memref.extract_strided_metadata %m
// CHECK-NEXT:    %[[OFFSET:.*]] = affine.apply affine_map<()[s0] -> (((s0 * 16) + 2))> ()[%o]
// CHECK-NEXT:    memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [4], strides: [3] : memref<f32> to memref<4xf32, strided<[3], offset: ?>>

// -----

func.func @expand_shape(%m: memref<?x16xf32>, %n: index) -> memref<?x4x16xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, 16] : memref<?x16xf32> into memref<?x4x16xf32>
  return %0 : memref<?x4x16xf32>
}

// CHECK-LABEL: @expand_shape
// CHECK-NEXT:    memref.extract_strided_metadata %m
// CHECK-NEXT:    %[[SIZE:.*]] = affine.apply affine_map<()[s0] -> ((s0 floordiv 4))>
// CHECK-NEXT:    memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[SIZE]], 4, 16], strides: [64, 16, 1]

// -----

func.func @collapse_shape(%m: memref<2x4x16xf32>) -> memref<8x16xf32> {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x4x16xf32> into memref<8x16xf32>
  return %0 : memref<8x16xf32>
}

// CHECK-LABEL: @collapse_shape
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [8, 16], strides: [16, 1] : memref<f32> to memref<8x16xf32>

// -----

// The metadata of a view of a view is computed from that of the buffer.
func.func @view_of_view(%m: memref<64xf32>, %o: index) -> (index, index) {
  %0 = memref.subview %m[%o] [16] [2] : memref<64xf32> to memref<16xf32, strided<[2], offset: ?>>
  %1 = memref.subview %0[4] [%o] [2] : memref<16xf32, strided<[2], offset: ?>> to memref<?xf32, strided<[4], offset: ?>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %1 : memref<?xf32, strided<[4], offset: ?>> -> memref<f32>, index, index, index
  return %offset, %size : index, index
}

// CHECK-LABEL: @view_of_view
// CHECK:         %[[OFFSET:.*]] = affine.apply affine_map<()[s0] -> ((s0 + 8))> ()[%o]
// CHECK-NOT:     memref.extract_strided_metadata
// CHECK:         return %[[OFFSET]], %o

// -----

// Of an allocation everything is known.
func.func @allocation(%n: index) -> (index, index) {
  %0 = memref.alloc(%n) : memref<8x?xf32>
  %base, %offset, %size:2, %stride:2 = memref.extract_strided_metadata %0 : memref<8x?xf32> -> memref<f32>, index, index, index, index, index
  return %size#1, %stride#0 : index, index
}

// CHECK-LABEL: @allocation
// CHECK-NOT:     memref.extract_strided_metadata
// CHECK:         return %n, %n

// -----

// A buffer whose layout is not strided stays as it is.
func.func @no_strides(%m: memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>) -> index {
  %c0 = arith.constant 0 : index
  %0 = memref.dim %m, %c0 : memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return %0 : index
}

// CHECK-LABEL: @no_strides
// CHECK:         memref.dim %m
