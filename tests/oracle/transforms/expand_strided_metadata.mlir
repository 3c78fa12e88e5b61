// PASSES: expand-strided-metadata
func.func private @use(memref<?x?xf32, strided<[?, ?], offset: ?>>)
func.func @sub(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [%n, %n] [%s, 3] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  call @use(%0) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}

// -----

func.func private @use1(memref<4xf32, strided<[3], offset: ?>>)
func.func @subs(%m: memref<8x16xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [1, 4] [1, 3] : memref<8x16xf32> to memref<4xf32, strided<[3], offset: ?>>
  call @use1(%0) : (memref<4xf32, strided<[3], offset: ?>>) -> ()
  return
}

// -----

func.func private @use3(memref<?x4x?xf32, strided<[?, ?, ?], offset: ?>>)
func.func @expand(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %n: index, %k: index) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, %k] : memref<?x?xf32, strided<[?, ?], offset: ?>> into memref<?x4x?xf32, strided<[?, ?, ?], offset: ?>>
  call @use3(%0) : (memref<?x4x?xf32, strided<[?, ?, ?], offset: ?>>) -> ()
  return
}

// -----

func.func private @use3s(memref<2x4x16xf32>)
func.func @expands(%m: memref<8x16xf32>) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  call @use3s(%0) : (memref<2x4x16xf32>) -> ()
  return
}

// -----

func.func private @use2d(memref<?x16xf32>)
func.func @collapse(%m: memref<?x?x16xf32>) {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<?x?x16xf32> into memref<?x16xf32>
  call @use2d(%0) : (memref<?x16xf32>) -> ()
  return
}

// -----

func.func private @use2s(memref<8x16xf32>)
func.func @collapses(%m: memref<2x4x16xf32>) {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x4x16xf32> into memref<8x16xf32>
  call @use2s(%0) : (memref<8x16xf32>) -> ()
  return
}

// -----

func.func @reint(%m: memref<8x16xf32>, %o: index, %n: index) -> memref<?x2xf32, strided<[?, 1], offset: ?>> {
  %0 = memref.reinterpret_cast %m to offset: [%o], sizes: [%n, 2], strides: [%n, 1] : memref<8x16xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x2xf32, strided<[?, 1], offset: ?>>
}

// -----

func.func @meta(%o: index, %n: index, %m: memref<2x?xf32>) -> (memref<f32>, index, index, index, index, index, memref<f32>, index, index, index, index, index, index) {
  %a = memref.alloc(%n) : memref<2x?xf32>
  %b, %off, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<2x?xf32> -> memref<f32>, index, index, index, index, index
  %b1, %off1, %s1:2, %t1:2 = memref.extract_strided_metadata %m : memref<2x?xf32> -> memref<f32>, index, index, index, index, index
  %p = memref.extract_aligned_pointer_as_index %a : memref<2x?xf32> -> index
  return %b, %off, %s#0, %s#1, %t#0, %t#1, %b1, %off1, %s1#0, %s1#1, %t1#0, %t1#1, %p : memref<f32>, index, index, index, index, index, memref<f32>, index, index, index, index, index, index
}

// -----

func.func @metasub(%m: memref<8x16xf32>, %o: index) -> (memref<f32>, index, index) {
  %0 = memref.subview %m[%o, 2] [1, 4] [1, 3] : memref<8x16xf32> to memref<4xf32, strided<[3], offset: ?>>
  %b, %off, %s, %t = memref.extract_strided_metadata %0 : memref<4xf32, strided<[3], offset: ?>> -> memref<f32>, index, index, index
  return %b, %off, %t : memref<f32>, index, index
}

// -----

func.func private @use(memref<?x?xf32, strided<[?, ?], offset: ?>>)
memref.global @g : memref<2x3xf32>
func.func @metaglob(%c: memref<4x3xf32>) -> (memref<f32>, index, memref<f32>, index, index) {
  %m = memref.get_global @g : memref<2x3xf32>
  %b, %off, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<2x3xf32> -> memref<f32>, index, index, index, index, index
  %x = memref.cast %c : memref<4x3xf32> to memref<?x3xf32>
  %b1, %off1, %s1:2, %t1:2 = memref.extract_strided_metadata %x : memref<?x3xf32> -> memref<f32>, index, index, index, index, index
  %p = memref.extract_aligned_pointer_as_index %x : memref<?x3xf32> -> index
  return %b, %off, %b1, %s1#0, %p : memref<f32>, index, memref<f32>, index, index
}
func.func @subsub(%m: memref<?x?xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.subview %m[%o, 2] [%n, %n] [%s, 3] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 3], offset: ?>>
  %1 = memref.subview %0[%o, 2] [%n, %n] [%s, %s] : memref<?x?xf32, strided<[?, 3], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  call @use(%1) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}
