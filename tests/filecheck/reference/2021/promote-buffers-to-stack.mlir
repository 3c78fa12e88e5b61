// From: Buffer Deallocation 2021 | Conversion from AllocOp to AllocaOp
// RUN: xdsl-opt %s -p 'promote-buffers-to-stack' | filecheck %s
// RUN: xdsl-opt %s -p 'promote-buffers-to-stack{max-alloc-size-in-bytes=16}' | filecheck %s --check-prefix SMALL

// CHECK-LABEL: @small(
// CHECK:         memref.alloca() : memref<8xf32>
// SMALL-LABEL: @small(
// SMALL:         memref.alloc() : memref<8xf32>
func.func @small(%x: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<8xf32>
  memref.store %x, %0[%i] : memref<8xf32>
  %1 = memref.load %0[%i] : memref<8xf32>
  return %1 : f32
}

// CHECK-LABEL: @large(
// CHECK:         memref.alloc() : memref<257xf32>
func.func @large(%x: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<257xf32>
  memref.store %x, %0[%i] : memref<257xf32>
  %1 = memref.load %0[%i] : memref<257xf32>
  return %1 : f32
}

// CHECK-LABEL: @leaves(
// CHECK:         memref.alloc() : memref<8xf32>
func.func @leaves() -> memref<8xf32> {
  %0 = memref.alloc() : memref<8xf32>
  return %0 : memref<8xf32>
}

// CHECK-LABEL: @dynamic(
// CHECK:         memref.alloc(%n) : memref<?xf32>
func.func @dynamic(%n: index, %x: f32, %i: index) -> f32 {
  %0 = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %0[%i] : memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// What a scope of the stack hands out is used when the scope has taken its stack back;
// what stays in it may be there.
// CHECK-LABEL: @leaves_scope(
// CHECK-COUNT-2: memref.alloc() : memref<8xf32>
// CHECK:         memref.alloca() : memref<8xf32>
func.func @leaves_scope(%x: f32, %i: index) -> f32 {
  %0, %1 = memref.alloca_scope -> (memref<8xf32>, memref<8xf32>) {
    %2 = memref.alloc() : memref<8xf32>
    %3 = scf.execute_region -> memref<8xf32> {
      %4 = memref.alloc() : memref<8xf32>
      scf.yield %4 : memref<8xf32>
    }
    %5 = memref.alloc() : memref<8xf32>
    memref.store %x, %5[%i] : memref<8xf32>
    memref.copy %5, %2 : memref<8xf32> to memref<8xf32>
    memref.copy %5, %3 : memref<8xf32> to memref<8xf32>
    memref.alloca_scope.return %2, %3 : memref<8xf32>, memref<8xf32>
  }
  %6 = memref.load %0[%i] : memref<8xf32>
  %7 = memref.load %1[%i] : memref<8xf32>
  %8 = arith.addf %6, %7 : f32
  return %8 : f32
}
