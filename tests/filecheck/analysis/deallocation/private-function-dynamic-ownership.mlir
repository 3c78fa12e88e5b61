// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation{private-function-dynamic-ownership}' | filecheck %s

func.func private @use(memref<4xf32>)

func.func private @passthrough(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// CHECK:       func.func private @passthrough(%m: memref<4xf32>) -> (memref<4xf32>, i1) {
// CHECK-NEXT:    %[[false:.*]] = arith.constant false
// CHECK-NEXT:    func.return %m, %[[false]] : memref<4xf32>, i1

func.func @caller(%m: memref<4xf32>) {
  %r = func.call @passthrough(%m) : (memref<4xf32>) -> memref<4xf32>
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// CHECK:         %r, %[[own:.*]] = func.call @passthrough(%m) : (memref<4xf32>) -> (memref<4xf32>, i1)
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[own]])
