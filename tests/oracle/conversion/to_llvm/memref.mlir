// Buffers: allocation, views, copies. Each function fills buffers with distinct numbers and
// returns a hash of what it finds, which depends on the order.

func.func private @fill2(%m: memref<?x?xi64, strided<[?, ?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i64
  %n0 = memref.dim %m, %c0 : memref<?x?xi64, strided<[?, ?], offset: ?>>
  %n1 = memref.dim %m, %c1 : memref<?x?xi64, strided<[?, ?], offset: ?>>
  scf.for %i = %c0 to %n0 step %c1 {
    scf.for %j = %c0 to %n1 step %c1 {
      %a = arith.muli %i, %n1 : index
      %b = arith.addi %a, %j : index
      %x = arith.index_cast %b : index to i64
      %y = arith.addi %x, %c7 : i64
      memref.store %y, %m[%i, %j] : memref<?x?xi64, strided<[?, ?], offset: ?>>
    }
  }
  return
}

func.func private @hash2(%m: memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : i64
  %n0 = memref.dim %m, %c0 : memref<?x?xi64, strided<[?, ?], offset: ?>>
  %n1 = memref.dim %m, %c1 : memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r0 = arith.index_cast %n0 : index to i64
  %r = scf.for %i = %c0 to %n0 step %c1 iter_args(%u = %r0) -> (i64) {
    %v = scf.for %j = %c0 to %n1 step %c1 iter_args(%w = %u) -> (i64) {
      %x = memref.load %m[%i, %j] : memref<?x?xi64, strided<[?, ?], offset: ?>>
      %y = arith.muli %w, %c31 : i64
      %z = arith.addi %x, %y : i64
      scf.yield %z : i64
    }
    scf.yield %v : i64
  }
  return %r : i64
}

func.func private @fresh() -> memref<6x8xi64> {
  %m = memref.alloc() : memref<6x8xi64>
  %d = memref.cast %m : memref<6x8xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  call @fill2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> ()
  return %m : memref<6x8xi64>
}

func.func @alloc_dynamic(%s: i1) -> i64 {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %n = arith.select %s, %c2, %c5 : index
  %m = memref.alloc(%n, %c5) {alignment = 64} : memref<?x?xi64>
  %d = memref.cast %m : memref<?x?xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  func.call @fill2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> ()
  %r = func.call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<?x?xi64>
  return %r : i64
}

func.func @static() -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %d = memref.cast %m : memref<6x8xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @subview_static() -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %v = memref.subview %m[1, 2] [2, 3] [2, 2] : memref<6x8xi64> to memref<2x3xi64, strided<[16, 2], offset: 10>>
  %d = memref.cast %v : memref<2x3xi64, strided<[16, 2], offset: 10>> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @subview_dynamic(%o: i1, %s: i1) -> i64 {
  %c1 = arith.constant 1 : index
  %o64 = arith.extui %o : i1 to i64
  %oi = arith.index_cast %o64 : i64 to index
  %s64 = arith.extui %s : i1 to i64
  %si = arith.index_cast %s64 : i64 to index
  %st = arith.addi %si, %c1 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %v = memref.subview %m[%oi, 1] [%st, 3] [%st, %st] : memref<6x8xi64> to memref<?x3xi64, strided<[?, ?], offset: ?>>
  %w = memref.subview %v[0, %oi] [%st, 2] [1, 1] : memref<?x3xi64, strided<[?, ?], offset: ?>> to memref<?x2xi64, strided<[?, ?], offset: ?>>
  %d = memref.cast %w : memref<?x2xi64, strided<[?, ?], offset: ?>> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @subview_reduced() -> i64 {
  %c2 = arith.constant 2 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %v = memref.subview %m[3, 1] [1, 4] [1, 2] : memref<6x8xi64> to memref<4xi64, strided<[2], offset: 25>>
  %w = memref.subview %m[0, 5] [6, 1] [1, 1] : memref<6x8xi64> to memref<6xi64, strided<[8], offset: 5>>
  %x = memref.load %v[%c2] : memref<4xi64, strided<[2], offset: 25>>
  %y = memref.load %w[%c2] : memref<6xi64, strided<[8], offset: 5>>
  %r = arith.subi %x, %y : i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @expand_collapse() -> i64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %e = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 3, 4, 2] : memref<6x8xi64> into memref<2x3x4x2xi64>
  %x = memref.load %e[%c1, %c2, %c1, %c1] : memref<2x3x4x2xi64>
  %c = memref.collapse_shape %e [[0, 1, 2], [3]] : memref<2x3x4x2xi64> into memref<24x2xi64>
  %d = memref.cast %c : memref<24x2xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %h = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  %r = arith.addi %x, %h : i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @expand_dynamic(%s: i1) -> i64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k = arith.select %s, %c2, %c3 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %n = arith.muli %k, %c2 : index
  %v = memref.subview %m[1, 1] [%n, 4] [1, 2] : memref<6x8xi64> to memref<?x4xi64, strided<[8, 2], offset: 9>>
  %e = memref.expand_shape %v [[0, 1], [2]] output_shape [%k, 2, 4] : memref<?x4xi64, strided<[8, 2], offset: 9>> into memref<?x2x4xi64, strided<[16, 8, 2], offset: 9>>
  %x = memref.load %e[%c1, %c1, %c2] : memref<?x2x4xi64, strided<[16, 8, 2], offset: 9>>
  %c = memref.collapse_shape %e [[0, 1], [2]] : memref<?x2x4xi64, strided<[16, 8, 2], offset: 9>> into memref<?x4xi64, strided<[8, 2], offset: 9>>
  %d = memref.cast %c : memref<?x4xi64, strided<[8, 2], offset: 9>> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %h = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  %r = arith.addi %x, %h : i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @rank_zero() -> i64 {
  %m = memref.alloc() : memref<i64>
  %c = arith.constant 41 : i64
  memref.store %c, %m[] : memref<i64>
  %e = memref.expand_shape %m [] output_shape [1, 1] : memref<i64> into memref<1x1xi64>
  %d = memref.cast %e : memref<1x1xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %h = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  %c1 = memref.collapse_shape %e [] : memref<1x1xi64> into memref<i64>
  %n = memref.alloca() : memref<i64>
  memref.copy %c1, %n : memref<i64> to memref<i64>
  %x = memref.load %n[] : memref<i64>
  %r = arith.addi %h, %x : i64
  memref.dealloc %m : memref<i64>
  return %r : i64
}

func.func @transpose() -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %t = memref.transpose %m (i, j) -> (j, i) : memref<6x8xi64> to memref<8x6xi64, strided<[1, 8]>>
  %d = memref.cast %t : memref<8x6xi64, strided<[1, 8]>> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @reinterpret_cast(%s: i1) -> i64 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k = arith.select %s, %c3, %c4 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %v = memref.reinterpret_cast %m to offset: [%k], sizes: [%k, 3], strides: [5, %c1] : memref<6x8xi64> to memref<?x3xi64, strided<[5, ?], offset: ?>>
  %d = memref.cast %v : memref<?x3xi64, strided<[5, ?], offset: ?>> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @metadata() -> index {
  %m = call @fresh() : () -> memref<6x8xi64>
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  %v = memref.subview %m[%c2, 1] [%c2, 3] [%c2, 2] : memref<6x8xi64> to memref<?x3xi64, strided<[?, 2], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<?x3xi64, strided<[?, 2], offset: ?>> -> memref<i64>, index, index, index, index, index
  %a = arith.muli %offset, %c100 : index
  %b = arith.addi %a, %sizes#0 : index
  %c = arith.muli %b, %c100 : index
  %d = arith.addi %c, %sizes#1 : index
  %e = arith.muli %d, %c100 : index
  %f = arith.addi %e, %strides#0 : index
  %g = arith.muli %f, %c100 : index
  %r = arith.addi %g, %strides#1 : index
  memref.dealloc %m : memref<6x8xi64>
  return %r : index
}

func.func @aligned_pointer() -> index {
  %m = memref.alloc() {alignment = 256} : memref<3xi8>
  %p = memref.extract_aligned_pointer_as_index %m : memref<3xi8> -> index
  %c = arith.constant 256 : index
  %r = arith.remui %p, %c : index
  memref.dealloc %m : memref<3xi8>
  return %r : index
}

func.func @view() -> i64 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %b = memref.alloc() : memref<256xi8>
  %v = memref.view %b[%c8][%c2] : memref<256xi8> to memref<?x3xi64>
  %d = memref.cast %v : memref<?x3xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  call @fill2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> ()
  %w = memref.view %b[%c0][] : memref<256xi8> to memref<3x2xi64>
  %z = arith.constant 0 : i64
  memref.store %z, %w[%c0, %c0] : memref<3x2xi64>
  %e = memref.cast %w : memref<3x2xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%e) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %b : memref<256xi8>
  return %r : i64
}

