// RUN: xdsl-opt %s -p lower-to-llvm-pipeline -t llvm | filecheck %s

memref.global "private" constant @table : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]> {alignment = 64}
memref.global "private" constant @brain : memref<2xbf16> = dense<[1.0, -2.5]>
memref.global "private" constant @zeros : memref<100xf64> = dense<0.0>
memref.global "private" @scratch : memref<3xi64> = uninitialized
memref.global @elsewhere : memref<4xi8>

// CHECK-DAG: @"table" = private constant [2 x [2 x float]] {{.*}}, align 64
// CHECK-DAG: @"brain" = private constant [2 x bfloat] [bfloat 0xR3F80, bfloat 0xRC020]
// CHECK-DAG: @"zeros" = private constant [100 x double] zeroinitializer
// CHECK-DAG: @"scratch" = private global [3 x i64] undef
// CHECK-DAG: @"elsewhere" = external global [4 x i8]

func.func @f(%x: f32, %y: f64, %i: i32, %m: memref<?xi32> {llvm.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %a = math.exp %x : f32
  %b = math.exp %y : f64
  %c = math.tanh %y : f64
  %d = math.fpowi %x, %i : f32, i32
  %e = arith.maximumf %a, %d : f32
  %f = arith.extf %e : f32 to f64
  %g = arith.addf %b, %f : f64
  %h = arith.addf %g, %c : f64
  %j = math.cttz %i : i32
  %k = arith.uitofp %j : i32 to f64
  %l = arith.addf %h, %k : f64
  %n = memref.atomic_rmw ori %i, %m[%c0] : (i32, memref<?xi32>) -> i32
  return %l : f64
}

// CHECK:      define double @"f"(float %".1", double %".2", i32 %".3", ptr %".4", ptr noalias %".5", i64 %".6", i64 %".7", i64 %".8")
// CHECK-DAG:  call float @"llvm.exp.f32"(float
// CHECK-DAG:  call double @"llvm.exp.f64"(double
// CHECK-DAG:  call ccc double @"tanh"(double
// CHECK-DAG:  call float @"llvm.powi.f32.i32"(float {{.*}}, i32
// CHECK-DAG:  call float @"llvm.maximum.f32"(float
// CHECK-DAG:  call i32 @"llvm.cttz.i32"(i32 {{.*}}, i1 0)
// CHECK-DAG:  uitofp i32 {{.*}} to double
// CHECK-DAG:  atomicrmw or ptr {{.*}}, i32 {{.*}} acq_rel

// Two edges from one block to another carry different values: one goes by its own block.

func.func @edges(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^bb1(%x : i32), ^bb1(%y : i32)
^bb1(%a: i32):
  return %a : i32
}

// CHECK:       define i32 @"edges"
// CHECK:         br i1 %".1", label %".6", label %".8"
// CHECK-NEXT:  .6:
// CHECK-NEXT:    %".7" = phi  i32 [%".2", %".5"], [%".3", %".8"]
// CHECK:       .8:
// CHECK-NEXT:    br label %".6"

func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}

// CHECK: call void @"llvm.memcpy.p0.p0.i64"(ptr {{.*}}, ptr {{.*}}, i64 {{.*}}, i1 0)
