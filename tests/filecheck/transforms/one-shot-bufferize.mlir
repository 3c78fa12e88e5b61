// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries copy-before-write}' | filecheck %s --check-prefix COPY
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only print-conflicts}' | filecheck %s --check-prefix ANALYSIS
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only dump-alias-sets}' | filecheck %s --check-prefix ALIAS
// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s --check-prefix INSIDE

// Nothing reads the old contents: the update is in place.
// CHECK-LABEL: @in_place
// CHECK-SAME:    %t: memref<8xf32, strided<[?], offset: ?>>
// CHECK-SAME:    -> memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    memref.store %f, %t[%i]
// CHECK-NEXT:    func.return %t
// COPY-LABEL: @in_place
// COPY:         memref.alloc
// COPY:         memref.copy
// COPY:         memref.store
// ANALYSIS-LABEL: @in_place(%t: tensor<8xf32> {bufferization.access = "read-write"}
// ANALYSIS:     tensor.insert {{.*}}__inplace_operands_attr__ = ["none", "true", "none"]
// ANALYSIS:     func.return {{.*}}__equivalent_func_args__ = [0 : i64]
// ALIAS-LABEL: @in_place
// ALIAS-SAME:   __bbarg_alias_set_attr__ = [[[["%t", "%0"]]]]
// Functions stay on tensors: the argument must not be written.
// INSIDE-LABEL: @in_place(%t: tensor<8xf32>
// INSIDE-NEXT:  [[BUFFER:%.*]] = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// INSIDE-NEXT:  [[NEW:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// INSIDE-NEXT:  memref.copy [[BUFFER]], [[NEW]]
// INSIDE-NEXT:  memref.store %f, [[NEW]][%i]
// INSIDE-NEXT:  [[RESULT:%.*]] = bufferization.to_tensor [[NEW]] : memref<8xf32> to tensor<8xf32>
// INSIDE-NEXT:  func.return [[RESULT]]
func.func @in_place(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

// The old contents are read after the update: it works on a copy.
// CHECK-LABEL: @out_of_place
// CHECK:         [[NEW:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    memref.copy %t, [[NEW]]
// CHECK-NEXT:    memref.store %f, [[NEW]][%i]
// CHECK-NEXT:    memref.load %t[%i]
// ANALYSIS-LABEL: @out_of_place
// ANALYSIS-SAME: "C_0[DEF: bbArg 0]"
// ANALYSIS:     tensor.insert {{.*}} ["none", "false", "none"], "C_0[CONFL-WRITE: 1]"
// ANALYSIS:     tensor.extract {{.*}} ["true", "none"], "C_0[READ: 0]"
func.func @out_of_place(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  func.return %0, %1 : tensor<8xf32>, f32
}

// A buffer that must not be written.
// CHECK-LABEL: @read_only(%t: memref<8xf32, strided<[?], offset: ?>>, %i
// CHECK:         memref.copy
// ANALYSIS-LABEL: @read_only
// ANALYSIS-SAME: "W_0[NOT-WRITABLE: bbArg 0]"
func.func @read_only(%t: tensor<8xf32> {bufferization.writable = false}, %i: index, %f: f32) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
