// PASSES: promote-buffers-to-stack
func.func @a(%c: i1, %n: index, %m: memref<4xf32>) {
  scf.if %c {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  } else {
    %0 = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<?xf32>
  }
  return
}

// -----
func.func @b(%c: i1, %n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    scf.yield %0 : memref<4xf32>
  } else {
    %0 = memref.alloc() : memref<4xf32>
    scf.yield %0 : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----
func.func @c(%c: i1, %n: index, %m: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^x, ^y
^x:
  cf.br ^z(%m : memref<4xf32>)
^y:
  %0 = memref.alloc() : memref<4xf32>
  cf.br ^z(%0 : memref<4xf32>)
^z(%r: memref<4xf32>):
  return %r : memref<4xf32>
}

// -----
func.func @d(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    %1 = memref.alloca() : memref<4xf32>
    memref.copy %m, %1 : memref<4xf32> to memref<4xf32>
    %2 = memref.alloc(%i) : memref<?xf32>
    memref.copy %m, %2 : memref<4xf32> to memref<?xf32>
    %d = memref.alloc() : memref<4xf32>
    memref.copy %m, %d : memref<4xf32> to memref<4xf32>
    memref.dealloc %d : memref<4xf32>
    scf.for %j = %c0 to %n step %c1 {
      %3 = memref.alloc() : memref<4xf32>
      memref.copy %m, %3 : memref<4xf32> to memref<4xf32>
    }
  }
  return
}

// -----
func.func @e(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %a, %0 : memref<4xf32> to memref<4xf32>
    scf.yield %0 : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  scf.while : () -> () {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    %t = arith.constant false
    scf.condition(%t)
  } do {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
    scf.yield
  }
  return %r : memref<4xf32>
}

// -----
func.func @p(%c: i1, %n: index, %m: memref<4xf32>) -> (memref<4xf32>, memref<2000xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %m, %1 : memref<4xf32> to memref<4xf32>
  %2 = memref.alloc() : memref<2000xf32>
  %3 = memref.alloc() : memref<2000xf32>
  memref.copy %2, %3 : memref<2000xf32> to memref<2000xf32>
  %r = memref.rank %m : memref<4xf32>
  %4 = memref.alloc(%r) : memref<?xf32>
  %5 = memref.alloc(%r, %r) : memref<?x?xf32>
  memref.copy %4, %4 : memref<?xf32> to memref<?xf32>
  memref.copy %5, %5 : memref<?x?xf32> to memref<?x?xf32>
  return %0, %2 : memref<4xf32>, memref<2000xf32>
}

// -----
// PASSES: promote-buffers-to-stack{max-alloc-size-in-bytes=16}
func.func @size(%m: memref<4xf32>, %n: memref<5xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  %1 = memref.alloc() : memref<5xf32>
  memref.copy %n, %1 : memref<5xf32> to memref<5xf32>
  return
}

// -----
// PASSES: promote-buffers-to-stack{max-rank-of-allocated-memref=2}
func.func @rank(%m: memref<*xf32>) {
  %r = memref.rank %m : memref<*xf32>
  %0 = memref.alloc(%r, %r) : memref<?x?xf32>
  memref.copy %0, %0 : memref<?x?xf32> to memref<?x?xf32>
  return
}

