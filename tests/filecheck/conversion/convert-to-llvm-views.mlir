// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

// Views only compute. Here an element of each is read, which shows the address.

func.func @subview(%m: memref<8x?xf32>, %o: index, %i: index) -> f32 {
  %v = memref.subview %m[2, %o] [3, 4] [2, 1] : memref<8x?xf32> to memref<3x4xf32, strided<[?, 1], offset: ?>>
  %x = memref.load %v[%i, %i] : memref<3x4xf32, strided<[?, 1], offset: ?>>
  return %x : f32
}

// CHECK:      llvm.func @subview(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %o: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %7 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %8 = llvm.mul %5, %7 : i64
// CHECK-NEXT:   %9 = llvm.add %8, %o : i64
// CHECK-NEXT:   %10 = llvm.mul %5, %7 : i64
// CHECK-NEXT:   %11 = llvm.mul %i, %10 overflow<nsw> : i64
// CHECK-NEXT:   %12 = llvm.add %11, %i overflow<nsw> : i64
// CHECK-NEXT:   %13 = llvm.getelementptr %1[%9] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %14 = llvm.getelementptr inbounds %13[%12] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %15 = llvm.load %14 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %15 : f32
// CHECK-NEXT: }

// -----

// All offsets are known: one address computation.

func.func @subview_static(%m: memref<8x16xf32>, %i: index) -> f32 {
  %v = memref.subview %m[2, 3] [1, 4] [1, 2] : memref<8x16xf32> to memref<4xf32, strided<[2], offset: 35>>
  %x = memref.load %v[%i] : memref<4xf32, strided<[2], offset: 35>>
  return %x : f32
}

// CHECK:      llvm.func @subview_static(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %7 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %8 = llvm.mul %i, %7 overflow<nsw> : i64
// CHECK-NEXT:   %9 = llvm.getelementptr %1[35] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT:   %10 = llvm.getelementptr inbounds %9[%8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %11 = llvm.load %10 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %11 : f32
// CHECK-NEXT: }

// -----

func.func @expand_shape(%m: memref<?x4xf32>, %n: index, %i: index) -> f32 {
  %v = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 2, 4] : memref<?x4xf32> into memref<?x2x4xf32>
  %x = memref.load %v[%i, %i, %i] : memref<?x2x4xf32>
  return %x : f32
}

// CHECK:      llvm.func @expand_shape(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %n: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %7 = llvm.mlir.constant(8) : i64
// CHECK-NEXT:   %8 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %9 = llvm.mul %i, %7 overflow<nsw> : i64
// CHECK-NEXT:   %10 = llvm.mul %i, %8 overflow<nsw> : i64
// CHECK-NEXT:   %11 = llvm.add %9, %10 overflow<nsw> : i64
// CHECK-NEXT:   %12 = llvm.add %11, %i overflow<nsw> : i64
// CHECK-NEXT:   %13 = llvm.getelementptr inbounds %1[%12] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %14 = llvm.load %13 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %14 : f32
// CHECK-NEXT: }

// -----

func.func @collapse_shape(%m: memref<?x2x4xf32>, %i: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %v = memref.collapse_shape %m [[0, 1], [2]] : memref<?x2x4xf32> into memref<?x4xf32>
  %x = memref.load %v[%i, %i] : memref<?x4xf32>
  %n = memref.dim %v, %c0 : memref<?x4xf32>
  return %x, %n : f32, index
}

// CHECK:      llvm.func @collapse_shape(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: i64, %8: i64, %i: i64) -> !llvm.struct<(f32, i64)> {
// CHECK-NEXT:   %9 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %10 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %11 = llvm.mul %3, %9 : i64
// CHECK-NEXT:   %12 = llvm.mul %i, %10 overflow<nsw> : i64
// CHECK-NEXT:   %13 = llvm.add %12, %i overflow<nsw> : i64
// CHECK-NEXT:   %14 = llvm.getelementptr inbounds %1[%13] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %15 = llvm.load %14 : !llvm.ptr -> f32
// CHECK-NEXT:   %16 = llvm.mlir.poison : !llvm.struct<(f32, i64)>
// CHECK-NEXT:   %17 = llvm.insertvalue %15, %16[0] : !llvm.struct<(f32, i64)>
// CHECK-NEXT:   %18 = llvm.insertvalue %11, %17[1] : !llvm.struct<(f32, i64)>
// CHECK-NEXT:   llvm.return %18 : !llvm.struct<(f32, i64)>
// CHECK-NEXT: }

