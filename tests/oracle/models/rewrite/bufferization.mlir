// The buffer is read after the tensor is updated, so the update may not be in place.

func.func @buffer_read_later(%t: tensor<8xf32>, %f: f32, %i: index) -> (f32, tensor<8xf32>) {
  // DIFFERS: mlir-opt assumes that only to_buffer itself reads the buffer, and overwrites
  // it
  %m = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %x = memref.load %m[%i] : memref<8xf32, strided<[?], offset: ?>>
  return %x, %w : f32, tensor<8xf32>
}

// -----

func.func @view_read_in_loop(%t: tensor<8xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
  %v = memref.subview %m[0] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
    %x = memref.load %v[%c0] : memref<4xf32, strided<[?], offset: ?>>
    %w = tensor.insert %s into %t[%c0] : tensor<8xf32>
    %y = tensor.extract %w[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    scf.yield %z : f32
  }
  return %r : f32
}

// -----

// Here it is read before.
func.func @buffer_read_before(%t: tensor<8xf32>, %f: f32, %i: index) -> (f32, tensor<8xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
  %v = memref.subview %m[0] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  %x = memref.load %v[%i] : memref<4xf32, strided<[?], offset: ?>>
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %x, %w : f32, tensor<8xf32>
}
