// PASSES: transform-interpreter

// bufferize a function, not its boundary
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %o = transform.bufferization.one_shot_bufferize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// bufferize a module with its functions
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// identity layouts at function boundaries
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// fully dynamic layouts
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// inferred layouts
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize layout{InferLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// copies are linalg.copy
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @read_before(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
    %r = tensor.insert %x into %t[%i] : tensor<4xf32>
    %e = tensor.extract %t[%i] : tensor<4xf32>
    return %r, %e : tensor<4xf32>, f32
  }
}

// -----

// only analyse
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @read_before(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
    %r = tensor.insert %x into %t[%i] : tensor<4xf32>
    %e = tensor.extract %t[%i] : tensor<4xf32>
    return %r, %e : tensor<4xf32>, f32
  }
}

// -----

// explain copies
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, test_analysis_only = true, print_conflicts = false} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @read_before(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
    %r = tensor.insert %x into %t[%i] : tensor<4xf32>
    %e = tensor.extract %t[%i] : tensor<4xf32>
    return %r, %e : tensor<4xf32>, f32
  }
}

// -----

// unknown ops stay
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {allow_unknown_ops = true, bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @unknown(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
    %u = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
    %v = bufferization.to_tensor %u restrict writable : memref<4xf32> to tensor<4xf32>
    %r = tensor.insert %x into %v[%i] : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// a loop yields an allocation
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {allow_return_allocs_from_loops = true, bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @loop(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %f : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}

// -----

// parallel regions are checked
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @forall(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
    %s = bufferization.alloc_tensor() : tensor<2xf32>
    %r = scf.forall (%k) in (8) shared_outs(%a = %t) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %w = tensor.insert %x into %s[%c0] : tensor<2xf32>
      %e = tensor.extract_slice %w[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %a[%k] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    return %r : tensor<8xf32>
  }
}

// -----

// parallel regions are not checked
// DIFFERS: mlir-opt ignores check_parallel_regions
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true, check_parallel_regions = false} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @forall(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
    %s = bufferization.alloc_tensor() : tensor<2xf32>
    %r = scf.forall (%k) in (8) shared_outs(%a = %t) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %w = tensor.insert %x into %s[%c0] : tensor<2xf32>
      %e = tensor.extract_slice %w[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %a[%k] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    return %r : tensor<8xf32>
  }
}

// -----

// eliminate empty tensors in functions
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.bufferization.eliminate_empty_tensors %0 : !transform.any_op
    transform.yield
  }
  func.func @fill_a_slice(%t: tensor<10xf32>, %x: f32, %i: index) -> tensor<10xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %r = tensor.insert_slice %f into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
    return %r : tensor<10xf32>
  }
}

// -----

// eliminate empty tensors in the module, then bufferize
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    transform.bufferization.eliminate_empty_tensors %m : !transform.any_op
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @fill_a_slice(%t: tensor<10xf32>, %x: f32, %i: index) -> tensor<10xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %r = tensor.insert_slice %f into %t[%i] [4] [1] : tensor<4xf32> into tensor<10xf32>
    return %r : tensor<10xf32>
  }
}

// -----

// empty tensors to alloc_tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.empty"]} in %m : (!transform.any_op) -> !transform.op<"tensor.empty">
    %1 = transform.bufferization.empty_tensor_to_alloc_tensor %0 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    %2 = transform.get_parent_op %1 {op_name = "func.func", deduplicate} : (!transform.op<"bufferization.alloc_tensor">) -> !transform.any_op
    transform.bufferization.eliminate_empty_tensors %2 : !transform.any_op
    transform.yield
  }
  func.func @empty(%n: index) -> (tensor<?x4xf32>, tensor<2xf32>) {
    %a = tensor.empty(%n) : tensor<?x4xf32>
    %b = tensor.empty() : tensor<2xf32>
    return %a, %b : tensor<?x4xf32>, tensor<2xf32>
  }
}

// -----

// buffers out of loops
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.bufferization.buffer_loop_hoisting %0 : !transform.any_op
    transform.yield
  }
  func.func @hoist(%m: memref<4xf32>, %n: index, %x: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        %a = memref.alloc() : memref<4xf32>
        %d = memref.alloc(%k) : memref<?xf32>
        memref.store %x, %a[%l] : memref<4xf32>
        memref.store %x, %d[%l] : memref<?xf32>
        memref.copy %a, %m : memref<4xf32> to memref<4xf32>
      }
    }
    return
  }
}

// -----

