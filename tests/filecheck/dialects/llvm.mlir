// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// The ops of the LLVM dialect that xDSL lacks, in mlir-opt's syntax.

llvm.func @f(%i: i32, %f: f32, %p: !llvm.ptr, %v: vector<4xf32>, %n: i64, %b: i8) {
  %c = llvm.fcmp "olt" %v, %v : vector<4xf32>
  %c1 = llvm.fcmp "olt" %f, %f {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %s = llvm.select %c, %v, %v : vector<4xi1>, vector<4xf32>
  %e = llvm.extractelement %v[%i : i32] : vector<4xf32>
  %q = llvm.freeze %e : f32
  %x1 = llvm.fptosi %f : f32 to i32
  %x2 = llvm.fptoui %f : f32 to i32
  %x3 = llvm.uitofp %i : i32 to f32
  %a = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %po = llvm.mlir.poison : !llvm.struct<(ptr, i32)>
  %r1 = llvm.intr.round(%f) : (f32) -> f32
  %r2 = llvm.intr.roundeven(%f) : (f32) -> f32
  %r3 = llvm.intr.trunc(%f) : (f32) -> f32
  %r4 = llvm.intr.rint(%f) : (f32) -> f32
  %r5 = llvm.intr.log10(%f) : (f32) -> f32
  %r6 = llvm.intr.maximum(%f, %f) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
  %r7 = llvm.intr.minimum(%f, %f) : (f32, f32) -> f32
  %r8 = llvm.intr.powi(%f, %i) : (f32, i32) -> f32
  %r9 = llvm.intr.ptrmask %p, %n : (!llvm.ptr, i64) -> !llvm.ptr
  %i1 = llvm.intr.smax(%i, %i) : (i32, i32) -> i32
  %i2 = llvm.intr.smin(%i, %i) : (i32, i32) -> i32
  %i3 = llvm.intr.umax(%i, %i) : (i32, i32) -> i32
  %i4 = llvm.intr.umin(%i, %i) : (i32, i32) -> i32
  %i5 = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
  %i6 = "llvm.intr.ctlz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %i7 = "llvm.intr.cttz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %i8 = llvm.intr.ctpop(%i) : (i32) -> i32
  %i9 = "llvm.intr.is.fpclass"(%f) <{bit = 3 : i32}> : (f32) -> i1
  %j1 = "llvm.intr.sadd.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %j2 = "llvm.intr.uadd.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  "llvm.intr.memcpy"(%p, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memmove"(%p, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memset"(%p, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  %t = llvm.mlir.constant(true) : i1
  llvm.intr.assume %t : i1
  llvm.intr.assume %t ["align"(%p, %n : !llvm.ptr, i64), "nonnull"(%p : !llvm.ptr)] : i1
  %w = llvm.atomicrmw add %p, %i acq_rel : !llvm.ptr, i32
  %w1 = llvm.atomicrmw _and %p, %i seq_cst {alignment = 8 : i64} : !llvm.ptr, i32
  %y = llvm.cmpxchg %p, %i, %i acq_rel monotonic : !llvm.ptr, i32
  llvm.switch %i : i32, ^bb1(%f : f32) [
    1: ^bb1(%q : f32),
    -2: ^bb2
  ]
^bb1(%z: f32):
  llvm.switch %i : i32, ^bb2 []
^bb2:
  llvm.return
}

// CHECK:      llvm.func @f(%i: i32, %f: f32, %p: !llvm.ptr, %v: vector<4xf32>, %n: i64, %b: i8) {
// CHECK-NEXT:   %c = llvm.fcmp "olt" %v, %v : vector<4xf32>
// CHECK-NEXT:   %c1 = llvm.fcmp "olt" %f, %f {fastmathFlags = #llvm.fastmath<nnan>} : f32
// CHECK-NEXT:   %s = llvm.select %c, %v, %v : vector<4xi1>, vector<4xf32>
// CHECK-NEXT:   %e = llvm.extractelement %v[%i : i32] : vector<4xf32>
// CHECK-NEXT:   %q = llvm.freeze %e : f32
// CHECK-NEXT:   %x1 = llvm.fptosi %f : f32 to i32
// CHECK-NEXT:   %x2 = llvm.fptoui %f : f32 to i32
// CHECK-NEXT:   %x3 = llvm.uitofp %i : i32 to f32
// CHECK-NEXT:   %a = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:   %po = llvm.mlir.poison : !llvm.struct<(!llvm.ptr, i32)>
// CHECK-NEXT:   %r1 = llvm.intr.round(%f) : (f32) -> f32
// CHECK-NEXT:   %r2 = llvm.intr.roundeven(%f) : (f32) -> f32
// CHECK-NEXT:   %r3 = llvm.intr.trunc(%f) : (f32) -> f32
// CHECK-NEXT:   %r4 = llvm.intr.rint(%f) : (f32) -> f32
// CHECK-NEXT:   %r5 = llvm.intr.log10(%f) : (f32) -> f32
// CHECK-NEXT:   %r6 = llvm.intr.maximum(%f, %f) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
// CHECK-NEXT:   %r7 = llvm.intr.minimum(%f, %f) : (f32, f32) -> f32
// CHECK-NEXT:   %r8 = llvm.intr.powi(%f, %i) : (f32, i32) -> f32
// CHECK-NEXT:   %r9 = llvm.intr.ptrmask %p, %n : (!llvm.ptr, i64) -> !llvm.ptr
// CHECK-NEXT:   %i1 = llvm.intr.smax(%i, %i) : (i32, i32) -> i32
// CHECK-NEXT:   %i2 = llvm.intr.smin(%i, %i) : (i32, i32) -> i32
// CHECK-NEXT:   %i3 = llvm.intr.umax(%i, %i) : (i32, i32) -> i32
// CHECK-NEXT:   %i4 = llvm.intr.umin(%i, %i) : (i32, i32) -> i32
// CHECK-NEXT:   %i5 = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK-NEXT:   %i6 = "llvm.intr.ctlz"(%i) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:   %i7 = "llvm.intr.cttz"(%i) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:   %i8 = llvm.intr.ctpop(%i) : (i32) -> i32
// CHECK-NEXT:   %i9 = "llvm.intr.is.fpclass"(%f) <{bit = 3 : i32}> : (f32) -> i1
// CHECK-NEXT:   %j1 = "llvm.intr.sadd.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:   %j2 = "llvm.intr.uadd.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:   "llvm.intr.memcpy"(%p, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:   "llvm.intr.memmove"(%p, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:   "llvm.intr.memset"(%p, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
// CHECK-NEXT:   "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
// CHECK-NEXT:   %t = llvm.mlir.constant(true) : i1
// CHECK-NEXT:   llvm.intr.assume %t : i1
// CHECK-NEXT:   llvm.intr.assume %t ["align"(%p, %n : !llvm.ptr, i64), "nonnull"(%p : !llvm.ptr)] : i1
// CHECK-NEXT:   %w = llvm.atomicrmw add %p, %i acq_rel : !llvm.ptr, i32
// CHECK-NEXT:   %w1 = llvm.atomicrmw _and %p, %i seq_cst {alignment = 8 : i64} : !llvm.ptr, i32
// CHECK-NEXT:   %y = llvm.cmpxchg %p, %i, %i acq_rel monotonic : !llvm.ptr, i32
// CHECK-NEXT:   llvm.switch %i : i32, ^bb1(%f : f32) [
// CHECK-NEXT:     1: ^bb1(%q : f32),
// CHECK-NEXT:     -2: ^bb2
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb1(%z: f32):
// CHECK-NEXT:   llvm.switch %i : i32, ^bb2 [
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   llvm.return
// CHECK-NEXT: }
