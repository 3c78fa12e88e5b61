// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

// Static sizes become constants.

func.func @alloc() -> memref<2x3xf32> {
  %m = memref.alloc() : memref<2x3xf32>
  return %m : memref<2x3xf32>
}

// CHECK:      llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NEXT: llvm.func @alloc() -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)> {
// CHECK-NEXT:   %0 = llvm.mlir.constant(24) : i64
// CHECK-NEXT:   %1 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %2 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %3 = llvm.mlir.constant(3) : i64
// CHECK-NEXT:   %4 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %5 = llvm.call @malloc(%0) : (i64) -> !llvm.ptr
// CHECK-NEXT:   %6 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %7 = llvm.insertvalue %5, %6[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %8 = llvm.insertvalue %5, %7[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %9 = llvm.insertvalue %1, %8[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %10 = llvm.insertvalue %2, %9[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %11 = llvm.insertvalue %3, %10[3, 1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %12 = llvm.insertvalue %3, %11[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   %13 = llvm.insertvalue %4, %12[4, 1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT:   llvm.return %13 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>
// CHECK-NEXT: }

// -----

// An alignment is reached by allocating more.

func.func @aligned(%n: index, %x: f32, %i: index) {
  %m = memref.alloc(%n) {alignment = 64} : memref<?x4xf32>
  memref.store %x, %m[%i, %n] : memref<?x4xf32>
  memref.dealloc %m : memref<?x4xf32>
  return
}

// CHECK:      llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NEXT: llvm.func @free(!llvm.ptr)
// CHECK-NEXT: llvm.func @aligned(%n: i64, %x: f32, %i: i64) {
// CHECK-NEXT:   %0 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %1 = llvm.mlir.constant(64) : i64
// CHECK-NEXT:   %2 = llvm.mlir.constant(-64) : i64
// CHECK-NEXT:   %3 = llvm.mul %n, %0 : i64
// CHECK-NEXT:   %4 = llvm.mul %3, %0 : i64
// CHECK-NEXT:   %5 = llvm.add %4, %1 : i64
// CHECK-NEXT:   %6 = llvm.call @malloc(%5) : (i64) -> !llvm.ptr
// CHECK-NEXT:   %7 = llvm.getelementptr inbounds %6[63] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:   %8 = llvm.intr.ptrmask %7, %2 : (!llvm.ptr, i64) -> !llvm.ptr
// CHECK-NEXT:   %9 = llvm.mul %i, %0 overflow<nsw> : i64
// CHECK-NEXT:   %10 = llvm.add %9, %n overflow<nsw> : i64
// CHECK-NEXT:   %11 = llvm.getelementptr inbounds %8[%10] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   llvm.store %x, %11 : f32, !llvm.ptr
// CHECK-NEXT:   llvm.call @free(%6) : (!llvm.ptr) -> ()
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

func.func @stack(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (f64) {
    %m = memref.alloca() {alignment = 32} : memref<8xf64>
    memref.store %x, %m[%c0] : memref<8xf64>
    %y = memref.load %m[%c0] : memref<8xf64>
    memref.alloca_scope.return %y : f64
  }
  return %r : f64
}

// CHECK:      llvm.func @stack(%x: f64) -> f64 {
// CHECK-NEXT:   %0 = llvm.mlir.constant(8) : i64
// CHECK-NEXT:   %1 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:   %2 = llvm.alloca %0 x f64 {alignment = 32 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.store %x, %2 : f64, !llvm.ptr
// CHECK-NEXT:   %3 = llvm.load %2 : !llvm.ptr -> f64
// CHECK-NEXT:   llvm.intr.stackrestore %1 : !llvm.ptr
// CHECK-NEXT:   llvm.br ^bb1(%3 : f64)
// CHECK-NEXT: ^bb1(%4: f64):
// CHECK-NEXT:   llvm.return %4 : f64
// CHECK-NEXT: }

// -----

memref.global "private" constant @table : memref<2x2xi16> = dense<[[1, 2], [3, -4]]> {alignment = 64}
memref.global "private" @scalar : memref<f32> = dense<2.5>
memref.global "private" @scratch : memref<3xindex> = uninitialized
memref.global @elsewhere : memref<4xf64>

func.func @globals(%i: index) -> i16 {
  %m = memref.get_global @table : memref<2x2xi16>
  %x = memref.load %m[%i, %i] : memref<2x2xi16>
  return %x : i16
}

