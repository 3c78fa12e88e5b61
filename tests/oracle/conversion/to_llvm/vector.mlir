// Vectors: values, reductions, accesses in and out of bounds.

func.func private @buffer() -> memref<4x6xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<4x6xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %a = arith.muli %i, %c6 : index
      %b = arith.addi %a, %j : index
      %c = arith.index_cast %b : index to i32
      %d = arith.sitofp %c : i32 to f64
      memref.store %d, %m[%i, %j] : memref<4x6xf64>
    }
  }
  return %m : memref<4x6xf64>
}

func.func private @hash(%v: vector<2x3xf64>) -> f64 {
  %w = arith.constant dense<[[1.0, 3.0, 9.0], [27.0, 81.0, 243.0]]> : vector<2x3xf64>
  %p = arith.mulf %v, %w : vector<2x3xf64>
  %z = arith.constant 0.0 : f64
  %r = vector.multi_reduction <add>, %p, %z [0, 1] : vector<2x3xf64> to f64
  return %r : f64
}

func.func @arithmetic(%x: f64, %i: i32) -> f64 {
  %a = vector.broadcast %x : f64 to vector<2x3xf64>
  %b = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf64>
  %c = vector.fma %a, %b, %a : vector<2x3xf64>
  %d = arith.cmpf olt, %c, %b : vector<2x3xf64>
  %e = arith.select %d, %c, %b : vector<2x3xi1>, vector<2x3xf64>
  %f = math.floor %e : vector<2x3xf64>
  %r = call @hash(%f) : (vector<2x3xf64>) -> f64
  return %r : f64
}

func.func @load_store() -> f64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = call @buffer() : () -> memref<4x6xf64>
  %z = arith.constant dense<2.0> : vector<2x3xf64>
  %x = vector.load %m[%c1, %c2] : memref<4x6xf64>, vector<3xf64>
  %a = vector.insert %x, %z[1] : vector<3xf64> into vector<2x3xf64>
  %b = vector.load %m[%c2, %c1] : memref<4x6xf64>, vector<3xf64>
  vector.store %b, %m[%c1, %c2] : memref<4x6xf64>, vector<3xf64>
  %y = vector.load %m[%c1, %c2] : memref<4x6xf64>, vector<3xf64>
  %c = vector.insert %y, %z[0] : vector<3xf64> into vector<2x3xf64>
  %d = arith.mulf %a, %c : vector<2x3xf64>
  %r = call @hash(%d) : (vector<2x3xf64>) -> f64
  memref.dealloc %m : memref<4x6xf64>
  return %r : f64
}

func.func @transfer_out_of_bounds(%s: i1) -> f64 {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant -1.0 : f64
  %i = arith.select %s, %c2, %c3 : index
  %m = call @buffer() : () -> memref<4x6xf64>
  %a = vector.transfer_read %m[%i, %c3], %pad : memref<4x6xf64>, vector<2x3xf64>
  %b = arith.addf %a, %a : vector<2x3xf64>
  vector.transfer_write %b, %m[%i, %c2] : vector<2x3xf64>, memref<4x6xf64>
  %c = vector.transfer_read %m[%c2, %i], %pad {in_bounds = [true, true]} : memref<4x6xf64>, vector<2x3xf64>
  %r = call @hash(%c) : (vector<2x3xf64>) -> f64
  memref.dealloc %m : memref<4x6xf64>
  return %r : f64
}

func.func @transfer_permuted() -> f64 {
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f64
  %m = call @buffer() : () -> memref<4x6xf64>
  %a = vector.transfer_read %m[%c1, %c1], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<4x6xf64>, vector<2x3xf64>
  %b = vector.transfer_read %m[%c1, %c1], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (0, j)>} : memref<4x6xf64>, vector<2x3xf64>
  %c = arith.subf %a, %b : vector<2x3xf64>
  %r = call @hash(%c) : (vector<2x3xf64>) -> f64
  memref.dealloc %m : memref<4x6xf64>
  return %r : f64
}

func.func @masks(%s: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant -3.0 : f64
  %n = arith.select %s, %c1, %c2 : index
  %m = call @buffer() : () -> memref<4x6xf64>
  %k = vector.create_mask %n : vector<3xi1>
  %l = vector.constant_mask [2] : vector<3xi1>
  %p = arith.constant dense<7.0> : vector<3xf64>
  %a = vector.maskedload %m[%c1, %c1], %k, %p : memref<4x6xf64>, vector<3xi1>, vector<3xf64> into vector<3xf64>
  %b = vector.transfer_read %m[%c2, %c1], %pad, %l {in_bounds = [true]} : memref<4x6xf64>, vector<3xf64>
  vector.maskedstore %m[%c0, %c1], %l, %a : memref<4x6xf64>, vector<3xi1>, vector<3xf64>
  %i = arith.constant dense<[4, 0, 2]> : vector<3xi32>
  %g = vector.gather %m[%c0, %c1] [%i], %k, %p : memref<4x6xf64>, vector<3xi32>, vector<3xi1>, vector<3xf64> into vector<3xf64>
  vector.scatter %m[%c1, %c2] [%i], %l, %b : memref<4x6xf64>, vector<3xi32>, vector<3xi1>, vector<3xf64>
  %c = vector.load %m[%c1, %c2] : memref<4x6xf64>, vector<3xf64>
  %d = vector.load %m[%c0, %c0] : memref<4x6xf64>, vector<3xf64>
  %e = arith.mulf %g, %c : vector<3xf64>
  %f = arith.addf %e, %d : vector<3xf64>
  %z = arith.constant dense<0.0> : vector<2x3xf64>
  %v = vector.insert %f, %z[0] : vector<3xf64> into vector<2x3xf64>
  %w = vector.insert %b, %v[1] : vector<3xf64> into vector<2x3xf64>
  %r = call @hash(%w) : (vector<2x3xf64>) -> f64
  memref.dealloc %m : memref<4x6xf64>
  return %r : f64
}

