// RUN: xdsl-opt %s -t llvm | filecheck %s

// A large global may be written as its bytes, but not where its elements are padded.

llvm.mlir.global private constant @bytes(dense<2> : tensor<64xi8>) : !llvm.array<64 x i8>
llvm.mlir.global private constant @words(dense<3> : tensor<8x8xi16>) : !llvm.array<8 x array<8 x i16>>
llvm.mlir.global private constant @rows(dense<1.0> : tensor<64x3xf32>) : !llvm.array<64 x vector<3xf32>>
llvm.mlir.global private constant @filled(dense<1.0> : tensor<300000x3xf32>) : !llvm.array<300000 x vector<3xf32>>

// A value keeps its type.

llvm.func @element() -> i32 {
  %a = llvm.mlir.constant(dense<7> : tensor<64xi32>) : !llvm.array<64 x i32>
  %x = llvm.extractvalue %a[3] : !llvm.array<64 x i32>
  llvm.return %x : i32
}

// CHECK:      @"bytes" = private constant [64 x i8] c"\02\02
// CHECK-NEXT: @"words" = private constant [128 x i8] c"\03\00\03\00
// CHECK-NEXT: @"rows" = private constant [64 x <3 x float>] [<3 x float> <float 0x3ff0000000000000
// CHECK-NEXT: @"filled" = private global [300000 x <3 x float>] zeroinitializer
// CHECK:      store <3 x float> <float 0x3ff0000000000000, float 0x3ff0000000000000, float 0x3ff0000000000000>
// CHECK:      icmp ult i64 {{.*}}, 300000
// CHECK:      extractvalue [64 x i32] [i32 7, i32 7
