// Every op of the memref dialect in each of its forms.

func.func @memref_assume_alignment(%m: memref<4x?xf32>) {
  %0 = memref.assume_alignment %m, 64 : memref<4x?xf32>
  return
}

// -----

func.func @memref_distinct_objects(%m: memref<4x?xf32>, %g: memref<8x8xf32>) {
  %1, %2 = memref.distinct_objects %m, %g : memref<4x?xf32>, memref<8x8xf32>
  return
}

// -----

func.func @memref_alloc(%i: index) {
  %3 = memref.alloc(%i) {alignment = 64 : i64, foo} : memref<4x?xf32>
  return
}

// -----

func.func @memref_alloc_2(%i: index) {
  %4 = memref.alloc(%i)[%i] : memref<4x?xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
  return
}

// -----

func.func @memref_alloca() {
  %5 = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @memref_alloca_2(%i: index) {
  %6 = memref.alloca(%i) {alignment = 8 : i64} : memref<?xf32>
  return
}

// -----

func.func @memref_alloca_scope(%f: f32) {
  %7 = memref.alloca_scope -> (f32) { 
    memref.alloca_scope.return %f : f32 }
  return
}

// -----

func.func @memref_alloca_scope_2() {
  memref.alloca_scope { %x = memref.alloca() : memref<4xf32> 
    }
  return
}

// -----

func.func @memref_cast(%m: memref<4x?xf32>) {
  %8 = memref.cast %m : memref<4x?xf32> to memref<*xf32>
  return
}

// -----

func.func @memref_cast_2(%g: memref<8x8xf32>) {
  %9 = memref.cast %g : memref<8x8xf32> to memref<?x8xf32, strided<[?, ?], offset: ?>>
  return
}

// -----

func.func @memref_copy(%m: memref<4x?xf32>) {
  memref.copy %m, %m : memref<4x?xf32> to memref<4x?xf32>
  return
}

// -----

func.func @memref_copy_2(%g: memref<8x8xf32>, %st: memref<8x8xf32, strided<[?, 1], offset: ?>>) {
  memref.copy %g, %st {foo} : memref<8x8xf32> to memref<8x8xf32, strided<[?, 1], offset: ?>>
  return
}

// -----

func.func @memref_dealloc(%m: memref<4x?xf32>) {
  memref.dealloc %m : memref<4x?xf32>
  return
}

// -----

func.func @memref_dealloc_2(%u: memref<*xf32>) {
  memref.dealloc %u : memref<*xf32>
  return
}

// -----

func.func @memref_dim(%m: memref<4x?xf32>, %i: index) {
  %10 = memref.dim %m, %i : memref<4x?xf32>
  return
}

// -----

func.func @memref_dma_start(%m: memref<4x?xf32>, %i: index, %c: memref<4x?xf32, 1>, %tag: memref<1xi32>) {
  memref.dma_start %m[%i, %i], %c[%i, %i], %i, %tag[%i] : memref<4x?xf32>, memref<4x?xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @memref_dma_start_2(%m: memref<4x?xf32>, %i: index, %c: memref<4x?xf32, 1>, %tag: memref<1xi32>) {
  memref.dma_start %m[%i, %i], %c[%i, %i], %i, %tag[%i], %i, %i : memref<4x?xf32>, memref<4x?xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @memref_dma_wait(%i: index, %tag: memref<1xi32>) {
  memref.dma_wait %tag[%i], %i : memref<1xi32>
  return
}

// -----

func.func @memref_extract_aligned_pointer_as_index(%m: memref<4x?xf32>) {
  %11 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  return
}

// -----

func.func @memref_extract_strided_metadata(%m: memref<4x?xf32>) {
  %12, %13, %14:2, %15:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  return
}

// -----

func.func @memref_generic_atomic_rmw(%m: memref<4x?xf32>, %i: index) {
  %16 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xf32> { ^bb0(%x: f32): %q = arith.addf %x, %x : f32
    memref.atomic_yield %q : f32 }
  return
}

// -----

func.func @memref_load(%m: memref<4x?xf32>, %i: index) {
  %17 = memref.load %m[%i, %i] : memref<4x?xf32>
  return
}

// -----

func.func @memref_load_2(%m: memref<4x?xf32>, %i: index) {
  %18 = memref.load %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  return
}

// -----

func.func @memref_load_3(%m: memref<4x?xf32>, %i: index) {
  %19 = memref.load %m[%i, %i] {alignment = 16 : i64} : memref<4x?xf32>
  return
}

// -----

func.func @memref_memory_space_cast(%m: memref<4x?xf32>) {
  %20 = memref.memory_space_cast %m : memref<4x?xf32> to memref<4x?xf32, 1>
  return
}

// -----

func.func @memref_prefetch(%m: memref<4x?xf32>, %i: index) {
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<4x?xf32>
  return
}

// -----

func.func @memref_rank(%u: memref<*xf32>) {
  %21 = memref.rank %u : memref<*xf32>
  return
}

// -----

func.func @memref_realloc(%d: memref<?xf32>) {
  %22 = memref.realloc %d : memref<?xf32> to memref<8xf32>
  return
}

// -----

func.func @memref_realloc_2(%i: index, %d: memref<?xf32>) {
  %23 = memref.realloc %d(%i) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @memref_reinterpret_cast(%i: index, %g: memref<8x8xf32>) {
  %24 = memref.reinterpret_cast %g to offset: [%i], sizes: [4, %i], strides: [%i, 1] : memref<8x8xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  return
}

// -----

func.func @memref_reinterpret_cast_2(%u: memref<*xf32>) {
  %25 = memref.reinterpret_cast %u to offset: [0], sizes: [10], strides: [1] : memref<*xf32> to memref<10xf32>
  return
}

// -----

func.func @memref_reshape(%m: memref<4x?xf32>, %s: memref<2xindex>) {
  %26 = memref.reshape %m(%s) : (memref<4x?xf32>, memref<2xindex>) -> memref<?x4xf32>
  return
}

// -----

func.func @memref_expand_shape(%g: memref<8x8xf32>) {
  %27 = memref.expand_shape %g [[0, 1], [2]] output_shape [2, 4, 8] : memref<8x8xf32> into memref<2x4x8xf32>
  return
}

// -----

func.func @memref_expand_shape_2(%m: memref<4x?xf32>, %i: index) {
  %28 = memref.expand_shape %m [[0], [1, 2]] output_shape [4, %i, 2] : memref<4x?xf32> into memref<4x?x2xf32>
  return
}

// -----

func.func @memref_collapse_shape(%g: memref<8x8xf32>) {
  %29 = memref.collapse_shape %g [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  return
}

// -----

func.func @memref_store(%m: memref<4x?xf32>, %i: index, %f: f32) {
  memref.store %f, %m[%i, %i] : memref<4x?xf32>
  return
}

// -----

func.func @memref_store_2(%m: memref<4x?xf32>, %i: index, %f: f32) {
  memref.store %f, %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  return
}

// -----

func.func @memref_subview(%i: index, %g: memref<8x8xf32>) {
  %30 = memref.subview %g[0, %i] [4, 4] [1, 2] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 2], offset: ?>>
  return
}

// -----

func.func @memref_subview_2(%g: memref<8x8xf32>) {
  %31 = memref.subview %g[2, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: 16>>
  return
}

// -----

func.func @memref_subview_3(%i: index, %st: memref<8x8xf32, strided<[?, 1], offset: ?>>) {
  %32 = memref.subview %st[0, 0] [%i, 8] [1, 1] : memref<8x8xf32, strided<[?, 1], offset: ?>> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  return
}

// -----

func.func @memref_transpose(%g: memref<8x8xf32>) {
  %33 = memref.transpose %g (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  return
}

// -----

func.func @memref_view(%i: index, %b: memref<1024xi8>) {
  %34 = memref.view %b[%i][] : memref<1024xi8> to memref<4x8xf32>
  return
}

// -----

func.func @memref_view_2(%i: index, %b: memref<1024xi8>) {
  %35 = memref.view %b[%i][%i] : memref<1024xi8> to memref<?x8xf32>
  return
}

// -----

func.func @memref_atomic_rmw(%m: memref<4x?xf32>, %i: index, %f: f32) {
  %36 = memref.atomic_rmw addf %f, %m[%i, %i] : (f32, memref<4x?xf32>) -> f32
  return
}

// -----

func.func @memref_atomic_rmw_2(%i: index, %int: memref<4xi32>, %i32: i32) {
  %37 = memref.atomic_rmw maxs %i32, %int[%i] : (i32, memref<4xi32>) -> i32
  return
}

// -----

memref.global "private" constant @constant : memref<2xf32> = dense<0.0> {alignment = 64}

// -----

memref.global @uninitialized : memref<2xf32> = uninitialized

// -----

memref.global "public" @external : memref<2xf32, 1>

// -----

memref.global @infinite : memref<2xf32> = dense<[0x7F800000, 1.0]>

// -----

memref.global @scalar : memref<f32> = dense<1.0>

// -----

memref.global @nested : memref<2x2xi8> = dense<[[1, 2], [-3, 4]]>

// -----

memref.global @resource : memref<2xf32> = dense_resource<foo>
{-# dialect_resources: { builtin: { foo: "0x040000000000803F00000040" } } #-}

// -----

memref.global @g : memref<2xf32> = uninitialized
func.func @get_global() -> memref<2xf32> {
  %0 = memref.get_global @g : memref<2xf32>
  return %0 : memref<2xf32>
}

// -----

func.func @symbols_of_layouts(%n: index, %o: index, %s: index) {
  %0 = memref.alloc(%n)[%s, %o] : memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.alloca(%n)[%o] : memref<?xf32, strided<[2], offset: ?>>
  %2 = memref.alloc(%n)[%s] : memref<4x?xf32, strided<[?, 1]>>
  %3 = memref.alloca(%n)[%s] : memref<?xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
  return
}

// -----

func.func @properties_among_attributes(%i: index, %m: memref<4xf32>) -> f32 {
  %0 = memref.alloc() {alignment = 64 : i64, own} : memref<4xf32>
  %1 = memref.alloca() {alignment = 32 : i64} : memref<4xf32>
  %2 = memref.load %m[%i] {nontemporal = true} : memref<4xf32>
  memref.store %2, %m[%i] {nontemporal = true} : memref<4xf32>
  return %2 : f32
}

// -----

func.func @reshapes_of_views(%a: memref<4x5xf32, strided<[?, 1]>>, %b: memref<4x5xf32, strided<[?, ?]>>, %c: memref<4x?x1xf32, strided<[?, 1, 7], offset: 3>>, %d: memref<1x1xf32, strided<[7, 3], offset: 3>>, %e: memref<20xf32, strided<[2], offset: ?>>) {
  %0 = memref.collapse_shape %a [[0, 1]] : memref<4x5xf32, strided<[?, 1]>> into memref<20xf32, strided<[1]>>
  %1 = memref.collapse_shape %b [[0, 1]] : memref<4x5xf32, strided<[?, ?]>> into memref<20xf32, strided<[?]>>
  %2 = memref.collapse_shape %c [[0], [1, 2]] : memref<4x?x1xf32, strided<[?, 1, 7], offset: 3>> into memref<4x?xf32, strided<[?, 1], offset: 3>>
  %3 = memref.collapse_shape %d [] : memref<1x1xf32, strided<[7, 3], offset: 3>> into memref<f32, strided<[], offset: 3>>
  %4 = memref.expand_shape %e [[0, 1]] output_shape [5, 4] : memref<20xf32, strided<[2], offset: ?>> into memref<5x4xf32, strided<[8, 2], offset: ?>>
  return
}
