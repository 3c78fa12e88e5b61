"""Plans without slack: a rectangle is cut into boxes, and the cuts are not known.

Where a box ends inside of the rectangle, others start, side by side at the same offsets
as those that end there together: all of them are consecutive, and have the same bytes
before and after that time. A search in the order of time keeps all orders of the live
boxes in which this has been so (`pq_tree`), whatever the cuts are. If boxes of two places
end at the same time, the bytes tell which of them belong together. What is free is a box
as well, of which nobody knows when it ends: it is used up by boxes that start, in whole
or in part.

Where this is not decided, some ways are kept, those that need the least chance.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import gcd, log
from typing import TypeAlias

from xdsl_bufferization.planner.beam import Budget
from xdsl_bufferization.planner.pq_tree import PQTree
from xdsl_bufferization.planner.skyline import Box

_MOST_IN_GROUPS = 12
"""So many boxes that start or end at one time are grouped by their bytes."""

_MOST_APART = 4
"""So many of them are taken apart."""

_MOST_IN_PAIRS = 12
"""Pairs of free boxes are tried if there are so many."""

_MOST_CANDIDATES = 24
_STEPS_OF_MOVE = 50
_STEPS_BY_LEAF = 8
_STEPS_OF_CHECK = 15

_MOST_WAYS = 6
"""In so many ways a box takes what is free."""

_COST_OF_PART = 4.0
_COST_OF_SPLIT = 2.0
_COST_OF_PAIR = 3.0
_COST_OF_APART = 2.0
_COST_OF_KIN = 0.5
"""What it costs that boxes that start take a part of what is free, with which another
part ends or not, or two free boxes, and that one of them is elsewhere than the others:
the logarithm of a chance."""


_Group: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Boxes that end and those that start in their places."""


@dataclass(frozen=True)
class _Move:
    """Boxes that take the places of others and of free ones, of which bytes are left:
    with those that start, or, if it splits the last free one, where that was."""

    ended: Sequence[int]
    started: Sequence[int]
    free: Sequence[int] = ()
    left: int = 0
    splits: bool = False


@dataclass
class _Way:
    """A way to place what has started."""

    tree: PQTree
    free: dict[int, int]
    """The bytes of free boxes."""
    cost: float = 0.0
    uses: int = 0
    """How many moves there are that it is needed for."""

    def copy(self) -> _Way:
        return _Way(self.tree.copy(), dict(self.free), self.cost)


