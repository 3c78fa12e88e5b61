// From: Buffer Deallocation 2021 | Introduction of Copies
// RUN: xdsl-opt %s -p 'buffer-deallocation' | filecheck %s
// RUN: xdsl-opt %s -p 'buffer-deallocation,convert-bufferization-to-memref' | filecheck %s --check-prefix LOWERED
// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline' | filecheck %s --check-prefix OWNERSHIP

// CHECK-LABEL: @branch(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:       ^bb{{.*}}(%[[M:.*]]: memref<2xf32>):
// CHECK:         memref.load %[[M]]
// CHECK:         memref.dealloc %[[M]]
// CHECK:         func.return
func.func @branch(%arg0: i1, %x: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<2xf32>
  memref.store %x, %0[%i] : memref<2xf32>
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  %1 = memref.alloc() : memref<2xf32>
  memref.store %x, %1[%i] : memref<2xf32>
  cf.br ^bb3(%1 : memref<2xf32>)
^bb2:
  memref.store %x, %0[%i] : memref<2xf32>
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
  %r = memref.load %2[%i] : memref<2xf32>
  return %r : f32
}

// The argument is copied with its dynamic size.
// CHECK-LABEL:     @condBranchDynamicType(
// CHECK:             %[[COPY:.*]] = bufferization.clone %arg1
// CHECK:             cf.br ^bb{{.*}}(%[[COPY]] : memref<?xf32>)
// CHECK:           ^bb{{.*}}(%[[M:.*]]: memref<?xf32>):
// CHECK:             memref.copy %[[M]], %arg2
// CHECK:             memref.dealloc %[[M]]
// LOWERED-LABEL:      @condBranchDynamicType(
// LOWERED:              %[[SIZE:.*]] = memref.dim %arg1
// LOWERED:              %[[COPY:.*]] = memref.alloc(%[[SIZE]])
// LOWERED-NEXT:         memref.copy %arg1, %[[COPY]]
// LOWERED:              cf.br ^bb{{.*}}(%[[COPY]] : memref<?xf32>)
// LOWERED:              memref.dealloc
// OWNERSHIP-LABEL: @condBranchDynamicType(
// OWNERSHIP-NOT:     bufferization.clone
// OWNERSHIP:         memref.copy %{{.*}}, %arg2
// OWNERSHIP:         scf.if %{{.*}} {
// OWNERSHIP-NEXT:      memref.dealloc
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

// CHECK-LABEL: @condBranchDynamicTypeNested(
// CHECK:         %[[COPY:.*]] = bufferization.clone %arg1
// CHECK:         cf.br ^bb{{.*}}(%[[COPY]] : memref<?xf32>)
// CHECK:       ^bb{{.*}}(%{{.*}}: index):
// CHECK:         memref.alloc(
// CHECK:         memref.copy %{{.*}}, %arg2
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    func.return
func.func @condBranchDynamicTypeNested(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %x: f32) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
  cf.br ^bb6(%arg1 : memref<?xf32>)
^bb2(%0: index):
  %1 = memref.alloc(%0) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%1 : memref<?xf32>)
  cf.cond_br %arg0, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%1 : memref<?xf32>)
^bb4:
  cf.br ^bb5(%1 : memref<?xf32>)
^bb5(%2: memref<?xf32>):
  cf.br ^bb6(%2 : memref<?xf32>)
^bb6(%3: memref<?xf32>):
  cf.br ^bb7(%3 : memref<?xf32>)
^bb7(%4: memref<?xf32>):
  memref.copy %4, %arg2 : memref<?xf32> to memref<?xf32>
  return
}
