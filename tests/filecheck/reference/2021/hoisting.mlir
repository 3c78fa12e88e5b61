// From: Buffer Deallocation 2021 | Movement and Placement of Allocations
// RUN: xdsl-opt %s -p 'buffer-hoisting' | filecheck %s

// CHECK-LABEL: @condBranch(
// CHECK-NEXT:    %[[M:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br
// CHECK:         cf.br ^bb{{.*}}(%arg1 : memref<2xf32>)
// CHECK:         linalg.fill {{.*}} outs(%[[M]]
// CHECK-NEXT:    cf.br ^bb{{.*}}(%[[M]] : memref<2xf32>)
func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>, %x: f32) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<2xf32>)
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  memref.copy %1, %arg2 : memref<2xf32> to memref<2xf32>
  return
}

// CHECK-LABEL: @condBranchDynamicType(
// CHECK:       ^bb{{.*}}(%[[SIZE:.*]]: index):
// CHECK-NEXT:    memref.alloc(%[[SIZE]])
func.func @condBranchDynamicType(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %x: f32) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
  cf.br ^bb3(%arg1 : memref<?xf32>)
^bb2(%0: index):
  %1 = memref.alloc(%0) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%1 : memref<?xf32>)
  cf.br ^bb3(%1 : memref<?xf32>)
^bb3(%2: memref<?xf32>):
  memref.copy %2, %arg2 : memref<?xf32> to memref<?xf32>
  return
}
