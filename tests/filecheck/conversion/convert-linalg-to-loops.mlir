// With no other pass of this package, xDSL's own pass of this name would run.
// RUN: xdsl-opt %s --split-input-file -p expand-realloc,convert-linalg-to-loops | filecheck %s

func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x?xf32>, %c: memref<4x?xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x?xf32>) outs(%c : memref<4x?xf32>)
  return
}

// CHECK:      func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x?xf32>, %c: memref<4x?xf32>) {
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = memref.dim %b, %1 : memref<8x?xf32>
// CHECK-NEXT:   %3 = arith.constant 8 : index
// CHECK-NEXT:   %4 = arith.constant 0 : index
// CHECK-NEXT:   scf.for %5 = %4 to %0 step %1 {
// CHECK-NEXT:     scf.for %6 = %4 to %2 step %1 {
// CHECK-NEXT:       scf.for %7 = %4 to %3 step %1 {
// CHECK-NEXT:         %8 = memref.load %a[%5, %7] : memref<4x8xf32>
// CHECK-NEXT:         %9 = memref.load %b[%7, %6] : memref<8x?xf32>
// CHECK-NEXT:         %10 = memref.load %c[%5, %6] : memref<4x?xf32>
// CHECK-NEXT:         %11 = arith.mulf %8, %9 : f32
// CHECK-NEXT:         %12 = arith.addf %10, %11 : f32
// CHECK-NEXT:         memref.store %12, %c[%5, %6] : memref<4x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// An element that the region does not use is not loaded; a scalar is used as it is.

func.func @fill(%x: f32, %m: memref<?xf32, strided<[2], offset: 3>>) {
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32, strided<[2], offset: 3>>)
  return
}

// CHECK:      func.func @fill(%x: f32, %m: memref<?xf32, strided<[2], offset: 3>>) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %m, %0 : memref<?xf32, strided<[2], offset: 3>>
// CHECK-NEXT:   %2 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %3 = %0 to %1 step %2 {
// CHECK-NEXT:     memref.store %x, %m[%3] : memref<?xf32, strided<[2], offset: 3>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @map_and_reduce(%a: memref<3x4xf32>, %s: memref<3xf32>) {
  linalg.map { math.exp } ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<3x4xf32>) outs(%s : memref<3xf32>) dimensions = [1]
  return
}

// CHECK:      func.func @map_and_reduce(%a: memref<3x4xf32>, %s: memref<3xf32>) {
// CHECK-NEXT:   %0 = arith.constant 3 : index
// CHECK-NEXT:   %1 = arith.constant 4 : index
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %4 = %2 to %0 step %3 {
// CHECK-NEXT:     scf.for %5 = %2 to %1 step %3 {
// CHECK-NEXT:       %6 = memref.load %a[%4, %5] : memref<3x4xf32>
// CHECK-NEXT:       %7 = math.exp %6 : f32
// CHECK-NEXT:       memref.store %7, %a[%4, %5] : memref<3x4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   %8 = arith.constant 3 : index
// CHECK-NEXT:   %9 = arith.constant 4 : index
// CHECK-NEXT:   %10 = arith.constant 0 : index
// CHECK-NEXT:   %11 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %12 = %10 to %8 step %11 {
// CHECK-NEXT:     scf.for %13 = %10 to %9 step %11 {
// CHECK-NEXT:       %14 = memref.load %a[%12, %13] : memref<3x4xf32>
// CHECK-NEXT:       %15 = memref.load %s[%12] : memref<3xf32>
// CHECK-NEXT:       %16 = arith.addf %15, %14 : f32
// CHECK-NEXT:       memref.store %16, %s[%12] : memref<3xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @transpose_and_broadcast(%a: memref<3x4xf32>, %b: memref<4x3xf32>, %c: memref<4x2x3xf32>) {
  linalg.transpose ins(%a : memref<3x4xf32>) outs(%b : memref<4x3xf32>) permutation = [1, 0]
  linalg.broadcast ins(%b : memref<4x3xf32>) outs(%c : memref<4x2x3xf32>) dimensions = [1]
  return
}