// bufferize, then hoist
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.bufferization.buffer_loop_hoisting %o : !transform.any_op
    transform.yield
  }
  func.func @loop(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %s = linalg.copy ins(%f : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}

// -----

// destinations for new tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.from_elements", "tensor.generate", "tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.rewrite_in_destination_passing_style %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @new_tensors(%t: tensor<?x4xf32>, %x: f32, %n: index) -> (tensor<2xf32>, tensor<?xf32>, tensor<?x7xf32>) {
    %e = tensor.from_elements %x, %x : tensor<2xf32>
    %g = tensor.generate %n {
    ^bb0(%i: index):
      %v = arith.index_cast %i : index to i32
      %w = arith.sitofp %v : i32 to f32
      tensor.yield %w : f32
    } : tensor<?xf32>
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %e, %g, %p : tensor<2xf32>, tensor<?xf32>, tensor<?x7xf32>
  }
}

// -----

// the rewritten op is in the handle
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.generate"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.rewrite_in_destination_passing_style %0 : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %1 : !transform.any_op
    transform.yield
  }
  func.func @new_tensors(%t: tensor<?x4xf32>, %x: f32, %n: index) -> (tensor<2xf32>, tensor<?xf32>, tensor<?x7xf32>) {
    %e = tensor.from_elements %x, %x : tensor<2xf32>
    %g = tensor.generate %n {
    ^bb0(%i: index):
      %v = arith.index_cast %i : index to i32
      %w = arith.sitofp %v : i32 to f32
      tensor.yield %w : f32
    } : tensor<?xf32>
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %e, %g, %p : tensor<2xf32>, tensor<?xf32>, tensor<?x7xf32>
  }
}

// -----

// an insert 
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {memory_space = 3 : i64}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 3 : i64} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {emit_dealloc}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {emit_dealloc} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {alloc_op = "memref.alloca", emit_dealloc}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca", emit_dealloc} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {memcpy_op = "memref.copy"}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memcpy_op = "memref.copy"} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {memcpy_op = "linalg.copy", memory_space = 1 : i64}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memcpy_op = "linalg.copy", memory_space = 1 : i64} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {bufferize_destination_only}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an insert {bufferize_destination_only, memcpy_op = "memref.copy", emit_dealloc}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only, memcpy_op = "memref.copy", emit_dealloc} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// a pad 
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @pad(%t: tensor<?x4xf32>, %x: f32, %n: index) -> tensor<?x7xf32> {
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %p : tensor<?x7xf32>
  }
}

// -----

// a pad {memory_space = 3 : i64, emit_dealloc}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 3 : i64, emit_dealloc} : !transform.any_op
    transform.yield
  }
  func.func @pad(%t: tensor<?x4xf32>, %x: f32, %n: index) -> tensor<?x7xf32> {
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %p : tensor<?x7xf32>
  }
}

// -----

// a pad {memcpy_op = "memref.copy"}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memcpy_op = "memref.copy"} : !transform.any_op
    transform.yield
  }
  func.func @pad(%t: tensor<?x4xf32>, %x: f32, %n: index) -> tensor<?x7xf32> {
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %p : tensor<?x7xf32>
  }
}

// -----

// a pad {memcpy_op = "linalg.copy"}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memcpy_op = "linalg.copy"} : !transform.any_op
    transform.yield
  }
  func.func @pad(%t: tensor<?x4xf32>, %x: f32, %n: index) -> tensor<?x7xf32> {
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %p : tensor<?x7xf32>
  }
}

// -----

// a pad by coordinates
// MLIR-REJECTS: mlir-opt produces a linalg.generic with a memref operand and a tensor
// result
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @pad_by_index(%t: tensor<4xindex>) -> tensor<7xindex> {
    %p = tensor.pad %t low[1] high[2] {
    ^bb0(%i: index):
      tensor.yield %i : index
    } : tensor<4xindex> to tensor<7xindex>
    return %p : tensor<7xindex>
  }
}

// -----

// a constant pad
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @pad_zero(%t: tensor<4xf32>) -> tensor<7xf32> {
    %p = tensor.pad %t low[1] high[2] {
    ^bb0(%i: index):
      %zero = arith.constant 0.0 : f32
      tensor.yield %zero : f32
    } : tensor<4xf32> to tensor<7xf32>
    return %p : tensor<7xf32>
  }
}

// -----

