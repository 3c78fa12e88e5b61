// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples results-to-out-params},finalizing-bufferize' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'func-bufferize{flatten-tuples},finalizing-bufferize' --split-input-file | filecheck %s --check-prefix RESULT

// Declarations follow suit; tuples of tuples are taken apart to their innermost elements.

// CHECK-LABEL:  func.func private @declared(memref<3xf32>, i1, f32, memref<2xf32>, memref<3xf32>) -> (i1, f32)
// RESULT-LABEL: func.func private @declared(memref<3xf32>, i1, f32, memref<2xf32>) -> (i1, memref<3xf32>, f32)
func.func private @declared(tensor<3xf32>, tuple<i1, tuple<f32, tensor<2xf32>>>) -> (tuple<i1, tensor<3xf32>>, f32)

// -----

// An op that uses the tuple itself gets it; a tuple made from elements is not made at all.

// CHECK-LABEL: func.func @uses_tuple(%0: i1, %1: f32, %m: memref<10xf32>, %t: memref<5xf32>, %2: memref<5xf32>) -> memref<10xf32>
// CHECK-NEXT:    %[[TUPLE:.*]] = builtin.unrealized_conversion_cast %0, %1 : i1, f32 to tuple<i1, f32>
// CHECK-NEXT:    "test.op"(%[[TUPLE]])
// CHECK-NEXT:    memref.copy %t, %2
// CHECK-NEXT:    func.return %m : memref<10xf32>
func.func @uses_tuple(%a: tuple<i1, f32>, %m: memref<10xf32>, %t: tensor<5xf32>) -> tuple<memref<10xf32>, tensor<5xf32>> {
  "test.op"(%a) : (tuple<i1, f32>) -> ()
  %0 = builtin.unrealized_conversion_cast %m, %t : memref<10xf32>, tensor<5xf32> to tuple<memref<10xf32>, tensor<5xf32>>
  return %0 : tuple<memref<10xf32>, tensor<5xf32>>
}

// -----

// A tuple from elsewhere is taken apart where it is returned.

// CHECK-LABEL: func.func @makes_tuple() -> (i1, f32)
// CHECK-NEXT:    %[[TUPLE:.*]] = "test.op"() : () -> tuple<i1, f32>
// CHECK-NEXT:    %[[PART:.*]], %[[OTHER:.*]] = builtin.unrealized_conversion_cast %[[TUPLE]] : tuple<i1, f32> to i1, f32
// CHECK-NEXT:    func.return %[[PART]], %[[OTHER]] : i1, f32
func.func @makes_tuple() -> tuple<i1, f32> {
  %0 = "test.op"() : () -> tuple<i1, f32>
  return %0 : tuple<i1, f32>
}

// -----

// Attributes of a tuple are those of its elements.

// CHECK: func.func @attributes(%{{.*}}: i1 {test.a}, %{{.*}}: f32 {test.a}, %{{.*}}: i1)
func.func @attributes(%a: tuple<i1, f32> {test.a}, %b: i1) {
  return
}
