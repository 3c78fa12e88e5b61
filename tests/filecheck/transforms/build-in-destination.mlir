// RUN: xdsl-opt %s -p build-in-destination --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'build-in-destination,one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic=cheapest disjoint-slices verify-result}' --split-input-file | filecheck %s --check-prefix=BUFFERS

// Both branches compute in one slice, which is taken before them.

// CHECK-LABEL: func.func @branch
// CHECK: %[[D:.*]] = tensor.extract_slice %t[8] [4] [1]
// CHECK-NEXT: scf.if
// CHECK: linalg.fill ins(%x : f64) outs(%[[D]]
// CHECK: } else {
// CHECK: linalg.exp ins(%a : tensor<4xf64>) outs(%[[D]]
// BUFFERS-LABEL: func.func @branch
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @branch(%t: tensor<16xf64>, %c: i1, %x: f64) -> tensor<16xf64> {
  %r = scf.if %c -> (tensor<4xf64>) {
    %e = tensor.empty() : tensor<4xf64>
    %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.yield %f : tensor<4xf64>
  } else {
    %e = tensor.empty() : tensor<4xf64>
    %a = tensor.extract_slice %t[0] [4] [1] : tensor<16xf64> to tensor<4xf64>
    %f = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
    scf.yield %f : tensor<4xf64>
  }
  %u = tensor.insert_slice %r into %t[8] [4] [1]
      : tensor<4xf64> into tensor<16xf64>
  return %u : tensor<16xf64>
}

// -----

// The loop carries the slice.

// CHECK-LABEL: func.func @loop
// CHECK: tensor.extract_slice %all[1, 0] [1, 5] [1, 1]
// CHECK: linalg.fill
// CHECK: scf.for
// BUFFERS-LABEL: func.func @loop
// BUFFERS: memref.alloc() {alignment = 64 : i64} : memref<3x5xf64>
// BUFFERS-NOT: alloc
// BUFFERS: return
func.func @loop(%a: tensor<5xf64>, %n: index, %x: f64) -> tensor<3x5xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %whole = tensor.empty() : tensor<3x5xf64>
  %all = linalg.fill ins(%x : f64) outs(%whole : tensor<3x5xf64>) -> tensor<3x5xf64>
  %e = tensor.empty() : tensor<5xf64>
  %s = linalg.fill ins(%x : f64) outs(%e : tensor<5xf64>) -> tensor<5xf64>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %s) -> (tensor<5xf64>) {
    %w = linalg.add ins(%a, %v : tensor<5xf64>, tensor<5xf64>)
        outs(%v : tensor<5xf64>) -> tensor<5xf64>
    scf.yield %w : tensor<5xf64>
  }
  %u = tensor.insert_slice %r into %all[1, 0] [1, 5] [1, 1]
      : tensor<5xf64> into tensor<3x5xf64>
  return %u : tensor<3x5xf64>
}

// -----

// What is overwritten is still to be read: a copy would move elsewhere, or grow.

// CHECK-LABEL: func.func @read_later
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf64>
// CHECK-NEXT: linalg.exp ins(%a : tensor<4xf64>) outs(%[[E]]
// CHECK-NEXT: linalg.add
// CHECK-NEXT: tensor.insert_slice
// BUFFERS-LABEL: func.func @read_later
func.func @read_later(%t: tensor<16xf64>) -> tensor<16xf64> {
  %a = tensor.extract_slice %t[8] [4] [1] : tensor<16xf64> to tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64>
  %b = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %c = linalg.add ins(%a, %b : tensor<4xf64>, tensor<4xf64>)
      outs(%b : tensor<4xf64>) -> tensor<4xf64>
  %u = tensor.insert_slice %c into %t[6] [4] [1]
      : tensor<4xf64> into tensor<16xf64>
  return %u : tensor<16xf64>
}

// -----

// The slice depends on what is computed in the tensor: it cannot be taken before.

// CHECK-LABEL: func.func @place_unknown
// CHECK: tensor.empty()
// CHECK-NEXT: linalg.add
// BUFFERS-LABEL: func.func @place_unknown
func.func @place_unknown(%t: tensor<16xi64>, %a: tensor<4xi64>) -> tensor<16xi64> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xi64>
  %b = linalg.add ins(%a, %a : tensor<4xi64>, tensor<4xi64>)
      outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %x = tensor.extract %b[%c0] : tensor<4xi64>
  %i = arith.index_cast %x : i64 to index
  %u = tensor.insert_slice %b into %t[%i] [4] [1]
      : tensor<4xi64> into tensor<16xi64>
  return %u : tensor<16xi64>
}