// -----

func.func @reinterpret_cast(%m: memref<?xf32>, %o: index, %i: index) -> f32 {
  %v = memref.reinterpret_cast %m to offset: [%o], sizes: [2, 3], strides: [%i, 1] : memref<?xf32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  %x = memref.load %v[%i, %i] : memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %x : f32
}

// CHECK:      llvm.func @reinterpret_cast(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %o: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %5 = llvm.mul %i, %i overflow<nsw> : i64
// CHECK-NEXT:   %6 = llvm.add %5, %i overflow<nsw> : i64
// CHECK-NEXT:   %7 = llvm.getelementptr %1[%o] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %8 = llvm.getelementptr inbounds %7[%6] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %9 = llvm.load %8 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %9 : f32
// CHECK-NEXT: }

// -----

func.func @transpose(%m: memref<3x4xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %v = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  %x = memref.load %v[%c1, %i] : memref<4x3xf32, strided<[1, 4]>>
  return %x : f32
}

// CHECK:      llvm.func @transpose(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %7 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %8 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %9 = llvm.mul %i, %7 overflow<nsw> : i64
// CHECK-NEXT:   %10 = llvm.add %8, %9 overflow<nsw> : i64
// CHECK-NEXT:   %11 = llvm.getelementptr inbounds %1[%10] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %12 = llvm.load %11 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %12 : f32
// CHECK-NEXT: }

// -----

func.func @view(%m: memref<64xi8>, %o: index, %i: index) -> f32 {
  %v = memref.view %m[%o][%i] : memref<64xi8> to memref<?x2xf32>
  %x = memref.load %v[%i, %i] : memref<?x2xf32>
  return %x : f32
}

// CHECK:      llvm.func @view(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %o: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %5 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %6 = llvm.getelementptr %1[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:   %7 = llvm.mul %i, %5 overflow<nsw> : i64
// CHECK-NEXT:   %8 = llvm.add %7, %i overflow<nsw> : i64
// CHECK-NEXT:   %9 = llvm.getelementptr inbounds %6[%8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %10 = llvm.load %9 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %10 : f32
// CHECK-NEXT: }

// -----

func.func @to_unranked_and_back(%m: memref<3xf32>, %i: index) -> f32 {
  %u = memref.cast %m : memref<3xf32> to memref<*xf32>
  %v = memref.cast %u : memref<*xf32> to memref<?xf32>
  %x = memref.load %v[%i] : memref<?xf32>
  return %x : f32
}

// CHECK:      llvm.func @to_unranked_and_back(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %5 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %6 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %7 = llvm.mlir.constant(3) : i64
// CHECK-NEXT:   %8 = llvm.alloca %5 x !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> : (i64) -> !llvm.ptr
// CHECK-NEXT:   %9 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %10 = llvm.insertvalue %0, %9[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %11 = llvm.insertvalue %1, %10[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %12 = llvm.insertvalue %6, %11[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %13 = llvm.insertvalue %7, %12[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %14 = llvm.insertvalue %5, %13[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   llvm.store %14, %8 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr
// CHECK-NEXT:   %15 = llvm.load %8 : !llvm.ptr -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %16 = llvm.extractvalue %15[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %17 = llvm.extractvalue %15[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %18 = llvm.extractvalue %15[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %19 = llvm.getelementptr inbounds %17[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %20 = llvm.load %19 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %20 : f32
// CHECK-NEXT: }

// -----

