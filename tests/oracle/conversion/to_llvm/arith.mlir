// Integer and float arithmetic. Divisors are made odd or nonzero where an op needs it.

func.func @addi_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.addi %a, %b : i32
  return %r : i32
}

func.func @addi_i64(%a: i64, %b: i64) -> i64 {
  %r = arith.addi %a, %b : i64
  return %r : i64
}

func.func @addi_i16(%a: i16, %b: i16) -> i16 {
  %r = arith.addi %a, %b : i16
  return %r : i16
}

func.func @addi_index(%a: index, %b: index) -> index {
  %r = arith.addi %a, %b : index
  return %r : index
}

func.func @addi_i1(%a: i1, %b: i1) -> i1 {
  %r = arith.addi %a, %b : i1
  return %r : i1
}

func.func @subi_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.subi %a, %b : i32
  return %r : i32
}

func.func @subi_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.subi %a, %b : i8
  return %r : i8
}

func.func @muli_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.muli %a, %b : i32
  return %r : i32
}

func.func @muli_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.muli %a, %b : i8
  return %r : i8
}

func.func @andi_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.andi %a, %b : i32
  return %r : i32
}

func.func @andi_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.andi %a, %b : i8
  return %r : i8
}

func.func @ori_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.ori %a, %b : i32
  return %r : i32
}

func.func @ori_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.ori %a, %b : i8
  return %r : i8
}

func.func @xori_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.xori %a, %b : i32
  return %r : i32
}

func.func @xori_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.xori %a, %b : i8
  return %r : i8
}

func.func @maxsi_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.maxsi %a, %b : i32
  return %r : i32
}

func.func @maxsi_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.maxsi %a, %b : i8
  return %r : i8
}

func.func @maxui_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.maxui %a, %b : i32
  return %r : i32
}

func.func @maxui_i64(%a: i64, %b: i64) -> i64 {
  %r = arith.maxui %a, %b : i64
  return %r : i64
}

func.func @maxui_i16(%a: i16, %b: i16) -> i16 {
  %r = arith.maxui %a, %b : i16
  return %r : i16
}

func.func @maxui_index(%a: index, %b: index) -> index {
  %r = arith.maxui %a, %b : index
  return %r : index
}

func.func @maxui_i1(%a: i1, %b: i1) -> i1 {
  %r = arith.maxui %a, %b : i1
  return %r : i1
}

func.func @minsi_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.minsi %a, %b : i32
  return %r : i32
}

func.func @minsi_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.minsi %a, %b : i8
  return %r : i8
}

func.func @minui_i32(%a: i32, %b: i32) -> i32 {
  %r = arith.minui %a, %b : i32
  return %r : i32
}

func.func @minui_i8(%a: i8, %b: i8) -> i8 {
  %r = arith.minui %a, %b : i8
  return %r : i8
}

func.func @divui(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %d = arith.ori %b, %one : i32
  %r = arith.divui %a, %d : i32
  return %r : i32
}

func.func @remui(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %d = arith.ori %b, %one : i32
  %r = arith.remui %a, %d : i32
  return %r : i32
}

func.func @divsi(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %half = arith.divsi %a, %two : i32
  %d = arith.ori %b, %one : i32
  %r = arith.divsi %half, %d : i32
  return %r : i32
}

func.func @remsi(%a: i32, %b: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %half = arith.divsi %a, %two : i32
  %d = arith.ori %b, %one : i32
  %r = arith.remsi %half, %d : i32
  return %r : i32
}

func.func @shli(%a: i32, %b: i32) -> i32 {
  %m = arith.constant 31 : i32
  %s = arith.andi %b, %m : i32
  %r = arith.shli %a, %s : i32
  return %r : i32
}

func.func @shrsi(%a: i32, %b: i32) -> i32 {
  %m = arith.constant 31 : i32
  %s = arith.andi %b, %m : i32
  %r = arith.shrsi %a, %s : i32
  return %r : i32
}

func.func @shrui(%a: i32, %b: i32) -> i32 {
  %m = arith.constant 31 : i32
  %s = arith.andi %b, %m : i32
  %r = arith.shrui %a, %s : i32
  return %r : i32
}

func.func @cmpi_eq(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi eq, %a, %b : i32
  return %r : i1
}

func.func @cmpi_ne(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ne, %a, %b : i32
  return %r : i1
}

func.func @cmpi_slt(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi slt, %a, %b : i32
  return %r : i1
}

func.func @cmpi_sle(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi sle, %a, %b : i32
  return %r : i1
}

func.func @cmpi_sgt(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi sgt, %a, %b : i32
  return %r : i1
}

func.func @cmpi_sge(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi sge, %a, %b : i32
  return %r : i1
}

func.func @cmpi_ult(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ult, %a, %b : i32
  return %r : i1
}

func.func @cmpi_ule(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ule, %a, %b : i32
  return %r : i1
}

func.func @cmpi_ugt(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ugt, %a, %b : i32
  return %r : i1
}

