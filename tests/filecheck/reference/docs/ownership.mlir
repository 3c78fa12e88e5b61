// From: Bufferization | Ownership-based Buffer Deallocation: Example
// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation' | filecheck %s

// CHECK-LABEL: @example(%memref: memref<?xi8>, %size: index, %select_cond: i1, %br_cond: i1)
// CHECK-DAG:     %[[ALLOC:.*]] = memref.alloc(%size)
// CHECK-DAG:     %[[ALLOCA:.*]] = memref.alloca(%size)
// CHECK:         arith.select %select_cond, %[[ALLOC]], %[[ALLOCA]]
// CHECK:         %{{.*}}, %{{.*}} = bufferization.dealloc
// CHECK-SAME:      retain (%[[ALLOC]], %{{.*}} : memref<?xi8>, memref<?xi8>)
// CHECK:         arith.xori
// CHECK:         %{{.*}}, %{{.*}} = bufferization.dealloc
// CHECK-SAME:      retain (%memref, %{{.*}} : memref<?xi8>, memref<?xi8>)
// CHECK:         arith.select %br_cond
// CHECK:         cf.cond_br %br_cond, ^bb{{.*}}(%[[ALLOC]], %{{.*}} : memref<?xi8>, i1), ^bb{{.*}}(%memref, %{{.*}} : memref<?xi8>, i1)
// CHECK:       ^bb{{.*}}(%{{.*}}: memref<?xi8>, %{{.*}}: i1):
// CHECK:         memref.copy
// CHECK:         bufferization.dealloc
// CHECK-NOT:     retain
// CHECK:         func.return
func.func @example(%memref: memref<?xi8>, %size: index, %select_cond: i1, %br_cond: i1) {
  %alloc = memref.alloc(%size) : memref<?xi8>
  %alloca = memref.alloca(%size) : memref<?xi8>
  %select = arith.select %select_cond, %alloc, %alloca : memref<?xi8>
  cf.cond_br %br_cond, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%bbarg: memref<?xi8>):
  memref.copy %bbarg, %select : memref<?xi8> to memref<?xi8>
  return
}