// -----
// PASSES: promote-buffers-to-stack{max-alloc-size-in-bytes=64}
// Both parts of a complex number are aligned.
func.func @complex_numbers() {
  %m0_2 = memref.alloc() : memref<2xcomplex<f32>>
  memref.copy %m0_2, %m0_2 : memref<2xcomplex<f32>> to memref<2xcomplex<f32>>
  %m0_3 = memref.alloc() : memref<3xcomplex<f32>>
  memref.copy %m0_3, %m0_3 : memref<3xcomplex<f32>> to memref<3xcomplex<f32>>
  %m0_5 = memref.alloc() : memref<5xcomplex<f32>>
  memref.copy %m0_5, %m0_5 : memref<5xcomplex<f32>> to memref<5xcomplex<f32>>
  %m0_6 = memref.alloc() : memref<6xcomplex<f32>>
  memref.copy %m0_6, %m0_6 : memref<6xcomplex<f32>> to memref<6xcomplex<f32>>
  %m0_8 = memref.alloc() : memref<8xcomplex<f32>>
  memref.copy %m0_8, %m0_8 : memref<8xcomplex<f32>> to memref<8xcomplex<f32>>
  %m0_9 = memref.alloc() : memref<9xcomplex<f32>>
  memref.copy %m0_9, %m0_9 : memref<9xcomplex<f32>> to memref<9xcomplex<f32>>
  %m0_48 = memref.alloc() : memref<48xcomplex<f32>>
  memref.copy %m0_48, %m0_48 : memref<48xcomplex<f32>> to memref<48xcomplex<f32>>
  %m0_60 = memref.alloc() : memref<60xcomplex<f32>>
  memref.copy %m0_60, %m0_60 : memref<60xcomplex<f32>> to memref<60xcomplex<f32>>
  %m1_2 = memref.alloc() : memref<2xcomplex<i1>>
  memref.copy %m1_2, %m1_2 : memref<2xcomplex<i1>> to memref<2xcomplex<i1>>
  %m1_3 = memref.alloc() : memref<3xcomplex<i1>>
  memref.copy %m1_3, %m1_3 : memref<3xcomplex<i1>> to memref<3xcomplex<i1>>
  %m1_5 = memref.alloc() : memref<5xcomplex<i1>>
  memref.copy %m1_5, %m1_5 : memref<5xcomplex<i1>> to memref<5xcomplex<i1>>
  %m1_6 = memref.alloc() : memref<6xcomplex<i1>>
  memref.copy %m1_6, %m1_6 : memref<6xcomplex<i1>> to memref<6xcomplex<i1>>
  %m1_8 = memref.alloc() : memref<8xcomplex<i1>>
  memref.copy %m1_8, %m1_8 : memref<8xcomplex<i1>> to memref<8xcomplex<i1>>
  %m1_9 = memref.alloc() : memref<9xcomplex<i1>>
  memref.copy %m1_9, %m1_9 : memref<9xcomplex<i1>> to memref<9xcomplex<i1>>
  %m1_48 = memref.alloc() : memref<48xcomplex<i1>>
  memref.copy %m1_48, %m1_48 : memref<48xcomplex<i1>> to memref<48xcomplex<i1>>
  %m1_60 = memref.alloc() : memref<60xcomplex<i1>>
  memref.copy %m1_60, %m1_60 : memref<60xcomplex<i1>> to memref<60xcomplex<i1>>
  %m2_2 = memref.alloc() : memref<2xcomplex<i33>>
  memref.copy %m2_2, %m2_2 : memref<2xcomplex<i33>> to memref<2xcomplex<i33>>
  %m2_3 = memref.alloc() : memref<3xcomplex<i33>>
  memref.copy %m2_3, %m2_3 : memref<3xcomplex<i33>> to memref<3xcomplex<i33>>
  %m2_5 = memref.alloc() : memref<5xcomplex<i33>>
  memref.copy %m2_5, %m2_5 : memref<5xcomplex<i33>> to memref<5xcomplex<i33>>
  %m2_6 = memref.alloc() : memref<6xcomplex<i33>>
  memref.copy %m2_6, %m2_6 : memref<6xcomplex<i33>> to memref<6xcomplex<i33>>
  %m2_8 = memref.alloc() : memref<8xcomplex<i33>>
  memref.copy %m2_8, %m2_8 : memref<8xcomplex<i33>> to memref<8xcomplex<i33>>
  %m2_9 = memref.alloc() : memref<9xcomplex<i33>>
  memref.copy %m2_9, %m2_9 : memref<9xcomplex<i33>> to memref<9xcomplex<i33>>
  %m2_48 = memref.alloc() : memref<48xcomplex<i33>>
  memref.copy %m2_48, %m2_48 : memref<48xcomplex<i33>> to memref<48xcomplex<i33>>
  %m2_60 = memref.alloc() : memref<60xcomplex<i33>>
  memref.copy %m2_60, %m2_60 : memref<60xcomplex<i33>> to memref<60xcomplex<i33>>
  %m3_2 = memref.alloc() : memref<2xcomplex<f80>>
  memref.copy %m3_2, %m3_2 : memref<2xcomplex<f80>> to memref<2xcomplex<f80>>
  %m3_3 = memref.alloc() : memref<3xcomplex<f80>>
  memref.copy %m3_3, %m3_3 : memref<3xcomplex<f80>> to memref<3xcomplex<f80>>
  %m3_5 = memref.alloc() : memref<5xcomplex<f80>>
  memref.copy %m3_5, %m3_5 : memref<5xcomplex<f80>> to memref<5xcomplex<f80>>
  %m3_6 = memref.alloc() : memref<6xcomplex<f80>>
  memref.copy %m3_6, %m3_6 : memref<6xcomplex<f80>> to memref<6xcomplex<f80>>
  %m3_8 = memref.alloc() : memref<8xcomplex<f80>>
  memref.copy %m3_8, %m3_8 : memref<8xcomplex<f80>> to memref<8xcomplex<f80>>
  %m3_9 = memref.alloc() : memref<9xcomplex<f80>>
  memref.copy %m3_9, %m3_9 : memref<9xcomplex<f80>> to memref<9xcomplex<f80>>
  %m3_48 = memref.alloc() : memref<48xcomplex<f80>>
  memref.copy %m3_48, %m3_48 : memref<48xcomplex<f80>> to memref<48xcomplex<f80>>
  %m3_60 = memref.alloc() : memref<60xcomplex<f80>>
  memref.copy %m3_60, %m3_60 : memref<60xcomplex<f80>> to memref<60xcomplex<f80>>
  return
}