func.func @space(%m: memref<4x4xf32, 3>, %o: index) -> memref<16xf32, 3> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32, 3> into memref<16xf32, 3>
  return %0 : memref<16xf32, 3>
}
func.func @memspacecast(%m: memref<4xf32, 3>) -> (memref<f32>, index) {
  %0 = memref.memory_space_cast %m : memref<4xf32, 3> to memref<4xf32>
  %b, %off, %s, %t = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
  return %b, %s : memref<f32>, index
}
func.func @cast0(%m: memref<1x1xf32>, %n: memref<f32>) -> (memref<f32>, memref<1x1xf32>) {
  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  %1 = memref.expand_shape %n [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  return %0, %1 : memref<f32>, memref<1x1xf32>
}
func.func @dim(%m: memref<?x4xf32>, %i: index, %o: index, %s: index) -> index {
  %0 = memref.subview %m[%o, 2] [%o, 1] [%s, 3] : memref<?x4xf32> to memref<?xf32, strided<[?], offset: ?>>
  %c0 = arith.constant 0 : index
  %d = memref.dim %0, %c0 : memref<?xf32, strided<[?], offset: ?>>
  return %d : index
}

// -----

func.func private @use(memref<?xf32, strided<[?], offset: ?>>)
func.func @collapse_strided(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32, strided<[?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  call @use(%0) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  return
}

// -----

func.func private @use(memref<?xf32, strided<[?], offset: ?>>)
func.func @collapse_strided_unit(%m: memref<?x1xf32, strided<[?, ?], offset: ?>>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x1xf32, strided<[?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  call @use(%0) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  return
}

// -----

// DIFFERS: mlir-opt assumes that the division of the size by 8 is exact
func.func private @use3(memref<2x?x4x?xf32, strided<[?, ?, ?, ?], offset: ?>>)
func.func @expand_middle(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %n: index, %k: index) {
  %0 = memref.expand_shape %m [[0, 1, 2], [3]] output_shape [2, %n, 4, %k] : memref<?x?xf32, strided<[?, ?], offset: ?>> into memref<2x?x4x?xf32, strided<[?, ?, ?, ?], offset: ?>>
  call @use3(%0) : (memref<2x?x4x?xf32, strided<[?, ?, ?, ?], offset: ?>>) -> ()
  return
}

// -----

// MLIR-REJECTS: mlir-opt crashes
func.func private @use4(memref<?x?x16xf32>)
func.func @expand_two(%m: memref<?x16xf32>, %n: index, %k: index) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, %k, 16] : memref<?x16xf32> into memref<?x?x16xf32>
  call @use4(%0) : (memref<?x?x16xf32>) -> ()
  return
}

// -----

func.func @pointer(%m: memref<8xf32>, %o: index) -> (index, index) {
  %0 = memref.subview %m[%o] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %p = memref.extract_aligned_pointer_as_index %0 : memref<4xf32, strided<[1], offset: ?>> -> index
  %1 = memref.reinterpret_cast %m to offset: [%o], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %q = memref.extract_aligned_pointer_as_index %1 : memref<4xf32, strided<[1], offset: ?>> -> index
  return %p, %q : index, index
}

// -----

func.func @rein(%m: memref<8x16xf32>, %o: index, %n: index) -> (memref<f32>, index, index, index, index) {
  %0 = memref.reinterpret_cast %m to offset: [%o], sizes: [%n, 2], strides: [%n, 1] : memref<8x16xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  %b, %off, %s:2, %t:2 = memref.extract_strided_metadata %0 : memref<?x2xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %b, %off, %s#0, %t#0, %t#1 : memref<f32>, index, index, index, index
}

// -----

func.func @alloc3(%o: index, %n: index) -> (index, index, index, memref<?x?x4xf32>) {
  %0 = memref.alloca(%o, %n) : memref<?x?x4xf32>
  %b, %off, %s:3, %t:3 = memref.extract_strided_metadata %0 : memref<?x?x4xf32> -> memref<f32>, index, index, index, index, index, index, index
  return %t#0, %t#1, %t#2, %0 : index, index, index, memref<?x?x4xf32>
}

// -----

func.func @suballoc(%o: index, %n: index) -> (memref<?xf32, strided<[?], offset: ?>>) {
  %0 = memref.alloc(%o, %n) : memref<?x?xf32>
  %1 = memref.subview %0[%o, 2] [%n, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %1 : memref<?xf32, strided<[?], offset: ?>>
}

// -----

func.func @incast(%m: memref<8x16xf32>, %o: index, %n: index) -> (memref<?xf32, strided<[?], offset: ?>>) {
  %0 = memref.cast %m : memref<8x16xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = memref.subview %0[%o, 2] [%n, 1] [1, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  return %1 : memref<?xf32, strided<[?], offset: ?>>
}
