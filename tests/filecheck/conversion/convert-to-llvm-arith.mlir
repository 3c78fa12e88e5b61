// RUN: xdsl-opt %s --split-input-file -p convert-to-llvm | filecheck %s

func.func @integers(%a: i32, %b: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %b overflow<nsw> : i32
  %1 = arith.subi %0, %b : i32
  %2 = arith.muli %1, %b overflow<nsw, nuw> : i32
  %3 = arith.divsi %2, %b : i32
  %4 = arith.remui %3, %b : i32
  %5 = arith.maxsi %4, %b : i32
  %6 = arith.minui %5, %b : i32
  %7 = arith.shrsi %6, %b : i32
  %8 = arith.cmpi ult, %7, %b : i32
  %9 = arith.select %8, %7, %b : i32
  return %9 : i32
}

// CHECK:      llvm.func @integers(%a: i32, %b: i32, %c: i1) -> i32 {
// CHECK-NEXT:   %0 = llvm.add %a, %b overflow<nsw> : i32
// CHECK-NEXT:   %1 = llvm.sub %0, %b : i32
// CHECK-NEXT:   %2 = llvm.mul %1, %b overflow<nsw,nuw> : i32
// CHECK-NEXT:   %3 = llvm.sdiv %2, %b : i32
// CHECK-NEXT:   %4 = llvm.urem %3, %b : i32
// CHECK-NEXT:   %5 = llvm.intr.smax(%4, %b) : (i32, i32) -> i32
// CHECK-NEXT:   %6 = llvm.intr.umin(%5, %b) : (i32, i32) -> i32
// CHECK-NEXT:   %7 = llvm.ashr %6, %b : i32
// CHECK-NEXT:   %8 = llvm.icmp "ult" %7, %b : i32
// CHECK-NEXT:   %9 = llvm.select %8, %7, %b : i1, i32
// CHECK-NEXT:   llvm.return %9 : i32
// CHECK-NEXT: }

// -----

// Indices are folded as they become known.

func.func @indices(%a: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.muli %c2, %c3 : index
  %1 = arith.addi %a, %c0 : index
  %2 = arith.addi %1, %0 : index
  return %2 : index
}

// CHECK:      llvm.func @indices(%a: i64) -> i64 {
// CHECK-NEXT:   %0 = llvm.mlir.constant(6) : i64
// CHECK-NEXT:   %1 = llvm.add %a, %0 : i64
// CHECK-NEXT:   llvm.return %1 : i64
// CHECK-NEXT: }

// -----

func.func @divisions(%a: i32, %b: i32) -> (i32, i32, i32) {
  %0 = arith.ceildivui %a, %b : i32
  %1 = arith.ceildivsi %a, %b : i32
  %2 = arith.floordivsi %a, %b : i32
  return %0, %1, %2 : i32, i32, i32
}

// CHECK:      llvm.func @divisions(%a: i32, %b: i32) -> !llvm.struct<(i32, i32, i32)> {
// CHECK-NEXT:   %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:   %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:   %2 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:   %3 = llvm.sub %a, %1 : i32
// CHECK-NEXT:   %4 = llvm.udiv %3, %b : i32
// CHECK-NEXT:   %5 = llvm.icmp "eq" %a, %0 : i32
// CHECK-NEXT:   %6 = llvm.add %4, %1 : i32
// CHECK-NEXT:   %7 = llvm.select %5, %0, %6 : i1, i32
// CHECK-NEXT:   %8 = llvm.sdiv %a, %b : i32
// CHECK-NEXT:   %9 = llvm.mul %8, %b : i32
// CHECK-NEXT:   %10 = llvm.icmp "ne" %a, %9 : i32
// CHECK-NEXT:   %11 = llvm.icmp "slt" %a, %0 : i32
// CHECK-NEXT:   %12 = llvm.icmp "slt" %b, %0 : i32
// CHECK-NEXT:   %13 = llvm.icmp "eq" %11, %12 : i1
// CHECK-NEXT:   %14 = llvm.add %8, %1 : i32
// CHECK-NEXT:   %15 = llvm.and %10, %13 : i1
// CHECK-NEXT:   %16 = llvm.select %15, %14, %8 : i1, i32
// CHECK-NEXT:   %17 = llvm.sdiv %a, %b : i32
// CHECK-NEXT:   %18 = llvm.mul %17, %b : i32
// CHECK-NEXT:   %19 = llvm.icmp "ne" %a, %18 : i32
// CHECK-NEXT:   %20 = llvm.icmp "slt" %a, %0 : i32
// CHECK-NEXT:   %21 = llvm.icmp "slt" %b, %0 : i32
// CHECK-NEXT:   %22 = llvm.icmp "ne" %20, %21 : i1
// CHECK-NEXT:   %23 = llvm.add %17, %2 : i32
// CHECK-NEXT:   %24 = llvm.and %19, %22 : i1
// CHECK-NEXT:   %25 = llvm.select %24, %23, %17 : i1, i32
// CHECK-NEXT:   %26 = llvm.mlir.poison : !llvm.struct<(i32, i32, i32)>
// CHECK-NEXT:   %27 = llvm.insertvalue %7, %26[0] : !llvm.struct<(i32, i32, i32)>
// CHECK-NEXT:   %28 = llvm.insertvalue %16, %27[1] : !llvm.struct<(i32, i32, i32)>
// CHECK-NEXT:   %29 = llvm.insertvalue %25, %28[2] : !llvm.struct<(i32, i32, i32)>
// CHECK-NEXT:   llvm.return %29 : !llvm.struct<(i32, i32, i32)>
// CHECK-NEXT: }