func.func @unranked(%which: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %u = memref.cast %m : memref<6x8xi64> to memref<*xi64>
  %rank = memref.rank %u : memref<*xi64>
  %i = arith.select %which, %c0, %c1 : index
  %n = memref.dim %u, %i : memref<*xi64>
  %back = memref.cast %u : memref<*xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %h = call @hash2(%back) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  %a = arith.addi %rank, %n : index
  %b = arith.index_cast %a : index to i64
  %r = arith.addi %b, %h : i64
  memref.dealloc %u : memref<*xi64>
  return %r : i64
}

func.func @reshape_to_unranked(%which: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : i64
  %c12 = arith.constant 12 : i64
  %m = call @fresh() : () -> memref<6x8xi64>
  %shape = memref.alloca() : memref<2xi64>
  %rows = arith.select %which, %c4, %c12 : i64
  %columns = arith.select %which, %c12, %c4 : i64
  memref.store %rows, %shape[%c0] : memref<2xi64>
  memref.store %columns, %shape[%c1] : memref<2xi64>
  %sizes = memref.cast %shape : memref<2xi64> to memref<?xi64>
  %u = memref.reshape %m(%sizes) : (memref<6x8xi64>, memref<?xi64>) -> memref<*xi64>
  %back = memref.cast %u : memref<*xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%back) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %u : memref<*xi64>
  return %r : i64
}

