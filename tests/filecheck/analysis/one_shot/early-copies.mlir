// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries early-copies read-only-loops verify-result}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries verify-result}' --split-input-file | filecheck %s --check-prefix=WITHOUT

// A loop that starts twice with one tensor, and updates both. One of them is a copy.

// CHECK-LABEL: func.func @started_twice
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
// WITHOUT-LABEL: func.func @started_twice
// WITHOUT-COUNT-2: memref.copy
func.func @started_twice(%t: tensor<8xf32>, %x: f32, %n: index)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %y = tensor.extract %b[%i] : tensor<8xf32>
    %c = tensor.insert %y into %a[%c0] : tensor<8xf32>
    %d = tensor.insert %x into %b[%i] : tensor<8xf32>
    scf.yield %c, %d : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The tensor is the same in each iteration of the loop around: both are copied.

// CHECK-LABEL: func.func @started_twice_again
// CHECK-COUNT-2: memref.copy
// CHECK: return
func.func @started_twice_again(%t: tensor<8xf32>, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %x) -> f32 {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %y = tensor.extract %b[%i] : tensor<8xf32>
      %c = tensor.insert %y into %a[%c0] : tensor<8xf32>
      %d = tensor.insert %x into %b[%i] : tensor<8xf32>
      scf.yield %c, %d : tensor<8xf32>, tensor<8xf32>
    }
    %z = tensor.extract %r#0[%j] : tensor<8xf32>
    %w = tensor.extract %r#1[%j] : tensor<8xf32>
    %v = arith.addf %z, %w : f32
    %next = arith.addf %sum, %v : f32
    scf.yield %next : f32
  }
  return %s : f32
}

// -----

// A function that updates one argument and reads the other.

// CHECK-LABEL: func.func @called_twice
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @added(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract %b[%c0] : tensor<8xf32>
  %0 = tensor.insert %x into %a[%c1] : tensor<8xf32>
  %y = tensor.extract %b[%c1] : tensor<8xf32>
  %1 = tensor.insert %y into %0[%c0] : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @called_twice(%t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @added(%t, %t) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The loop carries a copy of what it overwrites under another name: not its result is
// copied, but what it starts with.

// CHECK-LABEL: func.func @overwritten_by_the_loop
// CHECK-SAME: (%t: [[T:memref<.*>]], %x
// CHECK: memref.copy %t, %[[COPY:.*]] :
// CHECK-NEXT: %[[RESULT:.*]] = scf.for {{.*}} iter_args(%a = %[[COPY]])
// CHECK: linalg.fill {{.*}} outs(%t : [[T]])
// CHECK-NOT: memref.copy
// CHECK: memref.load %[[RESULT]]
func.func @overwritten_by_the_loop(%t: tensor<8xf32>, %x: f32, %n: index)
    -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<8xf32> {
    %b = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %y = tensor.extract %b[%i] : tensor<8xf32>
    vector.print %y : f32
    scf.yield %a : tensor<8xf32>
  }
  %s = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %z = tensor.extract %r[%c0] : tensor<8xf32>
  return %s, %z : tensor<8xf32>, f32
}

// -----

// The same for a function that returns one argument and writes the other.

// CHECK-LABEL: func.func @overwritten_by_the_callee
// CHECK-SAME: (%t: [[T:memref<.*>]], %x
// CHECK: memref.copy %t, %[[COPY:.*]] :
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[COPY]]
// CHECK-NEXT: %[[RESULT:.*]], %{{.*}} = func.call @one_written(%[[CAST]], %t, %x)
// CHECK-NOT: memref.copy
// CHECK: memref.load %[[RESULT]]
func.func private @one_written(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32)
    -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %b[%c0] : tensor<8xf32>
  %1 = tensor.extract %0[%c0] : tensor<8xf32>
  return %a, %1 : tensor<8xf32>, f32
}
func.func @overwritten_by_the_callee(%t: tensor<8xf32>, %x: f32, %i: index)
    -> (tensor<8xf32>, f32, f32) {
  %0:2 = func.call @one_written(%t, %t, %x)
      : (tensor<8xf32>, tensor<8xf32>, f32) -> (tensor<8xf32>, f32)
  %s = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %z = tensor.extract %0#0[%i] : tensor<8xf32>
  return %s, %0#1, %z : tensor<8xf32>, f32, f32
}