func.func @reshape(%m: memref<12xf32>, %shape: memref<2xi32>, %i: index) -> f32 {
  %v = memref.reshape %m(%shape) : (memref<12xf32>, memref<2xi32>) -> memref<?x?xf32>
  %x = memref.load %v[%i, %i] : memref<?x?xf32>
  return %x : f32
}

// CHECK:      llvm.func @reshape(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: !llvm.ptr, %6: !llvm.ptr, %7: i64, %8: i64, %9: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %10 = llvm.load %6 : !llvm.ptr -> i32
// CHECK-NEXT:   %11 = llvm.sext %10 : i32 to i64
// CHECK-NEXT:   %12 = llvm.getelementptr inbounds %6[1] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK-NEXT:   %13 = llvm.load %12 : !llvm.ptr -> i32
// CHECK-NEXT:   %14 = llvm.sext %13 : i32 to i64
// CHECK-NEXT:   %15 = llvm.mul %i, %14 overflow<nsw> : i64
// CHECK-NEXT:   %16 = llvm.add %15, %i overflow<nsw> : i64
// CHECK-NEXT:   %17 = llvm.getelementptr inbounds %1[%16] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %18 = llvm.load %17 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %18 : f32
// CHECK-NEXT: }

// -----

// The length of the shape is the rank: a descriptor of known size, in the entry block.

func.func @reshape_to_unranked(%m: memref<12xf32>, %shape: memref<2xi32>) -> index {
  %v = memref.reshape %m(%shape) : (memref<12xf32>, memref<2xi32>) -> memref<*xf32>
  %r = memref.rank %v : memref<*xf32>
  return %r : index
}

// CHECK:      llvm.func @reshape_to_unranked(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: !llvm.ptr, %6: !llvm.ptr, %7: i64, %8: i64, %9: i64) -> i64 {
// CHECK-NEXT:   %10 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %11 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %12 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %13 = llvm.alloca %10 x !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)> : (i64) -> !llvm.ptr
// CHECK-NEXT:   %14 = llvm.load %6 : !llvm.ptr -> i32
// CHECK-NEXT:   %15 = llvm.sext %14 : i32 to i64
// CHECK-NEXT:   %16 = llvm.getelementptr inbounds %6[1] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK-NEXT:   %17 = llvm.load %16 : !llvm.ptr -> i32
// CHECK-NEXT:   %18 = llvm.sext %17 : i32 to i64
// CHECK-NEXT:   %19 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %20 = llvm.insertvalue %0, %19[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %21 = llvm.insertvalue %1, %20[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %22 = llvm.insertvalue %11, %21[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %23 = llvm.insertvalue %15, %22[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %24 = llvm.insertvalue %18, %23[3, 1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %25 = llvm.insertvalue %18, %24[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %26 = llvm.insertvalue %10, %25[4, 1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   llvm.store %26, %13 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, !llvm.ptr
// CHECK-NEXT:   llvm.return %12 : i64
// CHECK-NEXT: }

// -----

// The descriptor has as many sizes and strides as the shape has elements.

func.func @reshape_to_unknown_rank(%m: memref<*xf32>, %shape: memref<?xi64>, %i: index) -> index {
  %v = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xi64>) -> memref<*xf32>
  %n = memref.dim %v, %i : memref<*xf32>
  return %n : index
}

