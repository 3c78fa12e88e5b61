// Ops of the LLVM dialect with every flag and property that xDSL or this package knows.
// Their generic form, as mlir-opt prints it, is read and printed back: see
// test_llvm_generic.py.

llvm.func @add(%i: i32, %j: i32, %vi: vector<4xi32>) {
  %0 = llvm.add %i, %j : i32
  %1 = llvm.add %i, %j overflow<none> : i32
  %2 = llvm.add %i, %j overflow<nsw> : i32
  %3 = llvm.add %i, %j overflow<nuw> : i32
  %4 = llvm.add %i, %j overflow<nsw, nuw> : i32
  %9 = llvm.add %vi, %vi overflow<nsw> : vector<4xi32>
  llvm.return
}

// -----

llvm.func @sub(%i: i32, %j: i32, %vi: vector<4xi32>) {
  %0 = llvm.sub %i, %j : i32
  %1 = llvm.sub %i, %j overflow<none> : i32
  %2 = llvm.sub %i, %j overflow<nsw> : i32
  %3 = llvm.sub %i, %j overflow<nuw> : i32
  %4 = llvm.sub %i, %j overflow<nsw, nuw> : i32
  %9 = llvm.sub %vi, %vi overflow<nsw> : vector<4xi32>
  llvm.return
}

// -----

llvm.func @mul(%i: i32, %j: i32, %vi: vector<4xi32>) {
  %0 = llvm.mul %i, %j : i32
  %1 = llvm.mul %i, %j overflow<none> : i32
  %2 = llvm.mul %i, %j overflow<nsw> : i32
  %3 = llvm.mul %i, %j overflow<nuw> : i32
  %4 = llvm.mul %i, %j overflow<nsw, nuw> : i32
  %9 = llvm.mul %vi, %vi overflow<nsw> : vector<4xi32>
  llvm.return
}

// -----

llvm.func @shl(%i: i32, %j: i32, %vi: vector<4xi32>) {
  %0 = llvm.shl %i, %j : i32
  %1 = llvm.shl %i, %j overflow<none> : i32
  %2 = llvm.shl %i, %j overflow<nsw> : i32
  %3 = llvm.shl %i, %j overflow<nuw> : i32
  %4 = llvm.shl %i, %j overflow<nsw, nuw> : i32
  %9 = llvm.shl %vi, %vi overflow<nsw> : vector<4xi32>
  llvm.return
}

// -----

llvm.func @trunc(%i: i32) {
  %0 = llvm.trunc %i : i32 to i16
  %1 = llvm.trunc %i overflow<nsw> : i32 to i16
  %2 = llvm.trunc %i overflow<nuw> : i32 to i16
  %3 = llvm.trunc %i overflow<nsw, nuw> : i32 to i16
  llvm.return
}

// -----

llvm.func @sdiv(%i: i32, %j: i32) {
  %0 = llvm.sdiv %i, %j : i32
  %1 = llvm.sdiv exact %i, %j : i32
  llvm.return
}

// -----

llvm.func @udiv(%i: i32, %j: i32) {
  %0 = llvm.udiv %i, %j : i32
  %1 = llvm.udiv exact %i, %j : i32
  llvm.return
}

// -----

llvm.func @lshr(%i: i32, %j: i32) {
  %0 = llvm.lshr %i, %j : i32
  %1 = llvm.lshr exact %i, %j : i32
  llvm.return
}

// -----

llvm.func @ashr(%i: i32, %j: i32) {
  %0 = llvm.ashr %i, %j : i32
  %1 = llvm.ashr exact %i, %j : i32
  llvm.return
}

// -----

llvm.func @or(%i: i32, %j: i32) {
  %0 = llvm.or %i, %j : i32
  %1 = llvm.or disjoint %i, %j : i32
  llvm.return
}

// -----

llvm.func @and(%i: i32, %j: i32) {
  %0 = llvm.and %i, %j : i32
  llvm.return
}

// -----

llvm.func @xor(%i: i32, %j: i32) {
  %0 = llvm.xor %i, %j : i32
  llvm.return
}

// -----

llvm.func @srem(%i: i32, %j: i32) {
  %0 = llvm.srem %i, %j : i32
  llvm.return
}

// -----

llvm.func @urem(%i: i32, %j: i32) {
  %0 = llvm.urem %i, %j : i32
  llvm.return
}

// -----

llvm.func @zext(%i: i32) {
  %0 = llvm.zext %i : i32 to i64
  %1 = llvm.zext nneg %i : i32 to i64
  %2 = llvm.sext %i : i32 to i64
  llvm.return
}

// -----

llvm.func @uitofp(%i: i32) {
  %0 = llvm.uitofp %i : i32 to f32
  %1 = llvm.uitofp nneg %i : i32 to f32
  %2 = llvm.sitofp %i : i32 to f32
  llvm.return
}

// -----

