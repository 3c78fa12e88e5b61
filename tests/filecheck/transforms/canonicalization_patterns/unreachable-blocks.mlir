// RUN: xdsl-opt --allow-unregistered-dialect %s -p canonicalize | filecheck %s

// Ops of unreachable blocks that use each other's results go together.

// CHECK-LABEL: @unreachable
// CHECK-NEXT:  func.return %x
func.func private @next(i32) -> i32
func.func @unreachable(%x: i32) -> i32 {
  %false = arith.constant false
  cf.cond_br %false, ^bb1, ^bb2
^bb1:
  %0 = func.call @next(%x) : (i32) -> i32
  %1 = func.call @next(%0) : (i32) -> i32
  cf.br ^bb3
^bb2:
  return %x : i32
^bb3:
  %2 = func.call @next(%1) : (i32) -> i32
  return %2 : i32
}

// What control never reaches may be computed from itself, through several ops.

// CHECK-LABEL: func.func @computed_from_itself(
// CHECK-NEXT:    func.return
func.func @computed_from_itself(%x: f32, %i: index) {
  cf.br ^end
^loop:
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  %s = tensor.dim %t, %c0 : tensor<?xf32>
  %t = tensor.empty(%s) : tensor<?xf32>
  %u = tensor.extract %t[%i] : tensor<?xf32>
  "test.use"(%a, %u) : (memref<?xf32>, f32) -> ()
  cf.br ^loop
^end:
  return
}
