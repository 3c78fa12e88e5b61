// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p canonicalize-control-flow --split-input-file | filecheck %s

// CHECK-LABEL: @known_results
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK:       func.return %[[C0]], %[[C0]], %x, %x, %x
func.func @known_results(%x: index, %y: index) -> (index, index, index, index, index) {
  %c1 = arith.constant 1 : index
  %0 = arith.remui %x, %c1 : index
  %1 = arith.subi %x, %x : index
  %2 = arith.divui %x, %c1 : index
  %3 = arith.addi %x, %y : index
  %4 = arith.subi %3, %y : index
  %5 = arith.maxsi %x, %x : index
  return %0, %1, %2, %4, %5 : index, index, index, index, index
}

// -----

// Results wrap around at the width of the type.

// CHECK-LABEL: @wrap_around
// CHECK-DAG:   %[[A:.*]] = arith.constant -56 : i8
// CHECK-DAG:   %[[B:.*]] = arith.constant 127 : i8
// CHECK:       func.return %[[A]], %[[B]]
func.func @wrap_around() -> (i8, i8) {
  %a = arith.constant 100 : i8
  %b = arith.constant -2 : i8
  %c1 = arith.constant 1 : i8
  %0 = arith.addi %a, %a : i8
  %1 = arith.shrui %b, %c1 : i8
  return %0, %1 : i8, i8
}

// -----

// What has no defined result stays.

// CHECK-LABEL: @undefined
// CHECK:       arith.divui %x, %{{.*}} : index
// CHECK-NEXT:  arith.remsi %{{.*}}, %{{.*}} : index
// CHECK-NEXT:  arith.divsi %{{.*}}, %{{.*}} : i8
// CHECK-NEXT:  arith.shli %{{.*}}, %{{.*}} : i8
func.func @undefined(%x: index) -> (index, index, i8, i8) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %least = arith.constant -128 : i8
  %c-1 = arith.constant -1 : i8
  %c8 = arith.constant 8 : i8
  %0 = arith.divui %x, %c0 : index
  %1 = arith.remsi %c5, %c0 : index
  %2 = arith.divsi %least, %c-1 : i8
  %3 = arith.shli %c8, %c8 : i8
  return %0, %1, %2, %3 : index, index, i8, i8
}

// -----

// CHECK-LABEL: @reassociated
// CHECK-DAG:   %[[M3:.*]] = arith.constant -3 : index
// CHECK-DAG:   %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG:   %[[A:.*]] = arith.addi %x, %[[M3]] : index
// CHECK-DAG:   %[[B:.*]] = arith.muli %x, %[[C6]] : index
// CHECK:       func.return %[[A]], %[[A2:.*]], %[[B]]
func.func @reassociated(%x: index) -> (index, index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = arith.addi %x, %c2 : index
  %1 = arith.subi %0, %c5 : index
  %2 = arith.subi %c5, %x : index
  %3 = arith.subi %c2, %2 : index
  %4 = arith.muli %x, %c2 : index
  %5 = arith.muli %c3, %4 : index
  return %1, %3, %5 : index, index, index
}

// -----

// CHECK-LABEL: @comparisons
// CHECK-DAG:   %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG:   %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:   %[[NOT:.*]] = arith.cmpi sle, %x, %[[C5]] : index
// CHECK:       func.return %[[NOT]], %[[TRUE]], %c
func.func @comparisons(%x: index, %c: i1) -> (i1, i1, i1) {
  %c5 = arith.constant 5 : index
  %m1 = arith.constant -1 : index
  %true = arith.constant true
  %0 = arith.cmpi slt, %c5, %x : index
  %1 = arith.xori %0, %true : i1
  %2 = arith.cmpi ugt, %m1, %c5 : index
  %3 = arith.cmpi eq, %c, %true : i1
  return %1, %2, %3 : i1, i1, i1
}

// -----

// CHECK-LABEL: @casts
// CHECK:       %[[A:.*]] = arith.extui %x : i8 to i32
// CHECK-NEXT:  func.return %[[A]], %y
func.func @casts(%x: i8, %y: i32) -> (i32, i32) {
  %0 = arith.extui %x : i8 to i16
  %1 = arith.extsi %0 : i16 to i64
  %2 = arith.trunci %1 : i64 to i32
  %3 = arith.index_cast %y : i32 to index
  %4 = arith.index_cast %3 : index to i32
  return %2, %4 : i32, i32
}

// -----

// A cast to a narrower type and back is not the value.

// CHECK-LABEL: @narrowed
// CHECK:       arith.index_cast %x : index to i8
// CHECK-NEXT:  arith.index_cast %{{.*}} : i8 to index
func.func @narrowed(%x: index) -> index {
  %0 = arith.index_cast %x : index to i8
  %1 = arith.index_cast %0 : i8 to index
  return %1 : index
}

// -----

// CHECK-LABEL: @vectors
// CHECK:       %[[C6:.*]] = arith.constant dense<6> : vector<4xi32>
// CHECK:       arith.addi %v, %[[C6]] : vector<4xi32>
func.func @vectors(%v: vector<4xi32>) -> vector<4xi32> {
  %c = arith.constant dense<3> : vector<4xi32>
  %0 = arith.addi %v, %c : vector<4xi32>
  %1 = arith.addi %c, %0 : vector<4xi32>
  return %1 : vector<4xi32>
}

// -----

// A comparison of tensors of unknown size has no constant result, and not one i1.

// CHECK-LABEL: @compared_with_itself
// CHECK:       arith.cmpi sle, %x, %x : tensor<?xi32>
func.func @compared_with_itself(%x: tensor<?xi32>) -> tensor<?xi1> {
  %0 = arith.cmpi sle, %x, %x : tensor<?xi32>
  return %0 : tensor<?xi1>
}

// -----

// Two roundings are not one, and a NaN has bits of its own.

// CHECK-LABEL: @rounded_twice
// CHECK:       %[[X:.*]] = arith.sitofp %i : i64 to f64
// CHECK-NEXT:  arith.truncf %[[X]] : f64 to f32
// CHECK-NEXT:  arith.negf
func.func @rounded_twice(%i: i64) -> (f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.sitofp %i : i64 to f64
  %1 = arith.truncf %0 : f64 to f32
  %2 = arith.negf %nan : f32
  return %1, %2 : f32, f32
}
