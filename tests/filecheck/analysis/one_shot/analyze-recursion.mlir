// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries analyze-recursion verify-result}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --split-input-file | filecheck %s --check-prefix=WORST

// Both results are the arguments, however deep the recursion is.

func.func private @clear(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %more = arith.cmpi ne, %n, %c0 : index
  %r:2 = scf.if %more -> (tensor<8xf32>, tensor<8xf32>) {
    %m = arith.subi %n, %c1 : index
    %0 = tensor.insert %zero into %t[%m] : tensor<8xf32>
    %1:2 = func.call @clear(%0, %u, %m)
      : (tensor<8xf32>, tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>)
    %2 = tensor.insert %zero into %1#1[%m] : tensor<8xf32>
    scf.yield %1#0, %2 : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %t, %u : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func private @clear(
// CHECK-NOT:     memref.alloc
// CHECK:         func.return

// WORST-LABEL: func.func private @clear(
// WORST:         memref.alloc

// -----

// Functions that call each other and only read what they are given; their caller writes it
// afterwards.

func.func private @even(%t: tensor<8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %done = arith.cmpi eq, %i, %c0 : index
  %r = scf.if %done -> (f32) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %x : f32
  } else {
    %x = func.call @odd(%t, %i) : (tensor<8xf32>, index) -> f32
    scf.yield %x : f32
  }
  return %r : f32
}

func.func private @odd(%t: tensor<8xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %j = arith.subi %i, %c1 : index
  %x = call @even(%t, %j) : (tensor<8xf32>, index) -> f32
  %y = tensor.extract %t[%j] : tensor<8xf32>
  %s = arith.addf %x, %y : f32
  return %s : f32
}

func.func @reads(%t: tensor<8xf32>, %i: index) -> (f32, f32) {
  %0 = call @even(%t, %i) : (tensor<8xf32>, index) -> f32
  %1 = call @odd(%t, %i) : (tensor<8xf32>, index) -> f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func private @even(
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @reads(
// CHECK-NOT:     memref.alloc
// CHECK:         func.return

// WORST-LABEL: func.func @reads(
// WORST:         memref.alloc

// -----

// What is assumed first is not true: the recursion exchanges what it is given. What holds
// then is that each result is one of the arguments, so that a copy is made.

func.func private @exchange(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ne, %n, %c0 : index
  %r:2 = scf.if %more -> (tensor<8xf32>, tensor<8xf32>) {
    %m = arith.subi %n, %c1 : index
    %1:2 = func.call @exchange(%u, %t, %m)
      : (tensor<8xf32>, tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>)
    scf.yield %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %t, %u : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

func.func @uses_exchanged(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index, %x: f32)
    -> (f32, tensor<8xf32>) {
  %0:2 = call @exchange(%t, %u, %n)
    : (tensor<8xf32>, tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>)
  %1 = tensor.insert %x into %0#0[%n] : tensor<8xf32>
  %y = tensor.extract %t[%n] : tensor<8xf32>
  return %y, %1 : f32, tensor<8xf32>
}

// CHECK-LABEL: func.func @uses_exchanged(
// CHECK:         memref.copy
// CHECK:         memref.store

// -----

// The recursion reads a constant and returns a new tensor, which can be written.

func.func private @new(%t: tensor<2xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %more -> (tensor<8xf32>) {
    %m = arith.subi %n, %c1 : index
    %k = arith.constant dense<3.0> : tensor<2xf32>
    %0 = func.call @new(%k, %m) : (tensor<2xf32>, index) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    %x = tensor.extract %t[%c0] : tensor<2xf32>
    %s = tensor.splat %x : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

func.func @writes_new(%t: tensor<2xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %0 = call @new(%t, %n) : (tensor<2xf32>, index) -> tensor<8xf32>
  %1 = tensor.insert %x into %0[%n] : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @writes_new(
// CHECK-NOT:     memref.copy
// CHECK:         memref.store
// CHECK:         func.return

// -----

// The recursion may return a constant, through another function.

func.func private @constant(%n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %more = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %more -> (tensor<8xf32>) {
    %0 = func.call @next(%n) : (index) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    %k = arith.constant dense<3.0> : tensor<8xf32>
    scf.yield %k : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

func.func private @next(%n: index) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  %0 = func.call @constant(%m) : (index) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @writes_constant(%n: index, %x: f32) -> tensor<8xf32> {
  %0 = call @next(%n) : (index) -> tensor<8xf32>
  %1 = tensor.insert %x into %0[%n] : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @writes_constant(
// CHECK:         memref.copy
// CHECK:         memref.store
