// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// A buffer goes through both regions and back: the loop works on %t itself.

func.func @in_place(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.extract %a[%i] : tensor<8xf32>
    %c = arith.cmpf olt, %e, %f : f32
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    %w = tensor.insert %f into %b[%i] : tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK:      func.func @in_place(%t: memref<8xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %r = scf.while (%a = %t) : (memref<8xf32, strided<[?], offset: ?>>) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %e = memref.load %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %c = arith.cmpf olt, %e, %f : f32
// CHECK-NEXT:     scf.condition(%c) %a : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%b: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:     memref.store %f, %b[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %b : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }

// -----

// What `before` passes on is of another type than what it gets. It is copied: nobody else
// may see it when `after` writes it. What `after` yields is a new buffer already.

func.func @different_types(%t: tensor<8xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.condition(%c) %s : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %w = tensor.insert %f into %b[%i] : tensor<4xf32>
    %u = bufferization.alloc_tensor() : tensor<8xf32>
    %x = tensor.insert_slice %w into %u[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK:      func.func @different_types(%t: memref<8xf32, strided<[?], offset: ?>>, %c: i1, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:   %r = scf.while (%a = %t) : (memref<8xf32, strided<[?], offset: ?>>) -> memref<4xf32> {
// CHECK-NEXT:     %s = memref.subview %a[2] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     memref.copy %s, %0 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:     scf.condition(%c) %0 : memref<4xf32>
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%b: memref<4xf32>):
// CHECK-NEXT:     memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:     %u = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     %1 = memref.subview %u[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:     memref.copy %b, %1 : memref<4xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:     %2 = memref.cast %u : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %2 : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : memref<4xf32>
// CHECK-NEXT: }

// -----

// The second iteration starts with %u. It writes a copy of it, for %u is read later.

func.func @yields_outside_tensor(%t: tensor<8xf32>, %u: tensor<8xf32>, %c: i1, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = scf.while (%a = %t) : (tensor<8xf32>) -> tensor<8xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.condition(%c) %w : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    scf.yield %u : tensor<8xf32>
  }
  %v = tensor.extract %u[%i] : tensor<8xf32>
  return %r, %v : tensor<8xf32>, f32
}

// CHECK:      func.func @yields_outside_tensor(%t: memref<8xf32, strided<[?], offset: ?>>, %u: memref<8xf32, strided<[?], offset: ?>>, %c: i1, %f: f32, %i: index) -> (memref<8xf32>, f32) {
// CHECK-NEXT:   %r = scf.while (%a = %t) : (memref<8xf32, strided<[?], offset: ?>>) -> memref<8xf32> {
// CHECK-NEXT:     memref.store %f, %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     memref.copy %a, %0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:     scf.condition(%c) %0 : memref<8xf32>
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%b: memref<8xf32>):
// CHECK-NEXT:     %1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     memref.copy %u, %1 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:     %2 = memref.cast %1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %2 : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = memref.load %u[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %r, %v : memref<8xf32>, f32
// CHECK-NEXT: }

// -----

// Both iter_args of `before` start with %x; %a is written, so %b gets a copy.

func.func @yields_tensor_twice(%t: tensor<8xf32>, %u: tensor<8xf32>, %c: i1, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.while (%a = %t, %b = %u) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.condition(%c) %w, %b : tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    scf.yield %x, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK:      func.func @yields_tensor_twice(%t: memref<8xf32, strided<[?], offset: ?>>, %u: memref<8xf32, strided<[?], offset: ?>>, %c: i1, %f: f32, %i: index) -> (memref<8xf32, strided<[?], offset: ?>>, memref<8xf32>) {
// CHECK-NEXT:   %r, %r_1 = scf.while (%a = %t, %b = %u) : (memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>) -> (memref<8xf32, strided<[?], offset: ?>>, memref<8xf32>) {
// CHECK-NEXT:     memref.store %f, %a[%i] : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     memref.copy %b, %0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:     scf.condition(%c) %a, %0 : memref<8xf32, strided<[?], offset: ?>>, memref<8xf32>
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%x: memref<8xf32, strided<[?], offset: ?>>, %y: memref<8xf32>):
// CHECK-NEXT:     %1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     memref.copy %x, %1 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// CHECK-NEXT:     %2 = memref.cast %1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     scf.yield %x, %2 : memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r, %r_1 : memref<8xf32, strided<[?], offset: ?>>, memref<8xf32>
// CHECK-NEXT: }
