// RUN: xdsl-opt %s -p optimize-allocation-liveness | filecheck %s

func.func private @use(memref<8xf32>)
func.func private @long()

func.func @moves_up(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  scf.if %c {
    %w = memref.cast %v : memref<4xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
    memref.copy %w, %w : memref<?xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
  }
  func.call @long() : () -> ()
  memref.dealloc %a : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @moves_up
// CHECK:         scf.if
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    func.call @long

func.func @stays(%c: i1, %box: memref<memref<8xf32>>) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %box[] : memref<memref<8xf32>>
  func.call @long() : () -> ()
  memref.dealloc %a : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @stays
// CHECK:         func.call @long
// CHECK-NEXT:    memref.dealloc %a

// An op that nobody knows may return what its region captures.

// CHECK-LABEL: func.func @captured(
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc
func.func @captured(%x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %r = "test.op"() ({
    "test.termop"(%m) : (memref<4xf32>) -> ()
  }) : () -> memref<4xf32>
  %e = memref.load %r[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %e : f32
}

// What memref.realloc frees is not all that it is for.

// CHECK-LABEL: func.func @reallocated(
// CHECK:         memref.realloc
// CHECK-NEXT:    memref.copy
// CHECK-NEXT:    memref.dealloc
func.func @reallocated(%m: memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  memref.copy %m, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
