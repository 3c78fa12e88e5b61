"""PQ-trees, compared with all orders of their leaves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest

from xdsl_bufferization.planner.pq_tree import PQTree

Order = tuple[int, ...]


def _are_consecutive(order: Sequence[int], numbers: Sequence[int]) -> bool:
    places = sorted(map(order.index, numbers))
    return places[-1] - places[0] == len(numbers) - 1


def _replace(orders: set[Order], old: Sequence[int], new: Sequence[int]) -> set[Order]:
    """The orders after leaves that are consecutive have been replaced."""
    found: set[Order] = set()
    for order in orders:
        if not _are_consecutive(order, old):
            continue
        start = min(map(order.index, old))
        for some in permutations(new):
            found.add((*order[:start], *some, *order[start + len(old) :]))
    return found


def _some(random: Random, numbers: Sequence[int]) -> list[int]:
    return random.sample(numbers, random.randint(1, min(3, len(numbers))))


@pytest.mark.parametrize("seed", range(150))
def test_sets_are_consecutive_if_an_order_says_so(seed: int) -> None:
    random = Random(seed)
    leaves = [*range(random.randint(2, 6))]
    count = len(leaves)
    tree, orders = PQTree(leaves), set(permutations(leaves))
    for _ in range(8):
        old = _some(random, leaves)
        room = 6 - len(leaves) + len(old)
        new = [*range(count, count + random.randint(1, max(1, min(3, room))))]
        count += len(new)
        following = _replace(orders, old, new)
        assert tree.can_replace(old) is bool(following)
        before = tree.copy()
        assert tree.replace(old, new) is bool(following)
        if following:
            orders = following
            leaves = [each for each in leaves if each not in old] + new
            assert before.can_replace(old)


@pytest.mark.parametrize("seed", range(150))
def test_offsets_are_those_of_one_order(seed: int) -> None:
    """Whatever has been live at a time fills the memory, each replaced part by what has
    taken its place, of as many bytes."""
    random = Random(seed)
    sizes = {number: random.randint(4, 40) for number in range(random.randint(2, 7))}
    total, leaves = sum(sizes.values()), [*sizes]
    tree = PQTree(leaves)
    states = [leaves]
    for _ in range(20):
        old = _some(random, leaves)
        if not tree.can_replace(old):
            continue
        size, new = sum(sizes[number] for number in old), list[int]()
        while size:
            new.append(len(sizes))
            sizes[new[-1]] = size if len(new) == 3 else random.randint(1, size)
            size -= sizes[new[-1]]
        assert tree.replace(old, new)
        leaves = [each for each in leaves if each not in old] + new
        states.append(leaves)
    offsets = tree.find_offsets(sizes.__getitem__)
    for state in states:
        bottom = 0
        for number in sorted(state, key=offsets.__getitem__):
            assert offsets[number] == bottom
            bottom += sizes[number]
        assert bottom == total