func.func @reshape_to_unknown_rank(%which: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %n = arith.select %which, %c2, %c3 : index
  %shape = memref.alloca(%n) : memref<?xindex>
  %last = arith.subi %n, %c1 : index
  memref.store %c2, %shape[%last] : memref<?xindex>
  memref.store %c8, %shape[%c0] : memref<?xindex>
  %rest = arith.select %which, %c6, %c3 : index
  memref.store %rest, %shape[%c1] : memref<?xindex>
  %v = memref.cast %m : memref<6x8xi64> to memref<*xi64>
  %u = memref.reshape %v(%shape) : (memref<*xi64>, memref<?xindex>) -> memref<*xi64>
  %rank = memref.rank %u : memref<*xi64>
  %size = memref.dim %u, %last : memref<*xi64>
  %a = arith.addi %rank, %size : index
  %b = arith.index_cast %a : index to i64
  %h = scf.if %which -> (i64) {
    %back = memref.cast %u : memref<*xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
    %0 = func.call @hash2(%back) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
    scf.yield %0 : i64
  } else {
    %back = memref.cast %u : memref<*xi64> to memref<?x?x?xi64>
    %0 = memref.load %back[%c6, %c2, %c1] : memref<?x?x?xi64>
    scf.yield %0 : i64
  }
  %r = arith.addi %b, %h : i64
  memref.dealloc %u : memref<*xi64>
  return %r : i64
}

func.func @clone_of_unranked(%which: i1) -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %a = memref.subview %m[1, 0] [2, 3] [1, 2] : memref<6x8xi64> to memref<2x3xi64, strided<[8, 2], offset: 8>>
  %u = memref.cast %a : memref<2x3xi64, strided<[8, 2], offset: 8>> to memref<*xi64>
  %v = memref.cast %m : memref<6x8xi64> to memref<*xi64>
  %w = arith.select %which, %u, %v : memref<*xi64>
  %c = bufferization.clone %w : memref<*xi64> to memref<*xi64>
  memref.dealloc %m : memref<6x8xi64>
  %d = memref.cast %c : memref<*xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %c : memref<*xi64>
  return %r : i64
}

