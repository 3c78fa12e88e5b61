// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops read-only-loops verify-result}' --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops verify-result}' --split-input-file | filecheck %s --check-prefix=WITHOUT

// Each iteration makes a new tensor; the one that the loop starts with is read later.

// CHECK-LABEL: func.func @start_is_read_later
// CHECK-NOT: memref.copy
// CHECK: return
// WITHOUT-LABEL: func.func @start_is_read_later
// WITHOUT-COUNT-1: memref.copy
func.func @start_is_read_later(%t: tensor<8xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  %y = tensor.extract %t[%c0] : tensor<8xf32>
  return %x, %y : f32, f32
}

// -----

// The tensor that scf.while carries is passed on.

// CHECK-LABEL: func.func @while
// CHECK-NOT: memref.copy
// CHECK: return
// WITHOUT-LABEL: func.func @while
// WITHOUT-COUNT-2: memref.copy
func.func @while(%t: tensor<8xf32>, %limit: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> (tensor<8xf32>) {
    %x = tensor.extract %a[%c0] : tensor<8xf32>
    %go = arith.cmpf olt, %x, %limit : f32
    scf.condition(%go) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  %y = tensor.extract %t[%c0] : tensor<8xf32>
  return %x, %y : f32, f32
}

// -----

// A caller knows that the function does not overwrite its argument.

// CHECK-LABEL: func.func @caller
// CHECK-NOT: memref.copy
// CHECK: return
// WITHOUT-LABEL: func.func @caller
// WITHOUT-COUNT-1: memref.copy
func.func private @callee(%t: tensor<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  return %x : f32
}
func.func @caller(%t: tensor<8xf32>, %n: index) -> (f32, f32) {
  %x = func.call @callee(%t, %n) : (tensor<8xf32>, index) -> f32
  %y = func.call @callee(%t, %n) : (tensor<8xf32>, index) -> f32
  return %x, %y : f32, f32
}

// -----

// The result may be the tensor that the loop starts with, which is read later: the update
// of the result needs a copy.

// CHECK-LABEL: func.func @result_is_updated
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @result_is_updated(%t: tensor<8xf32>, %n: index, %v: f32)
    -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %w = tensor.insert %v into %r[%c0] : tensor<8xf32>
  %y = tensor.extract %t[%c0] : tensor<8xf32>
  return %w, %y : tensor<8xf32>, f32
}

// -----

// An op of the body overwrites the tensor that the loop starts with while it is carried.

// CHECK-LABEL: func.func @start_is_overwritten_inside
// CHECK: memref.copy
// CHECK: return
func.func @start_is_overwritten_inside(%t: tensor<8xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %s = %zero)
      -> (tensor<8xf32>, f32) {
    %w = tensor.insert %v into %t[%i] : tensor<8xf32>
    %x = tensor.extract %w[%c1] : tensor<8xf32>
    %y = tensor.extract %a[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    %s1 = arith.addf %s, %z : f32
    scf.yield %a, %s1 : tensor<8xf32>, f32
  }
  return %r#1 : f32
}

// -----

// The next iteration finds the tensor under another number, where it is updated.

// CHECK-LABEL: func.func @rotated
// CHECK: memref.copy
// CHECK: return
func.func @rotated(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index, %v: f32)
    -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %w = tensor.insert %v into %b[%i] : tensor<8xf32>
    scf.yield %w, %a : tensor<8xf32>, tensor<8xf32>
  }
  %y = tensor.extract %t[%c0] : tensor<8xf32>
  return %r#1, %y : tensor<8xf32>, f32
}

// -----

// What scf.while yields is made outside of it, so its results would not be the only name.

// CHECK-LABEL: func.func @while_yields_another_tensor
// CHECK: memref.copy
// CHECK: return
func.func @while_yields_another_tensor(%t: tensor<8xf32>, %u: tensor<8xf32>, %limit: f32)
    -> (f32, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> (tensor<8xf32>) {
    %x = tensor.extract %a[%c0] : tensor<8xf32>
    %go = arith.cmpf olt, %x, %limit : f32
    scf.condition(%go) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    scf.yield %u : tensor<8xf32>
  }
  %w = tensor.insert %limit into %u[%c0] : tensor<8xf32>
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  return %x, %w : f32, tensor<8xf32>
}

// -----

// The inner loop yields a constant, which the outer loop would write.

// CHECK-LABEL: func.func @constant_is_written_by_the_outer_loop
// CHECK:         scf.for
// CHECK:           memref.copy %{{.*}}, %[[NEW:.*]] : memref<8xf32> to memref<8xf32>
func.func @constant_is_written_by_the_outer_loop(%t: tensor<8xf32>, %n: index, %v: f32)
    -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %w = tensor.insert %v into %a[%i] : tensor<8xf32>
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %w) -> (tensor<8xf32>) {
      %l = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
      scf.yield %l : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  }
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  return %x : f32
}

// -----

// The same with scf.while around it: each iteration begins with an update.

// CHECK-LABEL: func.func @constant_is_written_by_scf_while
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           memref.get_global
// CHECK-NEXT:      %[[NEW:.*]] = memref.alloc
// CHECK-NEXT:      memref.copy %{{.*}}, %[[NEW]]
func.func @constant_is_written_by_scf_while(%t: tensor<8xf32>, %n: index, %v: f32)
    -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0, %r = scf.while (%i = %n, %a = %t) : (index, tensor<8xf32>)
      -> (index, tensor<8xf32>) {
    %w = tensor.insert %v into %a[%i] : tensor<8xf32>
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %i, %w : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %b: tensor<8xf32>):
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%d = %b) -> (tensor<8xf32>) {
      %l = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
      scf.yield %l : tensor<8xf32>
    }
    scf.yield %i, %q : index, tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
