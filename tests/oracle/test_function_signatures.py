"""Passes that change function types, against mlir-opt."""

from tests.oracle.harness import Comparison, compare


@compare("transforms/drop_equivalent_buffer_results.mlir")
def test_drop_equivalent_buffer_results(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("transforms/buffer_results_to_out_params.mlir")
def test_buffer_results_to_out_params(comparison: Comparison) -> None:
    comparison.same_ir()
