// The four variants that examples/insert.mlir documents.

// RUN: xdsl-opt %S/../../../examples/insert.mlir -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s --check-prefix INFER
// RUN: xdsl-opt %S/../../../examples/insert.mlir -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix IDENTITY
// RUN: xdsl-opt %S/../../../examples/insert.mlir -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results' | filecheck %s --check-prefix DROP

// INFER-LABEL: func.func @test(
// INFER-SAME:    %t: memref<8xf32, strided<[?], offset: ?>>, %idx: index) -> memref<8xf32, strided<[?], offset: ?>>
// INFER-NEXT:    %f = arith.constant 5.000000e+00 : f32
// INFER-NEXT:    memref.store %f, %t[%idx]
// INFER-NEXT:    func.return %t

// IDENTITY-LABEL: func.func @test(
// IDENTITY-SAME:    %t: memref<8xf32>, %idx: index) -> memref<8xf32>
// IDENTITY-NEXT:    %f = arith.constant 5.000000e+00 : f32
// IDENTITY-NEXT:    memref.store %f, %t[%idx]
// IDENTITY-NEXT:    func.return %t

// IDENTITY-LABEL: func.func @test_read_only(
// IDENTITY-NEXT:    %f = arith.constant 5.000000e+00 : f32
// IDENTITY-NEXT:    [[NEW:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// IDENTITY-NEXT:    memref.copy %t, [[NEW]]
// IDENTITY-NEXT:    memref.store %f, [[NEW]][%idx]
// IDENTITY-NEXT:    func.return [[NEW]]

// DROP-LABEL: func.func private @insert(
// DROP-SAME:    %t: memref<8xf32>, %idx: index) {
// DROP-NEXT:    %f = arith.constant 5.000000e+00 : f32
// DROP-NEXT:    memref.store %f, %t[%idx]
// DROP-NEXT:    func.return