func.func @rearrange(%x: f64, %s: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.select %s, %c0, %c1 : index
  %b = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf64>
  %t = vector.transpose %b, [1, 0] : vector<2x3xf64> to vector<3x2xf64>
  %c = vector.shape_cast %t : vector<3x2xf64> to vector<2x3xf64>
  %d = vector.insert %x, %c[1, 2] : f64 into vector<2x3xf64>
  %e = vector.extract %d[0] : vector<3xf64> from vector<2x3xf64>
  %f = vector.extract %e[%i] : f64 from vector<3xf64>
  %g = vector.insert %f, %e[%i] : f64 into vector<3xf64>
  %h = vector.broadcast %g : vector<3xf64> to vector<2x3xf64>
  %j = vector.extract_strided_slice %d {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xf64> to vector<2x2xf64>
  %k = vector.insert_strided_slice %j, %h {offsets = [0, 1], strides = [1, 1]} : vector<2x2xf64> into vector<2x3xf64>
  %l = vector.shuffle %e, %g [0, 5, 1, 4] : vector<3xf64>, vector<3xf64>
  %n = vector.extract %l[3] : f64 from vector<4xf64>
  %o:4 = vector.to_elements %l : vector<4xf64>
  %p = vector.from_elements %o#1, %n, %o#0, %x, %f, %o#2 : vector<2x3xf64>
  %q = arith.addf %k, %p : vector<2x3xf64>
  %r = call @hash(%q) : (vector<2x3xf64>) -> f64
  return %r : f64
}

func.func @reductions(%x: i32) -> i32 {
  %a = arith.constant dense<[3, -5, 7, 2]> : vector<4xi32>
  %b = vector.broadcast %x : i32 to vector<4xi32>
  %c = arith.muli %a, %b : vector<4xi32>
  %1 = vector.reduction <add>, %c : vector<4xi32> into i32
  %2 = vector.reduction <mul>, %c, %x : vector<4xi32> into i32
  %3 = vector.reduction <maxsi>, %c : vector<4xi32> into i32
  %4 = vector.reduction <minui>, %c : vector<4xi32> into i32
  %5 = vector.reduction <xor>, %c : vector<4xi32> into i32
  %6 = arith.addi %1, %2 : i32
  %7 = arith.muli %6, %3 : i32
  %8 = arith.subi %7, %4 : i32
  %r = arith.xori %8, %5 : i32
  return %r : i32
}

func.func @contract(%x: f64) -> f64 {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf64>
  %b = arith.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, -1.0]]> : vector<2x3xf64>
  %s = vector.broadcast %x : f64 to vector<2x3xf64>
  %c = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %s : vector<2x2xf64>, vector<2x3xf64> into vector<2x3xf64>
  %u = arith.constant dense<[2.0, -3.0]> : vector<2xf64>
  %v = arith.constant dense<[1.0, 4.0, 5.0]> : vector<3xf64>
  %d = vector.outerproduct %u, %v, %c {kind = #vector.kind<add>} : vector<2xf64>, vector<3xf64>
  %r = call @hash(%d) : (vector<2x3xf64>) -> f64
  return %r : f64
}

func.func @vector_buffers(%x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %v = vector.broadcast %x : f32 to vector<4xf32>
  %m = memref.alloc() : memref<3xvector<4xf32>>
  memref.store %v, %m[%c1] : memref<3xvector<4xf32>>
  %w = memref.load %m[%c1] : memref<3xvector<4xf32>>
  %r = vector.extract %w[2] : f32 from vector<4xf32>
  memref.dealloc %m : memref<3xvector<4xf32>>
  return %r : f32
}

func.func @bits(%x: i32) -> i64 {
  %a = vector.broadcast %x : i32 to vector<4xi32>
  %b = arith.constant dense<[1, -2, 3, 4]> : vector<4xi32>
  %c = arith.muli %a, %b : vector<4xi32>
  %d = vector.bitcast %c : vector<4xi32> to vector<2xi64>
  %r = vector.reduction <xor>, %d : vector<2xi64> into i64
  return %r : i64
}

