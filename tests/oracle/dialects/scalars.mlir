// Ops of arith, math, complex, affine, ub and ml_program that tensor programs use.

func.func @arith_extsi(%t: tensor<?xi32>) {
  %0 = arith.extsi %t : tensor<?xi32> to tensor<?xi64>
  return
}

// -----

func.func @arith_trunci(%v: vector<4xi32>) {
  %1 = arith.trunci %v : vector<4xi32> to vector<4xi8>
  return
}

// -----

func.func @arith_index_cast(%t: tensor<?xi32>) {
  %2 = arith.index_cast %t : tensor<?xi32> to tensor<?xindex>
  return
}

// -----

func.func @arith_index_castui(%ix: tensor<?xindex>) {
  %3 = arith.index_castui %ix : tensor<?xindex> to tensor<?xi32>
  return
}

// -----

func.func @arith_sitofp(%t: tensor<?xi32>) {
  %4 = arith.sitofp %t : tensor<?xi32> to tensor<?xf32>
  return
}

// -----

func.func @arith_fptosi(%f: tensor<?xf32>) {
  %5 = arith.fptosi %f : tensor<?xf32> to tensor<?xi32>
  return
}

// -----

func.func @arith_select(%f: tensor<?xf32>, %b: tensor<?xi1>) {
  %6 = arith.select %b, %f, %f : tensor<?xi1>, tensor<?xf32>
  return
}

// -----

func.func @arith_cmpf(%f: tensor<?xf32>) {
  %7 = arith.cmpf olt, %f, %f : tensor<?xf32>
  return
}

// -----

func.func @arith_quoted_predicates(%a: index, %x: f32) {
  %0 = arith.cmpi "ult", %a, %a : index
  %1 = arith.cmpf "une", %x, %x : f32
  return
}

// -----

func.func @arith_cmpi(%t: tensor<?xi32>) {
  %8 = arith.cmpi slt, %t, %t : tensor<?xi32>
  return
}

// -----

func.func @arith_addf(%f: tensor<?xf32>) {
  %9 = arith.addf %f, %f fastmath<fast> : tensor<?xf32>
  return
}

// -----

func.func @arith_addi(%t: tensor<?xi32>) {
  %10 = arith.addi %t, %t overflow<nsw> : tensor<?xi32>
  return
}

// -----

func.func @arith_remf(%f: tensor<?xf32>) {
  %11 = arith.remf %f, %f : tensor<?xf32>
  return
}

// -----

func.func @arith_bitcast(%f: tensor<?xf32>) {
  %12 = arith.bitcast %f : tensor<?xf32> to tensor<?xi32>
  return
}

// -----

func.func @arith_truncf(%s: f32) {
  %13 = arith.truncf %s to_nearest_even : f32 to f16
  return
}

// -----

func.func @arith_truncf_2(%f: tensor<?xf32>) {
  %14 = arith.truncf %f : tensor<?xf32> to tensor<?xf16>
  return
}

// -----

func.func @arith_extf(%f16: f16) {
  %15 = arith.extf %f16 : f16 to f32
  return
}

// -----

func.func @arith_extf_2(%f16: f16) {
  %16 = arith.extf %f16 fastmath<fast> : f16 to f32
  return
}

// -----

func.func @arith_select_2(%t: tensor<?xi32>, %b: tensor<?xi1>) {
  %17 = arith.select %b, %t, %t : tensor<?xi1>, tensor<?xi32>
  return
}

// -----

func.func @arith_scaling_extf(%f8: f8E8M0FNU, %f4: f4E2M1FN) {
  %18 = arith.scaling_extf %f4, %f8 : f4E2M1FN, f8E8M0FNU to f32
  return
}

// -----

func.func @arith_scaling_truncf(%s: f32, %f8: f8E8M0FNU) {
  %19 = arith.scaling_truncf %s, %f8 : f32, f8E8M0FNU to f4E2M1FN
  return
}

// -----

