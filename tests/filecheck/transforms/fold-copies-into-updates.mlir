// RUN: xdsl-opt %s -p fold-copies-into-updates --split-input-file | filecheck %s

// The old elements are read where they were copied from, through any map.

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @folded(
// CHECK:         %[[M:.*]] = memref.alloc() : memref<4x6xf64>
// CHECK-NEXT:    linalg.generic
// CHECK-SAME:      ins(%a, %t : memref<6x4xf64>, memref<4x6xf64, strided<[?, ?], offset: ?>>) outs(%[[M]] :
// CHECK-NEXT:    ^bb{{.*}}(%in: f64, %old: f64, %{{.*}}: f64):
// CHECK-NEXT:      arith.addf %in, %old
func.func @folded(%t: memref<4x6xf64, strided<[?, ?], offset: ?>>, %a: memref<6x4xf64>)
    -> memref<4x6xf64> {
  %m = memref.alloc() : memref<4x6xf64>
  memref.copy %t, %m : memref<4x6xf64, strided<[?, ?], offset: ?>> to memref<4x6xf64>
  linalg.generic {indexing_maps = [#id, #turned],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<6x4xf64>) outs(%m : memref<4x6xf64>) {
    ^bb0(%in: f64, %old: f64):
      %1 = arith.addf %in, %old : f64
      linalg.yield %1 : f64
  }
  return %m : memref<4x6xf64>
}

// -----

// Not read at all.

// CHECK-LABEL: func.func @unread(
// CHECK-NOT:     memref.copy
// CHECK:         linalg.map{{.*}} ins(%a : memref<8xf64>)
func.func @unread(%t: memref<8xf64>, %a: memref<8xf64>) -> memref<8xf64> {
  %m = memref.alloc() : memref<8xf64>
  memref.copy %t, %m : memref<8xf64> to memref<8xf64>
  linalg.map ins(%a : memref<8xf64>) outs(%m : memref<8xf64>)
    (%in: f64, %old: f64) {
      %1 = arith.negf %in : f64
      linalg.yield %1 : f64
    }
  return %m : memref<8xf64>
}

// -----

// The source is written before the update, the copy is read by something else, the
// body reads it at another index, or not all elements are replaced one by one.

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @written(
// CHECK:         memref.copy
// CHECK-LABEL: func.func @read(
// CHECK:         memref.copy
// CHECK-LABEL: func.func @read_inside(
// CHECK:         memref.copy
// CHECK-LABEL: func.func @reduced(
// CHECK:         memref.copy
func.func @written(%t: memref<8xf64>, %x: f64, %i: index) -> memref<8xf64> {
  %m = memref.alloc() : memref<8xf64>
  memref.copy %t, %m : memref<8xf64> to memref<8xf64>
  memref.store %x, %t[%i] : memref<8xf64>
  linalg.map outs(%m : memref<8xf64>)
    (%old: f64) {
      %1 = arith.negf %old : f64
      linalg.yield %1 : f64
    }
  return %m : memref<8xf64>
}
func.func @read(%t: memref<8xf64>, %i: index) -> (memref<8xf64>, f64) {
  %m = memref.alloc() : memref<8xf64>
  memref.copy %t, %m : memref<8xf64> to memref<8xf64>
  %y = memref.load %m[%i] : memref<8xf64>
  linalg.map outs(%m : memref<8xf64>)
    (%old: f64) {
      %1 = arith.negf %old : f64
      linalg.yield %1 : f64
    }
  return %m, %y : memref<8xf64>, f64
}
func.func @read_inside(%t: memref<8xf64>, %i: index) -> memref<8xf64> {
  %m = memref.alloc() : memref<8xf64>
  memref.copy %t, %m : memref<8xf64> to memref<8xf64>
  linalg.map outs(%m : memref<8xf64>)
    (%old: f64) {
      %1 = memref.load %m[%i] : memref<8xf64>
      linalg.yield %1 : f64
    }
  return %m : memref<8xf64>
}
func.func @reduced(%t: memref<4xf64>, %a: memref<4x6xf64>) -> memref<4xf64> {
  %m = memref.alloc() : memref<4xf64>
  memref.copy %t, %m : memref<4xf64> to memref<4xf64>
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x6xf64>) outs(%m : memref<4xf64>) {
    ^bb0(%in: f64, %old: f64):
      %1 = arith.addf %in, %old : f64
      linalg.yield %1 : f64
  }
  return %m : memref<4xf64>
}
