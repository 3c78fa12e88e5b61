// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline{alloc-ops="memref.alloc"}' | filecheck %s

func.func private @use(memref<4xf32>)

// Only what memref.alloc allocates is freed; the rest is for another run.
func.func @mixed() {
  %a = memref.alloc() : memref<4xf32>
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  func.call @use(%a) : (memref<4xf32>) -> ()
  func.call @use(%b) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @mixed
// CHECK:         memref.dealloc %a
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return
