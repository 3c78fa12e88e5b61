// RUN: xdsl-opt %s -p transform-interpreter --split-input-file | filecheck %s
// RUN: xdsl-opt %s --split-input-file | xdsl-opt --split-input-file | filecheck %s --check-prefix SYNTAX

// Pads are put in a memory of their own, and the rest of the program is bufferized.

// CHECK-LABEL: @scratchpad
// CHECK-SAME:    %t: memref<?xf32, strided<[?], offset: ?>>
// CHECK:         %[[PAD:.*]] = memref.alloc(%{{.*}}) : memref<?xf32, 1 : i64>
// CHECK-NEXT:    linalg.fill ins(%x : f32) outs(%[[PAD]] : memref<?xf32, 1 : i64>)
// CHECK:         %[[VIEW:.*]] = memref.subview %[[PAD]][1] [%{{.*}}] [1]
// CHECK-NEXT:    memref.copy %t, %[[VIEW]]
// CHECK-NEXT:    func.return %[[PAD]] : memref<?xf32, 1 : i64>

// SYNTAX: %pads = transform.structured.match ops{["tensor.pad"]} in %module : (!transform.any_op) -> !transform.any_op
// SYNTAX: %buffers, %new = transform.structured.bufferize_to_allocation %pads {memory_space = 1 : i64} : !transform.any_op
// SYNTAX: transform.bufferization.eliminate_empty_tensors %module : !transform.any_op
// SYNTAX: %all = transform.bufferization.one_shot_bufferize layout{InferLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
// SYNTAX: transform.bufferization.buffer_loop_hoisting %all : !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %pads = transform.structured.match ops{["tensor.pad"]} in %module : (!transform.any_op) -> !transform.any_op
    %buffers, %new = transform.structured.bufferize_to_allocation %pads {memory_space = 1} : !transform.any_op
    transform.bufferization.eliminate_empty_tensors %module : !transform.any_op
    %all = transform.bufferization.one_shot_bufferize layout{InferLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.bufferization.buffer_loop_hoisting %all : !transform.any_op
    transform.yield
  }
  func.func @scratchpad(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
    %p = tensor.pad %t low[1] high[2] {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<?xf32> to tensor<?xf32>
    return %p : tensor<?xf32>
  }
}

// -----

// xDSL's own transforms run in the same script: what is tiled is bufferized.

// CHECK-LABEL: @tiled
// CHECK:         scf.for
// CHECK-NEXT:      memref.subview %{{.*}} : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      linalg.generic
// CHECK-SAME:        outs(%{{.*}} : memref<2xf32, strided<[1], offset: ?>>)
#id = affine_map<(d0) -> (d0)>
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %double = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %double tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %all = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @tiled(%t: tensor<8xf32>) -> tensor<8xf32> {
    %d = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<8xf32>) {
    ^bb0(%x: f32):
      %y = arith.addf %x, %x : f32
      linalg.yield %y : f32
    } -> tensor<8xf32>
    return %d : tensor<8xf32>
  }
}
