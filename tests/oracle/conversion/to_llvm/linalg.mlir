// Structured ops of linalg on buffers: static and dynamic shapes, strided layouts, rank 0.
// Each function returns a sum over its result in which every element has its own weight.

func.func private @fill(%m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.index_cast %i : index to i64
    %c7 = arith.constant 7 : i64
    %b = arith.muli %a, %c7 : i64
    %c13 = arith.constant 13 : i64
    %c = arith.remsi %b, %c13 : i64
    %d = arith.sitofp %c : i64 to f64
    %e = arith.constant 4.25 : f64
    %f = arith.subf %d, %e : f64
    memref.store %f, %m[%i] : memref<?xf64>
  }
  return
}

func.func private @hash(%m: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %w = arith.constant 1.03125 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
    %x = memref.load %m[%i] : memref<?xf64>
    %b = arith.mulf %a, %w : f64
    %c = arith.addf %b, %x : f64
    scf.yield %c : f64
  }
  return %r : f64
}

func.func private @new12() -> memref<12xf64> {
  %m = memref.alloc() : memref<12xf64>
  %d = memref.cast %m : memref<12xf64> to memref<?xf64>
  call @fill(%d) : (memref<?xf64>) -> ()
  return %m : memref<12xf64>
}

func.func private @new48() -> memref<48xf64> {
  %m = memref.alloc() : memref<48xf64>
  %d = memref.cast %m : memref<48xf64> to memref<?xf64>
  call @fill(%d) : (memref<?xf64>) -> ()
  return %m : memref<48xf64>
}

func.func @matmul() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  %y = call @new12() : () -> memref<12xf64>
  %b = memref.expand_shape %y [[0, 1]] output_shape [4, 3] : memref<12xf64> into memref<4x3xf64>
  %z = call @new12() : () -> memref<12xf64>
  %v = memref.subview %z[2] [9] [1] : memref<12xf64> to memref<9xf64, strided<[1], offset: 2>>
  %c = memref.expand_shape %v [[0, 1]] output_shape [3, 3] : memref<9xf64, strided<[1], offset: 2>> into memref<3x3xf64, strided<[3, 1], offset: 2>>
  linalg.matmul ins(%a, %b : memref<3x4xf64>, memref<4x3xf64>) outs(%c : memref<3x3xf64, strided<[3, 1], offset: 2>>)
  %d = memref.cast %z : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @matmul_dynamic(%s: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = arith.select %s, %c2, %c3 : index
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  %y = call @new48() : () -> memref<48xf64>
  %b = memref.expand_shape %y [[0, 1]] output_shape [8, 6] : memref<48xf64> into memref<8x6xf64>
  %sa = memref.subview %a[0, 1] [%k, %k] [1, 1] : memref<3x4xf64> to memref<?x?xf64, strided<[4, 1], offset: 1>>
  %sb = memref.subview %b[1, 0] [%k, %k] [2, 2] : memref<8x6xf64> to memref<?x?xf64, strided<[12, 2], offset: 6>>
  %c = memref.alloc(%k, %k) : memref<?x?xf64>
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<?x?xf64>)
  linalg.matmul ins(%sa, %sb : memref<?x?xf64, strided<[4, 1], offset: 1>>, memref<?x?xf64, strided<[12, 2], offset: 6>>) outs(%c : memref<?x?xf64>)
  %f = memref.collapse_shape %c [[0, 1]] : memref<?x?xf64> into memref<?xf64>
  %r = call @hash(%f) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @batch_matmul() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1, 2]] output_shape [2, 2, 3] : memref<12xf64> into memref<2x2x3xf64>
  %y = call @new12() : () -> memref<12xf64>
  %b = memref.expand_shape %y [[0, 1, 2]] output_shape [2, 3, 2] : memref<12xf64> into memref<2x3x2xf64>
  %z = call @new12() : () -> memref<12xf64>
  %e = memref.expand_shape %z [[0, 1, 2]] output_shape [3, 2, 2] : memref<12xf64> into memref<3x2x2xf64>
  %c = memref.subview %e[1, 0, 0] [2, 2, 2] [1, 1, 1] : memref<3x2x2xf64> to memref<2x2x2xf64, strided<[4, 2, 1], offset: 4>>
  linalg.batch_matmul ins(%a, %b : memref<2x2x3xf64>, memref<2x3x2xf64>) outs(%c : memref<2x2x2xf64, strided<[4, 2, 1], offset: 4>>)
  %d = memref.cast %z : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @matvec_vecmat_dot() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  %y = call @new12() : () -> memref<12xf64>
  %v = memref.subview %y[1] [4] [2] : memref<12xf64> to memref<4xf64, strided<[2], offset: 1>>
  %z = call @new12() : () -> memref<12xf64>
  %w = memref.subview %z[0] [3] [1] : memref<12xf64> to memref<3xf64, strided<[1]>>
  %u = memref.subview %z[4] [4] [1] : memref<12xf64> to memref<4xf64, strided<[1], offset: 4>>
  linalg.matvec ins(%a, %v : memref<3x4xf64>, memref<4xf64, strided<[2], offset: 1>>) outs(%w : memref<3xf64, strided<[1]>>)
  linalg.vecmat ins(%w, %a : memref<3xf64, strided<[1]>>, memref<3x4xf64>) outs(%u : memref<4xf64, strided<[1], offset: 4>>)
  %s = memref.alloc() : memref<f64>
  %one = arith.constant 1.0 : f64
  linalg.fill ins(%one : f64) outs(%s : memref<f64>)
  linalg.dot ins(%u, %v : memref<4xf64, strided<[1], offset: 4>>, memref<4xf64, strided<[2], offset: 1>>) outs(%s : memref<f64>)
  %t = memref.load %s[] : memref<f64>
  %d = memref.cast %z : memref<12xf64> to memref<?xf64>
  %h = call @hash(%d) : (memref<?xf64>) -> f64
  %r = arith.addf %h, %t : f64
  return %r : f64
}

