// From: Tutorial 2023 | Buffer Deallocation
// RUN: xdsl-opt %s -p 'buffer-deallocation' | filecheck %s --check-prefix OLD
// RUN: xdsl-opt %s -p 'buffer-deallocation-pipeline' | filecheck %s --check-prefix NEW

// OLD-LABEL: @dealloc_test(
// OLD:         %[[M:.*]] = scf.if %c -> (memref<5xf32>) {
// OLD:           memref.alloc() : memref<5xf32>
// OLD:           linalg.fill
// OLD:         } else {
// OLD:           bufferization.clone %m
// OLD:         }
// OLD:         memref.load
// OLD:         memref.dealloc %[[M]] : memref<5xf32>
// OLD-NEXT:    func.return
// NEW-LABEL: @dealloc_test(
// NEW:         %[[M:.*]] = scf.if %c -> (memref<5xf32>) {
// NEW:           memref.alloc() : memref<5xf32>
// NEW:           linalg.fill
// NEW:         } else {
// NEW-NEXT:      scf.yield %m : memref<5xf32>
// NEW-NEXT:    }
// NEW:         memref.load
// NEW:         %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[M]] : memref<5xf32> -> memref<f32>, index, index, index
// NEW-NEXT:    scf.if %c {
// NEW-NEXT:      memref.dealloc %[[BASE]] : memref<f32>
func.func @dealloc_test(%c: i1, %m: memref<5xf32>, %idx: index, %f: f32) -> f32 {
  %0 = scf.if %c -> memref<5xf32> {
    %1 = memref.alloc() : memref<5xf32>
    linalg.fill ins(%f: f32) outs(%1 : memref<5xf32>)
    scf.yield %1 : memref<5xf32>
  } else {
    scf.yield %m : memref<5xf32>
  }
  %r = memref.load %0[%idx] : memref<5xf32>
  return %r : f32
}
