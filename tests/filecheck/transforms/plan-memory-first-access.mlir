// RUN: xdsl-opt %s -p 'plan-memory{arena=argument}' --split-input-file --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s -p 'plan-memory{arena=argument},verify-memory-plan' --split-input-file --allow-unregistered-dialect | filecheck %s

// A buffer whose first access is an op that returns it, or another one, is planned.

// CHECK-LABEL: func.func @selected(
// CHECK-SAME: %arena: memref<128xi8>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @selected(%x: memref<16xf32>, %c: i1) -> f32 {
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %v = arith.select %c, %a, %b : memref<16xf32>
  memref.copy %x, %v : memref<16xf32> to memref<16xf32>
  %r = memref.load %v[%c3] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %r : f32
}

// -----

// CHECK-LABEL: func.func @returned(
// CHECK-NOT: memref.alloc
// CHECK: return
func.func private @same(%x: memref<16xf32>) -> memref<16xf32> {
  return %x : memref<16xf32>
}
func.func @returned(%x: memref<16xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  %v = call @same(%a) : (memref<16xf32>) -> memref<16xf32>
  memref.copy %x, %v : memref<16xf32> to memref<16xf32>
  %r = memref.load %v[%c3] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %r : f32
}

// -----

// One that may be that of the iteration before has a place besides the one that this may
// be in.

// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %arena: memref<192xi8>
// CHECK-NOT: memref.alloc
// CHECK: %d_2 = arith.select %{{.*}}, %d_1, %d : memref<16xf32>
// CHECK-NEXT: %s = arith.select %c, %d_2, %b
// CHECK: return
func.func @carried(%x: memref<16xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<16xf32> {
    %d = memref.alloc() : memref<16xf32>
    %s = arith.select %c, %d, %b : memref<16xf32>
    %o = arith.select %c, %b, %d : memref<16xf32>
    memref.copy %x, %s : memref<16xf32> to memref<16xf32>
    memref.dealloc %o : memref<16xf32>
    scf.yield %s : memref<16xf32>
  }
  %y = memref.load %r[%c0] : memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return %y : f32
}

// -----

// What an op uses that may still run after the next ones keeps its own memory, also if the
// op uses it in its region.

// CHECK-LABEL: func.func @asynchronous(
// CHECK: %a = memref.alloc
// CHECK: "test.execute"
// CHECK: "test.await"
// CHECK-NEXT: memref.dealloc %a
func.func @asynchronous(%x: memref<16xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  %t = "test.execute"() ({
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    "test.yield"() : () -> ()
  }) : () -> !test.token
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  %q = memref.load %b[%c3] : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  "test.await"(%t) : (!test.token) -> ()
  memref.dealloc %a : memref<16xf32>
  return %q : f32
}

// -----

// The op may return a tensor instead of a token.

// CHECK-LABEL: func.func @in_unknown_region(
// CHECK: %a = memref.alloc
// CHECK: "test.region"
// CHECK: tensor.extract
// CHECK-NEXT: memref.dealloc %a
func.func @in_unknown_region(%x: memref<16xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  %t = "test.region"() ({
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    "test.yield"() : () -> ()
  }) : () -> tensor<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  %v = tensor.extract %t[%c3] : tensor<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %v : f32
}

// -----

// A vector of bits takes as many bytes as in memory, here one.

// CHECK-LABEL: func.func @bits(
// CHECK-SAME: %arena: memref<9xi8>
func.func @bits(%v: vector<8xi1>) -> vector<8xi1> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<9xvector<8xi1>>
  memref.store %v, %a[%c0] : memref<9xvector<8xi1>>
  %r = memref.load %a[%c0] : memref<9xvector<8xi1>>
  memref.dealloc %a : memref<9xvector<8xi1>>
  return %r : vector<8xi1>
}
