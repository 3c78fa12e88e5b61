// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

// A memref passed to a block takes with it only what its type leaves open.

func.func @buffers(%c: i1, %a: memref<2x?xf32, strided<[?, 1]>>, %b: memref<2x?xf32, strided<[?, 1]>>, %i: index) -> f32 {
  cf.cond_br %c, ^bb1(%a : memref<2x?xf32, strided<[?, 1]>>), ^bb1(%b : memref<2x?xf32, strided<[?, 1]>>)
^bb1(%m: memref<2x?xf32, strided<[?, 1]>>):
  %x = memref.load %m[%i, %i] : memref<2x?xf32, strided<[?, 1]>>
  return %x : f32
}

// CHECK:      llvm.func @buffers(%c: i1, %0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: !llvm.ptr, %8: !llvm.ptr, %9: i64, %10: i64, %11: i64, %12: i64, %13: i64, %i: i64) -> f32 {
// CHECK-NEXT:   llvm.cond_br %c, ^bb1(%0, %1, %4, %5 : !llvm.ptr, !llvm.ptr, i64, i64), ^bb1(%7, %8, %11, %12 : !llvm.ptr, !llvm.ptr, i64, i64)
// CHECK-NEXT: ^bb1(%14: !llvm.ptr, %15: !llvm.ptr, %16: i64, %17: i64):
// CHECK-NEXT:   %18 = llvm.mul %i, %17 overflow<nsw> : i64
// CHECK-NEXT:   %19 = llvm.add %18, %i overflow<nsw> : i64
// CHECK-NEXT:   %20 = llvm.getelementptr inbounds %15[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %21 = llvm.load %20 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %21 : f32
// CHECK-NEXT: }

// -----

func.func @select(%c: i1, %a: memref<2x?xf32>, %b: memref<2x?xf32>, %i: index) -> f32 {
  %m = arith.select %c, %a, %b : memref<2x?xf32>
  %x = memref.load %m[%i, %i] : memref<2x?xf32>
  return %x : f32
}

// CHECK:      llvm.func @select(%c: i1, %0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: !llvm.ptr, %8: !llvm.ptr, %9: i64, %10: i64, %11: i64, %12: i64, %13: i64, %i: i64) -> f32 {
// CHECK-NEXT:   %14 = llvm.select %c, %0, %7 : i1, !llvm.ptr
// CHECK-NEXT:   %15 = llvm.select %c, %1, %8 : i1, !llvm.ptr
// CHECK-NEXT:   %16 = llvm.select %c, %4, %11 : i1, i64
// CHECK-NEXT:   %17 = llvm.select %c, %5, %12 : i1, i64
// CHECK-NEXT:   %18 = llvm.mul %i, %17 overflow<nsw> : i64
// CHECK-NEXT:   %19 = llvm.add %18, %i overflow<nsw> : i64
// CHECK-NEXT:   %20 = llvm.getelementptr inbounds %15[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %21 = llvm.load %20 : !llvm.ptr -> f32
// CHECK-NEXT:   llvm.return %21 : f32
// CHECK-NEXT: }

// -----

func.func @switch(%s: i8, %x: i32) -> i32 {
  cf.switch %s : i8, [
    default: ^bb1(%x : i32),
    1: ^bb2,
    -3: ^bb1(%x : i32)
  ]
^bb1(%a: i32):
  return %a : i32
^bb2:
  return %x : i32
}

// CHECK:      llvm.func @switch(%s: i8, %x: i32) -> i32 {
// CHECK-NEXT:   llvm.switch %s : i8, ^bb2(%x : i32) [
// CHECK-NEXT:     1: ^bb1,
// CHECK-NEXT:     -3: ^bb2(%x : i32)
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   llvm.return %x : i32
// CHECK-NEXT: ^bb2(%0: i32):
// CHECK-NEXT:   llvm.return %0 : i32
// CHECK-NEXT: }

// -----

func.func @assert(%c: i1) {
  cf.assert %c, "no"
  return
}

// CHECK:      llvm.mlir.global private constant @assert_msg(dense<[110, 111, 0]> : tensor<3xi8>) {addr_space = 0 : i32} : !llvm.array<3 x i8>
// CHECK-NEXT: llvm.func @puts(!llvm.ptr)
// CHECK-NEXT: llvm.func @abort()
// CHECK-NEXT: llvm.func @assert(%c: i1) {
// CHECK-NEXT:   llvm.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   %0 = llvm.mlir.addressof @assert_msg : !llvm.ptr
// CHECK-NEXT:   llvm.call @puts(%0) : (!llvm.ptr) -> ()
// CHECK-NEXT:   llvm.call @abort() : () -> ()
// CHECK-NEXT:   llvm.unreachable
// CHECK-NEXT: }

// -----

// Blocks come out in an order in which values are defined before their uses; what cannot be
// reached is dropped.

func.func @order(%c: i1, %x: i32) -> i32 {
  cf.br ^bb2
^bb1:
  return %z : i32
^bb2:
  %z = arith.muli %x, %x : i32
  cf.br ^bb1
^bb3:
  return %x : i32
}

// CHECK:      llvm.func @order(%c: i1, %x: i32) -> i32 {
// CHECK-NEXT:   llvm.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   %0 = llvm.mul %x, %x : i32
// CHECK-NEXT:   llvm.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   llvm.return %0 : i32
// CHECK-NEXT: }
