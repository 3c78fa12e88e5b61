// RUN: xdsl-opt %s -p promote-repeated-allocations --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'promote-repeated-allocations{max-alloc-size-in-bytes=4}' --split-input-file | filecheck %s --check-prefix=SMALLER

// What a function needs for a while goes to its frame if it is called in a loop. So does
// what a function that this one calls needs.

func.func private @sum(%a: memref<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %0 = memref.alloc() {alignment = 64 : i64} : memref<f64>
  memref.store %zero, %0[] : memref<f64>
  linalg.dot ins(%a, %a : memref<?xf64>, memref<?xf64>) outs(%0 : memref<f64>)
  %x = memref.load %0[] : memref<f64>
  memref.dealloc %0 : memref<f64>
  return %x : f64
}

func.func private @norm(%a: memref<?xf64>) -> f64 {
  %0 = func.call @sum(%a) : (memref<?xf64>) -> f64
  %1 = math.sqrt %0 : f64
  return %1 : f64
}

func.func @norms(%a: memref<?xf64>, %n: index, %f: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> (f64) {
    %0 = func.call @norm(%a) : (memref<?xf64>) -> f64
    %1 = arith.addf %s, %0 : f64
    scf.yield %1 : f64
  }
  %b = memref.alloc() : memref<f64>
  memref.store %r, %b[] : memref<f64>
  %x = memref.load %b[] : memref<f64>
  memref.dealloc %b : memref<f64>
  return %x : f64
}

// CHECK-LABEL: func.func private @sum(
// CHECK-NEXT:    [[M:%.*]] = memref.alloca() {alignment = 64 : i64} : memref<f64>
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    memref.store %{{.*}}, [[M]][]
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func.func private @norm(

// The buffer of @norms is allocated once.

// CHECK-LABEL: func.func @norms(
// CHECK:         memref.alloc()
// CHECK:         memref.dealloc

// SMALLER-LABEL: func.func private @sum(
// SMALLER:         memref.alloc()
// SMALLER:         memref.dealloc

// -----

// In a loop of a function, the frame has room for all iterations, as the buffer of one is
// freed before the next. The loop may be one of blocks.

func.func @loops(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @other(%i) : (index) -> ()
    %c = arith.cmpi eq, %i, %c1 : index
    scf.if %c {
      %0 = memref.alloc() : memref<4xf32>
      memref.store %x, %0[%c0] : memref<4xf32>
      memref.dealloc %0 : memref<4xf32>
    }
  }
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %1 = memref.alloc() : memref<2xf32>
  memref.store %x, %1[%c0] : memref<2xf32>
  memref.dealloc %1 : memref<2xf32>
  %next = arith.addi %i, %c1 : index
  %again = arith.cmpi slt, %next, %n : index
  cf.cond_br %again, ^loop(%next : index), ^end
^end:
  %2 = memref.alloc() : memref<3xf32>
  memref.store %x, %2[%c0] : memref<3xf32>
  memref.dealloc %2 : memref<3xf32>
  return
}
func.func private @other(%i: index) {
  return
}

// CHECK-LABEL: func.func @loops(
// CHECK-DAG:     memref.alloca() : memref<4xf32>
// CHECK-DAG:     memref.alloca() : memref<2xf32>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc()
// CHECK:         cf.cond_br
// CHECK:         memref.alloc() : memref<3xf32>
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    memref.dealloc

// -----

// Not in functions that call themselves, also through a function that is not known: each
// call in progress would have a buffer on the stack. What they call may have one.

func.func private @unknown()

