// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

ml_program.global private mutable @count(dense<0> : tensor<2xi32>) : tensor<2xi32>

// The tensor is loaded, updated in a copy, and stored.

func.func @increment(%i: index) {
  %c1 = arith.constant 1 : i32
  %t = ml_program.global_load @count : tensor<2xi32>
  %0 = tensor.extract %t[%i] : tensor<2xi32>
  %1 = arith.addi %0, %c1 : i32
  %2 = tensor.insert %1 into %t[%i] : tensor<2xi32>
  ml_program.global_store @count = %2 : tensor<2xi32>
  return
}

// CHECK:      memref.global "private" @count : memref<2xi32> = dense<0>
// CHECK-NEXT: func.func @increment(%i: index) {
// CHECK-NEXT:   %c1 = arith.constant 1 : i32
// CHECK-NEXT:   %t = memref.get_global @count : memref<2xi32>
// CHECK-NEXT:   %0 = memref.load %t[%i] : memref<2xi32>
// CHECK-NEXT:   %1 = arith.addi %0, %c1 : i32
// CHECK-NEXT:   %2 = memref.alloc() {alignment = 64 : i64} : memref<2xi32>
// CHECK-NEXT:   memref.copy %t, %2 : memref<2xi32> to memref<2xi32>
// CHECK-NEXT:   memref.store %1, %2[%i] : memref<2xi32>
// CHECK-NEXT:   %3 = memref.get_global @count : memref<2xi32>
// CHECK-NEXT:   memref.copy %2, %3 : memref<2xi32> to memref<2xi32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// -----

// What was loaded is still used after the store, which must not change it.

ml_program.global private mutable @state(dense<0.0> : tensor<2xf32>) : tensor<2xf32>

func.func @exchange(%t: tensor<2xf32>, %i: index) -> f32 {
  %0 = ml_program.global_load @state : tensor<2xf32>
  ml_program.global_store @state = %t : tensor<2xf32>
  %1 = tensor.extract %0[%i] : tensor<2xf32>
  return %1 : f32
}

// CHECK:      memref.global "private" @state : memref<2xf32> = dense<0.000000e+00>
// CHECK-NEXT: func.func @exchange(%t: memref<2xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:   %0 = memref.get_global @state : memref<2xf32>
// CHECK-NEXT:   %1 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:   memref.copy %0, %1 : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:   %2 = memref.get_global @state : memref<2xf32>
// CHECK-NEXT:   memref.copy %t, %2 : memref<2xf32, strided<[?], offset: ?>> to memref<2xf32>
// CHECK-NEXT:   %3 = memref.load %1[%i] : memref<2xf32>
// CHECK-NEXT:   func.return %3 : f32
// CHECK-NEXT: }

// -----

// An immutable global is a constant, one of another module a declaration.

ml_program.global private @table(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private mutable @external(#ml_program.extern : tensor<2xf32>) : tensor<2xf32>

func.func @read(%i: index) -> (f32, f32) {
  %0 = ml_program.global_load_const @table : tensor<2xf32>
  %1 = ml_program.global_load @external : tensor<2xf32>
  %2 = tensor.extract %0[%i] : tensor<2xf32>
  %3 = tensor.extract %1[%i] : tensor<2xf32>
  return %2, %3 : f32, f32
}

// CHECK:      memref.global "private" constant @table : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NEXT: memref.global "private" @external : memref<2xf32>
// CHECK-NEXT: func.func @read(%i: index) -> (f32, f32) {
// CHECK-NEXT:   %0 = memref.get_global @table : memref<2xf32>
// CHECK-NEXT:   %1 = memref.get_global @external : memref<2xf32>
// CHECK-NEXT:   %2 = memref.load %0[%i] : memref<2xf32>
// CHECK-NEXT:   %3 = memref.load %1[%i] : memref<2xf32>
// CHECK-NEXT:   func.return %2, %3 : f32, f32
// CHECK-NEXT: }