class Tiling:
    """The search for a plan of boxes in so many bytes.

    Attributes:
        width: how many ways are kept.
        cost_of_groups: what it costs that boxes of several places end at the same time.
        reached: the time up to which boxes have been placed.
    """

    def __init__(
        self,
        boxes: Sequence[Box],
        sections: int,
        limit: int,
        width: int,
        cost_of_groups: float,
    ):
        self.sizes = [box.size for box in boxes]
        self.limit = limit
        self.width = width
        self.cost_of_groups = cost_of_groups
        self.number = len(boxes)
        self.unit = gcd(*self.sizes, limit)
        self.starts: list[list[int]] = [[] for _ in range(sections + 1)]
        self.ends: list[list[int]] = [[] for _ in range(sections + 1)]
        for number, box in enumerate(boxes):
            self.starts[box.first].append(number)
            self.ends[box.last].append(number)
        self.reached = sections
        self.beside: dict[int, Sequence[int]] = {}
        """The boxes that started with what is free."""

    def find(self, budget: Budget) -> list[int] | None:
        """Return the offsets of a plan, of which boxes from the time on that is `reached`
        are at the limit. None if more is live at first."""
        first = self.starts[0]
        way = _Way(PQTree(first), {})
        free = self.limit - sum(map(self.sizes.__getitem__, first))
        if free < 0 or not first:
            return None
        if free:
            number = self._add_free(way, free)
            way = _Way(PQTree([*first, number]), {number: free})
        ways = [way]
        for time in range(1, len(self.starts) - 1):
            if not self.starts[time] and not self.ends[time]:
                continue
            following = self._advance(ways, time, budget)
            if not following:
                self.reached = time
                break
            ways = following
        offsets = ways[0].tree.find_offsets(self.sizes.__getitem__)
        return [offsets.get(number, self.limit) for number in range(self.number)]

    def _add_free(self, way: _Way, size: int, beside: Sequence[int] = ()) -> int:
        number = len(self.sizes)
        self.sizes.append(size)
        self.beside[number] = beside
        way.free[number] = size
        return number

    def _advance(self, ways: Sequence[_Way], time: int, budget: Budget) -> list[_Way]:
        """Return the cheapest ways to go on with those that there are."""
        order = itertools.count()
        queue: list[tuple[float, int, _Way, _Move | None, Sequence[_Group]]] = []
        groupings = [*self._group(self.ends[time], self.starts[time])]
        for way in ways:
            choices = [*groupings, *self._match_free(way, time)]
            way.uses = len(choices)
            for cost, groups in choices:
                queue.append((way.cost + cost, next(order), way, None, groups))
        heapify(queue)
        found: list[_Way] = []
        while queue and len(found) < self.width and not budget.is_spent:
            cost, _, way, move, groups = heappop(queue)
            way.uses -= 1
            if move is not None:
                budget.spend(_STEPS_OF_MOVE)
                if way.uses:
                    budget.spend(_STEPS_BY_LEAF * way.tree.size)
                    way = way.copy()
                if not self._move(way, move):
                    continue
            if not groups:
                way.cost = cost
                found.append(way)
                continue
            for added, following in [*self._find_moves(way, *groups[0], budget)]:
                way.uses += 1
                item = (cost + added, next(order), way, following, groups[1:])
                heappush(queue, item)
        return found

    def _bytes(self, numbers: Sequence[int]) -> int:
        return sum(map(self.sizes.__getitem__, numbers))

    def _group(
        self, ended: Sequence[int], started: Sequence[int]
    ) -> Iterator[tuple[float, list[_Group]]]:
        """Yield the ways to say which boxes start in the places of which, with costs."""
        whole = [(ended, started)]
        if not ended or not started or len(ended) + len(started) > _MOST_IN_GROUPS:
            yield 0.0, whole
            return
        groups = self._balance(ended, started)
        if len(groups) == 1:
            yield 0.0, whole
            yield from self._take_apart(0.0, [], ended, started)
            return
        sums = ((1 << len(ended)) - 1) * ((1 << len(started)) - 1)
        chance = sums * self.unit / self.limit
        yield max(0.0, -log(chance)), whole
        yield self.cost_of_groups, groups
        *balanced, (ended, started) = groups
        yield from self._take_apart(self.cost_of_groups, balanced, ended, started)

    def _take_apart(
        self,
        cost: float,
        others: list[_Group],
        ended: Sequence[int],
        started: Sequence[int],
    ) -> Iterator[tuple[float, list[_Group]]]:
        """Yield the ways in which some boxes end, or start, elsewhere than the rest."""
        if self._bytes(ended) == self._bytes(started) or not ended or not started:
            return
        if len(ended) <= _MOST_APART:
            for some in _subsets(ended, len(ended) - 1):
                rest = [number for number in ended if number not in some]
                yield (
                    cost + _COST_OF_APART * len(rest),
                    [*others, (rest, ()), (some, started)],
                )
        if len(started) <= _MOST_APART:
            for some in _subsets(started, len(started) - 1):
                rest = [number for number in started if number not in some]
                yield (
                    cost + _COST_OF_APART * len(rest),
                    [*others, (ended, some), *(((), (number,)) for number in rest)],
                )

    def _match_free(self, way: _Way, time: int) -> Iterator[tuple[float, list[_Group]]]:
        """Yield the ways in which boxes start in what is free, of exactly their size, and
        the rest elsewhere."""
        ended, started = self.ends[time], self.starts[time]
        if not ended and len(started) == 1:
            return
        sizes = set(way.free.values())
        matched = [number for number in started if self.sizes[number] in sizes]
        if not matched:
            return
        alone: list[_Group] = [((), (number,)) for number in matched]
        rest = [number for number in started if number not in matched]
        chance = len(sizes) * len(started) * self.unit / self.limit
        cost = min(_COST_OF_APART, max(0.0, _COST_OF_APART + log(chance)))
        for added, groups in self._group(ended, rest):
            yield cost + added, [*alone, *groups]

    def _balance(self, ended: Sequence[int], started: Sequence[int]) -> list[_Group]:
        """Return the smallest groups of the same bytes before and after, and the rest."""
        groups: list[_Group] = []
        ended, started = list(ended), list(started)
        while True:
            sums: dict[int, Sequence[int]] = {}
            for some in _subsets(started):
                sums.setdefault(self._bytes(some), some)
            best: _Group | None = None
            for some in _subsets(ended):
                others = sums.get(self._bytes(some))
                if others and (
                    best is None or len(some) + len(others) < len(best[0]) + len(best[1])
                ):
                    best = some, others
            if best is None:
                break
            groups.append(best)
            ended = [number for number in ended if number not in best[0]]
            started = [number for number in started if number not in best[1]]
        if ended or started:
            groups.append((ended, started))
        return groups

    def _find_moves(
        self, way: _Way, ended: Sequence[int], started: Sequence[int], budget: Budget
    ) -> Iterator[tuple[float, _Move]]:
        """Yield the ways to let boxes take the places of others, with costs."""
        if not started:
            yield 0.0, _Move(ended, ())
            return
        missing = self._bytes(started) - self._bytes(ended)
        for cost, free in self._find_free(way, ended, missing, budget):
            left = self._bytes(free) - missing
            if missing > 0 and left > 0:
                yield cost + _COST_OF_SPLIT, _Move(ended, started, free, left, True)
                cost += _COST_OF_PART
            yield cost, _Move(ended, started, free, left)

    def _move(self, way: _Way, move: _Move) -> bool:
        """Let boxes take the places of others. Return False if these cannot be
        consecutive."""
        if not move.started:
            for number in move.ended:
                free = self._add_free(way, self.sizes[number])
                way.tree.replace([number], [free])
            return True
        taken = [*move.free]
        if move.splits:
            last = taken.pop()
            size = way.free.pop(last)
            part = self._add_free(way, size - move.left)
            way.tree.split(last, [part, self._add_free(way, move.left)])
            taken.append(part)
        for number in taken:
            del way.free[number]
        started = [*move.started]
        if move.left and not move.splits:
            started.append(self._add_free(way, move.left, move.started))
        return way.tree.replace([*move.ended, *taken], started)

    def _find_free(
        self, way: _Way, ended: Sequence[int], missing: int, budget: Budget
    ) -> Iterator[tuple[float, Sequence[int]]]:
        """Yield free boxes that may be beside boxes that end, of enough bytes."""
        exact: list[Sequence[int]] = []
        larger: list[tuple[int, int, Sequence[int]]] = []
        most = 2 if len(way.free) <= _MOST_IN_PAIRS else 1
        for some in _subsets(list(way.free), most, least=1 if missing > 0 else 0):
            size = self._bytes(some)
            if size == missing:
                exact.append(some)
            elif size > missing and (
                len(some) <= 1 or max(map(way.free.__getitem__, some)) < missing
            ):
                larger.append((len(some), size, some))
        larger.sort()
        candidates = [*exact, *(some for _, _, some in larger)]
        kin = {
            number
            for number in way.free
            if not set(ended).isdisjoint(self.beside[number])
        }
        if kin:
            candidates.sort(key=lambda some: kin.isdisjoint(some))
        found = 0
        for some in candidates[:_MOST_CANDIDATES]:
            budget.spend(_STEPS_OF_CHECK)
            if not ended or way.tree.can_replace([*ended, *some]):
                cost = _COST_OF_PAIR * max(0, len(some) - 1)
                if some and missing <= 0:
                    cost += _COST_OF_PART if kin.isdisjoint(some) else _COST_OF_KIN
                yield cost, some
                found += 1
                if found == _MOST_WAYS:
                    break


def _subsets(
    numbers: Sequence[int], most: int | None = None, least: int = 1
) -> Iterator[Sequence[int]]:
    for count in range(least, (len(numbers) if most is None else most) + 1):
        yield from combinations(numbers, count)
