// RUN: xdsl-opt %s -p "tosa-to-linalg,one-shot-bufferize{bufferize-function-boundaries},canonicalize" | filecheck %s --check-prefix COPY
// RUN: xdsl-opt %s -p "tosa-to-linalg,eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries},canonicalize" | filecheck %s --check-prefix IN-PLACE

// A product that is to be computed into a buffer of the caller's. tosa.matmul has no
// destination, so the product gets memory of its own, and is copied; unless its
// destination, an empty tensor, is found to be the caller's buffer.
func.func @matmul(%a: memref<1x4x8xf32>, %b: memref<1x8x16xf32>, %c: memref<1x4x16xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<1x4x8xf32> to tensor<1x4x8xf32>
  %tb = bufferization.to_tensor %b restrict : memref<1x8x16xf32> to tensor<1x8x16xf32>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %ta, %tb, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  bufferization.materialize_in_destination %0 in restrict writable %c : (tensor<1x4x16xf32>, memref<1x4x16xf32>) -> ()
  return
}

// COPY-LABEL: @matmul
// COPY:         %[[NEW:.*]] = memref.alloc()
// COPY:         linalg.batch_matmul ins(%a, %b : {{.*}}) outs(%[[NEW]]
// COPY-NEXT:    memref.copy %[[NEW]], %c
// COPY-NOT:     memref.copy

// IN-PLACE-LABEL: @matmul
// IN-PLACE-NOT:   memref.alloc
// IN-PLACE:       linalg.batch_matmul ins(%a, %b : {{.*}}) outs(%c
// IN-PLACE-NOT:   memref.copy