func.func @arith_constant() {
  %20 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// -----

func.func @arith_constant_2() {
  %21 = arith.constant dense<0x7FC00000> : tensor<2xf32>
  return
}

// -----

func.func @arith_constant_3() {
  %22 = arith.constant dense<[0xFF800000, 1.0]> : tensor<2xf32>
  return
}

// -----

func.func @arith_constant_4() {
  %23 = arith.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>
  return
}

// -----

func.func @arith_constant_5() {
  %24 = arith.constant dense<> : tensor<0xf32>
  return
}

// -----

func.func @arith_constant_6() {
  %25 = arith.constant dense<true> : tensor<4xi1>
  return
}

// -----

func.func @arith_constant_7() {
  %26 = arith.constant dense<[true, false]> : tensor<2xi1>
  return
}

// -----

func.func @arith_constant_8() {
  %27 = arith.constant dense<-1> : tensor<4xi8>
  return
}

// -----

func.func @arith_constant_9() {
  %28 = arith.constant dense<255> : tensor<4xui8>
  return
}

// -----

func.func @arith_constant_10() {
  %29 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @arith_constant_11() {
  %30 = arith.constant 0x7F800000 : f32
  return
}

// -----

func.func @arith_constant_12() {
  %31 = arith.constant dense<1.0> : tensor<2xf8E4M3FN>
  return
}

// -----

func.func @arith_constant_13() {
  %32 = arith.constant dense<1.0> : tensor<2xbf16>
  return
}

// -----

func.func @arith_constant_14() {
  %33 = arith.constant dense_resource<foo> : tensor<2xf32>
  return
}

// -----

func.func @arith_mului_extended(%i32: i32) {
  %35:2 = arith.mului_extended %i32, %i32 : i32
  return
}

// -----

func.func @arith_ceildivsi(%i: index) {
  %36 = arith.ceildivsi %i, %i : index
  return
}

// -----

func.func @arith_maxnumf(%f: tensor<?xf32>) {
  %37 = arith.maxnumf %f, %f : tensor<?xf32>
  return
}

// -----

func.func @math_absi(%t: tensor<?xi32>) {
  %38 = math.absi %t : tensor<?xi32>
  return
}

// -----

func.func @math_fma(%s: f32) {
  %39 = math.fma %s, %s, %s : f32
  return
}

// -----

func.func @math_powf(%f: tensor<?xf32>) {
  %40 = math.powf %f, %f : tensor<?xf32>
  return
}

// -----

func.func @math_ctlz(%t: tensor<?xi32>) {
  %43 = math.ctlz %t : tensor<?xi32>
  return
}

// -----

func.func @math_fpowi(%s: f32, %i32: i32) {
  %44 = math.fpowi %s, %i32 : f32, i32
  return
}

// -----

func.func @math_classification(%s: f32, %v: vector<4xf16>, %t: tensor<?xf64>, %u: tensor<3xf32>) {
  %0 = math.isfinite %s : f32
  %1 = math.isinf %v : vector<4xf16>
  %2 = math.isnan %t : tensor<?xf64>
  %3 = math.isnormal %u : tensor<3xf32>
  %4 = math.isnan %s {fastmath = #arith.fastmath<nnan,ninf>, some.attribute} : f32
  return
}

// -----

func.func @math_erfc(%s: f32, %t: tensor<?xf64>) {
  %0 = math.erfc %s fastmath<fast> : f32
  %1 = math.erfc %t : tensor<?xf64>
  return
}

// -----

func.func @math_sincos(%s: f32, %t: tensor<?xf64>) {
  %0, %1 = math.sincos %s fastmath<nnan> : f32
  %2, %3 = math.sincos %t : tensor<?xf64>
  return
}

// -----

func.func @math_clampf(%s: f32, %v: vector<4xf16>) {
  %0 = math.clampf %s to [%s, %s] fastmath<fast> : f32
  %1 = math.clampf %v to [%v, %v] : vector<4xf16>
  return
}

// -----

func.func @affine_apply(%i: index) {
  %47 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%i]
  return
}

// -----

func.func @affine_min(%i: index) {
  %48 = affine.min affine_map<(d0) -> (d0, 4)>(%i)
  return
}

// -----

func.func @affine_max(%i: index) {
  %49 = affine.max affine_map<(d0) -> (d0, 4)>(%i)
  return
}

// -----

func.func @affine_for(%i: index, %m: memref<?x?xf32>) {
  affine.for %k = 0 to 10 {
    %50 = affine.load %m[%k, %k + 1] : memref<?x?xf32>
    affine.store %50, %m[%k, symbol(%i)] : memref<?x?xf32>
  }
  return
}

// -----

func.func @affine_for_2(%s: f32, %i: index) {
  %51 = affine.for %k = %i to min affine_map<(d0) -> (d0, 10)>(%i) step 2 iter_args(%a = %s) -> (f32) { affine.yield %a : f32 }
  return
}

// -----

func.func @affine_parallel(%i: index) {
  affine.parallel (%x, %y) = (0, 0) to (%i, 10) step (2, 1) { affine.yield }
  return
}

// -----

func.func @affine_parallel_2(%s: f32, %i: index) {
  %52 = affine.parallel (%x) = (0) to (min(%i, 10)) reduce ("addf") -> (f32) { affine.yield %s : f32 }
  return
}

// -----

func.func @affine_if(%i: index) {
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) { } else { }
  return
}

// -----

func.func @affine_delinearize_index(%i: index) {
  %53:2 = affine.delinearize_index %i into (2, 3) : index, index
  return
}

// -----

func.func @affine_linearize_index(%i: index) {
  %54 = affine.linearize_index [%i, %i] by (2, 3) : index
  return
}

// -----

func.func @affine_prefetch(%i: index, %m: memref<?x?xf32>) {
  affine.prefetch %m[%i, %i], read, locality<3>, data : memref<?x?xf32>
  return
}

// -----

func.func @ub_poison() {
  %55 = ub.poison : tensor<4xf32>
  return
}

// -----

func.func @complex_constant() {
  %58 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  return
}

// -----

func.func @complex_mul() {
  %58 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %59 = complex.mul %58, %58 : complex<f32>
  return
}

// -----

func.func @complex_abs() {
  %58 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %60 = complex.abs %58 : complex<f32>
  return
}

// -----

func.func @arith_minui(%t: tensor<?xi32>) {
  %63 = arith.minui %t, %t : tensor<?xi32>
  return
}

// -----

func.func @arith_negf(%f: tensor<?xf32>) {
  %64 = arith.negf %f : tensor<?xf32>
  return
}

// -----

ml_program.global private mutable @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
ml_program.global public @h(#ml_program.extern : tensor<4xi32>) : tensor<4xi32>
ml_program.global private mutable @u : tensor<?xi32>
func.func @ml_program_access() -> tensor<4xi32> {
  %0 = ml_program.global_load @g : tensor<4xi32>
  ml_program.global_store @g = %0 : tensor<4xi32>
  %1 = ml_program.global_load_const @h : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

func.func @arith_binary(%i: i32, %t: tensor<?xi8>, %f: f32, %v: vector<4xf64>) {
  %subi_0 = arith.subi %i, %i : i32
  %subi_1 = arith.subi %t, %t : tensor<?xi8>
  %divui_0 = arith.divui %i, %i : i32
  %divui_1 = arith.divui %t, %t : tensor<?xi8>
  %divsi_0 = arith.divsi %i, %i : i32
  %divsi_1 = arith.divsi %t, %t : tensor<?xi8>
  %floordivsi_0 = arith.floordivsi %i, %i : i32
  %floordivsi_1 = arith.floordivsi %t, %t : tensor<?xi8>
  %ceildivui_0 = arith.ceildivui %i, %i : i32
  %ceildivui_1 = arith.ceildivui %t, %t : tensor<?xi8>
  %remui_0 = arith.remui %i, %i : i32
  %remui_1 = arith.remui %t, %t : tensor<?xi8>
  %remsi_0 = arith.remsi %i, %i : i32
  %remsi_1 = arith.remsi %t, %t : tensor<?xi8>
  %minsi_0 = arith.minsi %i, %i : i32
  %minsi_1 = arith.minsi %t, %t : tensor<?xi8>
  %maxsi_0 = arith.maxsi %i, %i : i32
  %maxsi_1 = arith.maxsi %t, %t : tensor<?xi8>
  %maxui_0 = arith.maxui %i, %i : i32
  %maxui_1 = arith.maxui %t, %t : tensor<?xi8>
  %andi_0 = arith.andi %i, %i : i32
  %andi_1 = arith.andi %t, %t : tensor<?xi8>
  %ori_0 = arith.ori %i, %i : i32
  %ori_1 = arith.ori %t, %t : tensor<?xi8>
  %xori_0 = arith.xori %i, %i : i32
  %xori_1 = arith.xori %t, %t : tensor<?xi8>
  %shli_0 = arith.shli %i, %i : i32
  %shli_1 = arith.shli %t, %t : tensor<?xi8>
  %shrui_0 = arith.shrui %i, %i : i32
  %shrui_1 = arith.shrui %t, %t : tensor<?xi8>
  %shrsi_0 = arith.shrsi %i, %i : i32
  %shrsi_1 = arith.shrsi %t, %t : tensor<?xi8>
  %subf_0 = arith.subf %f, %f fastmath<nnan,contract> : f32
  %subf_1 = arith.subf %v, %v : vector<4xf64>
  %divf_0 = arith.divf %f, %f fastmath<nnan,contract> : f32
  %divf_1 = arith.divf %v, %v : vector<4xf64>
  %minimumf_0 = arith.minimumf %f, %f fastmath<nnan,contract> : f32
  %minimumf_1 = arith.minimumf %v, %v : vector<4xf64>
  %minnumf_0 = arith.minnumf %f, %f fastmath<nnan,contract> : f32
  %minnumf_1 = arith.minnumf %v, %v : vector<4xf64>
  %maximumf_0 = arith.maximumf %f, %f fastmath<nnan,contract> : f32
  %maximumf_1 = arith.maximumf %v, %v : vector<4xf64>
  %add, %overflow = arith.addui_extended %i, %i : i32, i1
  %low, %high = arith.mulsi_extended %t, %t : tensor<?xi8>
  %no_wrap = arith.subi %i, %i overflow<nsw, nuw> : i32
  %exact_divsi = arith.divsi %i, %i exact : i32
  %exact_divui = arith.divui %i, %i exact : i32
  %exact_shrsi = arith.shrsi %i, %i exact : i32
  %exact_shrui = arith.shrui %i, %i exact : i32
  %wide = arith.extui %i : i32 to i64
  %narrow = arith.fptoui %v : vector<4xf64> to vector<4xi8>
  return
}

// -----

func.func @math_unary(%f: f32, %t: tensor<?xf64>) {
  %absf_0 = math.absf %f fastmath<fast> : f32
  %absf_1 = math.absf %t : tensor<?xf64>
  %acos_0 = math.acos %f fastmath<fast> : f32
  %acos_1 = math.acos %t : tensor<?xf64>
  %acosh_0 = math.acosh %f fastmath<fast> : f32
  %acosh_1 = math.acosh %t : tensor<?xf64>
  %asin_0 = math.asin %f fastmath<fast> : f32
  %asin_1 = math.asin %t : tensor<?xf64>
  %asinh_0 = math.asinh %f fastmath<fast> : f32
  %asinh_1 = math.asinh %t : tensor<?xf64>
  %atan_0 = math.atan %f fastmath<fast> : f32
  %atan_1 = math.atan %t : tensor<?xf64>
  %atanh_0 = math.atanh %f fastmath<fast> : f32
  %atanh_1 = math.atanh %t : tensor<?xf64>
  %cbrt_0 = math.cbrt %f fastmath<fast> : f32
  %cbrt_1 = math.cbrt %t : tensor<?xf64>
  %ceil_0 = math.ceil %f fastmath<fast> : f32
  %ceil_1 = math.ceil %t : tensor<?xf64>
  %cos_0 = math.cos %f fastmath<fast> : f32
  %cos_1 = math.cos %t : tensor<?xf64>
  %cosh_0 = math.cosh %f fastmath<fast> : f32
  %cosh_1 = math.cosh %t : tensor<?xf64>
  %erf_0 = math.erf %f fastmath<fast> : f32
  %erf_1 = math.erf %t : tensor<?xf64>
  %exp2_0 = math.exp2 %f fastmath<fast> : f32
  %exp2_1 = math.exp2 %t : tensor<?xf64>
  %expm1_0 = math.expm1 %f fastmath<fast> : f32
  %expm1_1 = math.expm1 %t : tensor<?xf64>
  %floor_0 = math.floor %f fastmath<fast> : f32
  %floor_1 = math.floor %t : tensor<?xf64>
  %log10_0 = math.log10 %f fastmath<fast> : f32
  %log10_1 = math.log10 %t : tensor<?xf64>
  %log1p_0 = math.log1p %f fastmath<fast> : f32
  %log1p_1 = math.log1p %t : tensor<?xf64>
  %log2_0 = math.log2 %f fastmath<fast> : f32
  %log2_1 = math.log2 %t : tensor<?xf64>
  %log_0 = math.log %f fastmath<fast> : f32
  %log_1 = math.log %t : tensor<?xf64>
  %roundeven_0 = math.roundeven %f fastmath<fast> : f32
  %roundeven_1 = math.roundeven %t : tensor<?xf64>
  %round_0 = math.round %f fastmath<fast> : f32
  %round_1 = math.round %t : tensor<?xf64>
  %rsqrt_0 = math.rsqrt %f fastmath<fast> : f32
  %rsqrt_1 = math.rsqrt %t : tensor<?xf64>
  %sin_0 = math.sin %f fastmath<fast> : f32
  %sin_1 = math.sin %t : tensor<?xf64>
  %sinh_0 = math.sinh %f fastmath<fast> : f32
  %sinh_1 = math.sinh %t : tensor<?xf64>
  %sqrt_0 = math.sqrt %f fastmath<fast> : f32
  %sqrt_1 = math.sqrt %t : tensor<?xf64>
  %tan_0 = math.tan %f fastmath<fast> : f32
  %tan_1 = math.tan %t : tensor<?xf64>
  %tanh_0 = math.tanh %f fastmath<fast> : f32
  %tanh_1 = math.tanh %t : tensor<?xf64>
  %trunc_0 = math.trunc %f fastmath<fast> : f32
  %trunc_1 = math.trunc %t : tensor<?xf64>
  %exp_0 = math.exp %f fastmath<fast> : f32
  %exp_1 = math.exp %t : tensor<?xf64>
  return
}

// -----

func.func @math_others(%f: f32, %i: i32, %v: vector<4xi16>) {
  %0 = math.atan2 %f, %f : f32
  %1 = math.copysign %f, %f fastmath<reassoc> : f32
  %2 = math.cttz %i : i32
  %3 = math.ctpop %v : vector<4xi16>
  %4 = math.ipowi %v, %v : vector<4xi16>
  return
}

// -----

func.func @func_values(%i: i32) -> (i32, i32) {
  %0 = func.constant @func_values : (i32) -> (i32, i32)
  %1:2 = func.call_indirect %0(%i) : (i32) -> (i32, i32)
  %2:2 = func.call @func_values(%i) {some.attribute} : (i32) -> (i32, i32)
  return %1#0, %2#1 : i32, i32
}

// -----

ml_program.func private @ml_program_extern(i32) -> i32
ml_program.func @compute(%a: i32 {some.a}) -> (i32 {some.b}) attributes {x.y} {
  ml_program.return %a : i32
}
ml_program.func public @nothing() {
  ml_program.return
}
ml_program.subgraph private @extern_graph(i32) -> (i32, i32)
ml_program.subgraph @graph(%a: i32) -> i32 {
  %c = arith.addi %b, %a : i32
  %b = arith.addi %a, %a : i32
  ml_program.output {z.w} %c : i32
}

// -----

ml_program.global private mutable @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
ml_program.subgraph @ml_program_tokens(%a: tensor<4xi32>) -> (tensor<4xi32>, !ml_program.token) {
  %t = ml_program.token
  %0, %u = ml_program.global_load_graph @g ordering(%t -> !ml_program.token) : tensor<4xi32>
  %v = ml_program.global_store_graph @g = %a ordering(%t, %u -> !ml_program.token) : tensor<4xi32>
  %w = ml_program.global_store_graph @g = %a ordering(() -> !ml_program.token) : tensor<4xi32>
  ml_program.output %0, %v : tensor<4xi32>, !ml_program.token
}

// -----

func.func @properties_among_attributes(%x: f32, %i: i32) -> f32 {
  %0 = arith.addf %x, %x {fastmath = #arith.fastmath<fast>} : f32
  %1 = arith.addf %x, %x fastmath<contract> {fastmath = #arith.fastmath<nnan>} : f32
  %2 = arith.cmpf olt, %x, %x {fastmath = #arith.fastmath<ninf>} : f32
  %3 = arith.addi %i, %i {overflowFlags = #arith.overflow<nsw>} : i32
  %4 = math.exp %x {fastmath = #arith.fastmath<fast>} : f32
  return %0 : f32
}

// -----

func.func @large_floats() {
  %0 = arith.constant 1.0e300 : f16
  %1 = arith.constant -1.0e300 : f16
  %2 = arith.constant 1.0e300 : bf16
  %3 = arith.constant -1.0e300 : bf16
  %4 = arith.constant 1.0e300 : tf32
  %5 = arith.constant -1.0e300 : tf32
  %6 = arith.constant 1.0e300 : f32
  %7 = arith.constant -1.0e300 : f32
  %8 = arith.constant 1.0e300 : f8E5M2
  %9 = arith.constant -1.0e300 : f8E5M2
  %10 = arith.constant 1.0e300 : f8E4M3
  %11 = arith.constant -1.0e300 : f8E4M3
  %12 = arith.constant 1.0e300 : f8E3M4
  %13 = arith.constant -1.0e300 : f8E3M4
  %14 = arith.constant 1.0e400 : f64
  %15 = arith.constant 65520.0 : f16
  return
}

// -----

func.func @bits_of_scalars() {
  %0 = arith.constant 0x1 : f16
  %1 = arith.constant 0xFC00 : f16
  %2 = arith.constant 0xFF80 : bf16
  %3 = arith.constant 0x7FC00000 : f32
  %4 = arith.constant 0x00000001 : f32
  %5 = arith.constant 0x7FF0000000000000 : f64
  %6 = arith.constant 0xFFF0000000000001 : f64
  %7 = arith.constant 0x80 : f8E4M3FNUZ
  %8 = arith.constant 0x7C : f8E5M2
  %9 = arith.constant 0x10 : tf32
  %10 = arith.constant 0xF : f4E2M1FN
  %11 = arith.constant 0x7F800000 : i64
  return
}

// -----

func.func @wide_floats() {
  %0 = arith.constant 1.0 : f80
  %1 = arith.constant -0.0 : f80
  %2 = arith.constant 3.14159265358979 : f80
  %3 = arith.constant 1.0e300 : f80
  %4 = arith.constant 1.0e400 : f80
  %5 = arith.constant -1.0e400 : f80
  %6 = arith.constant 1.0e-320 : f80
  %7 = arith.constant 5.0e-324 : f80
  %8 = arith.constant 1.0e-400 : f80
  %9 = arith.constant 1.0e22 : f80
  %10 = arith.constant 12345678.0 : f80
  %11 = arith.constant 1.0 : f128
  %12 = arith.constant -0.0 : f128
  %13 = arith.constant 3.14159265358979 : f128
  %14 = arith.constant 1.0e300 : f128
  %15 = arith.constant 1.0e400 : f128
  %16 = arith.constant -1.0e400 : f128
  %17 = arith.constant 1.0e-320 : f128
  %18 = arith.constant 5.0e-324 : f128
  %19 = arith.constant 1.0e-400 : f128
  %20 = arith.constant 1.0e22 : f128
  %21 = arith.constant 12345678.0 : f128
  %22 = arith.constant 0x3FFF8000000000000000 : f80
  %23 = arith.constant 0xFFFF8000000000000000 : f80
  %24 = arith.constant 0x7FFFC000000000000000 : f80
  %25 = arith.constant 0x3FFF0000000000000000000000000000 : f128
  %26 = arith.constant 0x7FFF8000000000000000000000000000 : f128
  %27 = arith.constant 0xFFFF0000000000000000000000000000 : f128
  %28 = complex.constant [1.0 : f80, 0xBFFF8000000000000000 : f80] : complex<f80>
  return
}

// -----

func.func @bits_in_complex_numbers() {
  %0 = arith.constant dense<(0x7F800000, 2.0)> : tensor<2xcomplex<f32>>
  %1 = arith.constant dense<[(1.0, 0xFF800000), (0x1, 0x2)]> : tensor<2xcomplex<f32>>
  %2 = complex.constant [1.0e300 : f32, 0x10 : f32] : complex<f32>
  %3 = arith.constant dense<(0xFF, -2)> : tensor<2xcomplex<i8>>
  %4 = arith.constant dense<(255, 2)> : tensor<2xcomplex<i8>>
  return
}

// -----

func.func @arrays_of_floats() {
  %0 = arith.constant {a = array<f16: 0x7C00, -0.0, 1.0e300>, b = array<f32: 1.0, 0xFF800000>,
                       c = array<f64>} 1.0 : f32
  return
}
