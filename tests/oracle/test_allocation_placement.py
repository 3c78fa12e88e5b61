"""Passes that move allocations, against mlir-opt."""

from tests.oracle.harness import Comparison, compare


@compare("transforms/buffer_hoisting.mlir")
def test_buffer_hoisting(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("transforms/buffer_loop_hoisting.mlir")
def test_buffer_loop_hoisting(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("transforms/promote_buffers_to_stack.mlir")
def test_promote_buffers_to_stack(comparison: Comparison) -> None:
    comparison.same_ir()
