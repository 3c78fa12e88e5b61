// From: Tutorial 2023 | Ownership-based Deallocation Pass
// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation' | filecheck %s

// CHECK-LABEL: @f(
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         %{{.*}}, %{{.*}} = bufferization.dealloc {{.*}} retain (%a, %[[B]]
// CHECK:         %{{.*}} = bufferization.dealloc {{.*}} retain (%[[B]] :
// CHECK:         cf.cond_br %cond, ^bb{{.*}}(%a, %{{.*}} : memref<f32>, i1), ^bb{{.*}}(%[[B]], %{{.*}} : memref<f32>, i1)
// CHECK:       ^bb{{.*}}(%{{.*}}: memref<f32>, %{{.*}}: i1):
// CHECK:         memref.alloc()
// CHECK:         bufferization.dealloc {{.*}} retain
// CHECK:         cf.br ^bb{{.*}}(%{{.*}}, %{{.*}} : memref<f32>, i1)
// CHECK:       ^bb{{.*}}(%{{.*}}: memref<f32>, %{{.*}}: i1):
// CHECK:         memref.alloc()
// CHECK:         bufferization.dealloc {{.*}} retain
// CHECK:         cf.br ^bb{{.*}}(%{{.*}}, %{{.*}} : memref<f32>, i1)
// CHECK:       ^bb{{.*}}(%{{.*}}: memref<f32>, %{{.*}}: i1):
// CHECK:         bufferization.dealloc
// CHECK:         func.return
func.func @f(%cond: i1, %a: memref<f32>, %x: f32) -> memref<f32> {
  %b = memref.alloc() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  cf.cond_br %cond, ^bb1(%a : memref<f32>), ^bb2(%b : memref<f32>)
^bb1(%c: memref<f32>):
  %d = memref.alloc() : memref<f32>
  memref.copy %c, %d : memref<f32> to memref<f32>
  cf.br ^bb3(%c : memref<f32>)
^bb2(%e: memref<f32>):
  %f = memref.alloc() : memref<f32>
  memref.copy %e, %f : memref<f32> to memref<f32>
  cf.br ^bb3(%f : memref<f32>)
^bb3(%g: memref<f32>):
  memref.copy %g, %b : memref<f32> to memref<f32>
  return %b : memref<f32>
}