func.func @dim_of_unknown(%which: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.select %which, %c0, %c1 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %v = memref.subview %m[0, 0] [%c1, 4] [1, 1] : memref<6x8xi64> to memref<?x4xi64, strided<[8, 1]>>
  %n = memref.dim %m, %i : memref<6x8xi64>
  %o = memref.dim %v, %i : memref<?x4xi64, strided<[8, 1]>>
  %r = arith.muli %n, %o : index
  memref.dealloc %m : memref<6x8xi64>
  return %r : index
}

func.func @reshape() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c4 = arith.constant 4 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %s = memref.alloca() : memref<2xindex>
  memref.store %c12, %s[%c0] : memref<2xindex>
  memref.store %c4, %s[%c1] : memref<2xindex>
  %v = memref.reshape %m(%s) : (memref<6x8xi64>, memref<2xindex>) -> memref<?x4xi64>
  %d = memref.cast %v : memref<?x4xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @copy_contiguous() -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %n = memref.alloc() : memref<6x8xi64>
  memref.copy %m, %n : memref<6x8xi64> to memref<6x8xi64>
  %d = memref.cast %n : memref<6x8xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  memref.dealloc %n : memref<6x8xi64>
  return %r : i64
}

func.func @copy_rows() -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %n = call @fresh() : () -> memref<6x8xi64>
  %v = memref.subview %m[1, 2] [3, 4] [1, 1] : memref<6x8xi64> to memref<3x4xi64, strided<[8, 1], offset: 10>>
  %w = memref.subview %n[0, 3] [3, 4] [2, 1] : memref<6x8xi64> to memref<3x4xi64, strided<[16, 1], offset: 3>>
  memref.copy %v, %w : memref<3x4xi64, strided<[8, 1], offset: 10>> to memref<3x4xi64, strided<[16, 1], offset: 3>>
  %d = memref.cast %n : memref<6x8xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  memref.dealloc %n : memref<6x8xi64>
  return %r : i64
}

func.func @copy_strided(%s: i1) -> i64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k = arith.select %s, %c1, %c2 : index
  %m = call @fresh() : () -> memref<6x8xi64>
  %n = memref.alloc(%k) : memref<4x?xi64>
  %v = memref.subview %m[0, 1] [%k, 4] [%k, %k] : memref<6x8xi64> to memref<?x4xi64, strided<[?, ?], offset: 1>>
  %t = memref.transpose %v (i, j) -> (j, i) : memref<?x4xi64, strided<[?, ?], offset: 1>> to memref<4x?xi64, strided<[?, ?], offset: 1>>
  memref.copy %t, %n : memref<4x?xi64, strided<[?, ?], offset: 1>> to memref<4x?xi64>
  %d = memref.cast %n : memref<4x?xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  memref.dealloc %n : memref<4x?xi64>
  return %r : i64
}

