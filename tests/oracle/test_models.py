"""The bufferization models of each dialect, against mlir-opt: same decisions, same IR."""

from __future__ import annotations

from tests.oracle.harness import Comparison, analysis_only, compare

FUNCTIONS = "one-shot-bufferize{bufferize-function-boundaries}"
IDENTITY = (
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map}"
)


@compare("models", analysis_only(FUNCTIONS))
def test_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models", FUNCTIONS)
def test_ir(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models", IDENTITY)
def test_ir_with_identity_layouts(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models/rewrite", FUNCTIONS)
def test_rewrite_alone(comparison: Comparison) -> None:
    """Programs that the analysis takes, but that are rejected by the rewrite, or turn out
    otherwise than with mlir-opt for a reason that is stated with them."""
    comparison.same_ir()


@compare("models/special/memory_space.mlir")
def test_memory_spaces_from_encodings(comparison: Comparison) -> None:
    comparison.same_ir()
