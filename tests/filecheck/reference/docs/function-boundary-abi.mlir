// From: Bufferization | Function boundary ABI
// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation,buffer-deallocation-simplification,canonicalize' | filecheck %s

// CHECK-LABEL: @takes(
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
func.func @takes(%m: memref<4xf32>, %i: index) -> f32 {
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}

// CHECK-LABEL: @makes(
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc()
// CHECK-NEXT:    func.return %[[NEW]]
func.func @makes() -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
}

// CHECK-LABEL: @calls(
// CHECK:         %[[RESULT:.*]] = func.call @makes
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%{{.*}})
func.func @calls(%i: index) -> f32 {
  %0 = call @makes() : () -> memref<4xf32>
  %r = memref.load %0[%i] : memref<4xf32>
  return %r : f32
}

// CHECK-LABEL: @returns_argument(
// CHECK:         %[[CLONE:.*]] = bufferization.clone %m
// CHECK:         func.return %[[CLONE]]
func.func @returns_argument(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
