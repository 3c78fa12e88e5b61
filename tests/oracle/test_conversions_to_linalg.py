"""Passes that turn ops into linalg ops on tensors, against mlir-opt."""

from tests.oracle.harness import Comparison, compare
from tests.oracle.normal_form import normal_form


@compare("conversion/convert_tensor_to_linalg.mlir")
def test_tensor(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("conversion/convert_elementwise_to_linalg.mlir")
def test_elementwise(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "conversion/tosa/tosa_to_linalg.mlir",
    "tosa-to-linalg",
    mlir_passes="tosa-to-linalg-pipeline,tosa-to-tensor,tosa-to-arith",
)
def test_tosa(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "conversion/tosa/tosa_ops.mlir",
    "tosa-to-linalg",
    mlir_passes=(
        "tosa-to-scf,tosa-to-linalg-pipeline,tosa-to-tensor,"
        "tosa-to-arith{include-apply-rescale}"
    ),
)
def test_tosa_ops(comparison: Comparison) -> None:
    _same_ops(comparison)


@compare(
    "conversion/tosa/tosa_pools_and_scales.mlir",
    "tosa-to-linalg",
    mlir_passes=(
        "tosa-to-scf,tosa-to-linalg-pipeline,tosa-to-tensor,"
        "tosa-to-arith{include-apply-rescale}"
    ),
)
def test_tosa_pools_and_scales(comparison: Comparison) -> None:
    _same_ops(comparison)


def _same_ops(comparison: Comparison) -> None:
    """The same ops; constants, and others without effects, in any order."""
    comparison.accepted()
    assert comparison.reference.accepted, comparison.reference.error
    reference, ours = (normal_form(comparison.clean[side].text) for side in range(2))
    assert ours == reference
