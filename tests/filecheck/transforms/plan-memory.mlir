// RUN: xdsl-opt %s -p plan-memory --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'plan-memory{arena=argument}' --split-input-file | filecheck %s --check-prefix ARGUMENT
// RUN: xdsl-opt %s -p 'plan-memory{arena=stack alignment=512}' --split-input-file | filecheck %s --check-prefix STACK

// Buffers that are not live together share memory, those of exclusive branches too.

// CHECK-LABEL: func.func @branches(
// CHECK: %arena = memref.alloc() : memref<512xi8>
// CHECK-DAG: memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
// CHECK-DAG: memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
// CHECK: scf.if
// CHECK: memref.view %arena[%c0_1][] : memref<512xi8> to memref<64xf32>
// CHECK: } else {
// CHECK: memref.view %arena[%c0_2][] : memref<512xi8> to memref<64xf64>
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %arena
// CHECK-NOT: memref.dealloc
// CHECK: return

// ARGUMENT-LABEL: func.func @branches(
// ARGUMENT-SAME: %arena: memref<512xi8>) attributes {arena_bytes = [512 : i64], arena_alignments = [16 : i64]}
// ARGUMENT-NOT: memref.alloc
// ARGUMENT-NOT: memref.dealloc
// ARGUMENT: return

// STACK-LABEL: func.func @branches(
// STACK: memref.alloca() {alignment = 512 : i64} : memref<768xi8>
// STACK-NOT: memref.dealloc
// STACK: return

func.func @branches(%x: memref<64xf32>, %c: i1) {
  %0 = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  %1 = memref.alloc() : memref<64xf32>
  linalg.exp ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
  scf.if %c {
    %2 = memref.alloc() : memref<64xf32>
    linalg.exp ins(%1 : memref<64xf32>) outs(%2 : memref<64xf32>)
    linalg.exp ins(%2 : memref<64xf32>) outs(%x : memref<64xf32>)
    memref.dealloc %2 : memref<64xf32>
  } else {
    %2 = memref.alloc() : memref<64xf64>
    linalg.exp ins(%2 : memref<64xf64>) outs(%2 : memref<64xf64>)
    memref.dealloc %2 : memref<64xf64>
  }
  memref.dealloc %0 : memref<64xf32>
  memref.dealloc %1 : memref<64xf32>
  return
}

// -----

// A private function takes its arena from its caller.

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME: %arena: memref<32xi8>) {
// CHECK-LABEL: func.func @caller(
// CHECK: %arena = memref.alloc() : memref<64xi8>
// CHECK: %[[PASSED:.*]] = memref.view %arena[%{{.*}}][] : memref<64xi8> to memref<32xi8>
// CHECK: call @callee(%{{.*}}, %[[PASSED]]) : (memref<8xf32>, memref<32xi8>) -> ()

func.func private @callee(%x: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%0 : memref<8xf32>) outs(%x : memref<8xf32>)
  memref.dealloc %0 : memref<8xf32>
  return
}
func.func @caller(%x: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  call @callee(%0) : (memref<8xf32>) -> ()
  memref.copy %0, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %0 : memref<8xf32>
  return
}

// -----

// What outlives the function stays, and so does what parallel iterations allocate.

// CHECK-LABEL: func.func @stays(
// CHECK-NOT: memref.view
// CHECK: return

func.func @stays(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %1 = memref.alloc() : memref<8xf32>
    memref.copy %x, %1 : memref<8xf32> to memref<8xf32>
    memref.copy %1, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %1 : memref<8xf32>
    scf.reduce
  }
  return %0 : memref<8xf32>
}

// -----

// Every iteration needs the buffer of the one before when it fills its own: no place in
// an arena serves for both.

// CHECK-LABEL: func.func @ping_pong(
// CHECK: scf.for
// CHECK: memref.alloc() : memref<8xf32>

func.func @ping_pong(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<8xf32>) {
    %1 = memref.alloc() : memref<8xf32>
    linalg.exp ins(%a : memref<8xf32>) outs(%1 : memref<8xf32>)
    memref.dealloc %a : memref<8xf32>
    scf.yield %1 : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  return
}

// -----

// Each memory space has its arena.

// CHECK-LABEL: func.func @spaces(
// CHECK-DAG: memref.alloc() : memref<32xi8>
// CHECK-DAG: memref.alloc() : memref<32xi8, 1 : i64>

func.func @spaces(%x: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  %1 = memref.alloc() : memref<8xf32, 1 : i64>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  memref.copy %0, %1 : memref<8xf32> to memref<8xf32, 1 : i64>
  memref.copy %1, %x : memref<8xf32, 1 : i64> to memref<8xf32>
  %2 = memref.alloc() : memref<8xf32>
  %3 = memref.alloc() : memref<8xf32, 1 : i64>
  memref.copy %x, %2 : memref<8xf32> to memref<8xf32>
  memref.copy %2, %3 : memref<8xf32> to memref<8xf32, 1 : i64>
  memref.copy %3, %x : memref<8xf32, 1 : i64> to memref<8xf32>
  return
}

// -----

// A buffer that shares its memory with no other stays an allocation.

// CHECK-LABEL: func.func @alone(
// CHECK: memref.alloc() : memref<8xf32>

func.func @alone(%x: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  memref.copy %0, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %0 : memref<8xf32>
  return
}