// -----
// PASSES: promote-buffers-to-stack{max-alloc-size-in-bytes=64}
// The innermost dimension of a vector is padded to a power of two, its elements to bytes.
func.func @vectors() {
  %m0_1 = memref.alloc() : memref<1xvector<4xf32>>
  memref.copy %m0_1, %m0_1 : memref<1xvector<4xf32>> to memref<1xvector<4xf32>>
  %m0_3 = memref.alloc() : memref<3xvector<4xf32>>
  memref.copy %m0_3, %m0_3 : memref<3xvector<4xf32>> to memref<3xvector<4xf32>>
  %m0_4 = memref.alloc() : memref<4xvector<4xf32>>
  memref.copy %m0_4, %m0_4 : memref<4xvector<4xf32>> to memref<4xvector<4xf32>>
  %m0_5 = memref.alloc() : memref<5xvector<4xf32>>
  memref.copy %m0_5, %m0_5 : memref<5xvector<4xf32>> to memref<5xvector<4xf32>>
  %m0_8 = memref.alloc() : memref<8xvector<4xf32>>
  memref.copy %m0_8, %m0_8 : memref<8xvector<4xf32>> to memref<8xvector<4xf32>>
  %m0_9 = memref.alloc() : memref<9xvector<4xf32>>
  memref.copy %m0_9, %m0_9 : memref<9xvector<4xf32>> to memref<9xvector<4xf32>>
  %m1_1 = memref.alloc() : memref<1xvector<3xf32>>
  memref.copy %m1_1, %m1_1 : memref<1xvector<3xf32>> to memref<1xvector<3xf32>>
  %m1_3 = memref.alloc() : memref<3xvector<3xf32>>
  memref.copy %m1_3, %m1_3 : memref<3xvector<3xf32>> to memref<3xvector<3xf32>>
  %m1_4 = memref.alloc() : memref<4xvector<3xf32>>
  memref.copy %m1_4, %m1_4 : memref<4xvector<3xf32>> to memref<4xvector<3xf32>>
  %m1_5 = memref.alloc() : memref<5xvector<3xf32>>
  memref.copy %m1_5, %m1_5 : memref<5xvector<3xf32>> to memref<5xvector<3xf32>>
  %m1_8 = memref.alloc() : memref<8xvector<3xf32>>
  memref.copy %m1_8, %m1_8 : memref<8xvector<3xf32>> to memref<8xvector<3xf32>>
  %m1_9 = memref.alloc() : memref<9xvector<3xf32>>
  memref.copy %m1_9, %m1_9 : memref<9xvector<3xf32>> to memref<9xvector<3xf32>>
  %m2_1 = memref.alloc() : memref<1xvector<2x3xi8>>
  memref.copy %m2_1, %m2_1 : memref<1xvector<2x3xi8>> to memref<1xvector<2x3xi8>>
  %m2_3 = memref.alloc() : memref<3xvector<2x3xi8>>
  memref.copy %m2_3, %m2_3 : memref<3xvector<2x3xi8>> to memref<3xvector<2x3xi8>>
  %m2_4 = memref.alloc() : memref<4xvector<2x3xi8>>
  memref.copy %m2_4, %m2_4 : memref<4xvector<2x3xi8>> to memref<4xvector<2x3xi8>>
  %m2_5 = memref.alloc() : memref<5xvector<2x3xi8>>
  memref.copy %m2_5, %m2_5 : memref<5xvector<2x3xi8>> to memref<5xvector<2x3xi8>>
  %m2_8 = memref.alloc() : memref<8xvector<2x3xi8>>
  memref.copy %m2_8, %m2_8 : memref<8xvector<2x3xi8>> to memref<8xvector<2x3xi8>>
  %m2_9 = memref.alloc() : memref<9xvector<2x3xi8>>
  memref.copy %m2_9, %m2_9 : memref<9xvector<2x3xi8>> to memref<9xvector<2x3xi8>>
  %m3_1 = memref.alloc() : memref<1xvector<5xi1>>
  memref.copy %m3_1, %m3_1 : memref<1xvector<5xi1>> to memref<1xvector<5xi1>>
  %m3_3 = memref.alloc() : memref<3xvector<5xi1>>
  memref.copy %m3_3, %m3_3 : memref<3xvector<5xi1>> to memref<3xvector<5xi1>>
  %m3_4 = memref.alloc() : memref<4xvector<5xi1>>
  memref.copy %m3_4, %m3_4 : memref<4xvector<5xi1>> to memref<4xvector<5xi1>>
  %m3_5 = memref.alloc() : memref<5xvector<5xi1>>
  memref.copy %m3_5, %m3_5 : memref<5xvector<5xi1>> to memref<5xvector<5xi1>>
  %m3_8 = memref.alloc() : memref<8xvector<5xi1>>
  memref.copy %m3_8, %m3_8 : memref<8xvector<5xi1>> to memref<8xvector<5xi1>>
  %m3_9 = memref.alloc() : memref<9xvector<5xi1>>
  memref.copy %m3_9, %m3_9 : memref<9xvector<5xi1>> to memref<9xvector<5xi1>>
  %m4_1 = memref.alloc() : memref<1xvector<3xi33>>
  memref.copy %m4_1, %m4_1 : memref<1xvector<3xi33>> to memref<1xvector<3xi33>>
  %m4_3 = memref.alloc() : memref<3xvector<3xi33>>
  memref.copy %m4_3, %m4_3 : memref<3xvector<3xi33>> to memref<3xvector<3xi33>>
  %m4_4 = memref.alloc() : memref<4xvector<3xi33>>
  memref.copy %m4_4, %m4_4 : memref<4xvector<3xi33>> to memref<4xvector<3xi33>>
  %m4_5 = memref.alloc() : memref<5xvector<3xi33>>
  memref.copy %m4_5, %m4_5 : memref<5xvector<3xi33>> to memref<5xvector<3xi33>>
  %m4_8 = memref.alloc() : memref<8xvector<3xi33>>
  memref.copy %m4_8, %m4_8 : memref<8xvector<3xi33>> to memref<8xvector<3xi33>>
  %m4_9 = memref.alloc() : memref<9xvector<3xi33>>
  memref.copy %m4_9, %m4_9 : memref<9xvector<3xi33>> to memref<9xvector<3xi33>>
  %m5_1 = memref.alloc() : memref<1xvector<2xindex>>
  memref.copy %m5_1, %m5_1 : memref<1xvector<2xindex>> to memref<1xvector<2xindex>>
  %m5_3 = memref.alloc() : memref<3xvector<2xindex>>
  memref.copy %m5_3, %m5_3 : memref<3xvector<2xindex>> to memref<3xvector<2xindex>>
  %m5_4 = memref.alloc() : memref<4xvector<2xindex>>
  memref.copy %m5_4, %m5_4 : memref<4xvector<2xindex>> to memref<4xvector<2xindex>>
  %m5_5 = memref.alloc() : memref<5xvector<2xindex>>
  memref.copy %m5_5, %m5_5 : memref<5xvector<2xindex>> to memref<5xvector<2xindex>>
  %m5_8 = memref.alloc() : memref<8xvector<2xindex>>
  memref.copy %m5_8, %m5_8 : memref<8xvector<2xindex>> to memref<8xvector<2xindex>>
  %m5_9 = memref.alloc() : memref<9xvector<2xindex>>
  memref.copy %m5_9, %m5_9 : memref<9xvector<2xindex>> to memref<9xvector<2xindex>>
  return
}

// -----
// PASSES: promote-buffers-to-stack
// Each iteration of affine.parallel frees its stack.
func.func @affine_parallel(%m: memref<4xf32>) {
  affine.parallel (%i) = (0) to (8) {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----
// PASSES: promote-buffers-to-stack
// So does each iteration of affine.for.
func.func @affine_for(%m: memref<4xf32>) {
  affine.for %i = 0 to 8 {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----
// PASSES: promote-buffers-to-stack
// affine.if is no scope, but it is known that what is in it ends.
func.func @affine_if(%m: memref<4xf32>, %n: index) {
  affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%n) {
    %0 = memref.alloc() : memref<4xf32>
    memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----
// PASSES: promote-buffers-to-stack
// DIFFERS: mlir-opt moves what a scope of the stack hands out to the stack, which the scope takes back.
func.func @leaves_scope(%m: memref<4xf32>) {
  %0 = memref.alloca_scope -> (memref<4xf32>) {
    %1 = memref.alloc() : memref<4xf32>
    memref.alloca_scope.return %1 : memref<4xf32>
  }
  memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  return
}