func.func private @one(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<f32>
  memref.store %x, %0[] : memref<f32>
  %go = arith.cmpi sgt, %n, %c0 : index
  scf.if %go {
    %m = arith.subi %n, %c1 : index
    %2 = func.call @two(%m, %x) : (index, f32) -> f32
  }
  %3 = memref.load %0[] : memref<f32>
  memref.dealloc %0 : memref<f32>
  return %3 : f32
}
func.func private @two(%n: index, %x: f32) -> f32 {
  %0 = func.call @one(%n, %x) : (index, f32) -> f32
  func.call @leaf(%x) : (f32) -> ()
  return %0 : f32
}
func.func private @leaf(%x: f32) {
  %0 = memref.alloc() : memref<f32>
  memref.store %x, %0[] : memref<f32>
  memref.dealloc %0 : memref<f32>
  return
}
func.func @called_back(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<f32>
    memref.store %x, %0[] : memref<f32>
    func.call @unknown() : () -> ()
    memref.dealloc %0 : memref<f32>
  }
  return
}

// CHECK-LABEL: func.func private @one(
// CHECK:         memref.alloc()
// CHECK:         memref.dealloc
// CHECK-LABEL: func.func private @leaf(
// CHECK-NEXT:    memref.alloca()
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func.func @called_back(
// CHECK:         memref.alloc()
// CHECK:         memref.dealloc

// -----

// Not what is too large, has sizes that are not static, is in another memory space, is
// freed elsewhere or handed on, or belongs to iterations that may run in parallel.

func.func @stays(%n: index, %x: f32, %o: memref<2xmemref<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<f32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<f32>) {
    %0 = memref.alloc() : memref<17xf32>
    memref.store %x, %0[%c0] : memref<17xf32>
    memref.dealloc %0 : memref<17xf32>
    %1 = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %1[%c0] : memref<?xf32>
    memref.dealloc %1 : memref<?xf32>
    %2 = memref.alloc() : memref<1xf32, 3>
    memref.store %x, %2[%c0] : memref<1xf32, 3>
    memref.dealloc %2 : memref<1xf32, 3>
    %3 = memref.alloc() : memref<f32>
    memref.dealloc %old : memref<f32>
    %4 = memref.alloc() : memref<f32>
    memref.store %4, %o[%c0] : memref<2xmemref<f32>>
    memref.dealloc %4 : memref<f32>
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %5 = memref.alloc() : memref<f32>
      memref.store %x, %5[] : memref<f32>
      memref.dealloc %5 : memref<f32>
      scf.reduce
    }
    scf.yield %3 : memref<f32>
  }
  memref.dealloc %last : memref<f32>
  return
}

// CHECK-LABEL: func.func @stays(
// CHECK-NOT:     memref.alloca
// CHECK:         func.return

// -----

// No more than 1,024 bytes in a function, aligned.

func.func @room(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() {alignment = 512 : i64} : memref<f32>
    memref.store %x, %0[] : memref<f32>
    memref.dealloc %0 : memref<f32>
    %1 = memref.alloc() {alignment = 512 : i64} : memref<f32>
    memref.store %x, %1[] : memref<f32>
    memref.dealloc %1 : memref<f32>
    %2 = memref.alloc() : memref<1xf32>
    memref.store %x, %2[%c0] : memref<1xf32>
    memref.dealloc %2 : memref<1xf32>
  }
  return
}

// CHECK-LABEL: func.func @room(
// CHECK-COUNT-2: memref.alloca() {alignment = 512 : i64}
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<1xf32>

// -----

// Bytes are aligned as on the heap, where a view may show them as other elements.

// CHECK-LABEL: func.func @bytes(
// CHECK-DAG:     memref.alloca() {alignment = 16 : i64} : memref<32xi8>
// CHECK-DAG:     memref.alloca() : memref<8xi8>
// CHECK:         scf.for
func.func @bytes(%n: index, %x: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<32xi8>
    %1 = memref.view %0[%c0][] : memref<32xi8> to memref<2xvector<4xf32>>
    %2 = memref.alloc() : memref<8xi8>
    memref.store %x, %2[%c0] : memref<8xi8>
    memref.dealloc %2 : memref<8xi8>
    memref.dealloc %0 : memref<32xi8>
  }
  return
}
