// RUN: xdsl-opt %s -p buffer-deallocation-pipeline | filecheck %s

func.func private @use(memref<4xf32>)

func.func @straight(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @straight
// CHECK-NEXT:    %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.copy %m, %a
// CHECK-NEXT:    memref.copy %a, %b
// CHECK-NEXT:    memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:    func.return %b

// A loop between blocks: the buffer of the last iteration is freed in the next.
func.func private @decide() -> i1
func.func @loop(%m: memref<4xf32>) {
  cf.br ^loop(%m : memref<4xf32>)
^loop(%x: memref<4xf32>):
  func.call @use(%x) : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  func.call @use(%a) : (memref<4xf32>) -> ()
  %c = func.call @decide() : () -> i1
  cf.cond_br %c, ^loop(%a : memref<4xf32>), ^end
^end:
  return
}

// CHECK-LABEL: func.func @loop
// CHECK:       ^loop(%x: memref<4xf32>, %[[own:.*]]: i1):
// CHECK:         %[[old:.*]] = arith.andi %[[own]], %c : i1
// CHECK:         scf.if %[[old]] {
// CHECK-NEXT:      memref.dealloc
// CHECK:         cf.cond_br %c, ^loop(%a, %c : memref<4xf32>, i1), ^end
