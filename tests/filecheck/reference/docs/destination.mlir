// From: Bufferization | Destination-Passing Style
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse,canonicalize' | filecheck %s

// CHECK-LABEL: @insert(
// CHECK-SAME:    %t: memref<?xf32>
// CHECK-NEXT:    memref.store %cst, %t[%idx] : memref<?xf32>
// CHECK-NEXT:    func.return %t
func.func @insert(%t: tensor<?xf32>, %cst: f32, %idx: index) -> tensor<?xf32> {
  %0 = tensor.insert %cst into %t[%idx] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The other buffer the insertion may be given is a new one.
// CHECK-LABEL: @insert_out_of_place(
// CHECK:         %[[NEW:.*]] = memref.alloc(
// CHECK-NEXT:    memref.copy %t, %[[NEW]]
// CHECK-NEXT:    memref.store %cst, %[[NEW]][%idx]
func.func @insert_out_of_place(%t: tensor<?xf32>, %cst: f32, %idx: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.insert %cst into %t[%idx] : tensor<?xf32>
  return %0, %t : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: @generate(
// CHECK:         memref.alloc(%sz)
func.func @generate(%sz: index) -> tensor<?xf32> {
  %0 = tensor.generate %sz {
  ^bb0(%i : index):
    %cst = arith.constant 0.0 : f32
    tensor.yield %cst : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @generic(
// CHECK-SAME:    %t: memref<?xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%t : memref<?xf32>)
// CHECK:         func.return %t
#map = affine_map<(i) -> (i)>
func.func @generic(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
                      outs(%t : tensor<?xf32>) {
    ^bb0(%arg0 : f32):
      %cst = arith.constant 0.0 : f32
      linalg.yield %cst : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @slice(
// CHECK-SAME:    %s: memref<?xf32>
// CHECK-NEXT:    arith.constant 0
// CHECK-NEXT:    %[[VIEW:.*]] = memref.subview %s[%idx] [%sz] [1]
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[VIEW]]
// CHECK-NOT:     memref.copy
// CHECK:         func.return %s
func.func @slice(%s: tensor<?xf32>, %idx: index, %sz: index) -> tensor<?xf32> {
  %t = tensor.extract_slice %s[%idx] [%sz] [1] : tensor<?xf32> to tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
                      outs(%t : tensor<?xf32>) {
    ^bb0(%arg0 : f32):
      %cst = arith.constant 0.0 : f32
      linalg.yield %cst : f32
  } -> tensor<?xf32>
  %1 = tensor.insert_slice %0 into %s[%idx] [%sz] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
