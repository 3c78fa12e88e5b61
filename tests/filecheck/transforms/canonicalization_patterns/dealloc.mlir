// RUN: xdsl-opt %s --split-input-file -p canonicalize | filecheck %s

func.func @duplicates(%c: i1, %d: i1, %m: memref<4xf32>, %n: memref<4xf32>) -> (i1, i1) {
  %o:2 = bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%n, %n : memref<4xf32>, memref<4xf32>)
  return %o#0, %o#1 : i1, i1
}

// CHECK-LABEL: func.func @duplicates
// CHECK:         %[[or:.*]] = arith.ori %c, %d : i1
// CHECK-NEXT:    %[[own:.*]] = bufferization.dealloc (%m : memref<4xf32>) if (%[[or]]) retain (%n : memref<4xf32>)
// CHECK-NEXT:    func.return %[[own]], %[[own]]

// -----

func.func @nothing_to_free(%m: memref<4xf32>) -> i1 {
  %false = arith.constant false
  %o = bufferization.dealloc (%m : memref<4xf32>) if (%false) retain (%m : memref<4xf32>)
  return %o : i1
}

// CHECK-LABEL: func.func @nothing_to_free
// CHECK-NEXT:    %[[false:.*]] = arith.constant false
// CHECK-NEXT:    func.return %[[false]]

// -----

func.func @base_of_allocation(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b, %o, %s, %t = memref.extract_strided_metadata %a : memref<4xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%b : memref<f32>) if (%c)
  return
}

// CHECK-LABEL: func.func @base_of_allocation
// CHECK:         memref.copy
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%c)

// -----

func.func @unused_allocation(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}

// CHECK-LABEL: func.func @unused_allocation
// CHECK-NEXT:    func.return