// CHECK:      llvm.func @reshape_to_unknown_rank(%0: i64, %1: !llvm.ptr, %2: !llvm.ptr, %3: !llvm.ptr, %4: i64, %5: i64, %6: i64, %i: i64) -> i64 {
// CHECK-NEXT:   %7 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %8 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %9 = llvm.mlir.constant(8) : i64
// CHECK-NEXT:   %10 = llvm.mlir.constant(16) : i64
// CHECK-NEXT:   %11 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %12 = llvm.getelementptr inbounds %1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %13 = llvm.load %12 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:   %14 = llvm.getelementptr inbounds %1[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %15 = llvm.load %14 : !llvm.ptr -> i64
// CHECK-NEXT:   %16 = llvm.getelementptr %13[%15] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %17 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:   %18 = llvm.mul %5, %7 : i64
// CHECK-NEXT:   %19 = llvm.add %18, %8 : i64
// CHECK-NEXT:   %20 = llvm.mul %19, %9 : i64
// CHECK-NEXT:   %21 = llvm.add %20, %10 : i64
// CHECK-NEXT:   %22 = llvm.alloca %21 x i8 {alignment = 8 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.store %17, %22 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:   %23 = llvm.getelementptr inbounds %22[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   llvm.store %16, %23 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:   %24 = llvm.getelementptr inbounds %22[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   llvm.store %11, %24 : i64, !llvm.ptr
// CHECK-NEXT:   %25 = llvm.sub %5, %8 : i64
// CHECK-NEXT:   llvm.br ^bb1(%11, %8 : i64, i64)
// CHECK-NEXT: ^bb1(%26: i64, %27: i64):
// CHECK-NEXT:   %28 = llvm.icmp "slt" %26, %5 : i64
// CHECK-NEXT:   llvm.cond_br %28, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %29 = llvm.sub %25, %26 : i64
// CHECK-NEXT:   %30 = llvm.getelementptr inbounds %3[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   %31 = llvm.load %30 : !llvm.ptr -> i64
// CHECK-NEXT:   %32 = llvm.getelementptr inbounds %22[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %33 = llvm.getelementptr inbounds %32[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   llvm.store %31, %33 : i64, !llvm.ptr
// CHECK-NEXT:   %34 = llvm.add %29, %5 : i64
// CHECK-NEXT:   %35 = llvm.getelementptr inbounds %22[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %36 = llvm.getelementptr inbounds %35[%34] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   llvm.store %27, %36 : i64, !llvm.ptr
// CHECK-NEXT:   %37 = llvm.mul %27, %31 : i64
// CHECK-NEXT:   %38 = llvm.add %26, %8 overflow<nsw> : i64
// CHECK-NEXT:   llvm.br ^bb1(%38, %37 : i64, i64)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   %39 = llvm.getelementptr inbounds %22[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %40 = llvm.getelementptr inbounds %39[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   %41 = llvm.load %40 : !llvm.ptr -> i64
// CHECK-NEXT:   llvm.return %41 : i64
// CHECK-NEXT: }

// -----

// All iterations write to one descriptor.

func.func @in_a_loop(%m: memref<?xf32>, %i: index) {
  cf.br ^bb1
^bb1:
  %u = memref.cast %m : memref<?xf32> to memref<*xf32>
  %n = memref.dim %u, %i : memref<*xf32>
  %c = arith.cmpi eq, %n, %i : index
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return
}

// CHECK:      llvm.func @in_a_loop(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64) {
// CHECK-NEXT:   %5 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %6 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %7 = llvm.alloca %5 x !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> : (i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   %8 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %9 = llvm.insertvalue %0, %8[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %10 = llvm.insertvalue %1, %9[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %11 = llvm.insertvalue %6, %10[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %12 = llvm.insertvalue %3, %11[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %13 = llvm.insertvalue %5, %12[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   llvm.store %13, %7 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr
// CHECK-NEXT:   %14 = llvm.getelementptr inbounds %7[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %15 = llvm.getelementptr inbounds %14[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   %16 = llvm.load %15 : !llvm.ptr -> i64
// CHECK-NEXT:   %17 = llvm.icmp "eq" %16, %i : i64
// CHECK-NEXT:   llvm.cond_br %17, ^bb1, ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

// The next iteration reads the descriptor of this one, so that each has its own.

func.func @passed_on(%m: memref<?xf32>, %u: memref<*xf32>, %i: index) {
  cf.br ^bb1(%u : memref<*xf32>)
^bb1(%a: memref<*xf32>):
  %b = memref.cast %m : memref<?xf32> to memref<*xf32>
  %n = memref.dim %a, %i : memref<*xf32>
  %c = arith.cmpi eq, %n, %i : index
  cf.cond_br %c, ^bb1(%b : memref<*xf32>), ^bb2
^bb2:
  return
}

