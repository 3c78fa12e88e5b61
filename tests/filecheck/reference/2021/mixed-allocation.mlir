// From: Buffer Deallocation 2021 | Detection of Buffer Allocations
// RUN: xdsl-opt %s -p 'buffer-deallocation' | filecheck %s

// CHECK-LABEL: @mixedAllocation(
// CHECK-DAG:     %[[STACK:.*]] = memref.alloca()
// CHECK-DAG:     %[[HEAP:.*]] = memref.alloc()
// CHECK-NOT:     memref.dealloc %[[STACK]]
// CHECK:         memref.dealloc
// CHECK:         func.return
func.func @mixedAllocation(%arg0: i1, %x: f32, %i: index) -> f32 {
  %0 = memref.alloca() : memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%1 : memref<2xf32>)
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  linalg.fill ins(%x : f32) outs(%0 : memref<2xf32>)
  cf.br ^bb3(%0 : memref<2xf32>)
^bb2:
  memref.store %x, %1[%i] : memref<2xf32>
  cf.br ^bb3(%1 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
  %r = memref.load %2[%i] : memref<2xf32>
  return %r : f32
}