func.func @select_buffer(%s: i1) -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %v = memref.subview %m[0, 0] [6, 8] [1, 1] : memref<6x8xi64> to memref<6x8xi64, strided<[8, 1]>>
  %a = memref.subview %m[1, 0] [2, 3] [1, 2] : memref<6x8xi64> to memref<2x3xi64, strided<[8, 2], offset: 8>>
  %b = memref.subview %m[1, 0] [3, 3] [2, 1] : memref<6x8xi64> to memref<3x3xi64, strided<[16, 1], offset: 8>>
  %c = memref.cast %a : memref<2x3xi64, strided<[8, 2], offset: 8>> to memref<?x3xi64, strided<[?, ?], offset: ?>>
  %e = memref.cast %b : memref<3x3xi64, strided<[16, 1], offset: 8>> to memref<?x3xi64, strided<[?, ?], offset: ?>>
  %f = arith.select %s, %c, %e : memref<?x3xi64, strided<[?, ?], offset: ?>>
  %d = memref.cast %f : memref<?x3xi64, strided<[?, ?], offset: ?>> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @buffer_through_blocks(%s: i1) -> i64 {
  %m = call @fresh() : () -> memref<6x8xi64>
  %a = memref.subview %m[1, 0] [2, 3] [1, 2] : memref<6x8xi64> to memref<2x3xi64, strided<[8, 2], offset: 8>>
  %b = memref.subview %m[1, 0] [3, 3] [2, 2] : memref<6x8xi64> to memref<3x3xi64, strided<[16, 2], offset: 8>>
  %c = memref.cast %a : memref<2x3xi64, strided<[8, 2], offset: 8>> to memref<?x3xi64, strided<[?, 2], offset: ?>>
  %e = memref.cast %b : memref<3x3xi64, strided<[16, 2], offset: 8>> to memref<?x3xi64, strided<[?, 2], offset: ?>>
  cf.cond_br %s, ^bb1(%c : memref<?x3xi64, strided<[?, 2], offset: ?>>), ^bb1(%e : memref<?x3xi64, strided<[?, 2], offset: ?>>)
^bb1(%f: memref<?x3xi64, strided<[?, 2], offset: ?>>):
  %u = memref.cast %f : memref<?x3xi64, strided<[?, 2], offset: ?>> to memref<*xi64>
  cf.br ^bb2(%u : memref<*xi64>)
^bb2(%v: memref<*xi64>):
  %d = memref.cast %v : memref<*xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %m : memref<6x8xi64>
  return %r : i64
}

func.func @buffers_of_loop(%s: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = call @fresh() : () -> memref<6x8xi64>
  %y = memref.alloc() : memref<6x8xi64>
  memref.copy %x, %y : memref<6x8xi64> to memref<6x8xi64>
  %z:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %y) -> (memref<6x8xi64>, memref<6x8xi64>) {
    %v = memref.load %a[%i, %i] : memref<6x8xi64>
    memref.store %v, %b[%i, %c0] : memref<6x8xi64>
    scf.yield %b, %a : memref<6x8xi64>, memref<6x8xi64>
  }
  %d = memref.cast %z#1 : memref<6x8xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %r = call @hash2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  memref.dealloc %x : memref<6x8xi64>
  memref.dealloc %y : memref<6x8xi64>
  return %r : i64
}

func.func @alloca_scope(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = memref.alloca_scope -> (i32) {
    %a = memref.alloca(%c9) {alignment = 32} : memref<?xi32>
    memref.store %x, %a[%c0] : memref<?xi32>
    %y = memref.load %a[%c0] : memref<?xi32>
    %z = arith.addi %y, %x : i32
    memref.store %z, %a[%c1] : memref<?xi32>
    %w = memref.load %a[%c1] : memref<?xi32>
    memref.alloca_scope.return %w : i32
  }
  return %r : i32
}

memref.global "private" constant @table : memref<2x3xi32> = dense<[[1, -2, 3], [4, 5, -6]]>
memref.global "private" @scalar : memref<i64> = dense<77>
memref.global "private" constant @splat : memref<4x4xf32> = dense<2.5> {alignment = 64}
memref.global "private" constant @halves : memref<3xf16> = dense<[1.5, -0.25, 65504.0]>
memref.global "private" constant @brains : memref<3xbf16> = dense<[1.5, -0.25, 3.0e38]>
memref.global "private" constant @flags : memref<4xi1> = dense<[true, false, true, true]>
memref.global "private" constant @places : memref<3xindex> = dense<[5, -7, 11]>
memref.global "private" @scratch : memref<5xi64> = uninitialized
memref.global "private" constant @zeros : memref<3x5xf64> = dense<0.0>
memref.global "private" constant @many : memref<70xi16> = dense<"0xFFFFFEFFFDFFFCFFFBFFFAFFF9FFF8FFF7FFF6FFF5FFF4FFF3FFF2FFF1FFF0FFEFFFEEFFEDFFECFFEBFFEAFFE9FFE8FFE7FFE6FFE5FFE4FFE3FFE2FFE1FFE0FFDFFFDEFFDDFFDCFFDBFFDAFFD9FFD8FFD7FFD6FFD5FFD4FFD3FFD2FFD1FFD0FFCFFFCEFFCDFFCCFFCBFFCAFFC9FFC8FFC7FFC6FFC5FFC4FFC3FFC2FFC1FFC0FFBFFFBEFFBDFFBCFFBBFFBAFF">