// CHECK:      func.func @transpose_and_broadcast(%a: memref<3x4xf32>, %b: memref<4x3xf32>, %c: memref<4x2x3xf32>) {
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = arith.constant 3 : index
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %4 = %2 to %0 step %3 {
// CHECK-NEXT:     scf.for %5 = %2 to %1 step %3 {
// CHECK-NEXT:       %6 = memref.load %a[%5, %4] : memref<3x4xf32>
// CHECK-NEXT:       memref.store %6, %b[%4, %5] : memref<4x3xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   %7 = arith.constant 4 : index
// CHECK-NEXT:   %8 = arith.constant 2 : index
// CHECK-NEXT:   %9 = arith.constant 3 : index
// CHECK-NEXT:   %10 = arith.constant 0 : index
// CHECK-NEXT:   %11 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %12 = %10 to %7 step %11 {
// CHECK-NEXT:     scf.for %13 = %10 to %8 step %11 {
// CHECK-NEXT:       scf.for %14 = %10 to %9 step %11 {
// CHECK-NEXT:         %15 = memref.load %b[%12, %14] : memref<4x3xf32>
// CHECK-NEXT:         memref.store %15, %c[%12, %13, %14] : memref<4x2x3xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @generic(%a: memref<16xf32>, %o: memref<4x5xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i * 3 + j floordiv 2)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : memref<16xf32>) outs(%o : memref<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %z = arith.addf %x, %k : f32
    linalg.yield %z : f32
  }
  return
}

// CHECK:      func.func @generic(%a: memref<16xf32>, %o: memref<4x5xf32>) {
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = arith.constant 5 : index
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %i = %2 to %0 step %3 {
// CHECK-NEXT:     scf.for %4 = %2 to %1 step %3 {
// CHECK-NEXT:       %5 = arith.constant 3 : index
// CHECK-NEXT:       %6 = arith.muli %i, %5 overflow<nsw> : index
// CHECK-NEXT:       %7 = arith.constant 2 : index
// CHECK-NEXT:       %8 = arith.floordivsi %4, %7 : index
// CHECK-NEXT:       %9 = arith.addi %6, %8 : index
// CHECK-NEXT:       %x = memref.load %a[%9] : memref<16xf32>
// CHECK-NEXT:       %j = arith.index_cast %i : index to i32
// CHECK-NEXT:       %k = arith.sitofp %j : i32 to f32
// CHECK-NEXT:       %z = arith.addf %x, %k : f32
// CHECK-NEXT:       memref.store %z, %o[%i, %4] : memref<4x5xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

func.func @rank_zero(%a: memref<f32>, %b: memref<f32>) {
  linalg.copy ins(%a : memref<f32>) outs(%b : memref<f32>)
  return
}

// CHECK:      func.func @rank_zero(%a: memref<f32>, %b: memref<f32>) {
// CHECK-NEXT:   %0 = memref.load %a[] : memref<f32>
// CHECK-NEXT:   memref.store %0, %b[] : memref<f32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// A row at a time: its maximum, the exponentials and their sum, the quotients.

func.func @softmax(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
  return
}

// CHECK:      func.func @softmax(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %x, %0 : memref<?x8xf32>
// CHECK-NEXT:   %2 = arith.constant 8 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   %4 = arith.constant 0xff800000 : f32
// CHECK-NEXT:   %5 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   scf.for %6 = %0 to %1 step %3 {
// CHECK-NEXT:     %7 = scf.for %8 = %0 to %2 step %3 iter_args(%9 = %4) -> (f32) {
// CHECK-NEXT:       %10 = memref.load %x[%6, %8] : memref<?x8xf32>
// CHECK-NEXT:       %11 = arith.maxnumf %10, %9 : f32
// CHECK-NEXT:       scf.yield %11 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %12 = scf.for %13 = %0 to %2 step %3 iter_args(%14 = %5) -> (f32) {
// CHECK-NEXT:       %15 = memref.load %x[%6, %13] : memref<?x8xf32>
// CHECK-NEXT:       %16 = arith.subf %15, %7 : f32
// CHECK-NEXT:       %17 = math.exp %16 : f32
// CHECK-NEXT:       memref.store %17, %y[%6, %13] : memref<?x8xf32>
// CHECK-NEXT:       %18 = arith.addf %17, %14 : f32
// CHECK-NEXT:       scf.yield %18 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %19 = %0 to %2 step %3 {
// CHECK-NEXT:       %20 = memref.load %y[%6, %19] : memref<?x8xf32>
// CHECK-NEXT:       %21 = arith.divf %20, %12 : f32
// CHECK-NEXT:       memref.store %21, %y[%6, %19] : memref<?x8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// Ops on tensors stay.

// CHECK-LABEL: func.func @tensors_and_memrefs
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:         linalg.exp ins(%{{.*}} : tensor<4xf32>)
// CHECK:         linalg.pack
func.func @tensors_and_memrefs(%m: memref<2xf32>, %f: f32, %a: tensor<4xf32>, %b: tensor<2x2xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  linalg.fill ins(%f : f32) outs(%m : memref<2xf32>)
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2] into %b : tensor<4xf32> -> tensor<2x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}
