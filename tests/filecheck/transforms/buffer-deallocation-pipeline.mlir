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

// Each reduction has a region; none makes a buffer.

// CHECK-LABEL: func.func @two_reductions
// CHECK:         scf.reduce(
// CHECK:         memref.dealloc
// CHECK-NEXT:    func.return
func.func @two_reductions(%n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<f32>
  memref.store %x, %m[] : memref<f32>
  %sum, %least = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x, %x) -> (f32, f32) {
    scf.reduce(%x, %x : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %y = memref.load %m[] : memref<f32>
      %s = arith.addf %a, %y : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %s = arith.minimumf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %sum, %least : f32, f32
}
