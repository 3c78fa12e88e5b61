// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

// Contiguous on both sides: one memcpy.

func.func @contiguous(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  return
}

// CHECK:      llvm.func @contiguous(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: !llvm.ptr, %8: !llvm.ptr, %9: i64, %10: i64, %11: i64, %12: i64, %13: i64) {
// CHECK-NEXT:   %14 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %15 = llvm.mul %10, %14 : i64
// CHECK-NEXT:   %16 = llvm.mul %15, %14 : i64
// CHECK-NEXT:   "llvm.intr.memcpy"(%8, %1, %16) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

// Rows are contiguous: a loop of memcpys.

func.func @rows(%a: memref<3x4xf32, strided<[8, 1], offset: 2>>, %b: memref<3x4xf32>) {
  memref.copy %a, %b : memref<3x4xf32, strided<[8, 1], offset: 2>> to memref<3x4xf32>
  return
}

// CHECK:      llvm.func @rows(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: !llvm.ptr, %8: !llvm.ptr, %9: i64, %10: i64, %11: i64, %12: i64, %13: i64) {
// CHECK-NEXT:   %14 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %15 = llvm.mlir.constant(8) : i64
// CHECK-NEXT:   %16 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %17 = llvm.mlir.constant(16) : i64
// CHECK-NEXT:   %18 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %19 = llvm.mlir.constant(3) : i64
// CHECK-NEXT:   %20 = llvm.getelementptr %1[2] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT:   llvm.br ^bb1(%14 : i64)
// CHECK-NEXT: ^bb1(%21: i64):
// CHECK-NEXT:   %22 = llvm.icmp "slt" %21, %19 : i64
// CHECK-NEXT:   llvm.cond_br %22, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %23 = llvm.mul %21, %15 overflow<nsw> : i64
// CHECK-NEXT:   %24 = llvm.getelementptr inbounds %20[%23] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %25 = llvm.mul %21, %16 overflow<nsw> : i64
// CHECK-NEXT:   %26 = llvm.getelementptr inbounds %8[%25] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   "llvm.intr.memcpy"(%26, %24, %17) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:   %27 = llvm.add %21, %18 overflow<nsw> : i64
// CHECK-NEXT:   llvm.br ^bb1(%27 : i64)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

// Nothing is known to be contiguous: element by element.

func.func @elements(%a: memref<?xf32, strided<[?]>>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32, strided<[?]>> to memref<?xf32>
  return
}

// CHECK:      llvm.func @elements(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: !llvm.ptr, %6: !llvm.ptr, %7: i64, %8: i64, %9: i64) {
// CHECK-NEXT:   %10 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %11 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   llvm.br ^bb1(%10 : i64)
// CHECK-NEXT: ^bb1(%12: i64):
// CHECK-NEXT:   %13 = llvm.icmp "slt" %12, %8 : i64
// CHECK-NEXT:   llvm.cond_br %13, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %14 = llvm.mul %12, %4 overflow<nsw> : i64
// CHECK-NEXT:   %15 = llvm.getelementptr inbounds %1[%14] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %16 = llvm.getelementptr inbounds %6[%12] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %17 = llvm.load %15 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.store %17, %16 : f32, !llvm.ptr
// CHECK-NEXT:   %18 = llvm.add %12, %11 overflow<nsw> : i64
// CHECK-NEXT:   llvm.br ^bb1(%18 : i64)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

func.func @scalar(%a: memref<1x1xi8>, %b: memref<1x1xi8, strided<[5, 3], offset: 7>>) {
  memref.copy %a, %b : memref<1x1xi8> to memref<1x1xi8, strided<[5, 3], offset: 7>>
  return
}

// CHECK:      llvm.func @scalar(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: !llvm.ptr, %8: !llvm.ptr, %9: i64, %10: i64, %11: i64, %12: i64, %13: i64) {
// CHECK-NEXT:   %14 = llvm.getelementptr %8[7] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:   %15 = llvm.load %1 : !llvm.ptr -> i8
// CHECK-NEXT:   llvm.store %15, %14 : i8, !llvm.ptr
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }
