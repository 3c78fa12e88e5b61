// RUN: xdsl-opt %s -p bufferization-pipeline --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'bufferization-pipeline{modify-public-functions buffer-alignment=0 function-boundary-type-conversion=identity-layout-map}' --split-input-file | filecheck %s --check-prefix=OPTIONS
// RUN: xdsl-opt %s -p 'bufferization-pipeline{plan-memory}' --split-input-file | filecheck %s --check-prefix=PLANNED
// RUN: xdsl-opt %s -p 'bufferization-pipeline{plan-memory arena=argument}' --split-input-file | filecheck %s --check-prefix=ARGUMENT

// A private function does not return the argument that it updates.

func.func private @mark(%t: tensor<8xi1>, %i: index) -> tensor<8xi1> {
  %true = arith.constant true
  %0 = tensor.insert %true into %t[%i] : tensor<8xi1>
  return %0 : tensor<8xi1>
}

func.func @marks(%t: tensor<8xi1>, %n: index) -> tensor<8xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<8xi1>) {
    %1 = func.call @mark(%u, %i) : (tensor<8xi1>, index) -> tensor<8xi1>
    scf.yield %1 : tensor<8xi1>
  }
  return %0 : tensor<8xi1>
}

// CHECK-LABEL: func.func private @mark(
// CHECK-SAME:      memref<8xi1, strided<[?], offset: ?>>, %{{.*}}: index) {
// CHECK-NOT:     bufferization.clone
// CHECK-LABEL: func.func @marks(
// CHECK:         scf.for
// CHECK-NEXT:      func.call @mark(%{{.*}}, %{{.*}}) : ({{.*}}) -> ()
// CHECK:         bufferization.clone
// CHECK-NEXT:    func.return

// -----

// A public one does, unless asked.

func.func @public_mark(%t: tensor<8xi1>, %i: index) -> tensor<8xi1> {
  %true = arith.constant true
  %0 = tensor.insert %true into %t[%i] : tensor<8xi1>
  return %0 : tensor<8xi1>
}

// CHECK-LABEL: func.func @public_mark(
// CHECK:         bufferization.clone
// CHECK-NEXT:    func.return %

// OPTIONS-LABEL: func.func @public_mark(
// OPTIONS-SAME:      memref<8xi1>, %{{.*}}: index) {
// OPTIONS-NOT:     bufferization.clone

// -----

// A buffer is freed after its last use.

func.func private @long()

func.func @freed(%x: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.extract %f[%i] : tensor<8xf32>
  func.call @long() : () -> ()
  return %y : f32
}

// CHECK-LABEL: func.func @freed(
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    func.call @long()

// ARGUMENT-LABEL: func.func @freed(
// ARGUMENT-SAME:      %{{.*}}: f32, %{{.*}}: index, %[[ARENA:[^:]+]]: memref<32xi8>) -> f32
// ARGUMENT-SAME:      arena_bytes = [32 : i64]
// ARGUMENT-NOT:     memref.alloc
// ARGUMENT:         memref.view %[[ARENA]]
// ARGUMENT:         return

// -----

// Buffers share memory, where that is wanted.

func.func @planned(%x: tensor<8xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add ins(%0, %x : tensor<8xf32>, tensor<8xf32>)
    outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.add ins(%0, %1 : tensor<8xf32>, tensor<8xf32>)
    outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.extract %2[%i] : tensor<8xf32>
  return %y : f32
}

// PLANNED-LABEL: func.func @planned(
// PLANNED:         %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<96xi8>
// PLANNED-COUNT-2: memref.view %[[ARENA]]
// PLANNED:         memref.load
// PLANNED-NEXT:    memref.dealloc %[[ARENA]]

// -----

// What a call computes in scf.while is neither copied nor allocated in each iteration.

func.func private @step(%y: tensor<2xf64>) -> tensor<2xf64> {
  %e = tensor.empty() : tensor<2xf64>
  %r = linalg.exp ins(%y : tensor<2xf64>) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
func.func @steps(%x: f64, %end: index) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y0 = tensor.from_elements %x, %x : tensor<2xf64>
  %r:2 = scf.while (%y = %y0, %t = %c0) : (tensor<2xf64>, index) -> (tensor<2xf64>, index) {
    %go = arith.cmpi ult, %t, %end : index
    scf.condition(%go) %y, %t : tensor<2xf64>, index
  } do {
  ^bb0(%y: tensor<2xf64>, %t: index):
    %n = func.call @step(%y) : (tensor<2xf64>) -> tensor<2xf64>
    %u = arith.addi %t, %c1 : index
    scf.yield %n, %u : tensor<2xf64>, index
  }
  return %r#0 : tensor<2xf64>
}

// CHECK-LABEL: func.func @steps(
// CHECK-NOT:     memref.copy
// CHECK:         scf.while
// CHECK-NOT:     memref.copy
// CHECK-NOT:     memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:           func.call @step(
// CHECK-NOT:     memref.dealloc
// CHECK:           scf.yield

// -----

// What is unread once the results of a branch have been removed is not copied.

func.func @unread(%t: tensor<4x?xi32>, %c: i1, %n: index) -> tensor<4x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant 3 : i32
  %0 = tensor.insert %s into %t[%c0, %c0] : tensor<4x?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (tensor<4x?xi32>) {
    %1 = scf.if %c -> (tensor<?xi32>) {
      %2 = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xi32> into tensor<?xi32>
      scf.yield %2 : tensor<?xi32>
    } else {
      %3 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x?xi32> into tensor<?xi32>
      scf.yield %3 : tensor<?xi32>
    }
    scf.yield %a : tensor<4x?xi32>
  }
  return %r : tensor<4x?xi32>
}

// CHECK-LABEL: func.func @unread(
// CHECK-NOT:     memref.copy
// CHECK-NOT:     memref.alloc
// CHECK:         %[[COPY:.*]] = bufferization.clone %t
// CHECK-NOT:     memref.copy
// CHECK-NOT:     memref.alloc
// CHECK:         func.return %[[COPY]]

// -----

// Only a branch that is never taken reads the result: the loop does not alternate between
// two buffers for it.

func.func @never_taken(%t: tensor<3x3xi32>, %n: index, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %k = %c0 to %c6 step %n iter_args(%a = %t) -> (tensor<3x3xi32>) {
    scf.yield %t : tensor<3x3xi32>
  }
  %x = arith.index_cast %n : index to i32
  %c = arith.cmpi sle, %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : i32
^bb2:
  %y = tensor.extract %r[%i, %c0] : tensor<3x3xi32>
  return %y : i32
}

// CHECK-LABEL: func.func @never_taken(
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         func.return