func.func @map_reduce() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  %y = call @new12() : () -> memref<12xf64>
  %b = memref.expand_shape %y [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  linalg.map { arith.mulf } ins(%a, %b : memref<3x4xf64>, memref<3x4xf64>) outs(%b : memref<3x4xf64>)
  %z = call @new12() : () -> memref<12xf64>
  %s = memref.subview %z[2] [4] [2] : memref<12xf64> to memref<4xf64, strided<[2], offset: 2>>
  %t = memref.subview %z[3] [4] [2] : memref<12xf64> to memref<4xf64, strided<[2], offset: 3>>
  linalg.reduce ins(%a, %b : memref<3x4xf64>, memref<3x4xf64>) outs(%s, %t : memref<4xf64, strided<[2], offset: 2>>, memref<4xf64, strided<[2], offset: 3>>) dimensions = [0]
    (%p: f64, %q: f64, %o1: f64, %o2: f64) {
      %u = arith.subf %o1, %p : f64
      %v = arith.maximumf %o2, %q : f64
      linalg.yield %u, %v : f64, f64
    }
  %d = memref.cast %z : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @transpose_broadcast_copy() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  %y = call @new12() : () -> memref<12xf64>
  %b = memref.expand_shape %y [[0, 1]] output_shape [4, 3] : memref<12xf64> into memref<4x3xf64>
  linalg.transpose ins(%a : memref<3x4xf64>) outs(%b : memref<4x3xf64>) permutation = [1, 0]
  %z = call @new48() : () -> memref<48xf64>
  %c = memref.expand_shape %z [[0, 1, 2]] output_shape [4, 4, 3] : memref<48xf64> into memref<4x4x3xf64>
  linalg.broadcast ins(%b : memref<4x3xf64>) outs(%c : memref<4x4x3xf64>) dimensions = [1]
  %s = memref.subview %c[0, 1, 0] [4, 2, 3] [1, 2, 1] : memref<4x4x3xf64> to memref<4x2x3xf64, strided<[12, 6, 1], offset: 3>>
  %t = memref.alloc() : memref<4x2x3xf64>
  linalg.copy ins(%s : memref<4x2x3xf64, strided<[12, 6, 1], offset: 3>>) outs(%t : memref<4x2x3xf64>)
  %f = memref.collapse_shape %t [[0, 1, 2]] : memref<4x2x3xf64> into memref<24xf64>
  %d = memref.cast %f : memref<24xf64> to memref<?xf64>
  %g = call @hash(%d) : (memref<?xf64>) -> f64
  %e = memref.cast %z : memref<48xf64> to memref<?xf64>
  %h = call @hash(%e) : (memref<?xf64>) -> f64
  %r = arith.subf %h, %g : f64
  return %r : f64
}

