// Every op of the scf dialect in each of its forms.

func.func @scf_execute_region() {
  %0 = scf.execute_region -> i64 no_inline { 
    %x1 = arith.constant 1 : i64 
    scf.yield %x1 : i64 }
  return
}

// -----

func.func @scf_execute_region_2() {
  scf.execute_region {
    cf.br ^bb1
  ^bb1:
    scf.yield }
  return
}

// -----

func.func @scf_while(%c: i1) {
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}

// -----

func.func @scf_while_2(%a: index, %c: i1, %f: f32) {
  %1:2 = scf.while (%i = %a, %j = %f) : (index, f32) -> (f32, index) { scf.condition(%c) %j, %i : f32, index } do { ^bb0(%p: f32, %q: index): scf.yield %q, %p : index, f32 } attributes {foo}
  return
}

// -----

func.func @scf_for(%a: index, %b: index) {
  scf.for %i = %a to %b step %a { }
  return
}

// -----

func.func @scf_for_2(%a: index, %f: f32, %b: index) {
  %2 = scf.for %i = %a to %b step %a iter_args(%s = %f) -> (f32) { scf.yield %s : f32 } {foo}
  return
}

// -----

func.func @scf_for_3(%x: i8) {
  scf.for unsigned %i = %x to %x step %x : i8 { }
  return
}

// -----

func.func @scf_forall(%a: index, %t: tensor<?xf32>) {
  %5 = scf.forall (%i, %j) in (%a, 10) shared_outs(%o = %t) -> (tensor<?xf32>) { scf.forall.in_parallel { tensor.parallel_insert_slice %o into %o[0] [%a] [1] : tensor<?xf32> into tensor<?xf32> } } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
  return
}

// -----

func.func @scf_forall_2(%a: index, %b: index) {
  scf.forall (%i, %j) = (0, %a) to (%b, 10) step (%a, 2) { } 
  return
}

// -----

func.func @scf_forall_3() {
  scf.forall (%i) in (8) { } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @scf_parallel(%a: index, %b: index) {
  scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%a, %a) { } {foo}
  return
}

// -----

func.func @scf_parallel_2(%a: index, %f: f32, %b: index) {
  %6:2 = scf.parallel (%i) = (%a) to (%b) step (%a) init (%a, %f) -> (index, f32) { scf.reduce(%a, %f : index, f32) { ^bb0(%l: index, %r: index): scf.reduce.return %l : index }, { ^bb0(%l: f32, %r: f32): scf.reduce.return %l : f32 } }
  return
}

// -----

func.func @scf_index_switch(%a: index) {
  %7:2 = scf.index_switch %a -> i32, i32
  case 2 {
    %y = arith.constant 1 : i32 
    scf.yield %y, %y : i32, i32 }
  default {
    %y = arith.constant 1 : i32 
    scf.yield %y, %y : i32, i32 }
  return
}

// -----

func.func @scf_index_switch_2(%a: index) {
  scf.index_switch %a {foo}
  case -1 { scf.yield }
  case 5 { scf.yield }
  default { }
  return
}

// -----

func.func @scf_if(%c: i1) {
  scf.if %c { }
  return
}

// -----

func.func @scf_if_2(%c: i1) {
  scf.if %c { } else { } {foo}
  return
}

// -----

func.func @scf_if_3(%a: index, %c: i1, %f: f32, %b: index) {
  %8:2 = scf.if %c -> (index, f32) { scf.yield %a, %f : index, f32 } else { scf.yield %b, %f : index, f32 }
  return
}
