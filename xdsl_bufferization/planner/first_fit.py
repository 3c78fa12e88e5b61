"""Place buffers one after the other, in the order of a rule, each into a free gap.

Unlike with a skyline, a gap may be below placed buffers, and a buffer may be dead in
between: this is the method for live ranges with holes and for conflict sets.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from heapq import heappop, heappush

from xdsl_bufferization.planner.problem import Interval, round_up


def count_conflicts(ranges: Sequence[Sequence[Interval]]) -> int:
    """Return about how many pairs of buffers meet, without finding them."""
    ends: list[int] = []
    total = 0
    for first, last in sorted(each for found in ranges for each in found):
        while ends and ends[0] <= first:
            heappop(ends)
        total += len(ends)
        heappush(ends, last)
    return total


def find_conflicts(ranges: Sequence[Sequence[Interval]]) -> list[set[int]]:
    """Return for each buffer those that meet it, in time in the number of such pairs."""
    result: list[set[int]] = [set() for _ in ranges]
    live: dict[int, int] = {}
    ends: list[tuple[int, int]] = []
    starts = sorted(
        (first, last, number)
        for number, found in enumerate(ranges)
        for first, last in found
    )
    for first, last, number in starts:
        while ends and ends[0][0] <= first:
            _, over = heappop(ends)
            del live[over]
        for other in live:
            result[number].add(other)
            result[other].add(number)
        live[number] = last
        heappush(ends, (last, number))
    return result


def fit_in_order(
    order: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    conflicts: Sequence[set[int]],
    *,
    smallest_gap: bool,
) -> list[int]:
    """Return offsets: each buffer, in turn, goes to the lowest gap that holds it, or to
    the smallest one."""
    offsets = [0] * len(sizes)
    placed: list[list[Interval]] = [[] for _ in sizes]
    """For each buffer the ranges of memory that it must not touch, sorted."""
    done = [False] * len(sizes)
    for number in order:
        done[number] = True
        size = sizes[number]
        if not size:
            continue
        offset = _find_gap(placed[number], size, alignments[number], smallest_gap)
        offsets[number] = offset
        for other in conflicts[number]:
            if not done[other]:
                insort(placed[other], (offset, offset + size))
    return offsets


def _find_gap(
    taken: Sequence[Interval], size: int, alignment: int, smallest_gap: bool
) -> int:
    bottom = 0
    best: tuple[int, int] | None = None
    for start, end in taken:
        offset = round_up(bottom, alignment)
        if offset + size <= start:
            if not smallest_gap:
                return offset
            best = min(best or (start - bottom, offset), (start - bottom, offset))
        bottom = max(bottom, end)
    return best[1] if best is not None else round_up(bottom, alignment)