// CHECK:      llvm.mlir.global private constant @table(dense<[[1, 2], [3, -4]]> : tensor<2x2xi16>) {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.array<2 x !llvm.array<2 x i16>>
// CHECK-NEXT: llvm.mlir.global private @scalar(2.500000e+00 : f32) {addr_space = 0 : i32} : f32
// CHECK-NEXT: llvm.mlir.global private @scratch() {addr_space = 0 : i32} : !llvm.array<3 x i64> {
// CHECK-NEXT:   %0 = llvm.mlir.undef : !llvm.array<3 x i64>
// CHECK-NEXT:   llvm.return %0 : !llvm.array<3 x i64>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.mlir.global external @elsewhere() {addr_space = 0 : i32} : !llvm.array<4 x f64>
// CHECK-NEXT: llvm.func @globals(%i: i64) -> i16 {
// CHECK-NEXT:   %1 = llvm.mlir.constant(3735928559) : i64
// CHECK-NEXT:   %2 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %3 = llvm.mlir.addressof @table : !llvm.ptr
// CHECK-NEXT:   %4 = llvm.inttoptr %1 : i64 to !llvm.ptr
// CHECK-NEXT:   %5 = llvm.mul %i, %2 overflow<nsw> : i64
// CHECK-NEXT:   %6 = llvm.add %5, %i overflow<nsw> : i64
// CHECK-NEXT:   %7 = llvm.getelementptr inbounds %3[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT:   %8 = llvm.load %7 : !llvm.ptr -> i16
// CHECK-NEXT:   llvm.return %8 : i16
// CHECK-NEXT: }

// -----

func.func @queries(%m: memref<?x4xf32>, %i: index, %u: memref<*xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %a = memref.dim %m, %c0 : memref<?x4xf32>
  %b = memref.dim %m, %i : memref<?x4xf32>
  %c = memref.dim %u, %i : memref<*xf32>
  %d = memref.rank %u : memref<*xf32>
  return %a, %b, %c, %d : index, index, index, index
}

// CHECK:      llvm.func @queries(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %i: i64, %7: i64, %8: !llvm.ptr) -> !llvm.struct<(i64, i64, i64, i64)> {
// CHECK-NEXT:   %9 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %10 = llvm.mlir.constant(4) : i64
// CHECK-NEXT:   %11 = llvm.icmp "eq" %i, %9 : i64
// CHECK-NEXT:   %12 = llvm.select %11, %3, %10 : i1, i64
// CHECK-NEXT:   %13 = llvm.getelementptr inbounds %8[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, i64)>
// CHECK-NEXT:   %14 = llvm.getelementptr inbounds %13[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:   %15 = llvm.load %14 : !llvm.ptr -> i64
// CHECK-NEXT:   %16 = llvm.mlir.poison : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %17 = llvm.insertvalue %3, %16[0] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %18 = llvm.insertvalue %12, %17[1] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %19 = llvm.insertvalue %15, %18[2] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   %20 = llvm.insertvalue %7, %19[3] : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT:   llvm.return %20 : !llvm.struct<(i64, i64, i64, i64)>
// CHECK-NEXT: }

// -----

func.func @atomics(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %a = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32
  %b = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    %new = arith.mulf %old, %x : f32
    memref.atomic_yield %new : f32
  }
  return %b : f32
}

// CHECK:      llvm.func @atomics(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64, %x: f32) -> f32 {
// CHECK-NEXT:   %5 = llvm.getelementptr inbounds %1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %6 = llvm.atomicrmw fadd %5, %x acq_rel : !llvm.ptr, f32
// CHECK-NEXT:   %7 = llvm.getelementptr inbounds %1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %8 = llvm.load %7 : !llvm.ptr -> i32
// CHECK-NEXT:   llvm.br ^bb1(%8 : i32)
// CHECK-NEXT: ^bb1(%9: i32):
// CHECK-NEXT:   %10 = llvm.bitcast %9 : i32 to f32
// CHECK-NEXT:   %11 = llvm.fmul %10, %x : f32
// CHECK-NEXT:   %12 = llvm.bitcast %11 : f32 to i32
// CHECK-NEXT:   %13 = llvm.cmpxchg %7, %9, %12 acq_rel monotonic : !llvm.ptr, i32
// CHECK-NEXT:   %14 = llvm.extractvalue %13[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:   %15 = llvm.extractvalue %13[1] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:   llvm.cond_br %15, ^bb2, ^bb1(%14 : i32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   llvm.return %10 : f32
// CHECK-NEXT: }

// -----

func.func @hints(%m: memref<4xf32>, %i: index) {
  %a = memref.assume_alignment %m, 32 : memref<4xf32>
  memref.prefetch %a[%i], write, locality<2>, data : memref<4xf32>
  return
}

// CHECK:      llvm.func @hints(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64) {
// CHECK-NEXT:   %5 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:   %6 = llvm.mlir.constant(32) : i64
// CHECK-NEXT:   llvm.intr.assume %5 ["align"(%1, %6 : !llvm.ptr, i64)] : i1
// CHECK-NEXT:   %7 = llvm.getelementptr inbounds %1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   "llvm.intr.prefetch"(%7) <{rw = 1 : i32, hint = 2 : i32, cache = 1 : i32}> : (!llvm.ptr) -> ()
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }
