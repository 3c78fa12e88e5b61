// From: Buffer Deallocation 2021 | CopyRemoval Pass
// RUN: xdsl-opt %s -p 'copy-removal' | filecheck %s

// CHECK-LABEL: @dynamic_allocation(
// CHECK-NEXT:    %[[M:.*]] = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return %[[M]] : memref<?x?xf32>
func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %7 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
  %c0_0 = arith.constant 0 : index
  %8 = memref.dim %7, %c0_0 : memref<?x?xf32>
  %c1_1 = arith.constant 1 : index
  %9 = memref.dim %7, %c1_1 : memref<?x?xf32>
  %10 = memref.alloc(%8, %9) : memref<?x?xf32>
  linalg.copy ins(%7 : memref<?x?xf32>) outs(%10 : memref<?x?xf32>)
  memref.dealloc %7 : memref<?x?xf32>
  return %10 : memref<?x?xf32>
}

// CHECK-LABEL: @reuseTarget(
// CHECK:         %[[OWN:.*]] = memref.alloc()
// CHECK:         linalg.generic {{.*}} ins(%[[OWN]] : memref<2xf32>) outs(%result : memref<2xf32>)
// CHECK-NOT:     memref.copy
// CHECK:         memref.dealloc %[[OWN]]
#map0 = affine_map<(d0) -> (d0)>
func.func @reuseTarget(%x: f32, %result: memref<2xf32>){
  %own = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%own : memref<2xf32>)
  %temp = memref.alloc() : memref<2xf32>
  linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]}
      ins(%own : memref<2xf32>) outs(%temp : memref<2xf32>) {
  ^bb0(%gen2_arg0: f32, %gen2_arg1: f32):
    %tmp2 = math.exp %gen2_arg0 : f32
    linalg.yield %tmp2 : f32
  }
  memref.copy %temp, %result : memref<2xf32> to memref<2xf32>
  memref.dealloc %temp : memref<2xf32>
  memref.dealloc %own : memref<2xf32>
  return
}

// CHECK-LABEL: @argumentMayBeResult(
// CHECK:         %[[TEMP:.*]] = memref.alloc()
// CHECK:         linalg.generic {{.*}} ins(%arg0 : memref<2xf32>) outs(%[[TEMP]] : memref<2xf32>)
// CHECK:         memref.copy %[[TEMP]], %result
func.func @argumentMayBeResult(%arg0: memref<2xf32>, %result: memref<2xf32>){
  %temp = memref.alloc() : memref<2xf32>
  linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel"]}
      ins(%arg0 : memref<2xf32>) outs(%temp : memref<2xf32>) {
  ^bb0(%gen2_arg0: f32, %gen2_arg1: f32):
    %tmp2 = math.exp %gen2_arg0 : f32
    linalg.yield %tmp2 : f32
  }
  memref.copy %temp, %result : memref<2xf32> to memref<2xf32>
  memref.dealloc %temp : memref<2xf32>
  return
}
