// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p canonicalize-control-flow --split-input-file | filecheck %s

// A dimension of one iteration goes.

// CHECK-LABEL: @single_iteration
// CHECK:       scf.parallel (%j) = (%c0) to (%n) step (%c1) {
// CHECK-NEXT:    func.call @use(%c0, %j)
func.func private @use(index, index)
func.func @single_iteration(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) {
    func.call @use(%i, %j) : (index, index) -> ()
  }
  return
}

// -----

// Of a single iteration, the reduction joins the initial value and the value.

// CHECK-LABEL: @reduction
// CHECK-NOT:   scf.parallel
// CHECK:       %[[R:.*]] = arith.mulf %x, %y : f32
// CHECK-NEXT:  func.return %[[R]]
func.func @reduction(%x: f32, %y: f32) -> f32 {
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %0 = scf.parallel (%i) = (%c3) to (%c9) step (%c9) init (%x) -> f32 {
    scf.reduce(%y : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}

// -----

// CHECK-LABEL: @no_iteration
// CHECK-NEXT:  func.return %t
func.func @no_iteration(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %0 = scf.forall (%i, %j) in (0, %n) shared_outs(%o = %t) -> tensor<8xf32> {
  }
  return %0 : tensor<8xf32>
}

// -----

// The only thread inserts in order.

// CHECK-LABEL: @one_thread
// CHECK-NEXT:  %[[A:.*]] = tensor.insert_slice %s into %t[0] [4] [1]
// CHECK-NEXT:  %[[B:.*]] = tensor.insert_slice %s into %[[A]][4] [4] [1]
// CHECK-NEXT:  func.return %[[B]]
func.func @one_thread(%t: tensor<8xf32>, %s: tensor<4xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %s into %o[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: @constant_bounds
// CHECK:       scf.forall (%{{.*}}) in (4, %n)
func.func private @use(index, index)
func.func @constant_bounds(%n: index) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i, %j, %k) in (%c4, %n, %c1) {
    func.call @use(%i, %j) : (index, index) -> ()
  }
  return
}

// -----

// Where dimensions are mapped to hardware, all stay.

// CHECK-LABEL: @mapped
// CHECK:       scf.forall (%{{.*}}) in (1, %n) {
func.func private @use(index, index)
func.func @mapped(%n: index) {
  scf.forall (%i, %j) in (1, %n) {
    func.call @use(%i, %j) : (index, index) -> ()
  } {mapping = ["x", "y"]}
  return
}

// -----

// A mapping says which threads run one of the two loops: they stay.

// CHECK-LABEL: @mapped_nest
// CHECK-COUNT-2: scf.parallel
func.func @mapped_nest(%m: memref<?x?xf64>, %n: index, %f: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %f, %m[%i, %j] : memref<?x?xf64>
      scf.reduce
    } {mapping = ["thread"]}
    scf.reduce
  }
  func.return
}

// -----

// Threads read what an output was before the loop, whether or not its result is used.

// CHECK-LABEL: @output_that_is_read
// CHECK:       scf.forall (%{{.*}}) in (8) shared_outs(%[[O:.*]] = %u)
// CHECK:         tensor.extract_slice %t
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[O]]
// CHECK-NOT:     tensor.parallel_insert_slice
func.func @output_that_is_read(%t: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = scf.forall (%i) in (8) shared_outs(%a = %t, %b = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    %1 = tensor.extract_slice %a[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %a[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %1 into %b[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  func.return %0#1 : tensor<8xf32>
}
