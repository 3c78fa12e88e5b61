// RUN: xdsl-opt %s -p expand-realloc | filecheck %s
// RUN: xdsl-opt %s -p 'expand-realloc{emit-deallocs=false}' | filecheck %s --check-prefix=KEEP

func.func @dynamic(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[old:.*]] = memref.dim %m
// CHECK:         %[[small:.*]] = arith.cmpi ult, %[[old]], %n : index
// CHECK:         scf.if %[[small]] -> (memref<?xf32>) {
// CHECK-NEXT:      %[[new:.*]] = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:      %[[part:.*]] = memref.subview %[[new]][0] [%[[old]]] [1]
// CHECK-NEXT:      memref.copy %m, %[[part]]
// CHECK-NEXT:      memref.dealloc %m
// CHECK-NEXT:      scf.yield %[[new]]
// CHECK:         } else {
// CHECK-NEXT:      %[[same:.*]] = memref.reinterpret_cast %m
// CHECK-NEXT:      scf.yield %[[same]]
// KEEP-NOT:      memref.dealloc

func.func @shrinks(%m: memref<8xf32>) -> memref<4xf32> {
  %r = memref.realloc %m : memref<8xf32> to memref<4xf32>
  return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @shrinks
// CHECK-NEXT:    %r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1]
// CHECK-NEXT:    func.return %r
