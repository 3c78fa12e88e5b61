// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s

// A slice that runs out of its buffer stays as it is: a static one would be refused.

// CHECK-LABEL: @slice_out_of_bounds
// CHECK:       memref.subview %m[2] [%{{.*}}] [1] : memref<10xf32>
func.func @slice_out_of_bounds(%m: memref<10xf32>) -> memref<?xf32, strided<[1], offset: 2>> {
  %c11 = arith.constant 11 : index
  %0 = memref.subview %m[2] [%c11] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: 2>>
  return %0 : memref<?xf32, strided<[1], offset: 2>>
}

// -----

// A position that is not in the vector is not looked up.

// CHECK-LABEL: @position_out_of_bounds
// CHECK:       vector.extract %v[%{{.*}}] : f32 from vector<4xf32>
func.func @position_out_of_bounds(%v: vector<4xf32>) -> f32 {
  %c4 = arith.constant 4 : index
  %0 = vector.extract %v[%c4] : f32 from vector<4xf32>
  return %0 : f32
}
