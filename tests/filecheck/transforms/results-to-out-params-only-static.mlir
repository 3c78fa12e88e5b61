// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{only-static hoist-static-allocs modify-public-functions}' | filecheck %s

// What is allocated at one place, for a loop that may return it, is the argument itself.

// CHECK-LABEL: func.func @through_a_loop(
// CHECK-SAME:      %x: memref<4xf32>, %n: index, %[[OUT:.*]]: memref<4xf32>) {
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @through_a_loop(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<4xf32>) {
    linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    scf.yield %a : memref<4xf32>
  }
  return %1 : memref<4xf32>
}

// Each iteration reads what the one before has allocated: they cannot share the argument.

// CHECK-LABEL: func.func @in_a_loop(
// CHECK-SAME:      %x: memref<4xf32>, %n: index, %[[OUT:.*]]: memref<4xf32>) {
// CHECK:         %[[R:.*]] = scf.for
// CHECK-NEXT:      %[[NEW:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      linalg.add ins(%a, %x : memref<4xf32>, memref<4xf32>) outs(%[[NEW]]
// CHECK:         memref.copy %[[R]], %[[OUT]] : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    func.return
func.func @in_a_loop(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xf32>) {
    %0 = memref.alloc() : memref<4xf32>
    linalg.add ins(%a, %x : memref<4xf32>, memref<4xf32>) outs(%0 : memref<4xf32>)
    linalg.add ins(%a, %0 : memref<4xf32>, memref<4xf32>) outs(%0 : memref<4xf32>)
    scf.yield %0 : memref<4xf32>
  }
  return %1 : memref<4xf32>
}

// The condition of scf.while is a loop as well.

// CHECK-LABEL: func.func @in_a_condition(
// CHECK:         scf.while
// CHECK-NEXT:      memref.alloc
func.func @in_a_condition(%x: memref<4xf32>, %y: f32) -> memref<4xf32> {
  %r = scf.while (%old = %x) : (memref<4xf32>) -> memref<4xf32> {
    %0 = memref.alloc() : memref<4xf32>
    linalg.add ins(%old, %x : memref<4xf32>, memref<4xf32>) outs(%0 : memref<4xf32>)
    linalg.add ins(%old, %0 : memref<4xf32>, memref<4xf32>) outs(%0 : memref<4xf32>)
    %c0 = arith.constant 0 : index
    %z = memref.load %0[%c0] : memref<4xf32>
    %c = arith.cmpf olt, %z, %y : f32
    scf.condition(%c) %0 : memref<4xf32>
  } do {
  ^bb0(%b: memref<4xf32>):
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// Callees come first: what is allocated for the result of a call is a result as well.

// CHECK-LABEL: func.func private @given(
// CHECK-SAME:      %x: memref<4xf32>, %[[OUT:.*]]: memref<4xf32>) {
// CHECK-NEXT:    memref.copy %x, %[[OUT]]
func.func private @given(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// CHECK-LABEL: func.func @passed_on(
// CHECK-SAME:      %x: memref<4xf32>, %[[OUT:.*]]: memref<4xf32>) {
// CHECK-NEXT:    func.call @given(%x, %[[OUT]])
// CHECK-NEXT:    func.return
func.func @passed_on(%x: memref<4xf32>) -> memref<4xf32> {
  %0 = call @given(%x) : (memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// Nobody here calls the function: its argument may have another layout than its result.

// CHECK-LABEL: func.func @slice(
// CHECK-SAME:      %x: memref<8xf32>, %[[OUT:.*]]: memref<4xf32>) {
// CHECK:         memref.copy %{{.*}}, %[[OUT]] : memref<4xf32, strided<[2], offset: 1>> to memref<4xf32>
func.func @slice(%x: memref<8xf32>) -> memref<4xf32, strided<[2], offset: 1>> {
  %0 = memref.subview %x[1] [4] [2]
    : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  return %0 : memref<4xf32, strided<[2], offset: 1>>
}

// A caller that is known uses the layout.

// CHECK-LABEL: func.func private @used_slice(
// CHECK-SAME:      %x: memref<8xf32>) -> memref<4xf32, strided<[2], offset: 1>> {
func.func private @used_slice(%x: memref<8xf32>) -> memref<4xf32, strided<[2], offset: 1>> {
  %0 = memref.subview %x[1] [4] [2]
    : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  return %0 : memref<4xf32, strided<[2], offset: 1>>
}

func.func @user(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = call @used_slice(%x) : (memref<8xf32>) -> memref<4xf32, strided<[2], offset: 1>>
  %1 = memref.load %0[%c0] : memref<4xf32, strided<[2], offset: 1>>
  return %1 : f32
}

// The size must be static.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:      %n: index) -> memref<?xf32> {
func.func @dynamic(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}

// In a recursion, a caller would copy the result at each level.

// CHECK-LABEL: func.func private @recursive(
// CHECK-SAME:      %x: memref<4xf32>, %c: i1) -> memref<4xf32> {
func.func private @recursive(%x: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %false = arith.constant false
  %0 = scf.if %c -> (memref<4xf32>) {
    %1 = memref.alloc() : memref<4xf32>
    memref.copy %x, %1 : memref<4xf32> to memref<4xf32>
    scf.yield %1 : memref<4xf32>
  } else {
    %1 = func.call @recursive(%x, %false) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %1 : memref<4xf32>
  }
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @calls_recursive(
// CHECK-SAME:      %x: memref<4xf32>, %c: i1, %[[OUT:.*]]: memref<4xf32>) {
// CHECK-NEXT:    %[[R:.*]] = func.call @recursive(%x, %c)
// CHECK-NEXT:    memref.copy %[[R]], %[[OUT]]
func.func @calls_recursive(%x: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %0 = func.call @recursive(%x, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  return %0 : memref<4xf32>
}
