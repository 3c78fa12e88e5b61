// From: Buffer Deallocation 2021 | Introduction of Copies
// RUN: xdsl-opt %s -p 'canonicalize-control-flow,buffer-deallocation' | filecheck %s

// CHECK-LABEL: @inner_region_control_flow(
// CHECK:         %[[M:.*]] = memref.alloc(
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return
func.func @inner_region_control_flow(%c: i1, %arg0 : index, %x: f32) -> memref<?x?xf32> {
  %0 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %1 = scf.if %c -> (memref<?x?xf32>) {
    linalg.fill ins(%x : f32) outs(%0 : memref<?x?xf32>)
    scf.yield %0 : memref<?x?xf32>
  } else {
    scf.yield %0 : memref<?x?xf32>
  }
  return %1 : memref<?x?xf32>
}

// CHECK-LABEL: @nested_region_control_flow(
// CHECK:         memref.alloc(%arg0, %arg0)
// CHECK:         } else {
// CHECK-NEXT:      %[[INNER:.*]] = memref.alloc(%arg0, %arg1)
// CHECK:           linalg.fill
// CHECK:           memref.dealloc %[[INNER]]
// CHECK:         }
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return
func.func @nested_region_control_flow(%arg0 : index, %arg1 : index, %x: f32) -> memref<?x?xf32> {
  %0 = arith.cmpi eq, %arg0, %arg1 : index
  %1 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%1 : memref<?x?xf32>)
  %2 = scf.if %0 -> (memref<?x?xf32>) {
    scf.yield %1 : memref<?x?xf32>
  } else {
    %3 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    linalg.fill ins(%x : f32) outs(%3 : memref<?x?xf32>)
    scf.yield %1 : memref<?x?xf32>
  }
  return %2 : memref<?x?xf32>
}

// CHECK-LABEL: @inner_region_control_flow_div(
// CHECK:         %[[OUTER:.*]] = memref.alloc(%arg0, %arg0)
// CHECK:         %[[RESULT:.*]] = scf.if
// CHECK:           bufferization.clone %[[OUTER]]
// CHECK:         } else {
// CHECK:           memref.alloc(%arg0, %arg1)
// CHECK:         }
// CHECK:         memref.dealloc %[[OUTER]]
// CHECK:         func.return %[[RESULT]]
func.func @inner_region_control_flow_div(%c: i1, %arg0 : index, %arg1 : index, %x: f32) -> memref<?x?xf32> {
  %0 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<?x?xf32>)
  %1 = scf.if %c -> (memref<?x?xf32>) {
    scf.yield %0 : memref<?x?xf32>
  } else {
    %2 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    scf.yield %2 : memref<?x?xf32>
  }
  return %1 : memref<?x?xf32>
}
