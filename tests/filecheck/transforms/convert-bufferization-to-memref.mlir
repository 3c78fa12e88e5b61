// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s

func.func @clone(%m: memref<?x4xf32>) -> memref<?x4xf32> {
  %r = bufferization.clone %m : memref<?x4xf32> to memref<?x4xf32>
  return %r : memref<?x4xf32>
}

// CHECK-LABEL: func.func @clone
// CHECK:         %[[size:.*]] = memref.dim %m
// CHECK:         %[[new:.*]] = memref.alloc(%[[size]]) : memref<?x4xf32>
// CHECK-NEXT:    memref.copy %m, %[[new]]
// CHECK-NEXT:    func.return %[[new]]

// A static layout is allocated with the padding it spans.
func.func @padded(%m: memref<4x4xf32, strided<[8, 1], offset: 2>>) -> memref<4x4xf32, strided<[8, 1], offset: 2>> {
  %r = bufferization.clone %m : memref<4x4xf32, strided<[8, 1], offset: 2>> to memref<4x4xf32, strided<[8, 1], offset: 2>>
  return %r : memref<4x4xf32, strided<[8, 1], offset: 2>>
}

// CHECK-LABEL: func.func @padded
// CHECK:         %[[new:.*]] = memref.alloc() : memref<30xf32>
// CHECK-NEXT:    %[[view:.*]] = memref.reinterpret_cast %[[new]] to offset: [2], sizes: [4, 4], strides: [8, 1]
// CHECK-NEXT:    memref.copy %m, %[[view]]

func.func @dealloc(%c: i1, %m: memref<4xf32>) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}

// CHECK-LABEL: func.func @dealloc
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %m
