"""Sets of numbers as bits, compared with sets."""

import random

import pytest

from xdsl_bufferization.analysis.facts.bits import (
    connected_groups,
    numbers_of,
)


@pytest.mark.parametrize("seed", range(50))
def test_numbers_are_those_of_the_bits(seed: int) -> None:
    choose = random.Random(seed)
    size = choose.choice((0, 1, 8, 300, 2000))
    numbers = sorted(
        choose.sample(range(size), choose.randint(0, min(size, 1 << seed % 10)))
    )
    bits = sum(1 << number for number in numbers)
    assert [*numbers_of(bits)] == numbers


@pytest.mark.parametrize("seed", range(100))
def test_sets_with_a_common_number_are_in_one_group(seed: int) -> None:
    choose = random.Random(seed)
    count = choose.randint(0, 20)
    sets = [
        {choose.randrange(30) for _ in range(choose.randint(0, 3))} for _ in range(count)
    ]
    expected = [{index} for index in range(count)]
    for _ in sets:
        for one in range(count):
            for other in range(count):
                if not sets[one].isdisjoint(sets[other]):
                    expected[one] |= expected[other]
                    expected[other] |= expected[one]
    groups = connected_groups([sum(1 << number for number in each) for each in sets])
    found = [
        {other for other, group in enumerate(groups) if group == own} for own in groups
    ]
    assert found == expected
