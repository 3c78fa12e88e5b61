"""eliminate-empty-tensors against mlir-opt."""

from tests.oracle.harness import Comparison, compare


@compare("transforms/eliminate_empty_tensors.mlir")
def test_ir(comparison: Comparison) -> None:
    comparison.same_ir()
