// RUN: xdsl-opt %s --split-input-file -p generate-runtime-verification | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p generate-runtime-verification,generate-runtime-verification | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p "generate-runtime-verification{verbose-level=0}" | filecheck %s --check-prefix BRIEF

// An index is compared with the size, as an unsigned number; the second time it is known.

// CHECK-LABEL: func.func @access
// CHECK:         %[[SIZE:.*]] = memref.dim %m
// CHECK-NEXT:    %[[OK:.*]] = arith.cmpi ult, %i, %[[SIZE]] : index
// CHECK-NEXT:    cf.assert %[[OK]], "ERROR: Runtime op verification failed\0A%0 = memref.load %m[%i] : memref<?xf32>\0A^ out-of-bounds access of dimension 0\0ALocation: {{.*}}generate-runtime-verification.mlir:15:8 in @access"
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.store
// BRIEF:       cf.assert %{{.*}}, "ERROR: Runtime op verification failed\0A^ out-of-bounds access of dimension 0\0ALocation: {{.*}}generate-runtime-verification.mlir:15:8 in @access"
func.func @access(%m: memref<?xf32>, %i: index) {
  %0 = memref.load %m[%i] : memref<?xf32>
  memref.store %0, %m[%i] : memref<?xf32>
  return
}

// -----

// What was checked in a branch is not known after it.

// CHECK-LABEL: func.func @branch
// CHECK:         scf.if
// CHECK:           cf.assert
// CHECK-NEXT:      memref.store
// CHECK:         cf.assert
// CHECK-NEXT:    memref.store
func.func @branch(%m: memref<?xf32>, %i: index, %c: i1, %x: f32) {
  scf.if %c {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  memref.store %x, %m[%i] : memref<?xf32>
  return
}

// -----

// Static indices, and indices that loops bound.

// CHECK-LABEL: func.func @known
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @known(%m: memref<?x8xf32>, %x: f32, %s: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %d = memref.dim %m, %c0 : memref<?x8xf32>
  memref.store %x, %s[%c3] : memref<4xf32>
  scf.for %i = %c0 to %d step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %m[%i, %j] : memref<?x8xf32>
    }
  }
  scf.parallel (%i) = (%c0) to (%d) step (%c1) {
    memref.store %x, %m[%i, %c3] : memref<?x8xf32>
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func @never
// CHECK:         %[[OK:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    cf.assert %[[OK]]
func.func @never(%s: memref<4xf32>) -> f32 {
  %c1000 = arith.constant 1000 : index
  %0 = memref.load %s[%c1000] : memref<4xf32>
  return %0 : f32
}

// -----

// The offset is inside, and the size is not more than what is after it.

// CHECK-LABEL: func.func @subview
// CHECK:         arith.cmpi ule, %i, %{{.*}} : index
// CHECK:         {{offset 0 is out-of-bounds}}
// CHECK:         arith.cmpi ule, %n, %{{.*}} : index
// CHECK:         {{subview runs out-of-bounds along dimension 0}}
// CHECK-NEXT:    memref.subview
func.func @subview(%m: memref<?xf32>, %i: index, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%i] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %0 : memref<?xf32, strided<[1], offset: ?>>
}

// -----

// CHECK-LABEL: func.func @strided_subview
// CHECK:         {{offset 0 is out-of-bounds}}
// CHECK:         arith.cmpi ule, %n,
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult
// CHECK-NEXT:    %[[EMPTY:.*]] = arith.cmpi eq, %n,
// CHECK:         arith.select %[[EMPTY]], %{{.*}}, %[[INSIDE]]
// CHECK:         {{subview runs out-of-bounds along dimension 0}}
// CHECK-NEXT:    memref.subview
func.func @strided_subview(%m: memref<?xf32>, %i: index, %n: index) {
  %0 = memref.subview %m[%i] [%n] [2] : memref<?xf32> to memref<?xf32, strided<[2], offset: ?>>
  return
}

// -----

// A cast tells the rank, sizes, strides and offset that were not known.