llvm.func @fadd(%f: f32, %g: f32) {
  %n = llvm.fadd %f, %g : f32
  %0 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<none>} : f32
  %1 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %2 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<ninf>} : f32
  %3 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<nsz>} : f32
  %4 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<arcp>} : f32
  %5 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<contract>} : f32
  %6 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<afn>} : f32
  %7 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  %8 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<fast>} : f32
  %9 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32
  %10 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<nsz, arcp, contract>} : f32
  %11 = llvm.fadd %f, %g {fastmathFlags = #llvm.fastmath<nnan, ninf, nsz, arcp, contract, afn>} : f32
  llvm.return
}

// -----

llvm.func @fsub(%f: f32, %g: f32) {
  %n = llvm.fsub %f, %g : f32
  %0 = llvm.fsub %f, %g {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %1 = llvm.fsub %f, %g {fastmathFlags = #llvm.fastmath<arcp>} : f32
  %2 = llvm.fsub %f, %g {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  llvm.return
}

// -----

llvm.func @fmul(%f: f32, %g: f32) {
  %n = llvm.fmul %f, %g : f32
  %0 = llvm.fmul %f, %g {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %1 = llvm.fmul %f, %g {fastmathFlags = #llvm.fastmath<arcp>} : f32
  %2 = llvm.fmul %f, %g {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  llvm.return
}

// -----

llvm.func @fdiv(%f: f32, %g: f32) {
  %n = llvm.fdiv %f, %g : f32
  %0 = llvm.fdiv %f, %g {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %1 = llvm.fdiv %f, %g {fastmathFlags = #llvm.fastmath<arcp>} : f32
  %2 = llvm.fdiv %f, %g {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  llvm.return
}

// -----

llvm.func @frem(%f: f32, %g: f32) {
  %n = llvm.frem %f, %g : f32
  %0 = llvm.frem %f, %g {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %1 = llvm.frem %f, %g {fastmathFlags = #llvm.fastmath<arcp>} : f32
  %2 = llvm.frem %f, %g {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  llvm.return
}

// -----

llvm.func @fneg(%f: f32) {
  %n = llvm.fneg %f : f32
  %0 = llvm.fneg %f {fastmathFlags = #llvm.fastmath<nnan, nsz>} : f32
  llvm.return
}

// -----

llvm.func @fpext(%f: f32) {
  %n = llvm.fpext %f : f32 to f64
  %n2 = llvm.fptrunc %f : f32 to f16
  %0 = llvm.fpext %f {fastmathFlags = #llvm.fastmath<none>} : f32 to f64
  %b0 = llvm.fptrunc %f {fastmathFlags = #llvm.fastmath<none>} : f32 to f16
  %1 = llvm.fpext %f {fastmathFlags = #llvm.fastmath<nnan>} : f32 to f64
  %b1 = llvm.fptrunc %f {fastmathFlags = #llvm.fastmath<nnan>} : f32 to f16
  %2 = llvm.fpext %f {fastmathFlags = #llvm.fastmath<ninf>} : f32 to f64
  %b2 = llvm.fptrunc %f {fastmathFlags = #llvm.fastmath<ninf>} : f32 to f16
  llvm.return
}

// -----

llvm.func @intr_fabs(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.fabs(%f) : (f32) -> f32
  %n1 = llvm.intr.fabs(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.fabs(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_ceil(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.ceil(%f) : (f32) -> f32
  %n1 = llvm.intr.ceil(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.ceil(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_cos(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.cos(%f) : (f32) -> f32
  %n1 = llvm.intr.cos(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.cos(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_exp(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.exp(%f) : (f32) -> f32
  %n1 = llvm.intr.exp(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.exp(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_exp2(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.exp2(%f) : (f32) -> f32
  %n1 = llvm.intr.exp2(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.exp2(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_floor(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.floor(%f) : (f32) -> f32
  %n1 = llvm.intr.floor(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.floor(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_log(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.log(%f) : (f32) -> f32
  %n1 = llvm.intr.log(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.log(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_log2(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.log2(%f) : (f32) -> f32
  %n1 = llvm.intr.log2(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.log2(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_log10(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.log10(%f) : (f32) -> f32
  %n1 = llvm.intr.log10(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.log10(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_sin(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.sin(%f) : (f32) -> f32
  %n1 = llvm.intr.sin(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.sin(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_sqrt(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.sqrt(%f) : (f32) -> f32
  %n1 = llvm.intr.sqrt(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.sqrt(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_round(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.round(%f) : (f32) -> f32
  %n1 = llvm.intr.round(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.round(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_roundeven(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.roundeven(%f) : (f32) -> f32
  %n1 = llvm.intr.roundeven(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.roundeven(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_trunc(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.trunc(%f) : (f32) -> f32
  %n1 = llvm.intr.trunc(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.trunc(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_rint(%f: f32, %v: vector<4xf32>) {
  %n = llvm.intr.rint(%f) : (f32) -> f32
  %n1 = llvm.intr.rint(%f) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32) -> f32
  %n2 = llvm.intr.rint(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> vector<4xf32>
  llvm.return
}

// -----

llvm.func @intr_copysign(%f: f32, %g: f32) {
  %n = llvm.intr.copysign(%f, %g) : (f32, f32) -> f32
  %n1 = llvm.intr.copysign(%f, %g) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_pow(%f: f32, %g: f32) {
  %n = llvm.intr.pow(%f, %g) : (f32, f32) -> f32
  %n1 = llvm.intr.pow(%f, %g) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_maximum(%f: f32, %g: f32) {
  %n = llvm.intr.maximum(%f, %g) : (f32, f32) -> f32
  %n1 = llvm.intr.maximum(%f, %g) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_minimum(%f: f32, %g: f32) {
  %n = llvm.intr.minimum(%f, %g) : (f32, f32) -> f32
  %n1 = llvm.intr.minimum(%f, %g) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_maxnum(%f: f32, %g: f32) {
  %n = llvm.intr.maxnum(%f, %g) : (f32, f32) -> f32
  %n1 = llvm.intr.maxnum(%f, %g) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_minnum(%f: f32, %g: f32) {
  %n = llvm.intr.minnum(%f, %g) : (f32, f32) -> f32
  %n1 = llvm.intr.minnum(%f, %g) {fastmathFlags = #llvm.fastmath<nnan, nsz>} : (f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_fma(%f: f32, %g: f32) {
  %n = llvm.intr.fma(%f, %g, %f) : (f32, f32, f32) -> f32
  %n1 = llvm.intr.fma(%f, %g, %f) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @intr_powi(%i: i32, %f: f32) {
  %n = llvm.intr.powi(%f, %i) : (f32, i32) -> f32
  %n1 = llvm.intr.powi(%f, %i) {fastmathFlags = #llvm.fastmath<contract>} : (f32, i32) -> f32
  llvm.return
}

// -----

llvm.func @reduce_fadd(%f: f32, %v: vector<4xf32>) {
  %n = "llvm.intr.vector.reduce.fadd"(%f, %v) : (f32, vector<4xf32>) -> f32
  %n1 = "llvm.intr.vector.reduce.fadd"(%f, %v) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  llvm.return
}

// -----

llvm.func @reduce_fmul(%f: f32, %v: vector<4xf32>) {
  %n = "llvm.intr.vector.reduce.fmul"(%f, %v) : (f32, vector<4xf32>) -> f32
  %n1 = "llvm.intr.vector.reduce.fmul"(%f, %v) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  llvm.return
}

// -----

llvm.func @intr_smax(%i: i32, %j: i32) {
  %n = llvm.intr.smax(%i, %j) : (i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @intr_smin(%i: i32, %j: i32) {
  %n = llvm.intr.smin(%i, %j) : (i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @intr_umax(%i: i32, %j: i32) {
  %n = llvm.intr.umax(%i, %j) : (i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @intr_umin(%i: i32, %j: i32) {
  %n = llvm.intr.umin(%i, %j) : (i32, i32) -> i32
  llvm.return
}

// -----

llvm.func @intr_sadd(%i: i32, %j: i32) {
  %n = "llvm.intr.sadd.with.overflow"(%i, %j) : (i32, i32) -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @intr_uadd(%i: i32, %j: i32) {
  %n = "llvm.intr.uadd.with.overflow"(%i, %j) : (i32, i32) -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @intr_abs(%i: i32) {
  %0 = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
  %1 = "llvm.intr.abs"(%i) <{is_int_min_poison = true}> : (i32) -> i32
  llvm.return
}

// -----

llvm.func @intr_ctlz(%i: i32) {
  %0 = "llvm.intr.ctlz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %1 = "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32
  llvm.return
}

// -----

llvm.func @intr_cttz(%i: i32) {
  %0 = "llvm.intr.cttz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %1 = "llvm.intr.cttz"(%i) <{is_zero_poison = true}> : (i32) -> i32
  llvm.return
}

// -----

llvm.func @ctpop(%i: i32) {
  %n = llvm.intr.ctpop(%i) : (i32) -> i32
  llvm.return
}

// -----

llvm.func @fpclass(%f: f32) {
  %n = "llvm.intr.is.fpclass"(%f) <{bit = 3 : i32}> : (f32) -> i1
  llvm.return
}

// -----

llvm.func @memcpy(%w: i64, %p: !llvm.ptr) {
  "llvm.intr.memcpy"(%p, %p, %w) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%p, %p, %w) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

llvm.func @memmove(%w: i64, %p: !llvm.ptr) {
  "llvm.intr.memmove"(%p, %p, %w) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memmove"(%p, %p, %w) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

llvm.func @memset(%w: i64, %b: i8, %p: !llvm.ptr) {
  "llvm.intr.memset"(%p, %b, %w) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset"(%p, %b, %w) <{isVolatile = true}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// -----

llvm.func @memcpy_attrs(%w: i64, %p: !llvm.ptr) {
  "llvm.intr.memcpy"(%p, %p, %w) <{isVolatile = false, arg_attrs = [{llvm.align = 8 : i64}, {}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

llvm.func @memmove_attrs(%w: i64, %p: !llvm.ptr) {
  "llvm.intr.memmove"(%p, %p, %w) <{isVolatile = false, arg_attrs = [{llvm.align = 8 : i64}, {}, {}]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

llvm.func @memset_attrs(%w: i64, %b: i8, %p: !llvm.ptr) {
  "llvm.intr.memset"(%p, %b, %w) <{isVolatile = false, arg_attrs = [{llvm.align = 8 : i64}, {}, {}]}> : (!llvm.ptr, i8, i64) -> ()
  llvm.return
}

// -----

llvm.func @prefetch(%p: !llvm.ptr) {
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @assume(%w: i64, %c: i1, %p: !llvm.ptr) {
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["align"(%p, %w : !llvm.ptr, i64)] : i1
  llvm.return
}

// -----

llvm.func @ptrmask(%w: i64, %p: !llvm.ptr) {
  %0 = llvm.intr.ptrmask %p, %w : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @icmp(%i: i32, %j: i32, %p: !llvm.ptr, %vi: vector<4xi32>) {
  %0 = llvm.icmp "eq" %i, %j : i32
  %1 = llvm.icmp "ne" %i, %j : i32
  %2 = llvm.icmp "slt" %i, %j : i32
  %3 = llvm.icmp "sle" %i, %j : i32
  %4 = llvm.icmp "sgt" %i, %j : i32
  %5 = llvm.icmp "sge" %i, %j : i32
  %6 = llvm.icmp "ult" %i, %j : i32
  %7 = llvm.icmp "ule" %i, %j : i32
  %8 = llvm.icmp "ugt" %i, %j : i32
  %9 = llvm.icmp "uge" %i, %j : i32
  %v1 = llvm.icmp "eq" %vi, %vi : vector<4xi32>
  %v2 = llvm.icmp "ult" %p, %p : !llvm.ptr
  llvm.return
}

// -----

llvm.func @fcmp(%f: f32, %g: f32, %v: vector<4xf32>) {
  %0 = llvm.fcmp "_false" %f, %g : f32
  %1 = llvm.fcmp "oeq" %f, %g : f32
  %2 = llvm.fcmp "ogt" %f, %g : f32
  %3 = llvm.fcmp "oge" %f, %g : f32
  %4 = llvm.fcmp "olt" %f, %g : f32
  %5 = llvm.fcmp "ole" %f, %g : f32
  %6 = llvm.fcmp "one" %f, %g : f32
  %7 = llvm.fcmp "ord" %f, %g : f32
  %8 = llvm.fcmp "ueq" %f, %g : f32
  %9 = llvm.fcmp "ugt" %f, %g : f32
  %10 = llvm.fcmp "uge" %f, %g : f32
  %11 = llvm.fcmp "ult" %f, %g : f32
  %12 = llvm.fcmp "ule" %f, %g : f32
  %13 = llvm.fcmp "une" %f, %g : f32
  %14 = llvm.fcmp "uno" %f, %g : f32
  %15 = llvm.fcmp "_true" %f, %g : f32
  %v1 = llvm.fcmp "oeq" %v, %v {fastmathFlags = #llvm.fastmath<nnan>} : vector<4xf32>
  llvm.return
}

// -----

llvm.func @select(%i: i32, %j: i32, %c: i1, %f: f32, %g: f32, %v: vector<4xf32>, %m: vector<4xi1>) {
  %0 = llvm.select %c, %i, %j : i1, i32
  %1 = llvm.select %c, %f, %g {fastmathFlags = #llvm.fastmath<nnan>} : i1, f32
  %2 = llvm.select %m, %v, %v : vector<4xi1>, vector<4xf32>
  llvm.return
}

// -----

llvm.func @gep(%i: i32, %p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %1 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %2 = llvm.getelementptr nusw %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %3 = llvm.getelementptr nuw %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %4 = llvm.getelementptr inbounds|nuw %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %5 = llvm.getelementptr nusw|nuw %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %9 = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  llvm.return
}

// -----

llvm.func @alloca(%i: i32, %w: i64) {
  %0 = llvm.alloca %i x f32 : (i32) -> !llvm.ptr
  %1 = llvm.alloca %w x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %2 = llvm.alloca inalloca %i x f32 : (i32) -> !llvm.ptr
  %3 = llvm.alloca %i x f32 : (i32) -> !llvm.ptr<5>
  llvm.return
}

// -----

llvm.func @load(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f32
  %1 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @load_volatile(%p: !llvm.ptr) {
  %2 = llvm.load volatile %p : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @load_nontemporal(%p: !llvm.ptr) {
  %2 = llvm.load %p {nontemporal} : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @load_invariant(%p: !llvm.ptr) {
  %2 = llvm.load %p invariant : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @load_invariant_group(%p: !llvm.ptr) {
  %2 = llvm.load %p invariant_group : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @load_deref(%p: !llvm.ptr) {
  %2 = llvm.load %p dereferenceable<bytes = 8> : !llvm.ptr -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @load_atomic(%p: !llvm.ptr) {
  %0 = llvm.load %p atomic unordered {alignment = 4 : i64} : !llvm.ptr -> f32
  %1 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> f32
  %2 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> f32
  %3 = llvm.load %p atomic seq_cst {alignment = 4 : i64} : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @load_syncscope(%p: !llvm.ptr) {
  %1 = llvm.load %p atomic syncscope("singlethread") acquire {alignment = 4 : i64} : !llvm.ptr -> f32
  llvm.return
}

// -----

llvm.func @store(%f: f32, %p: !llvm.ptr) {
  llvm.store %f, %p : f32, !llvm.ptr
  llvm.store %f, %p {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @store_volatile(%f: f32, %p: !llvm.ptr) {
  llvm.store volatile %f, %p : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @store_nontemporal(%f: f32, %p: !llvm.ptr) {
  llvm.store %f, %p {nontemporal} : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @store_invariant_group(%f: f32, %p: !llvm.ptr) {
  llvm.store %f, %p invariant_group : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @store_atomic(%f: f32, %p: !llvm.ptr) {
  llvm.store %f, %p atomic unordered {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.store %f, %p atomic monotonic {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.store %f, %p atomic release {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.store %f, %p atomic seq_cst {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @store_syncscope(%f: f32, %p: !llvm.ptr) {
  llvm.store %f, %p atomic syncscope("singlethread") release {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @atomicrmw(%i: i32, %f: f32, %p: !llvm.ptr) {
  %0 = llvm.atomicrmw xchg %p, %i acq_rel : !llvm.ptr, i32
  %1 = llvm.atomicrmw add %p, %i acq_rel : !llvm.ptr, i32
  %2 = llvm.atomicrmw sub %p, %i acq_rel : !llvm.ptr, i32
  %3 = llvm.atomicrmw _and %p, %i acq_rel : !llvm.ptr, i32
  %4 = llvm.atomicrmw nand %p, %i acq_rel : !llvm.ptr, i32
  %5 = llvm.atomicrmw _or %p, %i acq_rel : !llvm.ptr, i32
  %6 = llvm.atomicrmw _xor %p, %i acq_rel : !llvm.ptr, i32
  %7 = llvm.atomicrmw max %p, %i acq_rel : !llvm.ptr, i32
  %8 = llvm.atomicrmw min %p, %i acq_rel : !llvm.ptr, i32
  %9 = llvm.atomicrmw umax %p, %i acq_rel : !llvm.ptr, i32
  %10 = llvm.atomicrmw umin %p, %i acq_rel : !llvm.ptr, i32
  %11 = llvm.atomicrmw uinc_wrap %p, %i acq_rel : !llvm.ptr, i32
  %12 = llvm.atomicrmw udec_wrap %p, %i acq_rel : !llvm.ptr, i32
  %13 = llvm.atomicrmw usub_cond %p, %i acq_rel : !llvm.ptr, i32
  %14 = llvm.atomicrmw usub_sat %p, %i acq_rel : !llvm.ptr, i32
  %f0 = llvm.atomicrmw fadd %p, %f monotonic : !llvm.ptr, f32
  %f1 = llvm.atomicrmw fsub %p, %f monotonic : !llvm.ptr, f32
  %f2 = llvm.atomicrmw fmax %p, %f monotonic : !llvm.ptr, f32
  %f3 = llvm.atomicrmw fmin %p, %f monotonic : !llvm.ptr, f32
  %f4 = llvm.atomicrmw fmaximum %p, %f monotonic : !llvm.ptr, f32
  %f5 = llvm.atomicrmw fminimum %p, %f monotonic : !llvm.ptr, f32
  llvm.return
}

// -----

llvm.func @atomicrmw_orders(%i: i32, %p: !llvm.ptr) {
  %0 = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i32
  %1 = llvm.atomicrmw add %p, %i acquire : !llvm.ptr, i32
  %2 = llvm.atomicrmw add %p, %i release : !llvm.ptr, i32
  %3 = llvm.atomicrmw add %p, %i acq_rel : !llvm.ptr, i32
  %4 = llvm.atomicrmw add %p, %i seq_cst : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @atomicrmw_volatile(%i: i32, %p: !llvm.ptr) {
  %0 = llvm.atomicrmw volatile add %p, %i acq_rel {alignment = 8 : i64} : !llvm.ptr, i32
  %1 = llvm.atomicrmw add %p, %i syncscope("singlethread") acq_rel : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @cmpxchg(%i: i32, %j: i32, %p: !llvm.ptr) {
  %0 = llvm.cmpxchg %p, %i, %j acq_rel monotonic : !llvm.ptr, i32
  %2 = llvm.cmpxchg %p, %i, %j seq_cst acquire {alignment = 4 : i64} : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @cmpxchg_weak(%i: i32, %j: i32, %p: !llvm.ptr) {
  %1 = llvm.cmpxchg weak %p, %i, %j seq_cst acquire : !llvm.ptr, i32
  %2 = llvm.cmpxchg volatile %p, %i, %j syncscope("x") seq_cst acquire : !llvm.ptr, i32
  %3 = llvm.cmpxchg weak volatile %p, %i, %j seq_cst seq_cst : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func @constants() {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(1.0 : f32) : f32
  %2 = llvm.mlir.constant(dense<1> : vector<4xi32>) : vector<4xi32>
  %3 = llvm.mlir.undef : i32
  %4 = llvm.mlir.poison : i32
  %5 = llvm.mlir.zero : !llvm.ptr
  %6 = llvm.mlir.constant(true) : i1
  %7 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
  llvm.return
}

// -----

llvm.func @aggregates(%i: i32, %f: f32, %v: vector<4xf32>, %s: !llvm.struct<(i32, f32)>) {
  %0 = llvm.extractvalue %s[0] : !llvm.struct<(i32, f32)>
  %1 = llvm.insertvalue %i, %s[0] : !llvm.struct<(i32, f32)>
  %2 = llvm.extractelement %v[%i : i32] : vector<4xf32>
  %3 = llvm.insertelement %f, %v[%i : i32] : vector<4xf32>
  %4 = llvm.shufflevector %v, %v [0, 1, 4, 5] : vector<4xf32>
  llvm.return
}

// -----

llvm.func @casts(%i: i32, %w: i64, %f: f32, %p: !llvm.ptr) {
  %0 = llvm.bitcast %f : f32 to i32
  %1 = llvm.ptrtoint %p : !llvm.ptr to i64
  %2 = llvm.inttoptr %w : i64 to !llvm.ptr
  %3 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %4 = llvm.fptosi %f : f32 to i32
  %5 = llvm.fptoui %f : f32 to i32
  %6 = llvm.freeze %i : i32
  llvm.return
}

// -----

llvm.func @stack() {
  %0 = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %0 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @maskedstore(%p: !llvm.ptr, %v: vector<4xf32>, %m: vector<4xi1>) {
  llvm.intr.masked.store %v, %p, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// -----

llvm.func @branches(%i: i32, %c: i1) {
  llvm.br ^bb1
^bb1:
  llvm.cond_br %c, ^bb2, ^bb3(%i : i32)
^bb2:
  llvm.br ^bb1
^bb3(%x: i32):
  llvm.unreachable
^bb4:
  llvm.return
}

// -----

llvm.func @branch_weights(%c: i1) {
  llvm.cond_br %c weights([1, 2]), ^bb2, ^bb2
^bb2:
  llvm.return
}

// -----

llvm.func @switch(%i: i32) {
  llvm.switch %i : i32, ^bb1 [
      1: ^bb2,
      -2: ^bb1
    ]
^bb1:
  llvm.br ^bb2
^bb2:
  llvm.return
}

// -----

llvm.func @switch_weights(%i: i32) {
  llvm.switch %i : i32, ^bb1 [
      1: ^bb2
    ] {branch_weights = array<i32: 13, 15>}
^bb1:
  llvm.br ^bb2
^bb2:
  llvm.return
}

// -----

llvm.func @asm(%i: i32) {
  %0 = llvm.inline_asm "foo", "=r,r" %i : (i32) -> i32
  %1 = llvm.inline_asm has_side_effects "foo", "=r,r" %i : (i32) -> i32
  %2 = llvm.inline_asm has_side_effects is_align_stack "foo", "=r,r" %i : (i32) -> i32
  %3 = llvm.inline_asm asm_dialect = intel "foo", "=r,r" %i : (i32) -> i32
  llvm.return
}

// -----

llvm.func @asm_tail(%i: i32) {
  %0 = llvm.inline_asm tail_call_kind = <tail> "foo", "=r,r" %i : (i32) -> i32
  %1 = llvm.inline_asm tail_call_kind = <notail> "foo", "=r,r" %i : (i32) -> i32
  llvm.return
}

// -----

llvm.func @call(%i: i32, %f: f32, %p: !llvm.ptr) {
  %0 = llvm.call @callee(%i) : (i32) -> i32
  llvm.call @var(%i, %f) vararg(!llvm.func<void (i32, ...)>) : (i32, f32) -> ()
  %1 = llvm.call %p(%i) : !llvm.ptr, (i32) -> i32
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)

// -----

llvm.func @call_cc(%i: i32) {
  %0 = llvm.call fastcc @callee(%i) : (i32) -> i32
  %1 = llvm.call coldcc @callee(%i) : (i32) -> i32
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)

// -----

llvm.func @call_tail(%i: i32) {
  %0 = llvm.call tail @callee(%i) : (i32) -> i32
  %1 = llvm.call musttail @callee(%i) : (i32) -> i32
  %2 = llvm.call notail @callee(%i) : (i32) -> i32
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)

// -----

llvm.func @call_fm(%f: f32) {
  %0 = llvm.call @fcallee(%f) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)
llvm.func @fcallee(f32) -> f32

// -----

llvm.func @call_attrs(%i: i32) {
  %0 = llvm.call @callee(%i) {convergent} : (i32) -> i32
  %1 = llvm.call @callee(%i) {no_unwind} : (i32) -> i32
  %2 = llvm.call @callee(%i) {will_return} : (i32) -> i32
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)

// -----

llvm.func @call_memory(%i: i32) {
  %0 = "llvm.call"(%i) <{callee = @callee, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, operandSegmentSizes = array<i32: 1, 0>, op_bundle_sizes = array<i32>}> : (i32) -> i32
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)

// -----

llvm.func @call_argattrs(%i: i32) {
  %0 = llvm.call @callee(%i) : (i32 {llvm.noundef}) -> (i32 {llvm.zeroext})
  llvm.return
}
llvm.func @callee(i32) -> i32
llvm.func @var(i32, ...)

// -----

llvm.func @call_intrinsic(%i: i32, %c: i1, %f: f32) {
  %0 = llvm.call_intrinsic "llvm.abs.i32"(%i, %c) : (i32, i1) -> i32
  %1 = llvm.call_intrinsic "llvm.fabs.f32"(%f) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
  llvm.return
}

// -----

llvm.func @addressof() {
  %0 = llvm.mlir.addressof @g1 : !llvm.ptr
  llvm.return
}
llvm.mlir.global external @g1(1 : i32) : i32

// -----

llvm.func private @f_private(%a: i32) {
  llvm.return
}
llvm.func internal @f_internal(%a: i32) {
  llvm.return
}
llvm.func available_externally @f_available_externally(%a: i32) {
  llvm.return
}
llvm.func linkonce @f_linkonce(%a: i32) {
  llvm.return
}
llvm.func weak @f_weak(%a: i32) {
  llvm.return
}
llvm.func extern_weak @f_extern_weak(i32)
llvm.func linkonce_odr @f_linkonce_odr(%a: i32) {
  llvm.return
}
llvm.func weak_odr @f_weak_odr(%a: i32) {
  llvm.return
}
llvm.func @f_external(i32)

// -----

llvm.mlir.global private @g_private(1 : i32) : i32
llvm.mlir.global internal @g_internal(1 : i32) : i32
llvm.mlir.global available_externally @g_available_externally(1 : i32) : i32
llvm.mlir.global linkonce @g_linkonce(1 : i32) : i32
llvm.mlir.global weak @g_weak(1 : i32) : i32
llvm.mlir.global extern_weak @g_extern_weak() : i32
llvm.mlir.global linkonce_odr @g_linkonce_odr(1 : i32) : i32
llvm.mlir.global weak_odr @g_weak_odr(1 : i32) : i32
llvm.mlir.global external @g_external(1 : i32) : i32
llvm.mlir.global common @g_c(0 : i32) : i32
llvm.mlir.global appending @g_ap(dense<0> : tensor<1xi32>) : !llvm.array<1 x i32>

// -----

llvm.func fastcc @f_fastcc(i32)
llvm.func coldcc @f_coldcc(i32)
llvm.func cc_10 @f_cc_10(i32)
llvm.func cc_11 @f_cc_11(i32)
llvm.func anyregcc @f_anyregcc(i32)
llvm.func preserve_mostcc @f_preserve_mostcc(i32)
llvm.func preserve_allcc @f_preserve_allcc(i32)
llvm.func swiftcc @f_swiftcc(i32)
llvm.func swifttailcc @f_swifttailcc(i32)
llvm.func tailcc @f_tailcc(i32)
llvm.func win64cc @f_win64cc(i32)
llvm.func x86_64_sysvcc @f_x86_64_sysvcc(i32)

// -----

llvm.func hidden @f_h(i32)
llvm.func protected @f_p(i32)
llvm.func local_unnamed_addr @f_lu(i32)
llvm.func unnamed_addr @f_u(i32)

// -----

llvm.mlir.global external hidden @h() : i32
llvm.mlir.global external protected @p() : i32
llvm.mlir.global internal unnamed_addr constant @s("abc") {addr_space = 0 : i32, alignment = 16 : i64, dso_local} : !llvm.array<3 x i8>
llvm.mlir.global internal local_unnamed_addr @lu(1 : i32) {section = ".x"} : i32
llvm.mlir.global internal thread_local @tl(1 : i32) : i32
llvm.mlir.global external @a2() {addr_space = 3 : i32} : i32

// -----

llvm.mlir.global external @x() {externally_initialized} : i32

// -----

llvm.mlir.global internal @r() : i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}

// -----

llvm.func @fp(i32) attributes {frame_pointer = #llvm.framePointerKind<"all">, no_inline, no_unwind, optimize_none, passthrough = ["foo", ["a", "b"]], target_cpu = "x", target_features = #llvm.target_features<["+sse"]>, tune_cpu = "y"}
llvm.func @fp2(i32) attributes {frame_pointer = #llvm.framePointerKind<"non-leaf">}

// -----

llvm.func @func_always_inline(i32) attributes {always_inline}

// -----

llvm.func @func_convergent(i32) attributes {convergent}

// -----

llvm.func @func_will_return(i32) attributes {will_return}

// -----

llvm.func @func_dso_local(i32) attributes {dso_local}

// -----

llvm.func @func_section(i32) attributes {section = "x"}

// -----

llvm.func @func_garbageCollector(i32) attributes {garbageCollector = "g"}

// -----

llvm.func @func_personality(i32) attributes {personality = @fp}

// -----

llvm.func @func_memory_effects(i32) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}

// -----

llvm.func @func_alignment(i32) attributes {alignment = 8 : i64}

// -----

llvm.func @func_vscale_range(i32) attributes {vscale_range = #llvm.vscale_range<minRange = 1, maxRange = 16>}

// -----

llvm.func @func_uwtable_kind(i32) attributes {uwtable_kind = #llvm.uwtableKind<sync>}

// -----

llvm.func @func_denormal_fp_math(i32) attributes {denormal_fp_math = "ieee"}

// -----

llvm.func @func_no_infs_fp_math(i32) attributes {no_infs_fp_math = true}

// -----

llvm.func @func_function_entry_count(i32) attributes {function_entry_count = 3 : i64}

// -----

llvm.func @func_arm_streaming(i32) attributes {arm_streaming}

// -----

llvm.func @func_instrument_function_entry(i32) attributes {instrument_function_entry = "x"}

// -----

llvm.func @func_prefer_vector_width(i32) attributes {prefer_vector_width = "128"}

// -----

llvm.func @func_intel_reqd_sub_group_size(i32) attributes {intel_reqd_sub_group_size = 8 : i32}

// -----

llvm.func @func_work_group_size_hint(i32) attributes {work_group_size_hint = array<i32: 1, 2, 3>}

// -----

llvm.func @fa(%a: !llvm.ptr {llvm.noalias, llvm.align = 8 : i64}, ...) -> (i32 {llvm.zeroext}) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}

// -----

llvm.func @call_hints() {
  llvm.call @h() {always_inline} : () -> ()
  llvm.call @h() {inline_hint} : () -> ()
  llvm.call @h() {no_inline} : () -> ()
  llvm.return
}
llvm.func @h()

// -----

llvm.func @call_intrinsic_attrs(%p: !llvm.ptr) {
  %0 = llvm.call_intrinsic "llvm.f"(%p) : (!llvm.ptr {llvm.noalias}) -> (i32 {llvm.noundef})
  llvm.return
}

// -----

llvm.func @func_arm_in_za() attributes {arm_in_za}

// -----

llvm.func @func_arm_inout_za() attributes {arm_inout_za}

// -----

llvm.func @func_arm_new_za() attributes {arm_new_za} {
  llvm.return
}

// -----

llvm.func @func_arm_out_za() attributes {arm_out_za}

// -----

llvm.func @func_arm_locally_streaming() attributes {arm_locally_streaming} {
  llvm.return
}

// -----

llvm.func @func_arm_preserves_za() attributes {arm_preserves_za}

// -----

llvm.func @func_arm_streaming_compatible() attributes {arm_streaming_compatible}

// -----

llvm.func @func_inline_hint() attributes {inline_hint}

// -----

llvm.func @func_no_nans_fp_math() attributes {no_nans_fp_math = true}

// -----

llvm.func @func_no_signed_zeros_fp_math() attributes {no_signed_zeros_fp_math = false}

// -----

llvm.func @func_denormal_fp_math_f32() attributes {denormal_fp_math_f32 = "ieee"}

// -----

llvm.func @func_fp_contract() attributes {fp_contract = "fast"}

// -----

llvm.func @func_instrument_function_exit() attributes {instrument_function_exit = "x"}

// -----

llvm.func @func_reciprocal_estimates() attributes {reciprocal_estimates = "all"}

// -----

llvm.func @func_reqd_work_group_size() attributes {reqd_work_group_size = array<i32: 1, 2, 3>}

// -----

llvm.func @func_sym_visibility() attributes {sym_visibility = "private"}
