module attributes {transform.with_named_sequence} {
  transform.named_sequence @transform(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match interface{LoopLikeInterface} filter_result_type = tensor<4xf32> in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match attributes {value = 1 : index} filter_operand_types = [i1, index] in %m : (!transform.any_op) -> !transform.any_op
    %2 = transform.merge_handles deduplicate %0, %1 : !transform.any_op
    %3 = transform.merge_handles %2, %1, %0 : !transform.any_op
    transform.include @other failures(propagate) (%3) : (!transform.any_op) -> ()
    %4:2 = transform.include @both failures(suppress) (%3, %2) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %5, %6 = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only} : !transform.any_op
    %7 = transform.get_defining_op %5 : (!transform.any_value) -> !transform.any_op
    %8, %9 = transform.structured.bufferize_to_allocation %6 {alloc_op = "memref.alloca", emit_dealloc, memcpy_op = "linalg.copy", memory_space = 3 : i64} : !transform.any_op
    %10 = transform.get_producer_of_operand %9[2] : (!transform.any_op) -> !transform.any_op
    %11:2 = transform.split_handle %9 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %12, %13 = transform.split_handle %9 {fail_on_payload_too_small = false, overflow_result = 1, pass_through_empty_handle = false} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %14 = transform.get_parent_op %12 {deduplicate, isolated_from_above, nth_parent = 2 : i64, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %15 = transform.get_parent_op %12 : (!transform.any_op) -> !transform.any_op
    %16 = transform.get_result %12[0] : (!transform.any_op) -> !transform.any_value
    %17 = transform.get_result %12[all] : (!transform.any_op) -> !transform.any_value
    %18 = transform.get_result %12[except(1, 2)] : (!transform.any_op) -> !transform.any_value
    %19 = transform.get_result %12[0, -1] : (!transform.any_op) -> !transform.any_value
    %20 = transform.cast %15 : !transform.any_op to !transform.op<"tensor.empty">
    %21 = transform.bufferization.empty_tensor_to_alloc_tensor %20 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    transform.bufferization.eliminate_empty_tensors %14 : !transform.any_op
    transform.bufferization.buffer_loop_hoisting %14 : !transform.any_op
    %22 = transform.structured.rewrite_in_destination_passing_style %11#1 : (!transform.any_op) -> !transform.any_op
    %23 = transform.bufferization.one_shot_bufferize %22 : (!transform.any_op) -> !transform.any_op
    %24 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %23 {allow_return_allocs_from_loops = true, allow_unknown_ops = true, bufferize_function_boundaries = true, check_parallel_regions = false, dump_alias_sets = true, memcpy_op = "linalg.copy", print_conflicts = true, test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
    %25 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %24 : (!transform.any_op) -> !transform.any_op
    %26 = transform.bufferization.one_shot_bufferize layout{InferLayoutMap} %25 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @other(%x: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @both(%x: !transform.any_op {transform.readonly}, %y: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
    transform.yield %x, %y : !transform.any_op, !transform.any_op
  }
}