func.func @global_table(%s: i1) -> i32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = arith.select %s, %c1, %c2 : index
  %m = memref.get_global @table : memref<2x3xi32>
  %r = memref.load %m[%c1, %i] : memref<2x3xi32>
  return %r : i32
}

func.func @global_scalar() -> i64 {
  %m = memref.get_global @scalar : memref<i64>
  %x = memref.load %m[] : memref<i64>
  %y = arith.muli %x, %x : i64
  %n = memref.get_global @scratch : memref<5xi64>
  %c3 = arith.constant 3 : index
  memref.store %y, %n[%c3] : memref<5xi64>
  %r = memref.load %n[%c3] : memref<5xi64>
  return %r : i64
}

func.func @global_floats(%s: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = arith.select %s, %c0, %c2 : index
  %m = memref.get_global @splat : memref<4x4xf32>
  %a = memref.load %m[%i, %c1] : memref<4x4xf32>
  %n = memref.get_global @halves : memref<3xf16>
  %b = memref.load %n[%i] : memref<3xf16>
  %o = memref.get_global @brains : memref<3xbf16>
  %c = memref.load %o[%i] : memref<3xbf16>
  %p = memref.get_global @zeros : memref<3x5xf64>
  %d = memref.load %p[%i, %c2] : memref<3x5xf64>
  %aa = arith.extf %a : f32 to f64
  %bb = arith.extf %b : f16 to f64
  %cc = arith.extf %c : bf16 to f64
  %e = arith.mulf %aa, %bb : f64
  %f = arith.addf %e, %cc : f64
  %r = arith.addf %f, %d : f64
  return %r : f64
}

func.func @global_integers(%s: i1) -> index {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c69 = arith.constant 69 : index
  %i = arith.select %s, %c1, %c2 : index
  %m = memref.get_global @flags : memref<4xi1>
  %a = memref.load %m[%i] : memref<4xi1>
  %n = memref.get_global @places : memref<3xindex>
  %b = memref.load %n[%i] : memref<3xindex>
  %o = memref.get_global @many : memref<70xi16>
  %c = memref.load %o[%c69] : memref<70xi16>
  %x = arith.extui %a : i1 to i64
  %y = arith.index_cast %x : i64 to index
  %z = arith.addi %y, %b : index
  %w = arith.index_cast %c : i16 to index
  %r = arith.muli %z, %w : index
  return %r : index
}

func.func @element_types(%a: i8, %b: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xi8>
  %n = memref.alloc() : memref<2xi1>
  %o = memref.alloc() : memref<2xindex>
  memref.store %a, %m[%c0] : memref<2xi8>
  memref.store %a, %m[%c1] : memref<2xi8>
  memref.store %b, %n[%c1] : memref<2xi1>
  memref.store %c1, %o[%c1] : memref<2xindex>
  %x = memref.load %m[%c0] : memref<2xi8>
  %y = memref.load %n[%c1] : memref<2xi1>
  %z = memref.load %o[%c1] : memref<2xindex>
  %p = arith.extsi %x : i8 to i64
  %q = arith.extui %y : i1 to i64
  %s = arith.index_cast %z : index to i64
  %t = arith.addi %p, %q : i64
  %r = arith.addi %t, %s : i64
  memref.dealloc %m : memref<2xi8>
  memref.dealloc %n : memref<2xi1>
  memref.dealloc %o : memref<2xindex>
  return %r : i64
}

