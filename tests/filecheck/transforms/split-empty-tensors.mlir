// RUN: xdsl-opt %s -p split-empty-tensors --split-input-file | filecheck %s

// What the loop yields is computed in a buffer of its own. The other op in the loop keeps
// the shared one.

// CHECK-LABEL: func.func @carried
// CHECK: %e = tensor.empty()
// CHECK: scf.for
// CHECK-NEXT: linalg.fill ins(%f : f64) outs(%e
// CHECK-NEXT: %[[OWN:.*]] = tensor.empty() : tensor<8xf64>
// CHECK-NEXT: linalg.add {{.*}} outs(%[[OWN]]
func.func @carried(%t: tensor<8xf64>, %n: index, %f: f64) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<8xf64>) {
    %z = linalg.fill ins(%f : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
    %y = linalg.add ins(%x, %z : tensor<8xf64>, tensor<8xf64>)
        outs(%e : tensor<8xf64>) -> tensor<8xf64>
    scf.yield %y : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}

// -----

// One buffer for two tensors, one after the other, is better than two.

// CHECK-LABEL: func.func @no_copy
// CHECK: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @no_copy(%t: tensor<8xf64>, %i: index) -> (f64, f64) {
  %e = tensor.empty() : tensor<8xf64>
  %a = linalg.exp ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %x = tensor.extract %a[%i] : tensor<8xf64>
  %b = linalg.abs ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %y = tensor.extract %b[%i] : tensor<8xf64>
  return %x, %y : f64, f64
}

// -----

// What is copied was computed in an argument.

// CHECK-LABEL: func.func @argument
// CHECK: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @argument(%t: tensor<8xf64>, %i: index, %f: f64) -> (f64, f64, f64) {
  %e = tensor.empty() : tensor<8xf64>
  %z = linalg.fill ins(%f : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %p = tensor.extract %z[%i] : tensor<8xf64>
  %w = linalg.exp ins(%t : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %q = tensor.extract %w[%i] : tensor<8xf64>
  %u = tensor.insert %f into %t[%i] : tensor<8xf64>
  %x = tensor.extract %u[%i] : tensor<8xf64>
  %y = tensor.extract %t[%i] : tensor<8xf64>
  %s = arith.addf %x, %y : f64
  return %p, %q, %s : f64, f64, f64
}
