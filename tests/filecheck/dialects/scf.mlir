// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt --print-op-generic %s | xdsl-opt -p expand-realloc | filecheck %s

// Threads read the shared outputs through block arguments and write them in the terminator.
// CHECK-LABEL: @forall
func.func @forall(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  // CHECK: %{{.*}} = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
  // CHECK: scf.forall.in_parallel {
  // CHECK-NEXT: tensor.parallel_insert_slice %{{.*}} into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
  // CHECK: } {mapping = [#gpu.thread<x>]}
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  func.return %0 : tensor<8xf32>
}

// Bounds may be any signless integers, compared as unsigned ones.
// CHECK-LABEL: @unsigned_for
func.func @unsigned_for(%a: i8, %b: i8) {
  // CHECK: scf.for unsigned %i = %a to %b step %a : i8 {
  scf.for unsigned %i = %a to %b step %a : i8 {
  }
  func.return
}

// CHECK-LABEL: @reduction
func.func @reduction(%a: index, %b: index, %f: f32) -> f32 {
  // CHECK: scf.parallel (%i) = (%a) to (%b) step (%a) init (%f) -> (f32) {
  // CHECK-NEXT: scf.reduce(%f : f32) {
  %0 = scf.parallel (%i) = (%a) to (%b) step (%a) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  func.return %0 : f32
}
