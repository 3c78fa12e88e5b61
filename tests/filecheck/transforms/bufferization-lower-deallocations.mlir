// RUN: xdsl-opt %s --split-input-file -p bufferization-lower-deallocations | filecheck %s
// RUN: xdsl-opt %s --split-input-file -p 'bufferization-lower-deallocations{avoid-lists}' | filecheck %s --check-prefix=IN-LINE

func.func @one(%c: i1, %m: memref<4xf32>) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}

// CHECK-LABEL: func.func @one
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NOT:   func.func private

// -----

func.func @one_retaining(%c: i1, %m: memref<4xf32>, %r: memref<4xf32>) -> i1 {
  %o = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)
  return %o : i1
}

// CHECK-LABEL: func.func @one_retaining
// CHECK:         %[[m:.*]] = memref.extract_aligned_pointer_as_index %m
// CHECK:         %[[r:.*]] = memref.extract_aligned_pointer_as_index %r
// CHECK:         %[[other:.*]] = arith.cmpi ne, %[[m]], %[[r]] : index
// CHECK:         %[[free:.*]] = arith.andi %[[other]], %c : i1
// CHECK:         scf.if %[[free]] {
// CHECK-NEXT:      memref.dealloc %m
// CHECK:         %[[same:.*]] = arith.xori %[[other]], %{{.*}} : i1
// CHECK:         %[[own:.*]] = arith.andi %[[same]], %c : i1
// CHECK:         func.return %[[own]]

// -----

func.func @many(%c: i1, %m: memref<4xf32>, %n: memref<8xf32>, %r: memref<4xf32>) -> i1 {
  %o = bufferization.dealloc (%m, %n : memref<4xf32>, memref<8xf32>) if (%c, %c) retain (%r : memref<4xf32>)
  return %o : i1
}

// CHECK-LABEL: func.func @many
// CHECK:         func.call @dealloc_helper(
// CHECK:         %[[free_m:.*]] = memref.load
// CHECK-NEXT:    scf.if %[[free_m]] {
// CHECK-NEXT:      memref.dealloc %m
// CHECK:         %[[free_n:.*]] = memref.load
// CHECK-NEXT:    scf.if %[[free_n]] {
// CHECK-NEXT:      memref.dealloc %n
// CHECK:         %[[own:.*]] = memref.load
// CHECK:         func.return %[[own]]
// CHECK:       func.func private @dealloc_helper(

// -----

// A few memrefs are compared in line. The second is not freed if it is the first and that
// is owned.

func.func @few(%c: i1, %d: i1, %m: memref<4xf32>, %n: memref<4xf32>, %r: memref<4xf32>)
    -> i1 {
  %o = bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%c, %d)
    retain (%r : memref<4xf32>)
  return %o : i1
}

// CHECK-LABEL: func.func @few
// CHECK:         func.call @dealloc_helper

// IN-LINE-LABEL: func.func @few
// IN-LINE:         [[M:%.*]] = memref.extract_aligned_pointer_as_index %m
// IN-LINE:         [[N:%.*]] = memref.extract_aligned_pointer_as_index %n
// IN-LINE:         [[R:%.*]] = memref.extract_aligned_pointer_as_index %r
// IN-LINE:         [[M_NOT_R:%.*]] = arith.cmpi ne, [[M]], [[R]] : index
// IN-LINE:         [[FREE_M:%.*]] = arith.andi %c, [[M_NOT_R]] : i1
// IN-LINE-NEXT:    scf.if [[FREE_M]] {
// IN-LINE-NEXT:      memref.dealloc %m
// IN-LINE:         [[N_NOT_R:%.*]] = arith.cmpi ne, [[N]], [[R]] : index
// IN-LINE:         [[NOT_RETAINED:%.*]] = arith.andi %d, [[N_NOT_R]] : i1
// IN-LINE-NEXT:    [[N_NOT_M:%.*]] = arith.cmpi ne, [[N]], [[M]] : index
// IN-LINE-NEXT:    [[M_IS_NOT_OWNED:%.*]] = arith.xori %c,
// IN-LINE-NEXT:    [[OTHER:%.*]] = arith.ori [[N_NOT_M]], [[M_IS_NOT_OWNED]] : i1
// IN-LINE-NEXT:    [[FREE_N:%.*]] = arith.andi [[NOT_RETAINED]], [[OTHER]] : i1
// IN-LINE-NEXT:    scf.if [[FREE_N]] {
// IN-LINE-NEXT:      memref.dealloc %n
// IN-LINE-NOT:     func.call

// -----

// A view has the pointer of its buffer: in line, that is the one which is compared.

func.func @views(%c: i1, %m: memref<4x4xf32>, %r: memref<f32>) -> (i1, i1) {
  %base, %offset, %size:2, %stride:2 = memref.extract_strided_metadata %m
      : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  %row = memref.subview %m[1, 0] [1, 4] [1, 1]
      : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %o:2 = bufferization.dealloc (%base : memref<f32>) if (%c)
    retain (%row, %r : memref<4xf32, strided<[1], offset: 4>>, memref<f32>)
  return %o#0, %o#1 : i1, i1
}

// CHECK-LABEL: func.func @views
// CHECK:         memref.extract_aligned_pointer_as_index %base
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %row

// IN-LINE-LABEL: func.func @views
// IN-LINE:         [[BASE:%.*]] = memref.extract_aligned_pointer_as_index %m
// IN-LINE-NEXT:    [[ROW:%.*]] = memref.extract_aligned_pointer_as_index %m
// IN-LINE-NEXT:    arith.cmpi ne, [[BASE]], [[ROW]] : index
// IN-LINE:         memref.dealloc %base
