// RUN: xdsl-opt %s --split-input-file -p buffer-deallocation-simplification | filecheck %s

// A memref that is retained is not freed.
func.func @certain(%c: i1) -> (memref<4xf32>, i1) {
  %a = memref.alloc() : memref<4xf32>
  %o = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%a : memref<4xf32>)
  return %a, %o : memref<4xf32>, i1
}

// CHECK-LABEL: func.func @certain
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %a, %c

// -----

// What cannot be freed is not owned, and different buffers are freed apart.
func.func @unrelated(%c: i1, %m: memref<4xf32>) -> i1 {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %o = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %c) retain (%m : memref<4xf32>)
  return %o : i1
}

// CHECK-LABEL: func.func @unrelated
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%c)
// CHECK-NEXT:    bufferization.dealloc (%b : memref<4xf32>) if (%c)
// CHECK-NEXT:    func.return %{{.*}} : i1

// -----

// What may be the same is compared at run time.
func.func @undecided(%c: i1, %d: i1, %m: memref<4xf32>) -> (memref<4xf32>, i1) {
  %a = memref.alloc() : memref<4xf32>
  %x = arith.select %d, %a, %m : memref<4xf32>
  %o = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%x : memref<4xf32>)
  return %x, %o : memref<4xf32>, i1
}

// CHECK-LABEL: func.func @undecided
// CHECK:         %[[own:.*]] = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%x : memref<4xf32>)
// CHECK:         func.return %x, %[[own]]

// -----

// No allocation is made only to be freed, and nothing is listed twice.
func.func @canonical(%c: i1, %d: i1, %m: memref<4xf32>, %n: memref<4xf32>) -> i1 {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %o:2 = bufferization.dealloc (%a, %m, %n, %m : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%c, %c, %false, %d) retain (%n, %n : memref<4xf32>, memref<4xf32>)
  return %o#1 : i1
}

// CHECK-LABEL: func.func @canonical
// CHECK-NOT:     memref.alloc
// CHECK:         %[[or:.*]] = arith.ori %c, %d : i1
// CHECK:         %[[own:.*]] = bufferization.dealloc (%m : memref<4xf32>) if (%[[or]]) retain (%n : memref<4xf32>)
// CHECK:         func.return %[[own]]

// -----

// What is computed from an ownership that is found to be false is folded before the next
// dealloc, which does not list the buffer then.
func.func @depends_on_another(%c: i1, %d: i1, %m: memref<4xf32>, %n: memref<4xf32>) -> i1 {
  %a = memref.alloc() : memref<4xf32>
  %o = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)
  %either = arith.ori %o, %o : i1
  %chosen = arith.select %d, %either, %o : i1
  %p = bufferization.dealloc (%m : memref<4xf32>) if (%chosen) retain (%n : memref<4xf32>)
  return %p : i1
}

// CHECK-LABEL: func.func @depends_on_another
// CHECK-NEXT:    %[[false:.*]] = arith.constant false
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %[[false]]
