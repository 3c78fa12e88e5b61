// One tensor.insert, and the effect of options on it: the example of the MLIR bufferization
// tutorial. A tensor.insert makes a new tensor; the question is whether it can reuse the
// buffer of the old tensor. This command prints the outputs below:
//
//   xdsl-opt examples/insert.mlir -p 'one-shot-bufferize{...}'
//
// Without bufferize-function-boundaries, function arguments are read-only, and signatures
// keep their tensors.

// 1. {bufferize-function-boundaries}: the buffer of the argument may be written, so it is
//    updated in place. The layout of the caller's buffer is unknown.
//
//      func.func @test(%t: memref<8xf32, strided<[?], offset: ?>>, %idx: index)
//          -> memref<8xf32, strided<[?], offset: ?>> {
//        %f = arith.constant 5.000000e+00 : f32
//        memref.store %f, %t[%idx] : memref<8xf32, strided<[?], offset: ?>>
//        func.return %t: memref<8xf32, strided<[?], offset: ?>>
//      }
//
// 2. {bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}:
//    the same for contiguous elements, which callers must then guarantee.
//
//      func.func @test(%t: memref<8xf32>, %idx: index) -> memref<8xf32> {
//        %f = arith.constant 5.000000e+00 : f32
//        memref.store %f, %t[%idx] : memref<8xf32>
//        func.return %t: memref<8xf32>
//      }

func.func @test(%t: tensor<8xf32>, %idx: index) -> tensor<8xf32> {
  %f = arith.constant 5.0 : f32
  %0 = tensor.insert %f into %t[%idx] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// 3. The options of 2, but the argument must not be written: a new buffer and a copy.
//
//      func.func @test_read_only(%t: memref<8xf32>, %idx: index) -> memref<8xf32> {
//        %f = arith.constant 5.000000e+00 : f32
//        %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
//        memref.copy %t, %0 : memref<8xf32> to memref<8xf32>
//        memref.store %f, %0[%idx] : memref<8xf32>
//        func.return %0 : memref<8xf32>
//      }

func.func @test_read_only(%t: tensor<8xf32> {bufferization.writable = false},
                          %idx: index) -> tensor<8xf32> {
  %f = arith.constant 5.0 : f32
  %0 = tensor.insert %f into %t[%idx] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// 4. The options of 2, then drop-equivalent-buffer-results: a result that always is one of
//    the arguments need not be returned. Public functions have unknown callers, so this
//    applies only to private functions.
//
//      func.func private @insert(%t: memref<8xf32>, %idx: index) {
//        %f = arith.constant 5.000000e+00 : f32
//        memref.store %f, %t[%idx] : memref<8xf32>
//        func.return
//      }

func.func private @insert(%t: tensor<8xf32>, %idx: index) -> tensor<8xf32> {
  %f = arith.constant 5.0 : f32
  %0 = tensor.insert %f into %t[%idx] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @test_call(%t: tensor<8xf32>, %idx: index) -> tensor<8xf32> {
  %0 = call @insert(%t, %idx) : (tensor<8xf32>, index) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