// a fill of an empty tensor needs no copy
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 2 : i64} : !transform.any_op
    transform.yield
  }
  func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %x: f32) -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// a matmul
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 2 : i64, emit_dealloc} : !transform.any_op
    transform.yield
  }
  func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %x: f32) -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// fill, matmul, and then the rest
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    %o = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %x: f32) -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// slices
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.extract_slice", "tensor.insert_slice"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @slices(%t: tensor<8xf32>, %s: tensor<4xf32>, %i: index) -> (tensor<4xf32>, tensor<8xf32>) {
    %e = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %r = tensor.insert_slice %s into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    return %e, %r : tensor<4xf32>, tensor<8xf32>
  }
}

// -----

// a reshape
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.collapse_shape"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @reshape(%t: tensor<2x4xf32>) -> tensor<8xf32> {
    %r = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    return %r : tensor<8xf32>
  }
}

// -----

// a vector write
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["vector.transfer_write"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 4 : i64} : !transform.any_op
    transform.yield
  }
  func.func @vector_write(%t: tensor<8xf32>, %v: vector<4xf32>, %i: index) -> tensor<8xf32> {
    %r = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
    return %r : tensor<8xf32>
  }
}

// -----

// a masked write
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["vector.mask"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 4 : i64} : !transform.any_op
    transform.yield
  }
  func.func @masked_write(%t: tensor<8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> tensor<8xf32> {
    %r = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
}

// -----

// a write in a mask
// MLIR-REJECTS: mlir-opt produces a vector.mask of two ops
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["vector.transfer_write"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @write_in_mask(%t: tensor<8xf32>, %v: vector<4xf32>, %i: index, %m: vector<4xi1>) -> tensor<8xf32> {
    %r = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
}

// -----

// an alloc_tensor
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["bufferization.alloc_tensor"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 4 : i64} : !transform.any_op
    transform.yield
  }
  func.func @alloc_tensor(%n: index) -> tensor<?xf32> {
    %r = bufferization.alloc_tensor(%n) : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an alloc_tensor of a copy
// DIFFERS: mlir-opt omits the copy
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["bufferization.alloc_tensor"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 4 : i64} : !transform.any_op
    transform.yield
  }
  func.func @alloc_copy(%t: tensor<4xf32>) -> tensor<4xf32> {
    %r = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// only the destination of a loop
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
    transform.yield
  }
  func.func @loop(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %f : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}

// -----

// two destinations
// MLIR-REJECTS: mlir-opt accepts only one destination
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @two(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t, %u : tensor<4xf32>, tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %b, %a : f32, f32
    } -> (tensor<4xf32>, tensor<4xf32>)
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// the loop of an insert, by way of its parents
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_parent_op %0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_parent_op %0 {nth_parent = 2 : i64} : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %1 {bufferize_destination_only} : !transform.any_op
    %3 = transform.get_defining_op %b : (!transform.any_value) -> !transform.any_op
    %4 = transform.merge_handles deduplicate %3, %2 : !transform.any_op
    %5, %6 = transform.split_handle %4 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %7 = transform.bufferization.one_shot_bufferize %6 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @parents(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
      %f = tensor.insert %x into %a[%k] : tensor<4xf32>
      scf.yield %f : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}

// -----

// the producer of an operand
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_producer_of_operand %0[2] : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_result %1[0] : (!transform.any_op) -> !transform.any_value
    %3 = transform.get_defining_op %2 : (!transform.any_value) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %3 : !transform.any_op
    transform.yield
  }
  func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %x: f32) -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// filters of match
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.fill"]} interface{LinalgOp} filter_result_type = tensor<4x4xf32> filter_operand_types = [f32, tensor<4x4xf32>] in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %x: f32) -> tensor<4x4xf32> {
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %r : tensor<4x4xf32>
  }
}

// -----

// match by attribute, in a nested sequence
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    transform.include @place failures(propagate) (%m) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @place(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match attributes {scratch} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memory_space = 1 : i64} : !transform.any_op
    transform.yield
  }
  func.func @marked(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
    %0 = tensor.insert %x into %t[%i] {scratch} : tensor<4xf32>
    %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// a sequence that returns a handle
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.include @find failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  transform.named_sequence @find(%m: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield %0 : !transform.any_op
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an empty handle
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %n = transform.structured.bufferize_to_allocation %1 : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// more payload than results
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert", "func.func", "func.return"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %2 = transform.split_handle %0 {overflow_result = 1 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %n = transform.structured.bufferize_to_allocation %1 : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// a pass with options
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["builtin.module"]} attributes{sym_name = "payload"} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "one-shot-bufferize" with options = {"bufferize-function-boundaries" = true, "function-boundary-type-conversion" = "identity-layout-map"} to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @payload {
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
  }
}