// CHECK:      llvm.func @passed_on(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: !llvm.ptr, %i: i64) {
// CHECK-NEXT:   %7 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %8 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   llvm.br ^bb1(%5, %6 : i64, !llvm.ptr)
// CHECK-NEXT: ^bb1(%9: i64, %10: !llvm.ptr):
// CHECK-NEXT:   %11 = llvm.alloca %7 x !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> : (i64) -> !llvm.ptr
// CHECK-NEXT:   %12 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %13 = llvm.insertvalue %0, %12[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %14 = llvm.insertvalue %1, %13[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %15 = llvm.insertvalue %8, %14[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %16 = llvm.insertvalue %3, %15[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %17 = llvm.insertvalue %7, %16[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   llvm.store %17, %11 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr
// CHECK-NEXT:   %18 = llvm.getelementptr inbounds %10[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %19 = llvm.getelementptr inbounds %18[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   %20 = llvm.load %19 : !llvm.ptr -> i64
// CHECK-NEXT:   %21 = llvm.icmp "eq" %20, %i : i64
// CHECK-NEXT:   llvm.cond_br %21, ^bb1(%7, %11 : i64, !llvm.ptr), ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

// The shape of a clone is on the stack; in a loop, all iterations use one buffer.

func.func @shapes_in_a_loop(%m: memref<?xf32>, %i: index) {
  cf.br ^bb1
^bb1:
  %s = memref.alloca() : memref<1xindex>
  %c0 = arith.constant 0 : index
  memref.store %i, %s[%c0] : memref<1xindex>
  %v = memref.reshape %m(%s) : (memref<?xf32>, memref<1xindex>) -> memref<?xf32>
  %x = memref.load %v[%i] : memref<?xf32>
  cf.br ^bb1
}

// CHECK:      llvm.func @shapes_in_a_loop(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64) {
// CHECK-NEXT:   %5 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %6 = llvm.alloca %5 x !llvm.array<1 x i64> : (i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   llvm.store %i, %6 : i64, !llvm.ptr
// CHECK-NEXT:   %7 = llvm.load %6 : !llvm.ptr -> i64
// CHECK-NEXT:   %8 = llvm.getelementptr inbounds %1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %9 = llvm.load %8 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.br ^bb1
// CHECK-NEXT: }

// -----

func.func @metadata(%m: memref<?x4xf32, strided<[?, 1], offset: 2>>) -> (index, index, index, index) {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x4xf32, strided<[?, 1], offset: 2>> -> memref<f32>, index, index, index, index, index
  %p = memref.extract_aligned_pointer_as_index %m : memref<?x4xf32, strided<[?, 1], offset: 2>> -> index
  return %p, %offset, %sizes#0, %strides#0 : index, index, index, index
}

// CHECK:      llvm.func @metadata(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64) -> !llvm.struct<(i64, i64, i64, i64)> {
// CHECK-NEXT:   %7 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %8 = llvm.ptrtoint %1 : !llvm.ptr to i64
// CHECK-NEXT:   %9 = llvm.mlir.poison : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %10 = llvm.insertvalue %8, %9[0] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %11 = llvm.insertvalue %7, %10[1] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %12 = llvm.insertvalue %3, %11[2] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %13 = llvm.insertvalue %5, %12[3] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   llvm.return %13 : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT: }

// -----

func.func @memory_space_cast(%m: memref<4xf32>, %i: index) -> f32 {
  %v = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 3>
  %x = memref.load %v[%i] : memref<4xf32, 3>
  return %x : f32
}

// CHECK:      llvm.func @memory_space_cast(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %5 = llvm.addrspacecast %0 : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:   %6 = llvm.addrspacecast %1 : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:   %7 = llvm.getelementptr inbounds %6[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT:   %8 = llvm.load %7 : !llvm.ptr<3> -> f32
// CHECK-NEXT:   llvm.return %8 : f32
// CHECK-NEXT: }
