"""What the benchmarks measure is the same work: equal decisions, equal IR."""

from __future__ import annotations

import pytest

from benchmarks.compile_time import BENCHMARKS, ONE_SHOT, Benchmark, prepared
from tests.oracle.harness import (
    Comparison,
    analysis_only,
    comparisons,
    requires_mlir_opt,
    split_programs,
)

SMALL = 3
COMPARED = [b for b in BENCHMARKS if b.mlir_up_to != 0]
LOWERED = "convert-to-llvm"
"""Its results are compared by running them (test_conversion_execution.py)."""


def each(benchmarks: list[Benchmark]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("benchmark", benchmarks, ids=lambda b: b.name)


def compare_small(benchmark: Benchmark, pipeline: str) -> Comparison:
    (made,) = comparisons(split_programs(prepared(benchmark, SMALL)), pipeline)
    made.run()
    return made


@requires_mlir_opt
@each([b for b in COMPARED if b.pipeline != LOWERED])
def test_ir(benchmark: Benchmark) -> None:
    compare_small(benchmark, benchmark.pipeline).same_ir()


@requires_mlir_opt
@each([b for b in COMPARED if b.pipeline == ONE_SHOT])
def test_decisions(benchmark: Benchmark) -> None:
    compare_small(benchmark, analysis_only(ONE_SHOT)).same_inplace()


@each(COMPARED)
def test_programs_grow_in_proportion(benchmark: Benchmark) -> None:
    lines = {size: benchmark.make(size).count("\n") for size in (10, 20)}
    assert 1.5 * lines[10] < lines[20] < 2.1 * lines[10]