func.func @cmpi_uge(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi uge, %a, %b : i32
  return %r : i1
}

func.func @cmpf_false(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf false, %a, %b : f32
  return %r : i1
}

func.func @cmpf_oeq(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf oeq, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ogt(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ogt, %a, %b : f32
  return %r : i1
}

func.func @cmpf_oge(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf oge, %a, %b : f32
  return %r : i1
}

func.func @cmpf_olt(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf olt, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ole(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ole, %a, %b : f32
  return %r : i1
}

func.func @cmpf_one(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf one, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ord(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ord, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ueq(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ueq, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ugt(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ugt, %a, %b : f32
  return %r : i1
}

func.func @cmpf_uge(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf uge, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ult(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ult, %a, %b : f32
  return %r : i1
}

func.func @cmpf_ule(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ule, %a, %b : f32
  return %r : i1
}

func.func @cmpf_une(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf une, %a, %b : f32
  return %r : i1
}

func.func @cmpf_uno(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf uno, %a, %b : f32
  return %r : i1
}

func.func @cmpf_true(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf true, %a, %b : f32
  return %r : i1
}

func.func @addf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.addf %a, %b : f32
  return %r : f32
}

func.func @addf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.addf %a, %b : f64
  return %r : f64
}

func.func @subf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.subf %a, %b : f32
  return %r : f32
}

func.func @subf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.subf %a, %b : f64
  return %r : f64
}

func.func @mulf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.mulf %a, %b : f32
  return %r : f32
}

func.func @mulf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.mulf %a, %b : f64
  return %r : f64
}

func.func @divf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.divf %a, %b : f32
  return %r : f32
}

func.func @divf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.divf %a, %b : f64
  return %r : f64
}

func.func @maximumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.maximumf %a, %b : f32
  return %r : f32
}

func.func @maximumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.maximumf %a, %b : f64
  return %r : f64
}

func.func @minimumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.minimumf %a, %b : f32
  return %r : f32
}

func.func @minimumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.minimumf %a, %b : f64
  return %r : f64
}

func.func @maxnumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.maxnumf %a, %b : f32
  return %r : f32
}

func.func @maxnumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.maxnumf %a, %b : f64
  return %r : f64
}

func.func @minnumf_f32(%a: f32, %b: f32) -> f32 {
  %r = arith.minnumf %a, %b : f32
  return %r : f32
}

func.func @minnumf_f64(%a: f64, %b: f64) -> f64 {
  %r = arith.minnumf %a, %b : f64
  return %r : f64
}

func.func @addf_f16(%a: f32, %b: f32) -> f32 {
  %x = arith.truncf %a : f32 to f16
  %y = arith.truncf %b : f32 to f16
  %z = arith.addf %x, %y : f16
  %r = arith.extf %z : f16 to f32
  return %r : f32
}

func.func @mulf_f16(%a: f32, %b: f32) -> f32 {
  %x = arith.truncf %a : f32 to f16
  %y = arith.truncf %b : f32 to f16
  %z = arith.mulf %x, %y : f16
  %r = arith.extf %z : f16 to f32
  return %r : f32
}

func.func @divf_f16(%a: f32, %b: f32) -> f32 {
  %x = arith.truncf %a : f32 to f16
  %y = arith.truncf %b : f32 to f16
  %z = arith.divf %x, %y : f16
  %r = arith.extf %z : f16 to f32
  return %r : f32
}

func.func @constant_f16(%a: f32) -> f32 {
  %c = arith.constant 1.3 : f16
  %x = arith.truncf %a : f32 to f16
  %z = arith.addf %x, %c : f16
  %r = arith.extf %z : f16 to f32
  return %r : f32
}

func.func @addf_bf16(%a: f32, %b: f32) -> f32 {
  %x = arith.truncf %a : f32 to bf16
  %y = arith.truncf %b : f32 to bf16
  %z = arith.addf %x, %y : bf16
  %r = arith.extf %z : bf16 to f32
  return %r : f32
}

func.func @mulf_bf16(%a: f32, %b: f32) -> f32 {
  %x = arith.truncf %a : f32 to bf16
  %y = arith.truncf %b : f32 to bf16
  %z = arith.mulf %x, %y : bf16
  %r = arith.extf %z : bf16 to f32
  return %r : f32
}

func.func @divf_bf16(%a: f32, %b: f32) -> f32 {
  %x = arith.truncf %a : f32 to bf16
  %y = arith.truncf %b : f32 to bf16
  %z = arith.divf %x, %y : bf16
  %r = arith.extf %z : bf16 to f32
  return %r : f32
}

func.func @constant_bf16(%a: f32) -> f32 {
  %c = arith.constant 1.3 : bf16
  %x = arith.truncf %a : f32 to bf16
  %z = arith.addf %x, %c : bf16
  %r = arith.extf %z : bf16 to f32
  return %r : f32
}

func.func @negf(%a: f32) -> f32 {
  %r = arith.negf %a : f32
  return %r : f32
}