func.func @atomic_integers(%v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c = arith.constant 12 : i32
  %m = memref.alloc() : memref<1xi32>
  memref.store %c, %m[%c0] : memref<1xi32>
  %1 = memref.atomic_rmw addi %v, %m[%c0] : (i32, memref<1xi32>) -> i32
  %2 = memref.atomic_rmw maxs %c, %m[%c0] : (i32, memref<1xi32>) -> i32
  %3 = memref.atomic_rmw minu %v, %m[%c0] : (i32, memref<1xi32>) -> i32
  %4 = memref.atomic_rmw ori %c, %m[%c0] : (i32, memref<1xi32>) -> i32
  %5 = memref.atomic_rmw andi %v, %m[%c0] : (i32, memref<1xi32>) -> i32
  %7 = memref.atomic_rmw assign %c, %m[%c0] : (i32, memref<1xi32>) -> i32
  %8 = memref.atomic_rmw maxu %v, %m[%c0] : (i32, memref<1xi32>) -> i32
  %9 = memref.atomic_rmw mins %c, %m[%c0] : (i32, memref<1xi32>) -> i32
  %a = arith.addi %1, %2 : i32
  %b = arith.muli %a, %3 : i32
  %d = arith.addi %b, %4 : i32
  %e = arith.muli %d, %5 : i32
  %f = arith.addi %e, %7 : i32
  %g = arith.muli %f, %8 : i32
  %h = arith.subi %g, %9 : i32
  %x = memref.load %m[%c0] : memref<1xi32>
  %r = arith.xori %h, %x : i32
  memref.dealloc %m : memref<1xi32>
  return %r : i32
}

func.func @atomic_floats(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.25 : f32
  %m = memref.alloc() : memref<1xf32>
  memref.store %c, %m[%c0] : memref<1xf32>
  %1 = memref.atomic_rmw addf %v, %m[%c0] : (f32, memref<1xf32>) -> f32
  %2 = memref.atomic_rmw addf %c, %m[%c0] : (f32, memref<1xf32>) -> f32
  %3 = memref.atomic_rmw assign %v, %m[%c0] : (f32, memref<1xf32>) -> f32
  %4 = memref.atomic_rmw minimumf %c, %m[%c0] : (f32, memref<1xf32>) -> f32
  %5 = memref.atomic_rmw maximumf %c, %m[%c0] : (f32, memref<1xf32>) -> f32
  %a = arith.addf %1, %2 : f32
  %b = arith.addf %a, %3 : f32
  %d = arith.addf %b, %4 : f32
  %e = arith.addf %d, %5 : f32
  %x = memref.load %m[%c0] : memref<1xf32>
  %r = arith.subf %e, %x : f32
  memref.dealloc %m : memref<1xf32>
  return %r : f32
}

func.func @hints() -> i64 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() {alignment = 64} : memref<4x4xi64>
  %a = memref.assume_alignment %m, 64 : memref<4x4xi64>
  %d = memref.cast %a : memref<4x4xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  call @fill2(%d) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> ()
  memref.prefetch %a[%c1, %c1], read, locality<3>, data : memref<4x4xi64>
  memref.prefetch %a[%c1, %c1], write, locality<0>, data : memref<4x4xi64>
  %r = memref.load %a[%c1, %c1] : memref<4x4xi64>
  memref.dealloc %m : memref<4x4xi64>
  return %r : i64
}

func.func @spaces(%x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi64>
  memref.store %x, %m[%c1] : memref<4xi64>
  %s = memref.memory_space_cast %m : memref<4xi64> to memref<4xi64, 1>
  %t = memref.memory_space_cast %s : memref<4xi64, 1> to memref<4xi64>
  %y = memref.load %t[%c1] : memref<4xi64>
  memref.dealloc %m : memref<4xi64>
  return %y : i64
}

func.func @distinct(%x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<3xi64>
  %u, %v = memref.distinct_objects %a, %b : memref<2xi64>, memref<3xi64>
  memref.store %x, %u[%c0] : memref<2xi64>
  %p = ub.poison : i64
  memref.store %p, %v[%c0] : memref<3xi64>
  %y = memref.load %a[%c0] : memref<2xi64>
  memref.dealloc %a : memref<2xi64>
  memref.dealloc %b : memref<3xi64>
  return %y : i64
}
