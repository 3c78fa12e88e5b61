"""Broken programs, absurd ones and senseless options: diagnostics, in bounded time."""

from __future__ import annotations

from random import Random

import pytest

from tests.random_programs.program import random_program
from tests.robustness.broken import ABSURD, OPTIONS, PIPELINES, answer, case


@pytest.mark.parametrize("first", range(0, 120, 24))
def test_broken_programs(first: int) -> None:
    for seed in range(first, first + 24):
        how, wrong = answer(*case(seed))
        assert not wrong, f"seed {seed}: {how}"


@pytest.mark.parametrize("number", range(len(ABSURD)))
def test_absurd_programs(number: int) -> None:
    for pipeline in PIPELINES[:2]:
        how, wrong = answer(ABSURD[number](Random(number)), pipeline)
        assert not wrong, how


@pytest.mark.parametrize("options", OPTIONS)
def test_senseless_options(options: str) -> None:
    how, wrong = answer(random_program(3).text, options)
    assert not wrong, how
