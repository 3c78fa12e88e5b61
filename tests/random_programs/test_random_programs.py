"""Random programs, half of them from a seed that can be chosen.

XDSL_RANDOM_SEED sets it, and XDSL_RANDOM_PROGRAMS how many there are. A failure names the
seed of its program:
`python -m tests.random_programs --seed N --check execution --reduce` repeats it and
makes it small.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.checkers.stages import STAGES
from tests.oracle.harness import (
    comparisons,
    count_ops,
    requires_mlir_opt,
    split_programs,
    xdsl_opt,
)
from tests.random_programs.checks import (
    ANALYSIS,
    HEURISTICS,
    PIPELINES,
    check_analysis,
    check_bufferization,
    check_checkers,
    check_execution,
)
from tests.random_programs.memory_plans import check_plan
from tests.random_programs.partial_runs import check_partial_run
from tests.random_programs.pass_orders import check_pass_order
from tests.random_programs.program import PROFILES, Program, random_program
from tests.random_programs.strategy import programs

pytestmark = pytest.mark.long

COUNT = int(os.environ.get("XDSL_RANDOM_PROGRAMS", "24"))
FRESH = int(os.environ["XDSL_RANDOM_SEED"])  # tests/conftest.py chooses it
SEEDS = [*range(COUNT // 2), *range(FRESH, FRESH + COUNT // 2)]
SOME = SEEDS[:: max(1, COUNT // 24)]
FEW = SEEDS[:: max(1, COUNT // 6)]


@pytest.mark.parametrize("seed", range(0, COUNT, 10))
def test_programs_are_the_same_for_the_same_seed(seed: int) -> None:
    assert random_program(seed) == random_program(seed)


def test_analysis_agrees_with_the_slow_reference() -> None:
    for seed in SEEDS:
        text = random_program(seed).text
        for heuristic in ("bottom-up", HEURISTICS[seed % 4]):
            assert check_analysis(text, [heuristic]) == [], f"seed {seed}, {heuristic}"


def test_checkers_find_no_fault() -> None:
    """And executing on watched memory gives what the program means."""
    for seed in SEEDS:
        profile = PROFILES["small" if seed % 3 else "observed"]
        found = check_checkers(random_program(seed, profile), seed % STAGES)
        assert found == [], f"seed {seed}"


def test_regions_that_are_only_passed_through() -> None:
    for seed in SOME:
        found = check_bufferization(random_program(seed, PROFILES["foreign"]))
        assert found == [], f"seed {seed}"


def test_analysis_of_large_programs_agrees_with_the_slow_reference() -> None:
    for seed in FEW[::4]:
        assert check_analysis(random_program(seed, PROFILES["large"]).text) == [], (
            f"seed {seed}"
        )


def test_code_computes_what_the_program_means() -> None:
    for seed in FEW:
        program = random_program(seed)
        for way, opt_level in (
            ("in place", 0),
            (list(PIPELINES)[seed % len(PIPELINES)], 2),
        ):
            try:
                found = check_execution(program, way, opt_level)
            except Exception as error:
                raise AssertionError(f"seed {seed}, {way}") from error
            assert found == [], f"seed {seed}, {way}"


def test_planned_memory_computes_the_same_and_takes_no_more() -> None:
    for seed in FEW:
        try:
            found = check_plan(random_program(seed, PROFILES["observed"]), seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
        assert found == [], f"seed {seed}"


def test_two_partial_runs_compute_the_same() -> None:
    for seed in FEW:
        try:
            found = check_partial_run(random_program(seed), seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
        assert found == [], f"seed {seed}"


def test_passes_in_any_order_compute_the_same_and_save_what_they_promise() -> None:
    for seed in FEW:
        try:
            found = check_pass_order(random_program(seed), seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
        assert found == [], f"seed {seed}"


def test_a_second_run_of_canonicalize_control_flow_finds_nothing_left() -> None:
    passes = f"one-shot-bufferize{{{ANALYSIS}}},canonicalize-control-flow"
    for seed in FEW:
        first = xdsl_opt(random_program(seed, PROFILES["like-mlir"]).text, passes)
        second = xdsl_opt(first.text, "canonicalize-control-flow")
        assert count_ops(second.text) == count_ops(first.text), f"seed {seed}"


@requires_mlir_opt
def test_decisions_are_those_of_mlir_opt() -> None:
    passes = f"one-shot-bufferize{{{ANALYSIS} test-analysis-only}}"
    texts = [random_program(seed, PROFILES["like-mlir"]).text for seed in SOME]
    found = comparisons([split_programs(text)[0] for text in texts], passes)
    for seed, comparison in zip(SOME, found, strict=True):
        comparison.run()
        # It rejects what would need a copy next to materialize_in_destination.
        if comparison.reference.accepted:
            try:
                comparison.same_inplace()
            except pytest.fail.Exception as error:
                raise AssertionError(f"seed {seed}") from error


@given(programs())
@settings(
    max_examples=max(5, COUNT // 20),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
def test_analysis_of_programs_that_shrink(program: Program) -> None:
    assert check_analysis(program.text) == []