func.func @select(%c: i1, %a: i32, %b: i32) -> i32 {
  %r = arith.select %c, %a, %b : i32
  return %r : i32
}

func.func @extsi(%a: i8) -> i64 {
  %r = arith.extsi %a : i8 to i64
  return %r : i64
}

func.func @extui(%a: i8) -> i64 {
  %r = arith.extui %a : i8 to i64
  return %r : i64
}

func.func @extui_i1(%a: i1) -> i64 {
  %r = arith.extui %a : i1 to i64
  return %r : i64
}

func.func @extsi_i1(%a: i1) -> i64 {
  %r = arith.extsi %a : i1 to i64
  return %r : i64
}

func.func @trunci(%a: i64) -> i8 {
  %r = arith.trunci %a : i64 to i8
  return %r : i8
}

func.func @extf(%a: f32) -> f64 {
  %r = arith.extf %a : f32 to f64
  return %r : f64
}

func.func @truncf(%a: f64) -> f32 {
  %r = arith.truncf %a : f64 to f32
  return %r : f32
}

func.func @sitofp(%a: i32) -> f32 {
  %r = arith.sitofp %a : i32 to f32
  return %r : f32
}

func.func @uitofp(%a: i32) -> f64 {
  %r = arith.uitofp %a : i32 to f64
  return %r : f64
}

func.func @fptosi(%a: i16) -> i32 {
  %f = arith.sitofp %a : i16 to f32
  %h = arith.constant 0.75 : f32
  %g = arith.mulf %f, %h : f32
  %r = arith.fptosi %g : f32 to i32
  return %r : i32
}

func.func @fptoui(%a: i8) -> i32 {
  %f = arith.uitofp %a : i8 to f32
  %h = arith.constant 0.75 : f32
  %g = arith.mulf %f, %h : f32
  %r = arith.fptoui %g : f32 to i32
  return %r : i32
}

func.func @bitcast(%a: f32) -> i32 {
  %r = arith.bitcast %a : f32 to i32
  return %r : i32
}

func.func @bitcast_back(%a: i64) -> f64 {
  %r = arith.bitcast %a : i64 to f64
  return %r : f64
}

func.func @index_cast_to(%a: i32) -> index {
  %r = arith.index_cast %a : i32 to index
  return %r : index
}

func.func @index_castui_to(%a: i32) -> index {
  %r = arith.index_castui %a : i32 to index
  return %r : index
}

func.func @remf(%a: f64, %b: f64) -> f64 {
  %r = arith.remf %a, %b : f64
  return %r : f64
}

func.func @index_cast_from(%a: index) -> i32 {
  %r = arith.index_cast %a : index to i32
  return %r : i32
}

func.func @addui_extended(%a: i32, %b: i32) -> i64 {
  %s, %o = arith.addui_extended %a, %b : i32, i1
  %s64 = arith.extui %s : i32 to i64
  %o64 = arith.extui %o : i1 to i64
  %c = arith.constant 32 : i64
  %h = arith.shli %o64, %c : i64
  %r = arith.ori %h, %s64 : i64
  return %r : i64
}

func.func @mulsi_extended(%a: i32, %b: i32) -> i64 {
  %l, %h = arith.mulsi_extended %a, %b : i32
  %l64 = arith.extui %l : i32 to i64
  %h64 = arith.extui %h : i32 to i64
  %c = arith.constant 32 : i64
  %hh = arith.shli %h64, %c : i64
  %r = arith.ori %hh, %l64 : i64
  return %r : i64
}

func.func @mului_extended(%a: i32, %b: i32) -> i64 {
  %l, %h = arith.mului_extended %a, %b : i32
  %l64 = arith.extui %l : i32 to i64
  %h64 = arith.extui %h : i32 to i64
  %c = arith.constant 32 : i64
  %hh = arith.shli %h64, %c : i64
  %r = arith.ori %hh, %l64 : i64
  return %r : i64
}

func.func @folded_index(%a: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = arith.muli %c5, %c5 : index
  %y = arith.subi %x, %c1 : index
  %z = arith.muli %a, %c1 : index
  %w = arith.addi %z, %c0 : index
  %v = arith.muli %w, %c0 : index
  %u = arith.subi %w, %y : index
  %t = arith.subi %c5, %u : index
  %r = arith.addi %t, %v : index
  return %r : index
}

func.func @flags(%a: i16, %b: i16) -> i32 {
  %x = arith.extsi %a : i16 to i32
  %y = arith.extsi %b : i16 to i32
  %s = arith.addi %x, %y overflow<nsw> : i32
  %m = arith.muli %x, %y overflow<nsw> : i32
  %r = arith.subi %s, %m : i32
  return %r : i32
}

func.func @fast_math(%a: f32, %b: f32) -> i1 {
  %x = arith.addf %a, %b fastmath<nsz> : f32
  %r = arith.cmpf oeq, %x, %a fastmath<nsz> : f32
  return %r : i1
}