// -----

// an insert is no function
// REJECTED: expected module or function target
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %o = transform.bufferization.one_shot_bufferize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// function boundaries need a module
// REJECTED: expected module target
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %o = transform.bufferization.one_shot_bufferize %0 {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// memcpy op of one_shot_bufferize
// REJECTED: unsupported memcpy op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {memcpy_op = "my.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// memcpy op of bufferize_to_allocation
// REJECTED: unsupported memcpy op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {memcpy_op = "my.copy"} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// alloc op
// REJECTED: unsupported alloc op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 {alloc_op = "my.alloc"} : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// nothing to rewrite
// REJECTED: tensor.from_elements, generate and pad only
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.rewrite_in_destination_passing_style %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an op without destination
// REJECTED: tensor.generate: op was not bufferized
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.generate"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @new_tensors(%t: tensor<?x4xf32>, %x: f32, %n: index) -> (tensor<2xf32>, tensor<?xf32>, tensor<?x7xf32>) {
    %e = tensor.from_elements %x, %x : tensor<2xf32>
    %g = tensor.generate %n {
    ^bb0(%i: index):
      %v = arith.index_cast %i : index to i32
      %w = arith.sitofp %v : i32 to f32
      tensor.yield %w : f32
    } : tensor<?xf32>
    %p = tensor.pad %t low[%n, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    } : tensor<?x4xf32> to tensor<?x7xf32>
    return %e, %g, %p : tensor<2xf32>, tensor<?xf32>, tensor<?x7xf32>
  }
}

// -----

// a function is no single op
// REJECTED: func.func: op was not bufferized
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an op without a bufferization
// REJECTED: arith.addf: op was not bufferized
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["arith.addf"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @add(%t: tensor<4xf32>) -> tensor<4xf32> {
    %r = arith.addf %t, %t : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// a loop is not bufferized alone
// REJECTED: an op with tensors in its regions
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    transform.yield
  }
  func.func @loop(%t: tensor<4xf32>, %n: index, %x: f32) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %f : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}

// -----

// a consumed handle
// REJECTED: invalidated by a previously executed transform op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %o = transform.bufferization.one_shot_bufferize %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_parent_op %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// a handle inside of what was consumed
// REJECTED: invalidated by a previously executed transform op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %o = transform.bufferization.one_shot_bufferize %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_parent_op %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// another handle to what was consumed
// REJECTED: invalidated by a previously executed transform op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.cast %0 : !transform.any_op to !transform.op<"tensor.insert">
    %b, %n = transform.structured.bufferize_to_allocation %0 : !transform.any_op
    %2 = transform.get_result %1[0] : (!transform.op<"tensor.insert">) -> !transform.any_value
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// a cast to another op
// REJECTED: expected tensor.empty, got tensor.insert
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.cast %0 : !transform.any_op to !transform.op<"tensor.empty">
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// too few to split
// REJECTED: expected to contain 2 payloads
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// too many to split
// REJECTED: expected to contain 1 payloads
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert", "func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.split_handle %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// a block argument has no producer
// REJECTED: could not find a producer
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_producer_of_operand %0[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// no such parent
// REJECTED: could not find a parent op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_parent_op %0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// match in two roots
// REJECTED: requires exactly one target
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["tensor.insert", "func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["func.func"]} in %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an unknown pass
// REJECTED: there is no pass
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %1 = transform.apply_registered_pass "no-such-pass" to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @insert(%t: tensor<?xf32>, %i: index, %x: f32) -> tensor<?xf32> {
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// -----

// an unknown op
// REJECTED: does not implement|was not bufferized
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %o = transform.bufferization.one_shot_bufferize %m {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @unknown_op(%t: tensor<4xf32>) -> tensor<4xf32> {
    %r = arith.addf %t, %t : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// eliminate empty tensors in a loop, which uses values from around it
func.func @inner(%a: tensor<4xf32>, %e: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = tensor.empty() : tensor<4xf32>
  %k = arith.muli %n, %n : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> tensor<8xf32> {
    %x = tensor.empty() : tensor<4xf32>
    %g = linalg.exp ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %g2 = linalg.exp ins(%a : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    %o = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)>(%i)[%k]
    %p = tensor.insert_slice %g into %t[%o] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %q = tensor.insert_slice %g2 into %p[%k] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.bufferization.eliminate_empty_tensors %f : !transform.any_op
    transform.yield
  }
}