// CHECK-LABEL: func.func @casts
// CHECK:         {{size mismatch of dim 0}}
// CHECK-NOT:     cf.assert
// CHECK:         memref.cast
// CHECK:         memref.rank
// CHECK:         {{rank mismatch}}
// CHECK:         memref.extract_strided_metadata
// CHECK:         {{offset mismatch}}
// CHECK:         {{stride mismatch of dim 0}}
// CHECK:         memref.cast
func.func @casts(%m: memref<?x4xf32>, %u: memref<*xf32>) {
  %0 = memref.cast %m : memref<?x4xf32> to memref<8x?xf32>
  %1 = memref.cast %u : memref<*xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @copies
// CHECK:         arith.cmpi eq
// CHECK:         {{size of dim 0 of source and target differ}}
// CHECK-NEXT:    memref.copy
// CHECK:         {{ranks differ}}
// CHECK-NEXT:    memref.copy
func.func @copies(%a: memref<?x4xf32>, %b: memref<?x4xf32>, %u: memref<*xf32>, %v: memref<*xf32>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %u, %v : memref<*xf32> to memref<*xf32>
  return
}

// -----

// CHECK-LABEL: func.func @dims
// CHECK:         memref.rank
// CHECK:         {{index is out of bounds}}
// CHECK:         memref.dim %u, %i
// CHECK:         {{index is out of bounds}}
// CHECK:         memref.dim %m, %i
func.func @dims(%u: memref<*xf32>, %m: memref<?x?xf32>, %i: index) -> (index, index) {
  %0 = memref.dim %u, %i : memref<*xf32>
  %1 = memref.dim %m, %i : memref<?x?xf32>
  return %0, %1 : index, index
}

// -----

// CHECK-LABEL: func.func @reshapes
// CHECK:         {{sizes of group 0 do not have the size of dim 0 as product}}
// CHECK-NEXT:    memref.expand_shape
// CHECK:         {{new size 0 is negative}}
// CHECK:         {{new size 1 is negative}}
// CHECK:         {{the new shape has another number of elements}}
// CHECK:         {{the new shape has another number of elements}}
// CHECK:         memref.reshape
// CHECK:         {{the shift is out-of-bounds}}
// CHECK:         {{the view runs out-of-bounds}}
// CHECK-NEXT:    memref.view
func.func @reshapes(%m: memref<?xf32>, %n: index, %s: memref<2xindex>, %bytes: memref<?xi8>) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  %1 = memref.reshape %m(%s) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  %2 = memref.view %bytes[%n][%n] : memref<?xi8> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @alloc
// CHECK:         arith.cmpi ule, %n,
// CHECK:         {{size 0 is negative or too large}}
// CHECK-NEXT:    memref.alloc
// CHECK-NOT:     cf.assert
func.func @alloc(%n: index, %m: memref<?xf32>) {
  %0 = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %1 = memref.alloc(%d) : memref<?xf32>
  return
}

// -----

// Operands of linalg agree on the number of iterations of each loop.

// CHECK-LABEL: func.func @matmul
// CHECK:         {{dimension #0 of input/output operand #1 is incompatible with inferred dimension size}}
// CHECK:         {{dimension #0 of input/output operand #2 is incompatible with inferred dimension size}}
// CHECK:         {{dimension #1 of input/output operand #2 is incompatible with inferred dimension size}}
// CHECK-NEXT:    linalg.matmul
// CHECK-NOT:     cf.assert
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// A sum of indices stays inside, unless there are no iterations.

// CHECK-LABEL: func.func @conv
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:         %[[EMPTY:.*]] = arith.ori
// CHECK:         arith.select %[[EMPTY]], %{{.*}}, %[[INSIDE]]
// CHECK:         {{operand #0 is too small: its dimension 0 is accessed at}}
// CHECK-NEXT:    linalg.conv_1d
func.func @conv(%a: memref<?xf32>, %k: memref<?xf32>, %c: memref<?xf32>) {
  linalg.conv_1d ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @affine_access
// CHECK:         cf.assert
// CHECK:         affine.for %[[I:.*]] = 0 to 8
// CHECK-NEXT:      affine.load
func.func @affine_access(%m: memref<?xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %m[%i * 2 + 1] : memref<?xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @vectors
// CHECK:         cf.assert
// CHECK:         cf.assert
// CHECK:         vector.load
func.func @vectors(%m: memref<?xf32>, %i: index) -> vector<4xf32> {
  %0 = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// The ends of the result are between those of the buffer that the source is a view of.

// CHECK-LABEL: func.func @reinterpret
// CHECK:         {{size 0 is negative}}
// CHECK:         {{the result reaches outside of the source's buffer}}
// CHECK-NEXT:    memref.reinterpret_cast
func.func @reinterpret(%m: memref<?xf32>, %o: index, %n: index, %s: index) {
  %0 = memref.reinterpret_cast %m to offset: [%o], sizes: [%n], strides: [%s] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

// A buffer without elements has a pointer, which may be compared and freed.

// CHECK-LABEL: func.func @pointer_of_base
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @pointer_of_base(%v: memref<?xf32, strided<[?], offset: ?>>) -> index {
  %b, %o, %n, %s = memref.extract_strided_metadata %v : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  %p = memref.extract_aligned_pointer_as_index %b : memref<f32> -> index
  memref.dealloc %b : memref<f32>
  return %p : index
}

// -----

// Static ends are compared here; a buffer's own size and strides need no check.

// CHECK-LABEL: func.func @reinterpret_known
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @reinterpret_known(%m: memref<4x4xf32>, %v: memref<?xf32, strided<[?], offset: ?>>, %c: memref<?xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [4] : memref<4x4xf32> to memref<4xf32, strided<[4], offset: 3>>
  %b, %o, %n, %s = memref.extract_strided_metadata %v : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  %1 = memref.reinterpret_cast %b to offset: [%o], sizes: [%n], strides: [%s] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
  %c0 = arith.constant 0 : index
  %d = memref.dim %c, %c0 : memref<?xf32>
  %2 = memref.reinterpret_cast %c to offset: [0], sizes: [%d], strides: [1] : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reinterpret_outside
// CHECK:         {{the result reaches outside of the source's buffer}}
func.func @reinterpret_outside(%m: memref<4x4xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [3], sizes: [5], strides: [4] : memref<4x4xf32> to memref<5xf32, strided<[4], offset: 3>>
  return
}

// -----

// What is merged must be contiguous, which strides tell.

// CHECK-LABEL: func.func @collapse
// CHECK-NOT:     cf.assert
// CHECK:         memref.collapse_shape %c
// CHECK:         {{dim 0 is merged with the next one but is not contiguous}}
// CHECK-NEXT:    memref.collapse_shape %m
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @collapse(%c: memref<?x?xf32>, %m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %k: memref<1x?xf32, strided<[?, ?], offset: ?>>) {
  %0 = memref.collapse_shape %c [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %1 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32, strided<[?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  %2 = memref.collapse_shape %k [[0, 1]] : memref<1x?xf32, strided<[?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  return
}

// -----

// A second run adds nothing, and takes assertions of the program for known.

// CHECK-LABEL: func.func @asserted
// CHECK:         cf.assert %{{.*}}, "my own"
// CHECK-NOT:     cf.assert
// CHECK:         memref.subview
// CHECK:         cf.assert
// CHECK-NOT:     cf.assert
// CHECK:         memref.load
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @asserted(%m: memref<?xf32>, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %ok = arith.cmpi ule, %n, %d : index
  cf.assert %ok, "my own"
  %v = memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32>
  %0 = memref.load %v[%i] : memref<?xf32>
  return %0 : f32
}

// -----

// Ops on tensors are checked before bufferization, with the same words.

// CHECK-LABEL: func.func @tensors
// CHECK:         tensor.dim %t
// CHECK:         {{tensor.cast .*size mismatch of dim 0}}
// CHECK-NEXT:    tensor.cast
// CHECK:         {{tensor.extract .*out-of-bounds access of dimension 0}}
// CHECK-NEXT:    tensor.extract
// CHECK:         {{tensor.extract_slice .*offset 0 is out-of-bounds}}
// CHECK:         {{slice runs out-of-bounds along dimension 0}}
// CHECK-NEXT:    tensor.extract_slice
// CHECK:         {{dim 0 of the source is not the slice's}}
// CHECK-NEXT:    tensor.insert_slice
// CHECK:         {{low padding of dim 0 is negative}}
// CHECK:         {{high padding of dim 0 is negative}}
// CHECK-NEXT:    tensor.pad
// CHECK:         {{dimension #0 of input/output operand #1 is incompatible}}
// CHECK-NEXT:    linalg.exp
// CHECK:         return
func.func @tensors(%t: tensor<?xf32>, %s: tensor<?xf32>, %n: index, %i: index, %x: f32) {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  %2 = tensor.extract_slice %t[%n] [%i] [1] : tensor<?xf32> to tensor<?xf32>
  %3 = tensor.insert_slice %s into %t[%n] [%i] [1] : tensor<?xf32> into tensor<?xf32>
  %4 = tensor.pad %t low[%n] high[%i] {
  ^bb0(%k: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %5 = linalg.exp ins(%t : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// Tiles have the size that the op says, and there are enough of them.

// CHECK-LABEL: func.func @relayout
// CHECK:         {{inner tile 0 is not positive}}
// CHECK:         {{dim 1 of the packed operand is not the size of tile 0}}
// CHECK:         {{too few tiles for dim 0}}
// CHECK-NEXT:    linalg.pack
// CHECK:         {{the tiles of dim 0 are not as large as the dim together}}
// CHECK-NEXT:    linalg.pack
// CHECK:         linalg.unpack
func.func @relayout(%a: tensor<?xf32>, %p: tensor<?x?xf32>, %t: index, %x: f32) {
  %0 = linalg.pack %a padding_value(%x : f32) inner_dims_pos = [0] inner_tiles = [%t] into %p : tensor<?xf32> -> tensor<?x?xf32>
  %1 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%t] into %p : tensor<?xf32> -> tensor<?x?xf32>
  %2 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [%t] into %a : tensor<?x?xf32> -> tensor<?xf32>
  return
}

// -----

// All lanes are compared at once, also those of indices that are not of type index.

// CHECK-LABEL: func.func @lanes
// CHECK:         arith.index_cast %{{.*}} : vector<4xi32> to vector<4xindex>
// CHECK:         arith.cmpi uge, %{{.*}}, %{{.*}} : vector<4xindex>
// CHECK:         vector.gather
func.func @lanes(%m: memref<?xf32>, %i: index, %n: vector<4xi32>, %k: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.gather %m[%i] [%n], %k, %p : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// Indices that are linear in the induction variables are checked before the loops.

// CHECK-LABEL: func.func @nest
// CHECK:         %[[LAST:.*]] = arith.addi %n, %{{.*}} : index
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[LAST]], %{{.*}} : index
// CHECK:         arith.cmpi sle, %n, %{{.*}} : index
// CHECK:         arith.select %{{.*}}, %{{.*}}, %[[INSIDE]] : i1
// CHECK:         {{out-of-bounds access of dimension 0}}
// CHECK:         {{out-of-bounds access of dimension 1}}
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.load
// CHECK-NEXT:        memref.store
func.func @nest(%m: memref<?x?xf32>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %x = memref.load %m[%i, %j] : memref<?x?xf32>
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// What calls, and what is executed under a condition, stays in the loop.

// CHECK-LABEL: func.func @may_end
// CHECK:         scf.for
// CHECK:           {{out-of-bounds access of dimension 0}}
// CHECK-NEXT:      memref.load
// CHECK:         scf.for
// CHECK-NEXT:      scf.if
// CHECK:             {{out-of-bounds access of dimension 0}}
// CHECK-NEXT:        memref.store
func.func private @stop_if(f32)
func.func @may_end(%m: memref<?xf32>, %n: index, %b: i1, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    func.call @stop_if(%x) : (f32) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.if %b {
      memref.store %f, %m[%i] : memref<?xf32>
    }
  }
  return
}
