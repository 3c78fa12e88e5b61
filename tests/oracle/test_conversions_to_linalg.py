"""Passes that turn ops into linalg ops on tensors, against mlir-opt."""

from tests.oracle.harness import Comparison, compare


@compare("convert_tensor_to_linalg.mlir")
def test_tensor(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("convert_elementwise_to_linalg.mlir")
def test_elementwise(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "tosa_to_linalg.mlir",
    "tosa-to-linalg",
    mlir_passes="tosa-to-linalg-pipeline,tosa-to-tensor,tosa-to-arith",
)
def test_tosa(comparison: Comparison) -> None:
    comparison.same_ir()
