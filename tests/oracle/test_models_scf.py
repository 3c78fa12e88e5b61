"""scf: decisions and memref programs, compared with mlir-opt's."""

from __future__ import annotations

from tests.oracle.harness import Comparison, analysis_only, compare

PASS = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"


@compare("models_scf_for.mlir", analysis_only(PASS))
def test_for_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models_scf_for.mlir", PASS)
def test_for(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models_scf_while.mlir", analysis_only(PASS))
def test_while_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models_scf_while.mlir", PASS)
def test_while(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models_scf_branches.mlir", analysis_only(PASS))
def test_branches_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models_scf_branches.mlir", PASS)
def test_branches(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models_scf_forall.mlir", analysis_only(PASS))
def test_forall_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models_scf_forall.mlir", PASS)
def test_forall(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models_scf_unsound.mlir", PASS)
def test_unsound(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models_scf_rejected.mlir")
def test_rejected(comparison: Comparison) -> None:
    comparison.same_ir()
