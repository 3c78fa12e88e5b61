"""Boxes that fill what is free in a memory that is live almost everywhere.

If a plan without slack has lost a few of its boxes, what is live falls below the limit
by their sizes, from their starts to their ends. With boxes of these sizes and times in
their place, it is a plan without slack again, which a sweep through time finds more
easily (sweep.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl_bufferization.planner.skyline import Box


def fill_up(live: Sequence[int], limit: int) -> list[Box]:
    """Return boxes that, with what is live in each section, come to a limit everywhere.
    What is free from one time on ends together if it can: a box as large as what ends,
    or two of them; otherwise, the smallest one that is larger ends in part."""
    filled: list[Box] = []
    waiting: list[tuple[int, int]] = []
    """The size and the start of each box that has not ended."""
    free = [0, *(limit - size for size in live), 0]
    for time, (before, after) in enumerate(pairwise(free)):
        if after > before:
            waiting.append((after - before, time))
        ending = before - after
        while ending > 0:
            for number in sorted(_choose(waiting, ending), reverse=True):
                size, start = waiting[number]
                ended = min(size, ending)
                filled.append(Box(start, time, ended, 1))
                ending -= ended
                if ended == size:
                    del waiting[number]
                else:
                    waiting[number] = size - ended, start
    return filled


def _choose(waiting: Sequence[tuple[int, int]], ending: int) -> Sequence[int]:
    """Return the numbers of the boxes that end so that this much memory is taken."""
    latest = {size: number for number, (size, _) in enumerate(waiting)}
    if ending in latest:
        return (latest[ending],)
    for size, number in latest.items():
        other = latest.get(ending - size)
        if other is not None and other != number:
            return (number, other)
    larger = [(size, number) for size, number in latest.items() if size > ending]
    return (min(larger)[1] if larger else latest[max(latest)],)
