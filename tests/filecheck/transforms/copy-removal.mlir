// RUN: xdsl-opt %s -p copy-removal | filecheck %s

func.func private @use(memref<4xf32>)

func.func @clone_of_freed(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %b : memref<?xf32>
}

// CHECK-LABEL: func.func @clone_of_freed
// CHECK-NEXT:    %a = memref.alloc(%n)
// CHECK-NEXT:    func.return %a

func.func @copy_of_freed(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %b : memref<?xf32>
}

// CHECK-LABEL: func.func @copy_of_freed
// CHECK-NEXT:    %a = memref.alloc(%n)
// CHECK-NEXT:    func.return %a

func.func @temporary(%m: memref<4xf32>, %x: f32) {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @temporary
// CHECK-NEXT:    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
// CHECK-NEXT:    func.return

// Used in between: both are needed.
func.func @used(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  func.call @use(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @used
// CHECK:         bufferization.clone
// CHECK:         memref.dealloc %a

// The call may look at the target.
func.func @target_seen(%m: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  func.call @use(%t) : (memref<4xf32>) -> ()
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @target_seen
// CHECK:         memref.alloc
// CHECK:         memref.copy

// Buffers that are in use at the same time, and copied to the same target: the first
// is computed there before the others are.
func.func @two_temporaries(%m: memref<4xf32>, %x: f32, %y: f32) {
  %t = memref.alloc() : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  linalg.fill ins(%y : f32) outs(%u : memref<4xf32>)
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  memref.copy %u, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @two_temporaries
// CHECK-NEXT:    %u = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
// CHECK-NEXT:    linalg.fill ins(%y : f32) outs(%u : memref<4xf32>)
// CHECK-NEXT:    memref.copy %u, %m : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    memref.dealloc %u
// CHECK-NEXT:    func.return