func.func @interleaved(%x: f64) -> f64 {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf64>
  %b = vector.broadcast %x : f64 to vector<3xf64>
  %c = vector.interleave %a, %b : vector<3xf64> -> vector<6xf64>
  %d, %e = vector.deinterleave %c : vector<6xf64> -> vector<3xf64>
  %f = vector.shape_cast %c : vector<6xf64> to vector<2x3xf64>
  %g = arith.subf %e, %d : vector<3xf64>
  %h = vector.insert %g, %f [1] : vector<3xf64> into vector<2x3xf64>
  %r = call @hash(%h) : (vector<2x3xf64>) -> f64
  return %r : f64
}

func.func @steps(%x: i64) -> i64 {
  %a = vector.step : vector<5xindex>
  %b = arith.index_cast %a : vector<5xindex> to vector<5xi64>
  %c = vector.broadcast %x : i64 to vector<5xi64>
  %d = arith.muli %b, %c : vector<5xi64>
  %r = vector.reduction <add>, %d : vector<5xi64> into i64
  return %r : i64
}

func.func @one_vector_in_memory(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<2x4xf64>
  %v = vector.type_cast %m : memref<2x4xf64> to memref<vector<2x4xf64>>
  %a = vector.broadcast %x : f64 to vector<2x4xf64>
  memref.store %a, %v[] : memref<vector<2x4xf64>>
  %five = arith.constant 5.0 : f64
  memref.store %five, %m[%c1, %c2] : memref<2x4xf64>
  %b = memref.load %v[] : memref<vector<2x4xf64>>
  %w = vector.shape_cast %b : vector<2x4xf64> to vector<8xf64>
  %r = vector.reduction <add>, %w : vector<8xf64> into f64
  memref.dealloc %m : memref<2x4xf64>
  return %r : f64
}

func.func @compressed(%n: index) -> f64 {
  %c7 = arith.constant 7 : index
  %few = arith.andi %n, %c7 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = call @buffer() : () -> memref<4x6xf64>
  %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %k = vector.create_mask %few : vector<4xi1>
  %both = arith.andi %mask, %k : vector<4xi1>
  %v = arith.constant dense<[50.0, 60.0, 70.0, 80.0]> : vector<4xf64>
  vector.compressstore %m[%c1, %c1], %both, %v
    : memref<4x6xf64>, vector<4xi1>, vector<4xf64>
  %w = vector.expandload %m[%c1, %c0], %both, %v
    : memref<4x6xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
  %weights = arith.constant dense<[1.0, 3.0, 9.0, 27.0]> : vector<4xf64>
  %p = arith.mulf %w, %weights : vector<4xf64>
  %r = vector.reduction <add>, %p : vector<4xf64> into f64
  %q = memref.load %m[%c1, %c1] : memref<4x6xf64>
  %s = arith.addf %r, %q : f64
  memref.dealloc %m : memref<4x6xf64>
  return %s : f64
}

func.func @masked_transfers(%i: index, %n: index) -> f64 {
  %c7 = arith.constant 7 : index
  %few = arith.andi %n, %c7 : index
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %m = call @buffer() : () -> memref<4x6xf64>
  %mask = vector.create_mask %few : vector<3xi1>
  %j = arith.andi %i, %c1 : index
  %a = vector.mask %mask {
    vector.transfer_read %m[%j, %j], %zero {in_bounds = [true]}
      : memref<4x6xf64>, vector<3xf64>
  } : vector<3xi1> -> vector<3xf64>
  vector.mask %mask {
    vector.transfer_write %a, %m[%c1, %c1] {in_bounds = [true]}
      : vector<3xf64>, memref<4x6xf64>
  } : vector<3xi1>
  %b = vector.transfer_read %m[%c1, %c1], %zero {in_bounds = [true]}
    : memref<4x6xf64>, vector<3xf64>
  %c = arith.mulf %a, %b : vector<3xf64>
  %r = vector.reduction <add>, %c : vector<3xf64> into f64
  memref.dealloc %m : memref<4x6xf64>
  return %r : f64
}

func.func @masked_reductions(%x: i64, %n: index) -> i64 {
  %c7 = arith.constant 7 : index
  %few = arith.andi %n, %c7 : index
  %mask = vector.create_mask %few : vector<4xi1>
  %v = arith.constant dense<[3, -7, 20, 100]> : vector<4xi64>
  %a = vector.mask %mask {
    vector.reduction <add>, %v, %x : vector<4xi64> into i64
  } : vector<4xi1> -> i64
  %b = vector.mask %mask {
    vector.reduction <maxsi>, %v : vector<4xi64> into i64
  } : vector<4xi1> -> i64
  %c = vector.mask %mask {
    vector.reduction <minui>, %v : vector<4xi64> into i64
  } : vector<4xi1> -> i64
  %d = vector.mask %mask {
    vector.reduction <mul>, %v : vector<4xi64> into i64
  } : vector<4xi1> -> i64
  %e = vector.mask %mask {
    vector.reduction <and>, %v : vector<4xi64> into i64
  } : vector<4xi1> -> i64
  %s = arith.xori %a, %b : i64
  %t = arith.xori %s, %c : i64
  %u = arith.xori %t, %d : i64
  %r = arith.addi %u, %e : i64
  return %r : i64
}
