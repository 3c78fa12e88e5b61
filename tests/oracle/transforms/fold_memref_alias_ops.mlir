// PASSES: fold-memref-alias-ops
func.func @a_sub(%m: memref<8x16xf32>, %i: index, %j: index, %o: index, %n: index, %s: index, %v: f32) -> f32 {
  %0 = memref.subview %m[%o, 2] [%n, 4] [%s, 3] : memref<8x16xf32> to memref<?x4xf32, strided<[?, 3], offset: ?>>
  %1 = memref.load %0[%i, %j] : memref<?x4xf32, strided<[?, 3], offset: ?>>
  memref.store %v, %0[%j, %i] : memref<?x4xf32, strided<[?, 3], offset: ?>>
  return %1 : f32
}

// -----

func.func @a_subrr(%m: memref<8x16xf32>, %i: index, %j: index, %o: index, %n: index, %s: index, %v: f32) -> f32 {
  %0 = memref.subview %m[%o, 2] [1, 4] [1, 3] : memref<8x16xf32> to memref<4xf32, strided<[3], offset: ?>>
  %1 = memref.load %0[%i] : memref<4xf32, strided<[3], offset: ?>>
  memref.store %v, %0[%j] : memref<4xf32, strided<[3], offset: ?>>
  return %1 : f32
}

// -----

func.func @a_subsub(%m: memref<8x16xf32>, %i: index, %j: index, %o: index, %n: index, %s: index, %v: f32) -> f32 {
  %0 = memref.subview %m[%o, 2] [4, 4] [1, 3] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 3], offset: ?>>
  %1 = memref.subview %0[1, %s] [2, 1] [1, %n] : memref<4x4xf32, strided<[16, 3], offset: ?>> to memref<2xf32, strided<[16], offset: ?>>
  %2 = memref.load %1[%i] : memref<2xf32, strided<[16], offset: ?>>
  return %2 : f32
}

// -----

func.func @a_expand(%m: memref<8x16xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  %1 = memref.load %0[%i, %j, %k] : memref<2x4x16xf32>
  return %1 : f32
}

// -----

func.func @a_expandd(%m: memref<?x16xf32>, %i: index, %j: index, %k: index, %n: index) -> f32 {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, 16] : memref<?x16xf32> into memref<?x4x16xf32>
  %1 = memref.load %0[%i, %j, %k] : memref<?x4x16xf32>
  return %1 : f32
}

// -----

func.func @a_collapse(%m: memref<2x4x16xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x4x16xf32> into memref<8x16xf32>
  %1 = memref.load %0[%i, %j] : memref<8x16xf32>
  return %1 : f32
}

// -----

func.func @a_collapsed(%m: memref<?x?x16xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<?x?x16xf32> into memref<?x16xf32>
  %1 = memref.load %0[%i, %j] : memref<?x16xf32>
  return %1 : f32
}

// -----

func.func @a_collapse0(%m: memref<1x1xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  %1 = memref.load %0[] : memref<f32>
  return %1 : f32
}

// -----

func.func @a_expand0(%m: memref<f32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %1 = memref.load %0[%i, %j] : memref<1x1xf32>
  return %1 : f32
}

// -----

