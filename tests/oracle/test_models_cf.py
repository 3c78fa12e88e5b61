"""cf: decisions and memref programs, compared with mlir-opt's."""

from __future__ import annotations

from tests.oracle.harness import Comparison, analysis_only, compare

PASS = "one-shot-bufferize{bufferize-function-boundaries}"


@compare("models/cf/branches.mlir", analysis_only(PASS))
def test_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models/cf/branches.mlir", PASS)
def test_bufferized(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models/cf/accepted.mlir", PASS)
def test_accepted(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "models/cf/branches.mlir",
    analysis_only(
        "one-shot-bufferize{bufferize-function-boundaries analysis-heuristic=top-down}"
    ),
)
def test_decisions_top_down(comparison: Comparison) -> None:
    comparison.same_inplace()
