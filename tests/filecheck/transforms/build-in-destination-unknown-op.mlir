// RUN: xdsl-opt %s --allow-unregistered-dialect -p build-in-destination | filecheck %s

// What an op of an unknown dialect inserts is not computed in its place before the op,
// which may not even run its region.

// CHECK-LABEL: func.func @unknown_op
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf64>
// CHECK-NEXT: linalg.fill ins(%x : f64) outs(%[[E]]
// CHECK-NEXT: "test.run"
// CHECK-NEXT: tensor.insert_slice
func.func @unknown_op(%x: f64, %t: tensor<8xf64>) {
  %e = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  "test.run"() ({
    %u = tensor.insert_slice %f into %t[0] [4] [1]
        : tensor<4xf64> into tensor<8xf64>
    "test.end"(%u) : (tensor<8xf64>) -> ()
  }) : () -> ()
  return
}