// -----

func.func @extended(%a: i32, %b: i32) -> (i32, i1, i32) {
  %0, %1 = arith.addui_extended %a, %b : i32, i1
  %2, %3 = arith.mulsi_extended %a, %b : i32
  return %0, %1, %3 : i32, i1, i32
}

// CHECK:      llvm.func @extended(%a: i32, %b: i32) -> !llvm.struct<(i32, i1, i32)> {
// CHECK-NEXT:   %0 = llvm.mlir.constant(32) : i64
// CHECK-NEXT:   %1 = llvm.add %a, %b : i32
// CHECK-NEXT:   %2 = llvm.icmp "ult" %1, %a : i32
// CHECK-NEXT:   %3 = llvm.sext %a : i32 to i64
// CHECK-NEXT:   %4 = llvm.sext %b : i32 to i64
// CHECK-NEXT:   %5 = llvm.mul %3, %4 : i64
// CHECK-NEXT:   %6 = llvm.trunc %5 : i64 to i32
// CHECK-NEXT:   %7 = llvm.sext %a : i32 to i64
// CHECK-NEXT:   %8 = llvm.sext %b : i32 to i64
// CHECK-NEXT:   %9 = llvm.mul %7, %8 : i64
// CHECK-NEXT:   %10 = llvm.lshr %9, %0 : i64
// CHECK-NEXT:   %11 = llvm.trunc %10 : i64 to i32
// CHECK-NEXT:   %12 = llvm.mlir.poison : !llvm.struct<(i32, i1, i32)>
// CHECK-NEXT:   %13 = llvm.insertvalue %1, %12[0] : !llvm.struct<(i32, i1, i32)>
// CHECK-NEXT:   %14 = llvm.insertvalue %2, %13[1] : !llvm.struct<(i32, i1, i32)>
// CHECK-NEXT:   %15 = llvm.insertvalue %11, %14[2] : !llvm.struct<(i32, i1, i32)>
// CHECK-NEXT:   llvm.return %15 : !llvm.struct<(i32, i1, i32)>
// CHECK-NEXT: }

// -----

func.func @floats(%a: f32, %b: bf16) -> f64 {
  %c = arith.constant 1.5 : f32
  %0 = arith.addf %a, %c fastmath<reassoc,nnan> : f32
  %1 = arith.negf %0 : f32
  %2 = arith.maximumf %1, %a : f32
  %3 = arith.minnumf %2, %a : f32
  %4 = arith.extf %b : bf16 to f32
  %5 = arith.cmpf olt, %3, %4 : f32
  %6 = arith.select %5, %3, %4 : f32
  %7 = arith.extf %6 : f32 to f64
  return %7 : f64
}

