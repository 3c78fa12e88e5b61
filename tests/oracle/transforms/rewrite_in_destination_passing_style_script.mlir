module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %targets = transform.structured.match
        ops{["tensor.from_elements", "tensor.generate", "tensor.pad"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %rewritten = transform.structured.rewrite_in_destination_passing_style %targets
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