func.func @elementwise() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %y = call @new12() : () -> memref<12xf64>
  linalg.add ins(%x, %y : memref<12xf64>, memref<12xf64>) outs(%y : memref<12xf64>)
  linalg.sub ins(%x, %y : memref<12xf64>, memref<12xf64>) outs(%x : memref<12xf64>)
  linalg.mul ins(%x, %y : memref<12xf64>, memref<12xf64>) outs(%x : memref<12xf64>)
  linalg.max ins(%x, %y : memref<12xf64>, memref<12xf64>) outs(%x : memref<12xf64>)
  linalg.div ins(%y, %x : memref<12xf64>, memref<12xf64>) outs(%y : memref<12xf64>)
  linalg.abs ins(%y : memref<12xf64>) outs(%y : memref<12xf64>)
  linalg.sqrt ins(%y : memref<12xf64>) outs(%y : memref<12xf64>)
  linalg.floor ins(%x : memref<12xf64>) outs(%x : memref<12xf64>)
  linalg.min ins(%x, %y : memref<12xf64>, memref<12xf64>) outs(%x : memref<12xf64>)
  linalg.negf ins(%x : memref<12xf64>) outs(%x : memref<12xf64>)
  %d = memref.cast %x : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @convolution_1d() -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %y = call @new12() : () -> memref<12xf64>
  %k = memref.subview %y[0] [3] [1] : memref<12xf64> to memref<3xf64, strided<[1]>>
  %z = call @new12() : () -> memref<12xf64>
  %o = memref.subview %z[1] [10] [1] : memref<12xf64> to memref<10xf64, strided<[1], offset: 1>>
  linalg.conv_1d ins(%x, %k : memref<12xf64>, memref<3xf64, strided<[1]>>) outs(%o : memref<10xf64, strided<[1], offset: 1>>)
  %d = memref.cast %z : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @convolution_2d() -> f64 {
  %x = call @new48() : () -> memref<48xf64>
  %i = memref.expand_shape %x [[0, 1, 2, 3]] output_shape [1, 6, 4, 2] : memref<48xf64> into memref<1x6x4x2xf64>
  %y = call @new12() : () -> memref<12xf64>
  %k = memref.expand_shape %y [[0, 1, 2, 3]] output_shape [3, 1, 2, 2] : memref<12xf64> into memref<3x1x2x2xf64>
  %o = memref.alloc() : memref<1x2x4x2xf64>
  %z = arith.constant 0.5 : f64
  linalg.fill ins(%z : f64) outs(%o : memref<1x2x4x2xf64>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[3, 1]> : tensor<2xi64>}
    ins(%i, %k : memref<1x6x4x2xf64>, memref<3x1x2x2xf64>) outs(%o : memref<1x2x4x2xf64>)
  %f = memref.collapse_shape %o [[0, 1, 2, 3]] : memref<1x2x4x2xf64> into memref<16xf64>
  %d = memref.cast %f : memref<16xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @pooling() -> f64 {
  %x = call @new48() : () -> memref<48xf64>
  %i = memref.expand_shape %x [[0, 1, 2, 3]] output_shape [1, 6, 4, 2] : memref<48xf64> into memref<1x6x4x2xf64>
  %w = memref.alloc() : memref<2x2xf64>
  %o = memref.alloc() : memref<1x3x2x2xf64>
  %z = arith.constant -100.0 : f64
  linalg.fill ins(%z : f64) outs(%o : memref<1x3x2x2xf64>)
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%i, %w : memref<1x6x4x2xf64>, memref<2x2xf64>) outs(%o : memref<1x3x2x2xf64>)
  linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%i, %w : memref<1x6x4x2xf64>, memref<2x2xf64>) outs(%o : memref<1x3x2x2xf64>)
  %f = memref.collapse_shape %o [[0, 1, 2, 3]] : memref<1x3x2x2xf64> into memref<12xf64>
  %d = memref.cast %f : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @generic_with_index(%s: f64) -> f64 {
  %x = call @new12() : () -> memref<12xf64>
  %a = memref.expand_shape %x [[0, 1]] output_shape [3, 4] : memref<12xf64> into memref<3x4xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : f64) outs(%a : memref<3x4xf64>) {
  ^bb0(%p: f64, %o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %i, %j : index
    %v = scf.if %c -> (f64) {
      %m = arith.index_cast %i : index to i64
      %n = arith.sitofp %m : i64 to f64
      scf.yield %n : f64
    } else {
      %q = arith.mulf %o, %p : f64
      scf.yield %q : f64
    }
    linalg.yield %v : f64
  }
  %d = memref.cast %x : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @generic_with_expressions() -> f64 {
  %x = call @new48() : () -> memref<48xf64>
  %y = call @new12() : () -> memref<12xf64>
  %z = memref.alloc() : memref<4x3xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 3 + j * 2)>, affine_map<(i, j) -> (i floordiv 2 + j mod 2)>, affine_map<(i, j) -> (11 - i * 2)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y, %y : memref<48xf64>, memref<12xf64>, memref<12xf64>) outs(%z : memref<4x3xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %o: f64):
    %u = arith.mulf %a, %b : f64
    %v = arith.subf %u, %c : f64
    linalg.yield %v : f64
  }
  %f = memref.collapse_shape %z [[0, 1]] : memref<4x3xf64> into memref<12xf64>
  %d = memref.cast %f : memref<12xf64> to memref<?xf64>
  %r = call @hash(%d) : (memref<?xf64>) -> f64
  return %r : f64
}

func.func @generic_rank_zero(%s: f64) -> f64 {
  %a = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  linalg.fill ins(%s : f64) outs(%a : memref<f64>)
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%a : memref<f64>) outs(%b : memref<f64>) {
  ^bb0(%p: f64, %o: f64):
    %q = arith.addf %p, %p : f64
    linalg.yield %q : f64
  }
  %r = memref.load %b[] : memref<f64>
  return %r : f64
}
