// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// A branch writes %t in place. The result is %t either way.

func.func @if_in_place(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %w = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK:      func.func @if_in_place(%c: i1, %t: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %r = scf.if %c -> (memref<8xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     memref.store %f, %t[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %t : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %t : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// The branches yield buffers of different layouts, which are cast to a common type.

func.func @if_layouts(%c: i1, %t: tensor<16xf32>, %i: index) -> f32 {
  %r = scf.if %c -> tensor<4xf32> {
    %s = tensor.extract_slice %t[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  %v = tensor.extract %r[%i] : tensor<4xf32>
  return %v : f32
}

// CHECK:      func.func @if_layouts(%c: i1, %t: memref<16xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:   %r = scf.if %c -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %s = memref.subview %t[4] [4] [2] : memref<16xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %s : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     %0 = memref.cast %e : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = memref.load %r[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %v : f32
// CHECK-NEXT: }

// -----

// %r may be %u, which is read after %r is written: the write goes to a copy.

func.func @index_switch(%k: index, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = scf.index_switch %k -> tensor<8xf32>
  case 0 {
    scf.yield %t : tensor<8xf32>
  }
  default {
    scf.yield %u : tensor<8xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  %e = tensor.extract %u[%i] : tensor<8xf32>
  return %w, %e : tensor<8xf32>, f32
}

// CHECK:      func.func @index_switch(%k: index, %t: memref<8xf32, strided<[?], offset: ?>>, %u: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<8xf32>, f32) {
// CHECK-NEXT:   %r = scf.index_switch %k -> memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   case 0 {
// CHECK-NEXT:     scf.yield %t : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   default {
// CHECK-NEXT:     scf.yield %u : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   %w = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:   memref.copy %r, %w : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:   memref.store %f, %w[%i] : memref<8xf32>
// CHECK-NEXT:   %e = memref.load %u[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %w, %e : memref<8xf32>, f32
// CHECK-NEXT: }

// -----

// A region of several blocks, with tensors as block arguments and two yields.

func.func @execute_region(%c: i1, %t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.execute_region -> tensor<8xf32> {
    cf.cond_br %c, ^write(%t : tensor<8xf32>), ^new
  ^write(%a: tensor<8xf32>):
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  ^new:
    %e = bufferization.alloc_tensor() : tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK:      func.func @execute_region(%c: i1, %t: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %r = scf.execute_region -> (memref<8xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     cf.cond_br %c, ^write(%t : memref<8xf32, strided<[?], offset: ?>>), ^new
// CHECK-NEXT:   ^write(%a: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:     memref.store %f, %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %a : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   ^new:
// CHECK-NEXT:     %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     %0 = memref.cast %e : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %0 : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// The result may be %u or %t, and is written while both are read later: a copy.

func.func @execute_region_conflict(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %r = scf.execute_region -> tensor<8xf32> {
    cf.cond_br %c, ^one, ^two
  ^one:
    scf.yield %t : tensor<8xf32>
  ^two:
    scf.yield %u : tensor<8xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<8xf32>
  return %w, %t, %u : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK:      func.func @execute_region_conflict(%c: i1, %t: memref<8xf32, strided<[?], offset: ?>>, %u: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %r = scf.execute_region -> (memref<8xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     cf.cond_br %c, ^one, ^two
// CHECK-NEXT:   ^one:
// CHECK-NEXT:     scf.yield %t : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   ^two:
// CHECK-NEXT:     scf.yield %u : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   %w = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:   memref.copy %r, %w : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:   memref.store %f, %w[%i] : memref<8xf32>
// CHECK-NEXT:   func.return %w, %t, %u : memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }
