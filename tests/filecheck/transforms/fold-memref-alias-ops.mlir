// RUN: xdsl-opt %s -p fold-memref-alias-ops --split-input-file | filecheck %s

func.func @subview(%m: memref<8x16xf32>, %o: index, %i: index, %j: index) -> f32 {
  %0 = memref.subview %m[%o, 2] [4, 4] [1, 3] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 3], offset: ?>>
  %1 = memref.load %0[%i, %j] : memref<4x4xf32, strided<[16, 3], offset: ?>>
  return %1 : f32
}

// CHECK-LABEL: @subview
// CHECK-NEXT:    %[[I:.*]] = affine.apply affine_map<()[s0, s1] -> ((s0 + s1))> ()[%o, %i]
// CHECK-NEXT:    %[[J:.*]] = affine.apply affine_map<()[s0] -> (((s0 * 3) + 2))> ()[%j]
// CHECK-NEXT:    %[[X:.*]] = memref.load %m[%[[I]], %[[J]]] : memref<8x16xf32>
// CHECK-NEXT:    return %[[X]]

// -----

func.func @expand_shape(%m: memref<?x16xf32>, %n: index, %x: f32, %i: index, %j: index, %k: index) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, 16] : memref<?x16xf32> into memref<?x4x16xf32>
  memref.store %x, %0[%i, %j, %k] : memref<?x4x16xf32>
  return
}

// CHECK-LABEL: @expand_shape
// CHECK-NEXT:    %[[I:.*]] = affine.linearize_index disjoint [%i, %j] by (%n, 4) : index
// CHECK-NEXT:    memref.store %x, %m[%[[I]], %k] : memref<?x16xf32>

// -----

func.func @collapse_shape(%m: memref<2x4x16xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x4x16xf32> into memref<8x16xf32>
  %1 = memref.load %0[%i, %j] : memref<8x16xf32>
  return %1 : f32
}

// CHECK-LABEL: @collapse_shape
// CHECK-NEXT:    %[[I:.*]], %[[J:.*]] = affine.delinearize_index %i into (2, 4) : index, index
// CHECK-NEXT:    memref.load %m[%[[I]], %[[J]], %j] : memref<2x4x16xf32>

// -----

// The dimension that the view leaves out.
func.func @vector(%m: memref<8x16xf32>, %i: index, %j: index, %pad: f32) -> vector<4xf32> {
  %0 = memref.subview %m[0, 5] [8, 1] [1, 1] : memref<8x16xf32> to memref<8xf32, strided<[16], offset: 5>>
  %1 = vector.transfer_read %0[%i], %pad {in_bounds = [true]} : memref<8xf32, strided<[16], offset: 5>>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-LABEL: @vector
// CHECK:         %[[FIVE:.*]] = arith.constant 5 : index
// CHECK-NEXT:    vector.transfer_read %m[%i, %[[FIVE]]], %pad {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x16xf32>, vector<4xf32>

// -----

// Where the view ends, padding is read, and in the buffer there would be other elements.
func.func @vector_that_leaves_the_view(%m: memref<8x16xf32>, %i: index, %pad: f32) -> vector<4xf32> {
  %0 = memref.subview %m[0, 5] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 5>>
  %1 = vector.transfer_read %0[%i, %i], %pad : memref<8x8xf32, strided<[16, 1], offset: 5>>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-LABEL: @vector_that_leaves_the_view
// CHECK-NEXT:    %[[VIEW:.*]] = memref.subview
// CHECK-NEXT:    vector.transfer_read %[[VIEW]]

// -----

func.func @subview_of_subview(%m: memref<8x16xf32>, %o: index) -> memref<2x2xf32, strided<[16, 1], offset: ?>> {
  %0 = memref.subview %m[%o, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %1 = memref.subview %0[1, %o] [2, 2] [1, 1] : memref<4x4xf32, strided<[16, 1], offset: ?>> to memref<2x2xf32, strided<[16, 1], offset: ?>>
  return %1 : memref<2x2xf32, strided<[16, 1], offset: ?>>
}

// CHECK-LABEL: @subview_of_subview
// CHECK-NEXT:    %[[ROW:.*]] = affine.apply affine_map<()[s0] -> ((s0 + 1))> ()[%o]
// CHECK-NEXT:    %[[COLUMN:.*]] = affine.apply affine_map<()[s0] -> ((s0 + 2))> ()[%o]
// CHECK-NEXT:    %[[VIEW:.*]] = memref.subview %m[%[[ROW]], %[[COLUMN]]] [2, 2] [1, 1]
// CHECK-NEXT:    return %[[VIEW]]

// -----

// A view that others use stays.
func.func @escaping(%m: memref<8xf32>, %o: index, %x: f32) -> memref<4xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%o] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %x, %0[%o] : memref<4xf32, strided<[1], offset: ?>>
  return %0 : memref<4xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: @escaping
// CHECK-NEXT:    %[[VIEW:.*]] = memref.subview
// CHECK:         memref.store %x, %m
// CHECK-NEXT:    return %[[VIEW]]
