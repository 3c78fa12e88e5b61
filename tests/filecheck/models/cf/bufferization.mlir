// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// A loop of blocks: the argument of ^head is %t in every iteration.

func.func @loop(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<8xf32>)
^head(%i: index, %a: tensor<8xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %w : index, tensor<8xf32>)
^end:
  return %a : tensor<8xf32>
}

// CHECK:      func.func @loop(%t: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %n: index) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   cf.br ^head(%c0, %t : index, memref<8xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^head(%i: index, %a: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:   %c = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:   cf.cond_br %c, ^body, ^end
// CHECK-NEXT: ^body:
// CHECK-NEXT:   memref.store %f, %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %j = arith.addi %i, %c1 : index
// CHECK-NEXT:   cf.br ^head(%j, %a : index, memref<8xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^end:
// CHECK-NEXT:   func.return %a : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// A slice and a contiguous buffer meet: the argument has a layout both can be cast to.

func.func @layouts(%c: i1, %t: tensor<16xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  cf.cond_br %c, ^end(%s : tensor<4xf32>), ^end(%e : tensor<4xf32>)
^end(%a: tensor<4xf32>):
  %v = tensor.extract %a[%i] : tensor<4xf32>
  return %v : f32
}

// CHECK:      func.func @layouts(%c: i1, %t: memref<16xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:   %s = memref.subview %t[4] [4] [2] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   %0 = memref.cast %e : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   cf.cond_br %c, ^end(%s : memref<4xf32, strided<[?], offset: ?>>), ^end(%0 : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^end(%a: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:   %v = memref.load %a[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %v : f32
// CHECK-NEXT: }

// -----

func.func @switch(%k: i32, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  cf.switch %k : i32, [
    default: ^end(%t : tensor<8xf32>),
    1: ^one(%u : tensor<8xf32>)
  ]
^one(%a: tensor<8xf32>):
  %w = tensor.insert %f into %a[%i] : tensor<8xf32>
  cf.br ^end(%w : tensor<8xf32>)
^end(%b: tensor<8xf32>):
  return %b : tensor<8xf32>
}

// CHECK:      func.func @switch(%k: i32, %t: memref<8xf32, strided<[?], offset: ?>>, %u: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   cf.switch %k : i32, [
// CHECK-NEXT:   default: ^end(%t : memref<8xf32, strided<[?], offset: ?>>),
// CHECK-NEXT:     1: ^one(%u : memref<8xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:   ]
// CHECK-NEXT: ^one(%a: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:   memref.store %f, %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   cf.br ^end(%a : memref<8xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: ^end(%b: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:   func.return %b : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// %t is read in ^later after it is written there: the write goes to a copy.

func.func @argument_read_in_later_block(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  cf.br ^later
^later:
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %v : tensor<8xf32>, f32
}

// CHECK:      func.func @argument_read_in_later_block(%t: memref<8xf32, strided<[?], offset: ?>>, %i: index, %f: f32) -> (memref<8xf32>, f32) {
// CHECK-NEXT:   cf.br ^later
// CHECK-NEXT: ^later:
// CHECK-NEXT:   %w = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:   memref.copy %t, %w : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:   memref.store %f, %w[%i] : memref<8xf32>
// CHECK-NEXT:   %v = memref.load %t[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %w, %v : memref<8xf32>, f32
// CHECK-NEXT: }

// -----

// Nothing branches to ^never.

func.func @unreachable(%t: tensor<8xf32>, %i: index) -> f32 {
  %e = tensor.extract %t[%i] : tensor<8xf32>
  return %e : f32
^never(%a: tensor<8xf32>):
  %g = tensor.extract %a[%i] : tensor<8xf32>
  return %g : f32
}

// CHECK:      func.func @unreachable(%t: memref<8xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:   %e = memref.load %t[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %e : f32
// CHECK-NEXT: ^never(%a: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:   %g = memref.load %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %g : f32
// CHECK-NEXT: }
