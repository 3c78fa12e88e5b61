"""Place buffers one after the other, in the order of a rule, each into a free gap.

Unlike with a skyline, a gap may be below placed buffers, and a buffer may be dead in
between: this is the method for live ranges with holes and for conflict sets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def find_conflicts(ranges: Sequence[Sequence[Interval]]) -> list[list[int]]:
    """Return for each buffer those that meet it, in time in the number of such pairs."""
    result: list[list[int]] = [[] for _ in ranges]
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
        result[number] += live
        for other in live:
            result[other].append(number)
        live[number] = last
        heappush(ends, (last, number))
    if any(len(found) > 1 for found in ranges):
        # Two buffers may meet several times.
        return [sorted(set(found)) for found in result]
    return result


def fit_in_order(
    order: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    conflicts: Sequence[Collection[int]],
    *,
    smallest_gap: bool,
) -> list[int]:
    """Return offsets: each buffer, in turn, goes to the lowest gap that holds it, or to
    the smallest one."""
    offsets = [0] * len(sizes)
    placed: list[Interval | None] = [None] * len(sizes)
    for number in order:
        size = sizes[number]
        if not size:
            continue
        taken = sorted(filter(None, map(placed.__getitem__, conflicts[number])))
        offset = _find_gap(taken, size, alignments[number], smallest_gap)
        offsets[number] = offset
        placed[number] = offset, offset + size
    return offsets


def _find_gap(
    taken: Sequence[Interval], size: int, alignment: int, smallest_gap: bool
) -> int:
    bottom = 0
    best: tuple[int, int] | None = None
    for start, end in taken:
        if start - bottom >= size:
            offset = round_up(bottom, alignment)
            if offset + size <= start:
                if not smallest_gap:
                    return offset
                best = min(best or (start - bottom, offset), (start - bottom, offset))
        if end > bottom:
            bottom = end
    return best[1] if best is not None else round_up(bottom, alignment)
