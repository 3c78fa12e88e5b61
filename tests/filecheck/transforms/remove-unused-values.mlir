// RUN: xdsl-opt %s -p remove-unused-values | filecheck %s

// An update that nobody uses, and what only it needs, would count as write and reads.

// CHECK-LABEL: func.func @update(
// CHECK-NEXT:    %{{.*}} = tensor.extract %t[%i]
// CHECK-NEXT:    func.return
func.func @update(%t: tensor<8xf32>, %i: index, %x: f32) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.add ins(%t, %t : tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<8xf32>
  %2 = tensor.extract %t[%i] : tensor<8xf32>
  return %2 : f32
}

// What a loop carries for nobody goes; what is used stays.

// CHECK-LABEL: func.func @carried(
// CHECK:         %[[R:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %t) -> (tensor<8xf32>) {
// CHECK-NEXT:      %[[V:.*]] = tensor.insert %x into %[[A]]
// CHECK-NEXT:      scf.yield %[[V]] : tensor<8xf32>
// CHECK:         func.return %[[R]]
func.func @carried(%t: tensor<8xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %e)
      -> (tensor<8xf32>, tensor<4xf32>) {
    %v = tensor.insert %x into %a[%i] : tensor<8xf32>
    %w = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %v, %w : tensor<8xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK-NEXT:    %[[R:.*]] = scf.if %c -> (f32) {
// CHECK-NEXT:      %[[E:.*]] = tensor.extract
// CHECK-NEXT:      scf.yield %[[E]] : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %x : f32
func.func @branch(%t: tensor<8xf32>, %i: index, %x: f32, %c: i1) -> f32 {
  %r:2 = scf.if %c -> (tensor<8xf32>, f32) {
    %v = tensor.insert %x into %t[%i] : tensor<8xf32>
    %y = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %v, %y : tensor<8xf32>, f32
  } else {
    scf.yield %t, %x : tensor<8xf32>, f32
  }
  return %r#1 : f32
}

// Arguments of blocks that only feed each other.

// CHECK-LABEL: func.func @blocks(
// CHECK:         cf.br ^{{.*}}(%{{.*}} : index)
// CHECK:       ^{{.*}}(%{{.*}}: index):
func.func @blocks(%t: tensor<8xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0, %t : index, tensor<8xf32>)
^loop(%i: index, %u: tensor<8xf32>):
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^loop(%j, %u : index, tensor<8xf32>), ^end
^end:
  return %j : index
}

// Ops with effects stay, and what they use.

// CHECK-LABEL: func.func @effects(
// CHECK-NEXT:    %[[V:.*]] = tensor.insert
// CHECK-NEXT:    func.call @print(%[[V]])
func.func private @print(tensor<8xf32>)
func.func @effects(%t: tensor<8xf32>, %i: index, %x: f32) {
  %v = tensor.insert %x into %t[%i] : tensor<8xf32>
  call @print(%v) : (tensor<8xf32>) -> ()
  return
}

// Without the unused sum, the fill would be in %u, which a public function may not return.
// That %r may be %u on some path does not mean that it is copied now. The copy of %t for
// the call, which would be spared, is smaller.

// CHECK-LABEL: func.func @returned_in_an_argument(
// CHECK:         linalg.add
// CHECK:         func.return
func.func @returned_in_an_argument(%t: tensor<4xf32>, %u: tensor<8xf32>, %x: f32, %c: i1)
    -> (tensor<4xf32>, tensor<8xf32>) {
  %r = linalg.fill ins(%x : f32) outs(%u : tensor<8xf32>) -> tensor<8xf32>
  cf.cond_br %c, ^bb1, ^bb2(%r : tensor<8xf32>)
^bb1:
  %s = linalg.add ins(%u, %u : tensor<8xf32>, tensor<8xf32>)
      outs(%r : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^bb2(%u : tensor<8xf32>)
^bb2(%unused: tensor<8xf32>):
  call @writes_for_nothing(%t) : (tensor<4xf32>) -> ()
  return %t, %r : tensor<4xf32>, tensor<8xf32>
}

func.func private @writes_for_nothing(%t: tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (%c1) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}

// Without %u, the collapse would be out of place, and no longer the insertion. It copies %t
// anyway, because its layout may have gaps: the second copy would be made in both branches.

func.func @collapsed(%t: tensor<4x4xi32>, %c: i1, %i: index, %x: i32) -> (i32, i32) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xi32> into tensor<16xi32>
  cf.cond_br %c, ^bb1, ^bb2(%0 : tensor<16xi32>)
^bb1:
  return %x, %x : i32, i32
^bb2(%1: tensor<16xi32>):
  %2 = tensor.insert %x into %1[%i] : tensor<16xi32>
  %u = scf.if %c -> (tensor<16xi32>) {
    scf.yield %1 : tensor<16xi32>
  } else {
    scf.yield %2 : tensor<16xi32>
  }
  %3 = tensor.extract %2[%i] : tensor<16xi32>
  %4 = tensor.extract %t[%i, %i] : tensor<4x4xi32>
  return %3, %4 : i32, i32
}

// CHECK-LABEL: func.func @collapsed(
// CHECK:         scf.if %c -> (tensor<16xi32>) {

// -----

// What is computed of a new tensor first, then the tensor, then the loop around it.

// CHECK-LABEL: func.func @new_tensor(
// CHECK-NOT:     alloc_tensor
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @new_tensor(%n: index, %t: tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = bufferization.alloc_tensor() copy(%t) : tensor<8xi32>
    %1 = linalg.add ins(%0, %t : tensor<8xi32>, tensor<8xi32>)
        outs(%0 : tensor<8xi32>) -> tensor<8xi32>
  }
  return
}
