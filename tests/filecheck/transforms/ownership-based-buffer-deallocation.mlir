// RUN: xdsl-opt %s --split-input-file -p ownership-based-buffer-deallocation | filecheck %s

func.func private @use(memref<4xf32>)

// What a block allocates, it frees at its end.
func.func @alloc() {
  %a = memref.alloc() : memref<4xf32>
  func.call @use(%a) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @alloc
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:    func.return

// -----

// A function does not own its arguments, so it returns a copy.
func.func @argument(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @argument
// CHECK:         %[[copy:.*]] = bufferization.clone %m
// CHECK:         func.return %[[copy]]

// -----

func.func private @use(memref<4xf32>)

// The ownership travels with the buffer.
func.func @branch(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^use(%a : memref<4xf32>), ^use(%m : memref<4xf32>)
^use(%x: memref<4xf32>):
  func.call @use(%x) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @branch
// CHECK:         %[[own1:.*]] = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%a : memref<4xf32>)
// CHECK:         %[[not:.*]] = arith.xori %c, %{{.*}} : i1
// CHECK:         %[[own2:.*]] = bufferization.dealloc (%a : memref<4xf32>) if (%[[not]]) retain (%m : memref<4xf32>)
// CHECK:         cf.cond_br %c, ^use(%a, %[[own1]] : memref<4xf32>, i1), ^use(%m, %[[own2]] : memref<4xf32>, i1)
// CHECK:       ^use(%x: memref<4xf32>, %[[own:.*]]: i1):
// CHECK:         %[[base:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %x
// CHECK:         bufferization.dealloc (%[[base]] : memref<f32>) if (%[[own]])

// -----

func.func private @use(memref<4xf32>)

// A loop takes no ownership of what it starts with.
func.func @loop(%lb: index, %ub: index, %step: index, %m: memref<4xf32>) {
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %m) -> (memref<4xf32>) {
    func.call @use(%x) : (memref<4xf32>) -> ()
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @loop
// CHECK:         %r, %[[own:.*]] = scf.for {{.*}} iter_args(%x = %m, %[[carried:.*]] = %{{.*}}) -> (memref<4xf32>, i1) {
// CHECK:           bufferization.dealloc (%{{.*}}, %a : memref<f32>, memref<4xf32>) if (%[[carried]], %{{.*}}) retain (%a : memref<4xf32>)
// CHECK:           scf.yield %a, %{{.*}} : memref<4xf32>, i1
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[own]])

// -----

func.func private @use(memref<4xf32>)

// Of a branch to several blocks, only the edges tell what is no longer needed.
func.func @switch(%i: i32, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.switch %i : i32, [
    default: ^x(%m : memref<4xf32>),
    1: ^x(%a : memref<4xf32>)
  ]
^x(%v: memref<4xf32>):
  func.call @use(%v) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @switch
// CHECK:         %[[own:.*]], %[[own_a:.*]] = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%m, %a : memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:    cf.switch %i : i32, [
// CHECK-NEXT:      default: ^[[edge1:.*]],
// CHECK-NEXT:      1: ^[[edge2:.*]]
// CHECK:       ^[[edge1]]:
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%[[own_a]]) retain (%m : memref<4xf32>)
// CHECK-NEXT:    cf.br ^x(%m, %[[own]] : memref<4xf32>, i1)

// -----

func.func private @use(memref<4xf32>)

// A view that moves the pointer is kept by keeping what it is a view of.
func.func @moved_view(%s: index) {
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%s][] : memref<64xi8> to memref<4xf32>
  cf.br ^next
^next:
  func.call @use(%v) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @moved_view
// CHECK:         bufferization.dealloc (%a : memref<64xi8>) if (%{{.*}}) retain (%a : memref<64xi8>)
// CHECK:       ^next:
// CHECK:         bufferization.dealloc (%a : memref<64xi8>)

// -----

func.func private @use(memref<4xf32>)

// Deallocations that are there: the first is kept, the second is taken over.
func.func @existing(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  func.call @use(%b) : (memref<4xf32>) -> ()
  scf.if %c {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @existing
// CHECK:         %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %a
// CHECK:         scf.if %c {
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc (%b : memref<4xf32>)

// -----

func.func private @use(memref<4xf32>)

// Results are different buffers.
func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK:         %[[copy:.*]] = bufferization.clone %a
// CHECK:         func.return %a, %[[copy]]

// -----

func.func private @new(%m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)

// What a call returns is none of the other allocations, and so is a choice of the two.
// Two results of one call may be the same.
func.func @returned_twice(%c: i1, %m: memref<4xf32>, %a: memref<4xf32>)
    -> (memref<4xf32>, memref<4xf32>) {
  %0:2 = func.call @new(%m) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  %1 = arith.select %c, %0#0, %b : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  return %1, %d : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @returned_twice
// CHECK-NOT:     extract_aligned_pointer_as_index

// -----

func.func private @new(%m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)

func.func @results_of_one_call(%c: i1, %m: memref<4xf32>)
    -> (memref<4xf32>, memref<4xf32>) {
  %0:2 = func.call @new(%m) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  %1 = arith.select %c, %0#0, %b : memref<4xf32>
  return %1, %0#1 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @results_of_one_call
// CHECK:         extract_aligned_pointer_as_index

// -----

// No allocation is a constant.

memref.global "private" constant @table : memref<4xf32> = dense<1.0>

// CHECK-LABEL: func.func @new_and_constant
// CHECK-NOT:     extract_aligned_pointer_as_index
// CHECK:         func.return
func.func @new_and_constant(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %t = memref.get_global @table : memref<4xf32>
  cf.cond_br %c, ^end(%t : memref<4xf32>), ^end(%b : memref<4xf32>)
^end(%s: memref<4xf32>):
  return %a, %s : memref<4xf32>, memref<4xf32>
}
