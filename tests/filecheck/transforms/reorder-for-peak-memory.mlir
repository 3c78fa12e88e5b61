// RUN: xdsl-opt %s -p reorder-for-peak-memory | filecheck %s
// RUN: xdsl-opt %s -p reorder-for-peak-memory,plan-memory | filecheck %s --check-prefix PLAN
// RUN: xdsl-opt %s -p 'reorder-for-peak-memory{search-steps=0}' | filecheck %s

// Each branch is finished before the next one is begun, and what it needed is freed then.

// CHECK-LABEL: func.func @branches
// CHECK:         %a = memref.alloc()
// CHECK-NEXT:    linalg.exp ins(%x : memref<64xf32>) outs(%a
// CHECK-NEXT:    %p = memref.alloc()
// CHECK-NEXT:    linalg.reduce {{.*}} ins(%a{{.*}} outs(%p
// CHECK:         memref.dealloc %a
// CHECK-NEXT:    %b = memref.alloc()
// CHECK-NEXT:    linalg.log ins(%x : memref<64xf32>) outs(%b
// CHECK-NEXT:    %q = memref.alloc()
// CHECK-NEXT:    linalg.reduce {{.*}} ins(%b{{.*}} outs(%q
// CHECK:         memref.dealloc %b
// CHECK-NEXT:    return %p, %q

// PLAN-LABEL: func.func @branches
// PLAN:         memref.alloc() : memref<256xi8>
func.func @branches(%x: memref<64xf32>) -> (memref<f32>, memref<f32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %p = memref.alloc() : memref<f32>
  %q = memref.alloc() : memref<f32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%p : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%b : memref<64xf32>) outs(%q : memref<f32>) dimensions = [0]
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return %p, %q : memref<f32>, memref<f32>
}

// The branches write an argument: nothing changes places, for a caller may pass one buffer
// twice, and what is read from the other argument must not be changed before.

// CHECK-LABEL: func.func @arguments
// CHECK:         linalg.exp
// CHECK:         linalg.log
// CHECK:         linalg.reduce
// CHECK:         linalg.reduce
func.func @arguments(%x: memref<64xf32>, %p: memref<f32>, %q: memref<f32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%p : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%b : memref<64xf32>) outs(%q : memref<f32>) dimensions = [0]
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// Of a call it is not known what it reads and writes: all accesses stay on their side.

func.func private @look(memref<64xf32>)

// CHECK-LABEL: func.func @unknown_call
// CHECK:         linalg.exp
// CHECK:         linalg.log
// CHECK:         call @look(%x)
// CHECK:         linalg.reduce
func.func @unknown_call(%x: memref<64xf32>) -> (memref<f32>, memref<f32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %p = memref.alloc() : memref<f32>
  %q = memref.alloc() : memref<f32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  call @look(%x) : (memref<64xf32>) -> ()
  linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%p : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%b : memref<64xf32>) outs(%q : memref<f32>) dimensions = [0]
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return %p, %q : memref<f32>, memref<f32>
}

// Of an allocation it is not known how large it is: its block stays as it is.

// CHECK-LABEL: func.func @dynamic
// CHECK:         linalg.exp
// CHECK:         linalg.log
// CHECK:         linalg.reduce
func.func @dynamic(%x: memref<?xf32>, %n: index) -> (memref<f32>, memref<f32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %p = memref.alloc() : memref<f32>
  %q = memref.alloc() : memref<f32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<?xf32>) outs(%p : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%b : memref<?xf32>) outs(%q : memref<f32>) dimensions = [0]
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return %p, %q : memref<f32>, memref<f32>
}

// %x may be %y: it is freed after %y is read.

// CHECK-LABEL: func.func @argument_is_freed(
// CHECK:         memref.dealloc %a
// CHECK:         linalg.log
// CHECK:         memref.dealloc %x
// CHECK-NEXT:    func.return
func.func @argument_is_freed(%x: memref<64xf32>, %y: memref<64xf32>) -> (f32, f32, f32){
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.log ins(%y : memref<64xf32>) outs(%b : memref<64xf32>)
  %z = memref.load %y[%i] : memref<64xf32>
  %o = memref.load %a[%i] : memref<64xf32>
  %o2 = memref.load %b[%i] : memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %x : memref<64xf32>
  return %o, %o2, %z : f32, f32, f32
}

// What says which buffer is freed is loaded after it is stored.

// CHECK-LABEL: func.func @selected_is_freed(
// CHECK:         memref.store
// CHECK:         memref.store
// CHECK:         memref.load %f
// CHECK:         arith.select
func.func @selected_is_freed(%x: memref<64xf32>) -> (f32, f32) {
  %i0 = arith.constant 0 : index
  %f = memref.alloc() : memref<i1>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %u = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.log ins(%x : memref<64xf32>) outs(%u : memref<64xf32>)
  %n = arith.constant false
  memref.store %n, %f[] : memref<i1>
  %p = memref.load %a[%i0] : memref<64xf32>
  %r = memref.load %b[%i0] : memref<64xf32>
  %s = memref.load %u[%i0] : memref<64xf32>
  %k2 = arith.cmpf olt, %s, %r : f32
  memref.dealloc %u : memref<64xf32>
  memref.store %k2, %f[] : memref<i1>
  %c = memref.load %f[] : memref<i1>
  %d = arith.select %c, %a, %b : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  %cc = memref.load %f[] : memref<i1>
  %e = arith.select %cc, %b, %a : memref<64xf32>
  memref.dealloc %e : memref<64xf32>
  memref.dealloc %f : memref<i1>
  return %p, %r : f32, f32
}

// What @sum allocates is in no arena of its caller: the block stays as it is.

// CHECK-LABEL: func.func @calls_what_allocates
// CHECK:         %b = memref.alloc
// CHECK:         linalg.exp
// CHECK-NEXT:    linalg.log
func.func private @sum(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %y = memref.load %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %y : f32
}
func.func @calls_what_allocates(%x: memref<64xf32>, %z: memref<?xf32>)
    -> (memref<f32>, memref<f32>, f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %p = memref.alloc() : memref<f32>
  %q = memref.alloc() : memref<f32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%p : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%b : memref<64xf32>) outs(%q : memref<f32>) dimensions = [0]
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  %r = call @sum(%z) : (memref<?xf32>) -> f32
  return %p, %q, %r : memref<f32>, memref<f32>, f32
}
