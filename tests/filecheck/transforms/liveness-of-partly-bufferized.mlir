// RUN: xdsl-opt %s -p 'optimize-allocation-liveness{any-buffer}' | filecheck %s
// RUN: xdsl-opt %s -p optimize-allocation-liveness | filecheck %s

// The last read is of a tensor that is the buffer.

// CHECK-LABEL: func.func @read_as_tensor(
// CHECK:         tensor.extract
// CHECK:         memref.dealloc
func.func @read_as_tensor(%x: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<8xf32>)
  %1 = bufferization.to_tensor %0 restrict : memref<8xf32> to tensor<8xf32>
  %2 = tensor.extract %1[%i] : tensor<8xf32>
  memref.dealloc %0 : memref<8xf32>
  return %2 : f32
}

// CHECK-LABEL: func.func @copied_as_buffer(
// CHECK:         memref.copy
// CHECK:         memref.dealloc
func.func @copied_as_buffer(%x: f32, %m: memref<8xf32>, %c: i1) {
  %0 = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<8xf32>)
  %1 = bufferization.to_tensor %0 restrict : memref<8xf32> to tensor<8xf32>
  %2 = bufferization.to_buffer %1 : tensor<8xf32> to memref<8xf32>
  memref.copy %2, %m : memref<8xf32> to memref<8xf32>
  scf.if %c {
    memref.dealloc %0 : memref<8xf32>
  }
  return
}
