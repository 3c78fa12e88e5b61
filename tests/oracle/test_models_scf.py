"""scf: decisions and memref programs, compared with mlir-opt's."""

from __future__ import annotations

from tests.oracle.harness import Comparison, analysis_only, compare

OPTIONS = "bufferize-function-boundaries allow-return-allocs-from-loops"
PASS = f"one-shot-bufferize{{{OPTIONS}}}"


@compare("models/scf", analysis_only(PASS))
def test_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare(
    "models/scf",
    analysis_only(f"one-shot-bufferize{{{OPTIONS} analysis-heuristic=top-down}}"),
)
def test_decisions_top_down(comparison: Comparison) -> None:
    comparison.same_inplace()


LINKED = "a result of scf.index_switch is linked to what is yielded, as with scf.if"


@compare(
    "models/scf",
    analysis_only("one-shot-bufferize{allow-return-allocs-from-loops}"),
    differs={"switch_inplace": LINKED, "switch_layouts_differ": LINKED},
)
def test_decisions_inside_functions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("models/scf", PASS)
def test_bufferized(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "models/scf",
    f"one-shot-bufferize{{{OPTIONS} "
    "function-boundary-type-conversion=identity-layout-map}",
)
def test_bufferized_with_identity_layouts(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models/scf", f"one-shot-bufferize{{{OPTIONS} copy-before-write}}")
def test_copy_before_write(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models/scf/special/unsound.mlir", PASS)
def test_unsound(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models/scf/special/rejected.mlir")
def test_rejected(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("models/scf/special/layouts.mlir")
def test_layouts(comparison: Comparison) -> None:
    comparison.same_ir()