func.func @a_cast(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// -----

func.func @a_vec(%m: memref<8x16xf32>, %i: index, %v: vector<4xf32>, %p: f32, %k: vector<4xi1>) -> vector<4xf32> {
  %0 = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  vector.store %v, %0[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  %1 = vector.load %0[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  %2 = vector.transfer_read %0[%i, %i], %p : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  vector.transfer_write %2, %0[%i, %i] : vector<4xf32>, memref<4x4xf32, strided<[16, 1], offset: ?>>
  %3 = vector.maskedload %0[%i, %i], %k, %2 : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %0[%i, %i], %k, %3 : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xi1>, vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

func.func @a_aff(%m: memref<8x16xf32>, %i: index, %v: f32, %p: f32, %k: vector<4xi1>) -> f32 {
  %0 = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  affine.store %v, %0[2, 3] : memref<4x4xf32, strided<[16, 1], offset: ?>>
  %1 = affine.load %0[%i + 1, %i] : memref<4x4xf32, strided<[16, 1], offset: ?>>
  memref.prefetch %0[%i, %i], read, locality<3>, data : memref<4x4xf32, strided<[16, 1], offset: ?>>
  %2 = memref.atomic_rmw addf %v, %0[%i, %i] : (f32, memref<4x4xf32, strided<[16, 1], offset: ?>>) -> f32
  return %1 : f32
}

// -----

func.func private @use(memref<2x2xf32, strided<[?, ?], offset: ?>>)
func.func @b_subsub(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [4, 4] [%n, 3] : memref<8x16xf32> to memref<4x4xf32, strided<[?, 3], offset: ?>>
  %1 = memref.subview %0[1, %s] [2, 2] [%s, %n] : memref<4x4xf32, strided<[?, 3], offset: ?>> to memref<2x2xf32, strided<[?, ?], offset: ?>>
  call @use(%1) : (memref<2x2xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}

// -----

func.func private @use1(memref<2xf32, strided<[?], offset: ?>>)
func.func @b_subsubrr(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [1, 4] [%n, 3] : memref<8x16xf32> to memref<4xf32, strided<[3], offset: ?>>
  %1 = memref.subview %0[%s] [2] [%n] : memref<4xf32, strided<[3], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
  call @use1(%1) : (memref<2xf32, strided<[?], offset: ?>>) -> ()
  return
}

// -----

func.func private @use1(memref<2xf32, strided<[?], offset: ?>>)
func.func @b_subsubrr2(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [4, 4] [%n, 3] : memref<8x16xf32> to memref<4x4xf32, strided<[?,3], offset: ?>>
  %1 = memref.subview %0[%s, 1] [2, 1] [%n, 1] : memref<4x4xf32, strided<[?,3], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
  call @use1(%1) : (memref<2xf32, strided<[?], offset: ?>>) -> ()
  return
}

// -----

func.func @b_tr(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<4xf32> {
  %0 = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %1 = vector.transfer_read %0[%i, %i], %f {in_bounds = [true]} : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  vector.transfer_write %1, %0[%n, %i] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32, strided<[16, 1], offset: ?>>
  return %1 : vector<4xf32>
}

// -----

func.func @b_trstr(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<4xf32> {
  %0 = memref.subview %m[%i, 2] [4, 4] [1, 2] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 2], offset: ?>>
  %1 = vector.transfer_read %0[%i, %i], %f {in_bounds = [true]} : memref<4x4xf32, strided<[16, 2], offset: ?>>, vector<4xf32>
  %2 = memref.subview %m[%i, 2] [4, 4] [2, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %3 = vector.transfer_read %2[%i, %i], %f {in_bounds = [true]} : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
  vector.transfer_write %1, %0[%n, %i] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32, strided<[16, 2], offset: ?>>
  return %3 : vector<4xf32>
}

// -----

func.func @b_trrr(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<4xf32> {
  %0 = memref.subview %m[%i, 2] [8, 1] [1, 1] : memref<8x16xf32> to memref<8xf32, strided<[16], offset: ?>>
  %1 = vector.transfer_read %0[%i], %f {in_bounds = [true]} : memref<8xf32, strided<[16], offset: ?>>, vector<4xf32>
  vector.transfer_write %1, %0[%n] {in_bounds = [true]} : vector<4xf32>, memref<8xf32, strided<[16], offset: ?>>
  %2 = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %3 = vector.transfer_read %2[%i, %i], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<4x4xf32, strided<[16, 1], offset: ?>>, vector<4xf32>
  return %3 : vector<4xf32>
}

// -----

func.func @b_vexp(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<4xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  %1 = vector.transfer_read %0[%i, %n, %s], %f {in_bounds = [true]} : memref<2x4x16xf32>, vector<4xf32>
  vector.store %1, %0[%i, %n, %s] : memref<2x4x16xf32>, vector<4xf32>
  %2 = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 2, 8] : memref<8x16xf32> into memref<8x2x8xf32>
  %3 = vector.load %2[%i, %n, %s] : memref<8x2x8xf32>, vector<4xf32>
  %4 = vector.load %2[%i, %n, %s] : memref<8x2x8xf32>, vector<1x2x4xf32>
  %5 = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  %6 = vector.load %5[%i] : memref<128xf32>, vector<4xf32>
  vector.store %6, %5[%i] : memref<128xf32>, vector<4xf32>
  %7 = vector.transfer_read %5[%i], %f {in_bounds = [true]} : memref<128xf32>, vector<4xf32>
  vector.transfer_write %7, %5[%i] {in_bounds = [true]} : vector<4xf32>, memref<128xf32>
  return %3 : vector<4xf32>
}

// -----

func.func @b_attr(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) {
  %2 = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  memref.store %f, %2[%n, %s] {nontemporal = true}: memref<4x4xf32, strided<[16, 1], offset: ?>>
  return
}

// -----

func.func @b_loop(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
  %2 = memref.subview %m[%k, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  scf.for %j = %c0 to %n step %c1 {
    memref.store %f, %2[%c1, %j] : memref<4x4xf32, strided<[16, 1], offset: ?>>
  }
  }
  return
}

// -----

func.func private @use(memref<2x2xf32, strided<[16, 1], offset: ?>>)
func.func @c_subsub(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %1 = memref.subview %0[1, %s] [2, 2] [1, 1] : memref<4x4xf32, strided<[16, 1], offset: ?>> to memref<2x2xf32, strided<[16, 1], offset: ?>>
  call @use(%1) : (memref<2x2xf32, strided<[16, 1], offset: ?>>) -> ()
  return
}

// -----

func.func private @usec(memref<2x2xf32, strided<[16, 1], offset: 52>>)
func.func @c_subsubc(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[2, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 34>>
  %1 = memref.subview %0[1, 2] [2, 2] [1, 1] : memref<4x4xf32, strided<[16, 1], offset: 34>> to memref<2x2xf32, strided<[16, 1], offset: 52>>
  call @usec(%1) : (memref<2x2xf32, strided<[16, 1], offset: 52>>) -> ()
  return
}

// -----

func.func private @use12(memref<2xf32, strided<[1], offset: ?>>)
func.func @c_subsubrr(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.subview %0[%s] [2] [1] : memref<4xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  call @use12(%1) : (memref<2xf32, strided<[1], offset: ?>>) -> ()
  return
}

// -----

func.func private @use1(memref<2xf32, strided<[16], offset: ?>>)
func.func @c_subsubrr2(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1], offset: ?>>
  %1 = memref.subview %0[%s, 1] [2, 1] [1, 1] : memref<4x4xf32, strided<[16,1], offset: ?>> to memref<2xf32, strided<[16], offset: ?>>
  call @use1(%1) : (memref<2xf32, strided<[16], offset: ?>>) -> ()
  return
}

// -----

func.func private @use3(memref<2x2xf32, strided<[32, 1], offset: ?>>)
func.func @c_subsubmix(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1], offset: ?>>
  %1 = memref.subview %0[%s, 1] [2, 2] [2, 1] : memref<4x4xf32, strided<[16,1], offset: ?>> to memref<2x2xf32, strided<[32, 1], offset: ?>>
  call @use3(%1) : (memref<2x2xf32, strided<[32, 1], offset: ?>>) -> ()
  return
}

// -----

func.func @read_of_expanded(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<4xf32> {
  %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 2, 8] : memref<8x16xf32> into memref<8x2x8xf32>
  %1 = vector.transfer_read %0[%i, %n, %s], %f {in_bounds = [true]} : memref<8x2x8xf32>, vector<4xf32>
  vector.transfer_write %1, %0[%i, %n, %s] {in_bounds = [true]} : vector<4xf32>, memref<8x2x8xf32>
  memref.store %f, %0[%i, %n, %s] : memref<8x2x8xf32>
  return %1 : vector<4xf32>
}

// -----

// DIFFERS: mlir-opt reads two rows of the buffer instead of two of the view
func.func @rows_of_expanded(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<2x4xf32> {
  %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 2, 8] : memref<8x16xf32> into memref<8x2x8xf32>
  %1 = vector.transfer_read %0[%i, %n, %s], %f {in_bounds = [true, true]} : memref<8x2x8xf32>, vector<2x4xf32>
  return %1 : vector<2x4xf32>
}

// -----

// DIFFERS: mlir-opt reads the next row of the buffer past the end of the view
func.func @out_of_expanded(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> vector<4xf32> {
  %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 2, 8] : memref<8x16xf32> into memref<8x2x8xf32>
  %1 = vector.transfer_read %0[%i, %n, %s], %f : memref<8x2x8xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

// DIFFERS: mlir-opt reads every row of the buffer instead of every other one
func.func @c_mrv(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) -> (vector<2x4xf32>) {
  %2 = memref.subview %m[%i, 2] [4, 4] [2, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %4 = vector.load %2[%i, %n] : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<2x4xf32>
  return %4 : vector<2x4xf32>
}

// -----

func.func @c_mrm(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index, %mask: vector<4xi1>) -> (vector<4xf32>) {
  %2 = memref.subview %m[%i, 2] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %4 = vector.transfer_read %2[%i], %f, %mask {in_bounds=[true]} : memref<4xf32, strided<[1], offset: ?>>, vector<4xf32>
  return %4 : vector<4xf32>
}

// -----

func.func @c_casts(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index, %mask: vector<4xi1>) -> (vector<4xf32>) {
  %2 = memref.cast %m : memref<8x16xf32> to memref<?x?xf32>
  %4 = vector.transfer_read %2[%i, %n], %f, %mask {in_bounds=[true]} : memref<?x?xf32>, vector<4xf32>
  %5 = vector.load %2[%i, %n] : memref<?x?xf32>, vector<4xf32>
  %6 = arith.addf %4, %5 : vector<4xf32>
  vector.store %6, %2[%i, %n] : memref<?x?xf32>, vector<4xf32>
  return %4 : vector<4xf32>
}

// -----

// DIFFERS: mlir-opt drops the alignment
func.func @alignment(%m: memref<8x16xf32>, %i: index, %n: index, %f: f32, %s: index) {
  %2 = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  memref.store %f, %2[%n, %s] {alignment = 8} : memref<4x4xf32, strided<[16, 1], offset: ?>>
  return
}

// -----

func.func @views_of_views(%m: memref<64x16xf32>, %o: index, %i: index, %j: index) -> f32 {
  %0 = memref.subview %m[%o, 0] [8, 16] [1, 1] : memref<64x16xf32> to memref<8x16xf32, strided<[16, 1], offset: ?>>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32, strided<[16, 1], offset: ?>> into memref<2x4x16xf32, strided<[64, 16, 1], offset: ?>>
  %2 = memref.subview %1[%i, 0, 0] [1, 4, 16] [1, 1, 1] : memref<2x4x16xf32, strided<[64, 16, 1], offset: ?>> to memref<4x16xf32, strided<[16, 1], offset: ?>>
  %3 = memref.load %2[%i, %j] : memref<4x16xf32, strided<[16, 1], offset: ?>>
  return %3 : f32
}

// -----

func.func @other_users_keep_the_view(%m: memref<8xf32>, %o: index, %x: f32) -> memref<4xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%o] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %x, %0[%o] : memref<4xf32, strided<[1], offset: ?>>
  return %0 : memref<4xf32, strided<[1], offset: ?>>
}

// -----
// A masked load from a view of lower rank.
func.func @reduced_maskedload(%m: memref<4x32xf32>, %i: index, %j: index, %k: vector<8xi1>, %p: vector<8xf32>) -> vector<8xf32> {
  %0 = memref.subview %m[0, %i] [1, 16] [1, 1] : memref<4x32xf32> to memref<16xf32, strided<[1], offset: ?>>
  %1 = vector.maskedload %0[%j], %k, %p : memref<16xf32, strided<[1], offset: ?>>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return %1 : vector<8xf32>
}

// -----
// A masked store to a view of lower rank.
func.func @reduced_maskedstore(%m: memref<4x32xf32>, %i: index, %j: index, %k: vector<8xi1>, %p: vector<8xf32>) {
  %0 = memref.subview %m[%i, 4] [1, 16] [1, 1] : memref<4x32xf32> to memref<16xf32, strided<[1], offset: ?>>
  vector.maskedstore %0[%j], %k, %p : memref<16xf32, strided<[1], offset: ?>>, vector<8xi1>, vector<8xf32>
  return
}

// -----
// Which dimensions of size one were dropped, the strides tell.
func.func @reduced_unit_dims(%m: memref<1x4x8x4x2x3xf32>, %a: index, %b: index, %c: index, %d: index, %i: index) -> f32 {
  %0 = memref.subview %m[0, 0, %i, 0, %i, %i] [1, 4, 1, 4, 1, 1] [1, 1, 1, 1, 1, 1] : memref<1x4x8x4x2x3xf32> to memref<4x1x4x1xf32, strided<[192, 24, 6, 3], offset: ?>>
  %1 = memref.load %0[%a, %b, %c, %d] : memref<4x1x4x1xf32, strided<[192, 24, 6, 3], offset: ?>>
  return %1 : f32
}

// -----
// Where they do not, the last ones were kept.
func.func @reduced_unit_dims3(%m: memref<4x1x1x4x1x1xf32>, %a: index, %b: index, %c: index, %d: index, %i: index) -> f32 {
  %0 = memref.subview %m[0, %i, %a, 0, %i, %b] [4, 1, 1, 4, 1, 1] [1, 1, 1, 1, 1, 1] : memref<4x1x1x4x1x1xf32> to memref<4x1x4x1xf32, strided<[4, 4, 1, 1], offset: ?>>
  %1 = memref.load %0[%a, %b, %c, %d] : memref<4x1x4x1xf32, strided<[4, 4, 1, 1], offset: ?>>
  return %1 : f32
}

// -----
func.func @reduced_unit_dims4(%m: memref<4x1x1x4x1x1xf32>, %a: index, %b: index, %c: index, %d: index, %i: index, %v: f32) {
  %0 = memref.subview %m[0, %i, %a, 0, %i, %b] [4, 1, 1, 4, 1, 1] [1, 1, 1, 1, 1, 1] : memref<4x1x1x4x1x1xf32> to memref<4x4x1xf32, strided<[4, 1, 1], offset: ?>>
  memref.store %v, %0[%a, %b, %c] : memref<4x4x1xf32, strided<[4, 1, 1], offset: ?>>
  return
}
