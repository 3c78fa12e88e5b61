"""Random programs as a Hypothesis strategy: failures shrink."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.random_programs.choices import Profile
from tests.random_programs.program import SMALL, Program, generate


def programs(profile: Profile = SMALL) -> st.SearchStrategy[Program]:
    """Programs of a profile. The choices are Hypothesis' own, so that it can make them
    smaller one by one."""
    return st.randoms(use_true_random=False).map(lambda random: generate(random, profile))
