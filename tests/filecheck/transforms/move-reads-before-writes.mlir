// RUN: xdsl-opt %s -p move-reads-before-writes --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'move-reads-before-writes,one-shot-bufferize{bufferize-function-boundaries}' --split-input-file | filecheck %s --check-prefix=BUFFERS

// A read moves before the update, with what it needs.

func.func @read_after_update(%t: tensor<8xf32>, %i: index, %x: f32)
    -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %s = tensor.extract_slice %t[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %c1 = arith.constant 1 : index
  %1 = tensor.extract %s[%c1] : tensor<2xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @read_after_update(
// CHECK-NEXT:    %s = tensor.extract_slice %t
// CHECK-NEXT:    %c1 = arith.constant 1
// CHECK-NEXT:    %{{.*}} = tensor.extract %s
// CHECK-NEXT:    %{{.*}} = tensor.insert %x into %t

// BUFFERS-LABEL: func.func @read_after_update(
// BUFFERS-NOT:     memref.copy

// -----

// A read that needs the updated tensor stays, and the copy with it.

func.func @depends(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %0[%c0] : tensor<8xf32>
  %2 = arith.fptoui %1 : f32 to i32
  %3 = arith.index_cast %2 : i32 to index
  %4 = tensor.extract %t[%3] : tensor<8xf32>
  return %0, %4 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @depends(
// CHECK:         tensor.insert
// CHECK:         tensor.extract
// CHECK:         tensor.extract

// BUFFERS-LABEL: func.func @depends(
// BUFFERS:         memref.copy

// -----

// Where one read has to stay, the others do: the copy is made anyway.

func.func @all_or_none(%t: tensor<8xf32>, %i: index, %x: f32)
    -> (tensor<8xf32>, tensor<8xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  return %0, %t, %1 : tensor<8xf32>, tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @all_or_none(
// CHECK-NEXT:    tensor.insert
// CHECK-NEXT:    tensor.extract

// -----

// A call is a read as any other if the function has no side effects.

func.func private @first(%t: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %t[%c0] : tensor<8xf32>
  return %0 : f32
}

func.func @call(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = call @first(%t) : (tensor<8xf32>) -> f32
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @call(
// CHECK-NEXT:    func.call @first
// CHECK-NEXT:    tensor.insert

// -----

// One with side effects keeps its place among its like.

func.func private @print(%x: f32)
func.func private @first(%t: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %t[%c0] : tensor<8xf32>
  call @print(%0) : (f32) -> ()
  return %0 : f32
}
func.func private @mark(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  call @print(%x) : (f32) -> ()
  %0 = tensor.insert %x into %t[%c0] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @side_effects(%t: tensor<8xf32>, %x: f32) -> (tensor<8xf32>, f32) {
  %0 = call @mark(%t, %x) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %1 = call @first(%t) : (tensor<8xf32>) -> f32
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @side_effects(
// CHECK-NEXT:    func.call @mark
// CHECK-NEXT:    func.call @first

// -----

// An access to a tensor does not come before an assertion that may guard it: both move.

func.func @assertion(%t: tensor<8xf32>, %i: index, %x: f32, %c: i1)
    -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<8xf32>
  cf.assert %c, "no such element"
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @assertion(
// CHECK:         cf.assert
// CHECK-NEXT:    tensor.extract
// CHECK-NEXT:    tensor.insert

// -----

// A loop moves as one op, before an update inside of a branch.

func.func @regions(%t: tensor<8xf32>, %n: index, %x: f32, %c: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %c -> (tensor<8xf32>) {
    %1 = tensor.insert %x into %t[%c0] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (f32) {
    %3 = tensor.extract %t[%i] : tensor<8xf32>
    %4 = arith.addf %sum, %3 : f32
    scf.yield %4 : f32
  }
  %5 = tensor.extract %0[%c0] : tensor<8xf32>
  return %5, %2 : f32, f32
}

// CHECK-LABEL: func.func @regions(
// CHECK:         scf.for
// CHECK:         scf.if

// BUFFERS-LABEL: func.func @regions(
// BUFFERS-NOT:     memref.copy

// -----

// What the read updates in place itself is read before it, still.

func.func @chain(%t: tensor<8xf32>, %u: tensor<8xf32>, %i: index, %x: f32)
    -> (tensor<8xf32>, tensor<8xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %u[%i] : tensor<8xf32>
  %2 = linalg.copy ins(%t : tensor<8xf32>) outs(%u : tensor<8xf32>) -> tensor<8xf32>
  return %0, %2, %1 : tensor<8xf32>, tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    tensor.extract %u
// CHECK-NEXT:    linalg.copy
// CHECK-NEXT:    tensor.insert

// BUFFERS-LABEL: func.func @chain(
// BUFFERS-NOT:     memref.copy

// -----

// In a loop a read of a tensor from outside of it sees the update of the iteration
// before: nothing moves.

func.func @loop(%t: tensor<8xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (f32) {
    %1 = tensor.insert %x into %t[%i] : tensor<8xf32>
    %2 = tensor.extract %1[%c0] : tensor<8xf32>
    %3 = tensor.extract %t[%c0] : tensor<8xf32>
    %4 = arith.addf %2, %3 : f32
    %5 = arith.addf %sum, %4 : f32
    scf.yield %5 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for
// CHECK-NEXT:      tensor.insert
// CHECK-NEXT:      tensor.extract
// CHECK-NEXT:      tensor.extract

// BUFFERS-LABEL: func.func @loop(
// BUFFERS:         memref.copy

// -----

// Tensors that share memory with memrefs stay where they are.

func.func @memory(%m: memref<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @memory(
// CHECK:         tensor.insert
// CHECK-NEXT:    tensor.extract
