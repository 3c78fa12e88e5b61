"""The programs in examples/: the decisions, the buffers and the numbers of mlir-opt."""

from __future__ import annotations

from tests.oracle.harness import Comparison, analysis_only, compare, count_buffer_ops

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
)
DEALLOCATE = f"{BUFFERIZE},buffer-deallocation-pipeline"


@compare("../../examples", analysis_only(BUFFERIZE))
def test_decisions(comparison: Comparison) -> None:
    comparison.same_inplace()


@compare("../../examples", BUFFERIZE)
def test_bufferized(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("../../examples", DEALLOCATE)
def test_deallocated(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("../../examples", DEALLOCATE)
def test_allocations_copies_and_deallocations(comparison: Comparison) -> None:
    ours = count_buffer_ops(comparison.ours.text)
    assert ours == count_buffer_ops(comparison.reference.text)
    assert ours
