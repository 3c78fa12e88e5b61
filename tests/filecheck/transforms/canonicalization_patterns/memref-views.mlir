// RUN: xdsl-opt %s -p canonicalize --split-input-file --allow-unregistered-dialect | filecheck %s

// A part of a buffer is not all of it, and other sizes may be smaller.

// CHECK-LABEL: @parts
// CHECK-COUNT-2: memref.subview
// CHECK:         memref.view
func.func @parts(%m: memref<?xf32, strided<[?], offset: ?>>, %n: index, %b: memref<16xi8>) -> (memref<?xf32, strided<[?], offset: ?>>, memref<16xi8>) {
  %c4 = arith.constant 4 : index
  %0 = memref.subview %m[0] [%n] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.subview %0[1] [%n] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %2 = memref.view %b[%c4][] : memref<16xi8> to memref<16xi8>
  func.return %1, %2 : memref<?xf32, strided<[?], offset: ?>>, memref<16xi8>
}

// -----

// The size of an expansion follows from the one that it expands; two unknown ones do not.

// CHECK-LABEL: @sizes
// CHECK:       memref.expand_shape %a {{.*}} output_shape [4, 2] : memref<8xf32> into memref<4x2xf32>
// CHECK:       memref.expand_shape %{{.*}} output_shape [%n, %k] : memref<?xf32> into memref<?x?xf32>
func.func @sizes(%a: memref<8xf32>, %n: index, %k: index) -> (memref<?x2xf32>, memref<?x?xf32>) {
  %0 = memref.cast %a : memref<8xf32> to memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  %2 = memref.expand_shape %0 [[0, 1]] output_shape [%n, %k] : memref<?xf32> into memref<?x?xf32>
  func.return %1, %2 : memref<?x2xf32>, memref<?x?xf32>
}

// -----

// The shape of a reshape may change where the number of the dimension is computed.

// CHECK-LABEL: @number_computed_later
// CHECK:       memref.dim
func.func @number_computed_later(%m: memref<*xf32>, %s: memref<?xindex>, %i: index) -> index {
  %0 = memref.reshape %m(%s) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %1 = "test.op"(%s) : (memref<?xindex>) -> index
  %2 = memref.dim %0, %1 : memref<*xf32>
  func.return %2 : index
}