// CHECK:      llvm.func @floats(%a: f32, %b: bf16) -> f64 {
// CHECK-NEXT:   %0 = llvm.mlir.constant(1.500000e+00 : f32) : f32
// CHECK-NEXT:   %1 = llvm.fadd %a, %0 {fastmathFlags = #llvm.fastmath<reassoc,nnan>} : f32
// CHECK-NEXT:   %2 = llvm.fneg %1 : f32
// CHECK-NEXT:   %3 = llvm.intr.maximum(%2, %a) : (f32, f32) -> f32
// CHECK-NEXT:   %4 = llvm.intr.minnum(%3, %a) : (f32, f32) -> f32
// CHECK-NEXT:   %5 = llvm.fpext %b : bf16 to f32
// CHECK-NEXT:   %6 = llvm.fcmp "olt" %4, %5 : f32
// CHECK-NEXT:   %7 = llvm.select %6, %4, %5 : i1, f32
// CHECK-NEXT:   %8 = llvm.fpext %7 : f32 to f64
// CHECK-NEXT:   llvm.return %8 : f64
// CHECK-NEXT: }

// -----

func.func @casts(%a: i8, %i: index, %f: f32) -> (i32, index, i32, i32, f32) {
  %0 = arith.extui %a : i8 to i32
  %1 = arith.index_cast %a : i8 to index
  %2 = arith.index_cast %i : index to i32
  %3 = arith.fptosi %f : f32 to i32
  %4 = arith.bitcast %3 : i32 to f32
  return %0, %1, %2, %3, %4 : i32, index, i32, i32, f32
}

// CHECK:      llvm.func @casts(%a: i8, %i: i64, %f: f32) -> !llvm.struct<(i32, i64, i32, i32, f32)> {
// CHECK-NEXT:   %0 = llvm.zext %a : i8 to i32
// CHECK-NEXT:   %1 = llvm.sext %a : i8 to i64
// CHECK-NEXT:   %2 = llvm.trunc %i : i64 to i32
// CHECK-NEXT:   %3 = llvm.fptosi %f : f32 to i32
// CHECK-NEXT:   %4 = llvm.bitcast %3 : i32 to f32
// CHECK-NEXT:   %5 = llvm.mlir.poison : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT:   %6 = llvm.insertvalue %0, %5[0] : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT:   %7 = llvm.insertvalue %1, %6[1] : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT:   %8 = llvm.insertvalue %2, %7[2] : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT:   %9 = llvm.insertvalue %3, %8[3] : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT:   %10 = llvm.insertvalue %4, %9[4] : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT:   llvm.return %10 : !llvm.struct<(i32, i64, i32, i32, f32)>
// CHECK-NEXT: }

// -----

// Vectors of more than one dimension are arrays of vectors.

func.func @vectors(%a: vector<4xf32>, %b: vector<2x4xf32>) -> (vector<4xf32>, vector<2x4xf32>) {
  %0 = arith.addf %a, %a : vector<4xf32>
  %1 = arith.mulf %b, %b : vector<2x4xf32>
  return %0, %1 : vector<4xf32>, vector<2x4xf32>
}

// CHECK:      llvm.func @vectors(%a: vector<4xf32>, %b: !llvm.array<2 x vector<4xf32>>) -> !llvm.struct<(vector<4xf32>, !llvm.array<2 x vector<4xf32>>)> {
// CHECK-NEXT:   %0 = llvm.fadd %a, %a : vector<4xf32>
// CHECK-NEXT:   %1 = llvm.mlir.poison : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %2 = llvm.extractvalue %b[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %3 = llvm.extractvalue %b[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %4 = llvm.fmul %2, %3 : vector<4xf32>
// CHECK-NEXT:   %5 = llvm.insertvalue %4, %1[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %6 = llvm.extractvalue %b[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %7 = llvm.extractvalue %b[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %8 = llvm.fmul %6, %7 : vector<4xf32>
// CHECK-NEXT:   %9 = llvm.insertvalue %8, %5[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:   %10 = llvm.mlir.poison : !llvm.struct<(vector<4xf32>, !llvm.array<2 x vector<4xf32>>)>
// CHECK-NEXT:   %11 = llvm.insertvalue %0, %10[0] : !llvm.struct<(vector<4xf32>, !llvm.array<2 x vector<4xf32>>)>
// CHECK-NEXT:   %12 = llvm.insertvalue %9, %11[1] : !llvm.struct<(vector<4xf32>, !llvm.array<2 x vector<4xf32>>)>
// CHECK-NEXT:   llvm.return %12 : !llvm.struct<(vector<4xf32>, !llvm.array<2 x vector<4xf32>>)>
// CHECK-NEXT: }
