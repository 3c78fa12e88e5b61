// RUN: xdsl-opt %s --split-input-file -p expand-realloc,convert-linalg-to-loops{interchange} | filecheck %s

// The loop over columns is innermost: unit strides, and no sum to wait for.

func.func @matmul(%a: memref<4x512xf32>, %b: memref<512x?xf32>, %c: memref<4x?xf32>) {
  linalg.matmul ins(%a, %b : memref<4x512xf32>, memref<512x?xf32>) outs(%c : memref<4x?xf32>)
  return
}

// CHECK-LABEL: @matmul
// CHECK:         scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      scf.for %[[k:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:        scf.for %[[j:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:          memref.load %a[%[[i]], %[[k]]]
// CHECK-NEXT:          memref.load %b[%[[k]], %[[j]]]
// CHECK-NEXT:          memref.load %c[%[[i]], %[[j]]]
// CHECK-NEXT:          arith.mulf
// CHECK-NEXT:          arith.addf
// CHECK-NEXT:          memref.store %{{.*}}, %c[%[[i]], %[[j]]]

// -----

// Rows of the second matrix are contiguous along the sum: the order stays.

func.func @matmul_transposed(%a: memref<4x512xf32>, %b: memref<16x512xf32>, %c: memref<4x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                   affine_map<(i, j, k) -> (j, k)>,
                                   affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x512xf32>, memref<16x512xf32>) outs(%c : memref<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: @matmul_transposed
// CHECK:         scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      scf.for %[[j:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:        scf.for %[[k:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:          memref.load %a[%[[i]], %[[k]]]

// -----

// LLVM unrolls a short sum, and vectorizes the loop around it: the order stays.

func.func @short_sum(%a: memref<16x8xf32>, %b: memref<8x64xf32>, %c: memref<16x64xf32>) {
  linalg.matmul ins(%a, %b : memref<16x8xf32>, memref<8x64xf32>) outs(%c : memref<16x64xf32>)
  return
}

// CHECK-LABEL: @short_sum
// CHECK:         scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      scf.for %[[j:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:        scf.for %[[k:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:          memref.load %a[%[[i]], %[[k]]]

// -----

// An op that prints keeps its order.

func.func private @print(f32)

func.func @printed(%a: memref<4x512xf32>, %b: memref<8x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<8x4xf32>) outs(%b : memref<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    func.call @print(%x) : (f32) -> ()
    linalg.yield %x : f32
  }
  return
}

// CHECK-LABEL: @printed
// CHECK:         scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      scf.for %[[j:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:        memref.load %b[%[[j]], %[[i]]]
