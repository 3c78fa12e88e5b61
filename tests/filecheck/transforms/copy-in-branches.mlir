// RUN: xdsl-opt %s -p copy-in-branches --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'bufferization-pipeline{verify-result}' --split-input-file | filecheck %s --check-prefix=PIPELINE
// RUN: xdsl-opt %s -p 'bufferization-pipeline{remarks}' --split-input-file 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: copies 32 bytes: scf.yield yields %k, which must not be overwritten, and another branch yields a tensor that it has updated [copy-in-branches]

// The state is reset to a constant in what the other branch updates.

// CHECK-LABEL: func.func @reset_in_place(
// CHECK:         scf.if
// CHECK-NEXT:      [[C:%.*]] = bufferization.materialize_in_destination %k in %a
// CHECK-NEXT:      scf.yield [[C]]
// PIPELINE-LABEL: func.func @reset_in_place(
// PIPELINE:         scf.for
// PIPELINE-NEXT:      arith.cmpi
// PIPELINE-NEXT:      scf.if
// PIPELINE-NEXT:        memref.copy
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
func.func @reset_in_place(%n: index, %at: index, %x: f64) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (tensor<4xf64>) {
    %z = arith.cmpi eq, %i, %at : index
    %b = scf.if %z -> (tensor<4xf64>) {
      scf.yield %k : tensor<4xf64>
    } else {
      %u = tensor.insert %x into %a[%c0] : tensor<4xf64>
      scf.yield %u : tensor<4xf64>
    }
    scf.yield %b : tensor<4xf64>
  }
  return %r : tensor<4xf64>
}

// -----

// The buffer of the loop is an argument at first, which a copy must not be made in.

// CHECK-LABEL: func.func @reset_to_argument(
// CHECK:         case 0
// CHECK-NEXT:      [[C:%.*]] = bufferization.alloc_tensor() copy(%k)
// CHECK-NEXT:      scf.yield [[C]]
// PIPELINE-LABEL: func.func @reset_to_argument(
// PIPELINE:         return
func.func @reset_to_argument(%n: index, %x: f64, %k: tensor<4xf64>, %t: tensor<4xf64>)
    -> (tensor<4xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf64>) {
    %m = arith.remui %i, %c8 : index
    %v = arith.index_cast %m : index to i64
    %w = arith.index_cast %v : i64 to index
    %b = scf.index_switch %w -> tensor<4xf64>
    case 0 {
      scf.yield %k : tensor<4xf64>
    }
    case 1 {
      scf.yield %a : tensor<4xf64>
    }
    default {
      %u = tensor.insert %x into %a[%c0] : tensor<4xf64>
      scf.yield %u : tensor<4xf64>
    }
    scf.yield %b : tensor<4xf64>
  }
  %y = tensor.extract %k[%c1] : tensor<4xf64>
  return %r, %y : tensor<4xf64>, f64
}

// -----

// What a branch yields is not updated, or both branches yield what they compute, or what
// each yields may be updated.

// CHECK-LABEL: func.func @unchanged(
// CHECK-NOT:     bufferization.
// CHECK:         return
// PIPELINE-LABEL: func.func @unchanged(
func.func @unchanged(%c: i1, %x: f64, %t: tensor<4xf64>, %s: tensor<4xf64>)
    -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %r = scf.if %c -> (tensor<4xf64>) {
    scf.yield %k : tensor<4xf64>
  } else {
    %u = tensor.insert %x into %t[%c0] : tensor<4xf64>
    scf.yield %u : tensor<4xf64>
  }
  %y = tensor.extract %r[%c1] : tensor<4xf64>
  %q = scf.if %c -> (tensor<4xf64>) {
    scf.yield %s : tensor<4xf64>
  } else {
    %u = tensor.insert %x into %s[%c0] : tensor<4xf64>
    scf.yield %u : tensor<4xf64>
  }
  %w = tensor.insert %x into %q[%c1] : tensor<4xf64>
  %z = tensor.extract %w[%c0] : tensor<4xf64>
  %v = tensor.extract %w[%c1] : tensor<4xf64>
  return %y, %z, %v : f64, f64, f64
}

// -----

// A row that only one branch reads, and copies because it overwrites it, is copied in that
// branch; one that both use is not moved.

// CHECK-LABEL: func.func @row_for_one_branch
// CHECK-NOT:     tensor.extract_slice %t[%i, 0]
// CHECK:         scf.if
// CHECK-NEXT:      %row = tensor.extract_slice %t[%i, 0]
// CHECK:         func.func @row_for_both
// CHECK:           %row = tensor.extract_slice %t[%i, 0]
// CHECK:           scf.if
func.func @row_for_one_branch(%t: tensor<4x2xf64>, %i: index, %j: index, %c: i1)
    -> (tensor<4x2xf64>) {
  %row = tensor.extract_slice %t[%i, 0] [1, 2] [1, 1] : tensor<4x2xf64> to tensor<2xf64>
  %r = scf.if %c -> (tensor<4x2xf64>) {
    %x = tensor.extract_slice %t[%j, 0] [1, 2] [1, 1]
        : tensor<4x2xf64> to tensor<2xf64>
    %0 = tensor.insert_slice %x into %t[%i, 0] [1, 2] [1, 1]
        : tensor<2xf64> into tensor<4x2xf64>
    %1 = tensor.insert_slice %row into %0[%j, 0] [1, 2] [1, 1]
        : tensor<2xf64> into tensor<4x2xf64>
    scf.yield %1 : tensor<4x2xf64>
  } else {
    scf.yield %t : tensor<4x2xf64>
  }
  return %r : tensor<4x2xf64>
}
func.func @row_for_both(%t: tensor<4x2xf64>, %i: index, %j: index, %c: i1)
    -> (tensor<4x2xf64>) {
  %row = tensor.extract_slice %t[%i, 0] [1, 2] [1, 1] : tensor<4x2xf64> to tensor<2xf64>
  %r = scf.if %c -> (tensor<4x2xf64>) {
    %x = tensor.extract_slice %t[%j, 0] [1, 2] [1, 1]
        : tensor<4x2xf64> to tensor<2xf64>
    %0 = tensor.insert_slice %x into %t[%i, 0] [1, 2] [1, 1]
        : tensor<2xf64> into tensor<4x2xf64>
    %1 = tensor.insert_slice %row into %0[%j, 0] [1, 2] [1, 1]
        : tensor<2xf64> into tensor<4x2xf64>
    scf.yield %1 : tensor<4x2xf64>
  } else {
    %0 = tensor.insert_slice %row into %t[%j, 0] [1, 2] [1, 1]
        : tensor<2xf64> into tensor<4x2xf64>
    scf.yield %0 : tensor<4x2xf64>
  }
  return %r : tensor<4x2xf64>
}
