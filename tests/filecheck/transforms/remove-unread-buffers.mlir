// RUN: xdsl-opt %s -p remove-unread-buffers --split-input-file | filecheck %s

func.func @self_copy(%m: memref<4xf32>, %o: index) {
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  %0 = memref.subview %m[%o] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %1 = memref.subview %m[%o] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.copy %0, %1 : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  return
}

// CHECK-LABEL: @self_copy
// CHECK-NEXT:    return

// -----

// Different parts of one buffer.
func.func @copy_within(%m: memref<4xf32>, %o: index, %p: index) {
  %0 = memref.subview %m[%o] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %1 = memref.subview %m[%p] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.copy %0, %1 : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  return
}

// CHECK-LABEL: @copy_within
// CHECK:         memref.copy

// -----

func.func @only_written(%m: memref<4xf32>, %x: f32, %i: index) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.subview %0[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%1 : memref<2xf32, strided<[1], offset: ?>>)
  memref.store %x, %0[%i] : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}

// CHECK-LABEL: @only_written
// CHECK-NEXT:    return

// -----

// Reading a buffer to fill another that nobody reads is no reason to keep it.
func.func @chain(%m: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  memref.copy %1, %0 : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: @chain
// CHECK-NEXT:    return

// -----

// The end of this chain is the caller's.
func.func @needed_chain(%m: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
  memref.copy %0, %1 : memref<4xf32> to memref<4xf32>
  memref.copy %1, %m : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: @needed_chain
// CHECK-COUNT-3: memref.copy

// -----

func.func @read(%x: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<4xf32>
  memref.store %x, %0[%i] : memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}

// CHECK-LABEL: @read
// CHECK:         memref.alloc
// CHECK-NEXT:    memref.store

// -----

// Who gets a buffer may read it.
func.func private @callee(memref<4xf32>)
func.func @handed_on(%x: f32, %i: index, %c: i1) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  memref.store %x, %0[%i] : memref<4xf32>
  func.call @callee(%0) : (memref<4xf32>) -> ()
  %1 = memref.alloc() : memref<4xf32>
  %2 = scf.if %c -> (memref<4xf32>) {
    memref.store %x, %1[%i] : memref<4xf32>
    scf.yield %1 : memref<4xf32>
  } else {
    scf.yield %1 : memref<4xf32>
  }
  return %2 : memref<4xf32>
}

// CHECK-LABEL: @handed_on
// CHECK-COUNT-2: memref.store
// CHECK:         return

// -----

// The shape that a view of a buffer reads is needed as long as the buffer is.

// CHECK-LABEL: func.func @shape(
// CHECK: memref.store %n, %s
// CHECK: memref.reshape %a(%s)
// CHECK-NOT: memref.alloc
// CHECK: return

func.func @shape(%x: memref<4xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<1xindex>
  memref.store %n, %s[%c0] : memref<1xindex>
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r = memref.reshape %a(%s) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>
  %b = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<1xindex>
  memref.store %n, %t[%c0] : memref<1xindex>
  %q = memref.reshape %b(%t) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>
  memref.copy %r, %q : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}

// -----

// There is nothing to copy. The copy is a buffer of its own nevertheless, which may be freed.
func.func @no_elements(%m: memref<0x4xf32, strided<[?, ?], offset: ?>>, %n: memref<?x0xi8>, %o: memref<?x0xi8>) -> (memref<0x4xf32, strided<[?, ?], offset: ?>>, memref<?x0xi8>) {
  memref.copy %n, %o : memref<?x0xi8> to memref<?x0xi8>
  linalg.copy ins(%n : memref<?x0xi8>) outs(%o : memref<?x0xi8>)
  %0 = bufferization.clone %m : memref<0x4xf32, strided<[?, ?], offset: ?>> to memref<0x4xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.clone %n : memref<?x0xi8> to memref<?x0xi8>
  return %0, %1 : memref<0x4xf32, strided<[?, ?], offset: ?>>, memref<?x0xi8>
}

// CHECK-LABEL: @no_elements
// CHECK-NEXT:    [[A:%.+]] = memref.alloc() : memref<0x4xf32>
// CHECK-NEXT:    [[B:%.+]] = memref.cast [[A]] : memref<0x4xf32> to memref<0x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    [[ZERO:%.+]] = arith.constant 0 : index
// CHECK-NEXT:    [[SIZE:%.+]] = memref.dim %n, [[ZERO]]
// CHECK-NEXT:    [[C:%.+]] = memref.alloc([[SIZE]]) : memref<?x0xi8>
// CHECK-NEXT:    return [[B]], [[C]]

// -----

// A layout that no new buffer can have is left as it is.
func.func @no_elements_in_a_layout(%m: memref<0x4xf32, strided<[9, 2]>>, %n: memref<0xf32, strided<[-1]>>) -> (memref<0x4xf32, strided<[9, 2]>>, memref<0xf32, strided<[-1]>>) {
  %0 = bufferization.clone %m : memref<0x4xf32, strided<[9, 2]>> to memref<0x4xf32, strided<[9, 2]>>
  %1 = bufferization.clone %n : memref<0xf32, strided<[-1]>> to memref<0xf32, strided<[-1]>>
  return %0, %1 : memref<0x4xf32, strided<[9, 2]>>, memref<0xf32, strided<[-1]>>
}

// CHECK-LABEL: @no_elements_in_a_layout
// CHECK-NEXT:    [[A:%.+]] = memref.alloc() : memref<0xf32>
// CHECK-NEXT:    [[B:%.+]] = memref.reinterpret_cast [[A]] to offset: [0], sizes: [0, 4], strides: [9, 2]
// CHECK-NEXT:    [[C:%.+]] = bufferization.clone %n
// CHECK-NEXT:    return [[B]], [[C]]
