"""The orders in which decisions are made, against mlir-opt; those of random order too."""

from __future__ import annotations

from tests.oracle.harness import Comparison, analysis_only, compare

OPTIONS = (
    "bufferize-function-boundaries allow-return-allocs-from-loops analysis-heuristic"
)


def passes(heuristic: str) -> str:
    options = f"{OPTIONS} analysis-heuristic={heuristic}"
    return analysis_only(f"one-shot-bufferize{{{options}}}")


@compare("analysis/one_shot/heuristics.mlir", passes("bottom-up"))
def test_bottom_up(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("analysis/one_shot/heuristics.mlir", passes("top-down"))
def test_top_down(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("analysis/one_shot/heuristics.mlir", passes("bottom-up-from-terminators"))
def test_bottom_up_from_terminators(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("analysis/one_shot/heuristics.mlir", passes("fuzzer"))
def test_fuzzer(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("analysis/one_shot/heuristics.mlir", passes("fuzzer analysis-fuzzer-seed=23"))
def test_fuzzer_with_a_seed(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare(
    "analysis/one_shot/heuristics.mlir", passes("fuzzer analysis-fuzzer-seed=4294967295")
)
def test_fuzzer_with_the_largest_seed(comparison: Comparison) -> None:
    comparison.same_inplace()
