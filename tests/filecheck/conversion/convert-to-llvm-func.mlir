// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

// A memref argument is passed as the fields of its descriptor; what its type fixes is not
// read. Without need no descriptor is built.

func.func @load(%m: memref<4x8xf32>, %i: index) -> f32 {
  %c2 = arith.constant 2 : index
  %x = memref.load %m[%c2, %i] : memref<4x8xf32>
  return %x : f32
}

// CHECK:      llvm.func @load(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %7 = llvm.mlir.constant(16) : i64
// CHECK-NEXT:   %8 = llvm.add %7, %i overflow<nsw> : i64
// CHECK-NEXT:   %9 = llvm.getelementptr inbounds %1[%8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %10 = llvm.load %9 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %10 : f32
// CHECK-NEXT: }

// -----

// Several results are packed into a struct.

func.func private @pair(%x: i32, %m: memref<2xf32>) -> (memref<2xf32>, i32) {
  return %m, %x : memref<2xf32>, i32
}

// CHECK:      llvm.func @pair(%x: i32, %0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64) -> !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)> attributes {sym_visibility = "private"} {
// CHECK-NEXT:   %5 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %6 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %7 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %8 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %9 = llvm.insertvalue %0, %8[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %10 = llvm.insertvalue %1, %9[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %11 = llvm.insertvalue %5, %10[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %12 = llvm.insertvalue %6, %11[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %13 = llvm.insertvalue %7, %12[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %14 = llvm.mlir.poison : !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT:   %15 = llvm.insertvalue %13, %14[0] : !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT:   %16 = llvm.insertvalue %x, %15[1] : !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT:   llvm.return %16 : !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT: }

// -----

func.func private @pair(memref<?xf32>) -> (memref<?xf32>, i32)

func.func @caller(%m: memref<?xf32>, %i: index) -> f32 {
  %r:2 = call @pair(%m) : (memref<?xf32>) -> (memref<?xf32>, i32)
  %x = memref.load %r#0[%i] : memref<?xf32>
  return %x : f32
}

// CHECK:      llvm.func @pair(!llvm.ptr, !llvm.ptr, i64, i64, i64) -> !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)> attributes {sym_visibility = "private"}
// CHECK-NEXT: llvm.func @caller(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %5 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %6 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %7 = llvm.call @pair(%0, %1, %5, %3, %6) : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT:   %8 = llvm.extractvalue %7[0] : !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT:   %9 = llvm.extractvalue %8[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %10 = llvm.extractvalue %8[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %11 = llvm.extractvalue %8[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %12 = llvm.extractvalue %7[1] : !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, i32)>
// CHECK-NEXT:   %13 = llvm.getelementptr inbounds %10[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %14 = llvm.load %13 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %14 : f32
// CHECK-NEXT: }

// -----

// C calls a function with its interface through pointers to descriptors.

func.func @from_c(%m: memref<2xf32>) -> memref<2xf32> attributes {llvm.emit_c_interface} {
  return %m : memref<2xf32>
}

// CHECK:      llvm.func @from_c(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> attributes {llvm.emit_c_interface} {
// CHECK-NEXT:   %5 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:   %6 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %7 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %8 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %9 = llvm.insertvalue %0, %8[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %10 = llvm.insertvalue %1, %9[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %11 = llvm.insertvalue %5, %10[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %12 = llvm.insertvalue %6, %11[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %13 = llvm.insertvalue %7, %12[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   llvm.return %13 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.func @_mlir_ciface_from_c(%14: !llvm.ptr, %15: !llvm.ptr) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:   %16 = llvm.load %15 : !llvm.ptr -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %17 = llvm.extractvalue %16[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %18 = llvm.extractvalue %16[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %19 = llvm.extractvalue %16[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %20 = llvm.extractvalue %16[3, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %21 = llvm.extractvalue %16[4, 0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   %22 = llvm.call @from_c(%17, %18, %19, %20, %21) : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>
// CHECK-NEXT:   llvm.store %22, %14 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>, !llvm.ptr
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }

// -----

// A declared one is called the same way.

func.func private @to_c(memref<f32>, i32) attributes {llvm.emit_c_interface}

// CHECK:      llvm.func private @to_c(%0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i32) attributes {llvm.emit_c_interface, sym_visibility = "private"} {
// CHECK-NEXT:   %4 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %5 = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)>
// CHECK-NEXT:   %6 = llvm.insertvalue %0, %5[0] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)>
// CHECK-NEXT:   %7 = llvm.insertvalue %1, %6[1] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)>
// CHECK-NEXT:   %8 = llvm.insertvalue %2, %7[2] : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)>
// CHECK-NEXT:   %9 = llvm.alloca %4 x !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)> : (i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.store %8, %9 : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)>, !llvm.ptr
// CHECK-NEXT:   llvm.call @_mlir_ciface_to_c(%9, %3) : (!llvm.ptr, i32) -> ()
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }
// CHECK-NEXT: llvm.func @_mlir_ciface_to_c(!llvm.ptr, i32) attributes {llvm.emit_c_interface, sym_visibility = "private"}

// -----

// The descriptor of an unranked result moves from the callee's stack over the heap.

func.func @unranked(%u: memref<*xf32>) -> memref<*xf32> {
  return %u : memref<*xf32>
}

// CHECK:      llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NEXT: llvm.func @unranked(%0: i64, %1: !llvm.ptr) -> !llvm.struct<(i64, !llvm.ptr)> {
// CHECK-NEXT:   %2 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:   %3 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:   %4 = llvm.mlir.constant(8) : i64
// CHECK-NEXT:   %5 = llvm.mlir.constant(16) : i64
// CHECK-NEXT:   %6 = llvm.mul %0, %2 : i64
// CHECK-NEXT:   %7 = llvm.add %6, %3 : i64
// CHECK-NEXT:   %8 = llvm.mul %7, %4 : i64
// CHECK-NEXT:   %9 = llvm.add %8, %5 : i64
// CHECK-NEXT:   %10 = llvm.call @malloc(%9) : (i64) -> !llvm.ptr
// CHECK-NEXT:   "llvm.intr.memcpy"(%10, %1, %9) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:   %11 = llvm.mlir.poison : !llvm.struct<(i64, !llvm.ptr)>
// CHECK-NEXT:   %12 = llvm.insertvalue %0, %11[0] : !llvm.struct<(i64, !llvm.ptr)>
// CHECK-NEXT:   %13 = llvm.insertvalue %10, %12[1] : !llvm.struct<(i64, !llvm.ptr)>
// CHECK-NEXT:   llvm.return %13 : !llvm.struct<(i64, !llvm.ptr)>
// CHECK-NEXT: }

// -----

func.func @attributes(%m: memref<4xf32> {llvm.noalias}, %n: i32 {llvm.noundef}) attributes {llvm.linkage = #llvm.linkage<internal>} {
  return
}

// CHECK:      llvm.func internal @attributes(%0: !llvm.ptr, %1: !llvm.ptr {llvm.noalias}, %2: i64, %3: i64, %4: i64, %n: i32 {llvm.noundef}) {
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }
