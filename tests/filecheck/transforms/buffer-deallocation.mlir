// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

func.func private @use(memref<4xf32>)
func.func private @make() -> memref<4xf32>

// Where ownership would differ, what is not owned is cloned.
func.func @if(%c: i1, %m: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @if
// CHECK:         %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc()
// CHECK-NEXT:      scf.yield %a
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[copy:.*]] = bufferization.clone %m
// CHECK-NEXT:      scf.yield %[[copy]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.call @use(%r)
// CHECK-NEXT:    memref.dealloc %r

// Results of calls are freed.
func.func @call() {
  %r = func.call @make() : () -> memref<4xf32>
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @call
// CHECK:         func.call @use(%r)
// CHECK-NEXT:    memref.dealloc %r

// What only goes round is borrowed.
func.func @borrowed(%n: index, %m: index) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %n to %m step %n iter_args(%x = %a) -> (memref<4xf32>) {
    func.call @use(%x) : (memref<4xf32>) -> ()
    scf.yield %x : memref<4xf32>
  }
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @borrowed
// CHECK-NOT:     bufferization.clone
// CHECK:         func.call @use(%r)
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NOT:     memref.dealloc

// What dies on one edge only is freed there.
func.func @edges(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^b, ^end
^b:
  func.call @use(%a) : (memref<4xf32>) -> ()
  cf.br ^end
^end:
  return
}

// CHECK-LABEL: func.func @edges
// CHECK:         cf.cond_br %c, ^b, ^[[edge:.*]]
// CHECK:       ^b:
// CHECK-NEXT:    func.call @use(%a)
// CHECK-NEXT:    memref.dealloc %a
// CHECK:       ^[[edge]]:
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    cf.br ^end
