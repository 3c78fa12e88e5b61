"""Lower a plan: move what is above a limit below it, at the expense of cheaper buffers.

The buffers above the limit are removed, and inserted again one after the other, the
largest first. A buffer goes to the smallest gap below the limit that holds it. If there
is none, it goes where the buffers that overlap it cost the least, and these are removed
and inserted later. A buffer costs its area, and more each time it is removed, so that
the same buffers do not displace each other forever.

Only conflicts count, so that live ranges may have holes. The work is limited by steps:
one for each few conflicts of a buffer that is inserted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import accumulate

from xdsl_bufferization.planner.beam import Budget
from xdsl_bufferization.planner.problem import round_up

_FIRST_CUT = 0.07
"""The first limit is lower than the plan by this share of what may be saved."""

_SHARE_OF_ATTEMPT = 0.4
"""An attempt takes at most that share of the steps that are left."""

_GROWTH = 1.5
"""The cost of a buffer grows by this factor each time the buffer is removed."""

_GREATEST_COST = 1e200
_CONFLICTS_OF_A_STEP = 3
_STEPS_OF_AN_INSERTION = 10

_LIMITS_OF_MENDING = (0.0, 0.04, 0.1, 0.2, 0.35, 0.6, 1.0)
"""The limits to try, as shares of what may be saved."""

_Placed = tuple[int, int, int]
"""The offset of a buffer, its top, and its number."""


@dataclass(frozen=True)
class ConflictingBuffers:
    """The buffers of a plan, by number.

    Attributes:
        sizes, alignments: what each needs, in bytes.
        areas: its size times the time that it is live: a large one is hard to place.
        conflicts: those that it must not overlap.
    """

    sizes: Sequence[int]
    alignments: Sequence[int]
    areas: Sequence[float]
    conflicts: Sequence[Sequence[int]]


def lower_plan(
    offsets: Sequence[int],
    bound: int,
    buffers: ConflictingBuffers,
    budget: Budget,
) -> list[int]:
    """Return offsets of a plan that is lower than the given one, or as high, but not
    lower than `bound`."""
    best = list(offsets)
    sizes = buffers.sizes
    height = max(map(int.__add__, best, sizes), default=0)
    cut = _FIRST_CUT
    if height > bound:
        buffers = replace(buffers, conflicts=_sort_conflicts(buffers.conflicts, best))
    while height > bound and not budget.is_spent:
        limit = min(height - 1, height - int(cut * (height - bound)))
        left = budget.steps - budget.used
        own = Budget(max(int(_SHARE_OF_ATTEMPT * left), min(left, len(sizes))))
        found = _Repair(best, limit, buffers).run(own)
        budget.spend(own.used)
        if found is not None:
            best = found
            height = max(map(int.__add__, best, sizes), default=0)
        elif limit == height - 1:
            break
        else:
            cut /= 2
    return best


def mend_plan(
    offsets: Sequence[int],
    below: int,
    bound: int,
    buffers: ConflictingBuffers,
    budget: Budget,
) -> list[int] | None:
    """Return offsets of a plan lower than `below`, made of offsets at which buffers may
    overlap or not be aligned: those of the greatest areas stay, the others are inserted.
    None if no such plan is found. Lower limits are tried first."""
    kept = _keep_largest(offsets, buffers)
    for share in _LIMITS_OF_MENDING:
        limit = bound + int(share * (below - 1 - bound))
        left = budget.steps - budget.used
        own = Budget(int(_SHARE_OF_ATTEMPT * left))
        start = [
            offset if stays else limit
            for offset, stays in zip(offsets, kept, strict=True)
        ]
        found = _Repair(start, limit, buffers).run(own)
        budget.spend(own.used)
        if found is not None:
            return found
    return None


def _keep_largest(offsets: Sequence[int], buffers: ConflictingBuffers) -> list[bool]:
    """Return which buffers can stay if those of greater areas do."""
    sizes = buffers.sizes
    kept = [False] * len(offsets)
    for number in sorted(range(len(offsets)), key=lambda i: -buffers.areas[i]):
        start = offsets[number]
        end = start + sizes[number]
        kept[number] = start % buffers.alignments[number] == 0 and not any(
            kept[other] and offsets[other] < end and start < offsets[other] + sizes[other]
            for other in buffers.conflicts[number]
        )
    return kept


def _sort_conflicts(
    conflicts: Sequence[Sequence[int]], offsets: Sequence[int]
) -> list[list[int]]:
    """Sort the conflicts of each buffer by offset. Most buffers stay where they are, so
    that it takes little to sort these lists again after others have moved."""
    result: list[list[int]] = [[] for _ in conflicts]
    for number in sorted(range(len(offsets)), key=offsets.__getitem__):
        for other in conflicts[number]:
            result[other].append(number)
    return result


class _Repair:
    """An attempt to get below one limit. The buffers in `queue` are not placed."""

    def __init__(self, offsets: Sequence[int], limit: int, buffers: ConflictingBuffers):
        self.limit = limit
        self.buffers = buffers
        areas = buffers.areas
        self.costs = list(areas)
        self.placed: list[_Placed | None] = [
            (offset, offset + size, i) if offset + size <= limit else None
            for i, (offset, size) in enumerate(zip(offsets, buffers.sizes, strict=True))
        ]
        self.queue = [(-areas[i], i) for i, at in enumerate(self.placed) if at is None]
        heapify(self.queue)

    def run(self, budget: Budget) -> list[int] | None:
        """Insert all buffers. Return None if the budget is spent before."""
        while self.queue:
            _, number = heappop(self.queue)
            if budget.is_spent or not self._insert(number, budget):
                return None
        return [at[0] for at in self.placed if at is not None]

    def _insert(self, number: int, budget: Budget) -> bool:
        """Place a buffer. Return False if it does not fit below the limit at all."""
        placed, conflicts = self.placed, self.buffers.conflicts[number]
        near = sorted(filter(None, map(placed.__getitem__, conflicts)))
        budget.spend(_STEPS_OF_AN_INSERTION + len(conflicts) // _CONFLICTS_OF_A_STEP)
        size, alignment = self.buffers.sizes[number], self.buffers.alignments[number]
        best = bottom = 0
        smallest = self.limit + 1
        for start, end, _ in near:
            gap = start - bottom
            if size <= gap < smallest:
                offset = round_up(bottom, alignment)
                if offset + size <= start:
                    smallest, best = gap, offset
            if end > bottom:
                bottom = end
        if self.limit - bottom < smallest:
            offset = round_up(bottom, alignment)
            if offset + size <= self.limit:
                smallest, best = self.limit - bottom, offset
        if smallest > self.limit:
            budget.spend(len(near) // _CONFLICTS_OF_A_STEP)
            found = self._find_cheapest(near, size, alignment)
            if found is None:
                return False
            best = found
            for start, end, other in near:
                if start < best + size and best < end:
                    self._remove(other)
        placed[number] = best, best + size, number
        return True

    def _find_cheapest(
        self, near: Sequence[_Placed], size: int, alignment: int
    ) -> int | None:
        """Return the offset at which the placed buffers that overlap cost the least.

        A cheapest one is zero or on top of a buffer. Those that overlap are the buffers
        that start below the top, without the ones that end at or below the offset.
        """
        costs = self.costs
        starts = [start for start, _, _ in near]
        started = list(accumulate((costs[i] for _, _, i in near), initial=0.0))
        by_end = sorted([(end, i) for _, end, i in near])
        last = self.limit - size
        if last < 0:
            return None
        best, least = 0, started[bisect_left(starts, size)]
        ended = 0.0
        for end, number in by_end:
            ended += costs[number]
            offset = end if alignment == 1 else round_up(end, alignment)
            if offset > last:
                break
            cost = started[bisect_left(starts, offset + size)] - ended
            if cost < least:
                best, least = offset, cost
        return best

    def _remove(self, number: int) -> None:
        self.placed[number] = None
        self.costs[number] = min(self.costs[number] * _GROWTH, _GREATEST_COST)
        heappush(self.queue, (-self.buffers.areas[number], number))
