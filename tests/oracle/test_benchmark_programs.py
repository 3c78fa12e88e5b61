"""What the benchmarks measure is the same work: equal decisions, equal IR."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import BENCHMARKS, ONE_SHOT, Benchmark
from tests.oracle.harness import (
    Comparison,
    analysis_only,
    comparisons,
    requires_mlir_opt,
    split_programs,
)

SMALL = 3
BENCHMARK = pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda b: b.name)


def compare_small(benchmark: Benchmark, pipeline: str) -> Comparison:
    (made,) = comparisons(split_programs(benchmark.make(SMALL)), pipeline)
    made.run()
    return made


@requires_mlir_opt
@BENCHMARK
def test_ir(benchmark: Benchmark) -> None:
    compare_small(benchmark, benchmark.pipeline).same_ir()


@requires_mlir_opt
@BENCHMARK
def test_decisions(benchmark: Benchmark) -> None:
    compare_small(benchmark, analysis_only(ONE_SHOT)).same_inplace()


@BENCHMARK
def test_programs_grow_in_proportion(benchmark: Benchmark) -> None:
    lines = {size: benchmark.make(size).count("\n") for size in (10, 20)}
    assert 1.5 * lines[10] < lines[20] < 2.1 * lines[10]
