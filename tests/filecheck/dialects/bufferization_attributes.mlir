// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// CHECK: func.func @arguments(
// CHECK-SAME: {bufferization.access = "read-write", bufferization.buffer_layout = strided<[2]>, bufferization.writable = false}
func.func @arguments(%t: tensor<4xf32> {bufferization.access = "read-write", bufferization.buffer_layout = strided<[2]>, bufferization.writable = false}) {
  func.return
}

// CHECK: func.func private @external(tensor<?xf32> {bufferization.access = "none", bufferization.buffer_layout = affine_map<(d0) -> (d0)>})
func.func private @external(tensor<?xf32> {bufferization.access = "none", bufferization.buffer_layout = affine_map<(d0) -> (d0)>})

// CHECK: func.func @result() -> (tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>})
func.func @result() -> (tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}) {
  %0 = tensor.empty() : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK: memref.alloc() {bufferization.manual_deallocation}
// CHECK: bufferization.clone {{.*}} {bufferization.manual_deallocation}
// CHECK: memref.dealloc {{.*}} {bufferization.manual_deallocation}
func.func @manual() -> memref<4xf32> {
  %0 = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %1 = bufferization.clone %0 {bufferization.manual_deallocation} : memref<4xf32> to memref<4xf32>
  memref.dealloc %0 {bufferization.manual_deallocation} : memref<4xf32>
  func.return %1 : memref<4xf32>
}
