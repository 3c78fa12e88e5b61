"""Function boundaries, calls and options of one-shot-bufferize, against mlir-opt."""

from tests.oracle.harness import Comparison, analysis_only, compare

FUNCTIONS = "one-shot-bufferize{bufferize-function-boundaries}"


@compare("analysis/one_shot/func.mlir")
def test_ir(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("analysis/one_shot/calls.mlir", analysis_only(FUNCTIONS))
def test_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("analysis/one_shot/calls.mlir", FUNCTIONS)
def test_calls_ir(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("analysis/one_shot/func_accepted.mlir")
def test_right_where_mlir_opt_is_not(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("analysis/one_shot/no_analysis.mlir")
def test_excluded_functions_are_not_annotated(comparison: Comparison) -> None:
    comparison.same_analysis()
