"""Place any number of buffers from the bottom up, along a skyline.

The *skyline* is the top of what has been placed so far, section by section. Where it is
lowest, there is a *valley*: a run of sections of one height between higher ones. Only
buffers whose live range is within the valley can be placed on its ground. The leftmost
ones are compared. The best one wastes little memory to its left and, if no other buffer
fits there, to its right, and leaves a skyline with few steps. If no buffer fits, the
valley is filled up to its lower wall, and that memory is wasted.

Waste is weighted by section: where live bytes are at their maximum, it makes the plan
higher; where few bytes are live, it does no harm. A *sharp* style also counts earlier
waste: the weight is the exponential of the live bytes and the waste so far, as in
`beam`, so that waste is spread over the sections.

Every placement takes O(log n), apart from the few candidates that are compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate
from math import exp
from typing import NamedTuple

from xdsl_bufferization.planner.problem import round_up

FAR = 1 << 128
"""Higher than any skyline, later than any section."""

GREATEST_EXPONENT = 600.0
"""What wastes more than this counts as if it wasted this."""


def growth_of(exponent: float) -> float:
    """Return the exponential, without an overflow."""
    return exp(min(exponent, GREATEST_EXPONENT))


class Box(NamedTuple):
    """A buffer to place, live in the sections from `first` to before `last`."""

    first: int
    last: int
    size: int
    alignment: int


@dataclass(frozen=True)
class Style:
    """How candidates are compared.

    Each candidate has a cost: its waste, plus `smoothness` for each step that it adds to
    the skyline, minus `tallness` for each unit of its size, because large boxes are
    harder to place later. `starts` limits the starts that are compared, `ends` the boxes
    of one start, and no further start is looked at after `candidates` boxes. If
    `sharpness` is not zero, it is the factor in the exponent of waste.
    """

    smoothness: float = 0.1
    starts: int = 4
    ends: int = 6
    tallness: float = 0.0
    sharpness: float = 0.0
    candidates: int = 1_024


def live_size_by_section(boxes: Sequence[Box], count: int) -> list[int]:
    """Return the sum of the sizes that are live in each section."""
    changes = [0] * (count + 1)
    for box in boxes:
        changes[box.first] += box.size
        changes[box.last] -= box.size
    return list(accumulate(changes[:-1]))


def live_shares(boxes: Sequence[Box], count: int, power: int = 8) -> list[float]:
    """Return the weight of waste in each section: a power of the share of the lower bound
    that is live in it."""
    live = live_size_by_section(boxes, count)
    most = max(live, default=0) or 1
    return [(size / most) ** power for size in live]


def place_along_skyline(boxes: Sequence[Box], count: int, style: Style) -> list[int]:
    """Return offsets for boxes in `count` sections, in O(n log n); in a sharp style, the
    width in sections of what is wasted comes on top."""
    make = _SharpPlacement if style.sharpness else _Placement
    return make(boxes, count, style).run()


class _Waiting:
    """The boxes that have not been placed, sorted by start and then by end.

    A tree of the earliest end of each start finds the next start of a box that fits."""

    def __init__(self, boxes: Sequence[Box], count: int):
        self.boxes = boxes
        self.by_start: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
        for number, box in enumerate(boxes):
            self.by_start[box.first].append((box.last, box.size, number))
        self.leaves = 1 << max(count - 1, 0).bit_length()
        self.ends = [FAR] * (2 * self.leaves)
        for start, found in enumerate(self.by_start):
            if found:
                found.sort()
                self.ends[self.leaves + start] = found[0][0]
        for node in range(self.leaves - 1, 0, -1):
            self.ends[node] = min(self.ends[2 * node], self.ends[2 * node + 1])

    def next_start(self, start: int, end: int) -> int:
        """Return the first start from `start` on of a box that ends by `end`, or FAR."""
        if start >= end:
            return FAR
        ends = self.ends
        node = start + self.leaves
        while ends[node] > end:
            while node & 1:
                node >>= 1
            if not node:
                return FAR
            node += 1
        while node < self.leaves:
            node *= 2
            if ends[node] > end:
                node += 1
        return node - self.leaves

    def remove(self, start: int, position: int) -> None:
        found = self.by_start[start]
        del found[position]
        ends = self.ends
        node = self.leaves + start
        ends[node] = found[0][0] if found else FAR
        node >>= 1
        while node:
            ends[node] = min(ends[2 * node], ends[2 * node + 1])
            node >>= 1


class _Placement:
    """A placement in progress. The skyline is a list of runs, which are sections of equal
    height side by side. The first section of a run identifies it."""

    def __init__(self, boxes: Sequence[Box], count: int, style: Style):
        self.boxes = boxes
        self.waiting = _Waiting(boxes, count)
        self.style = style
        self.tallness = style.tallness
        self.step = style.smoothness * sum(box.size for box in boxes) / max(count, 1)
        self._weigh(count)
        self.height = {0: 0}
        self.end = {0: count}
        self.previous: dict[int, int] = {0: -1}
        self.height[-1] = self.height[count] = FAR
        self.lowest = [(0, 0)]
        self.offsets = [0] * len(boxes)

    def _weigh(self, count: int) -> None:
        shares = live_shares(self.boxes, count)
        self.weight_before = list(accumulate(shares, initial=0.0))

    def _cost(self, start: int, end: int, gap: int) -> float:
        """Return what it costs to waste a gap from section `start` to `end`."""
        return (self.weight_before[end] - self.weight_before[start]) * gap

    def _waste(self, start: int, end: int, gap: int) -> None:
        """Waste a gap."""

    def run(self) -> list[int]:
        left = len(self.boxes)
        while left:
            ground, start = heappop(self.lowest)
            if self.height.get(start) != ground or start not in self.end:
                continue
            if self._merge(start):
                continue
            choice = self._choose(start, self.end[start], ground)
            if choice is None:
                end = self.end[start]
                wall = min(self.height[self.previous[start]], self.height[end])
                self._waste(start, end, wall - ground)
                self._set(start, end, wall, self.previous[start])
                continue
            self._place(start, ground, *choice)
            left -= 1
        return self.offsets

    def _merge(self, start: int) -> bool:
        """Join a run with neighbours of its height."""
        ground = self.height[start]
        end, before = self.end[start], self.previous[start]
        merged = False
        if self.height[end] == ground:
            far = self.end.pop(end)
            del self.height[end], self.previous[end]
            self.end[start] = far
            if far in self.previous:
                self.previous[far] = start
            end, merged = far, True
        if self.height[before] == ground:
            del self.height[start], self.end[start], self.previous[start]
            self.end[before] = end
            if end in self.previous:
                self.previous[end] = before
            start, merged = before, True
        if merged:
            heappush(self.lowest, (ground, start))
        return merged

    def _choose(self, start: int, end: int, ground: int) -> tuple[int, int] | None:
        """Return the start and the position among the boxes from there, or None."""
        waiting, cost_of, step = self.waiting, self._cost, self.step
        tallness = self.tallness
        left, right = self.height[self.previous[start]], self.height[end]
        best: tuple[float, int, int, int] | None = None
        first = waiting.next_start(start, end)
        limit = FAR
        candidates = self.style.candidates
        after = following = -1
        for _ in range(self.style.starts):
            if first >= min(end, limit) or candidates <= 0:
                break
            found = waiting.by_start[first]
            past = bisect_right(found, end, key=_end_of)
            # A box that starts after the end of a candidate does not compete with it.
            limit = min(limit, found[0][0])
            compared = range(past - 1, max(-1, past - 1 - self.style.ends), -1)
            candidates -= len(compared)
            for position in compared:
                last, size, number = found[position]
                bottom = round_up(ground, self.boxes[number].alignment)
                top = bottom + size
                cost = -tallness * size
                if bottom > ground:
                    cost += cost_of(first, last, bottom - ground)
                if first > start:
                    cost += cost_of(start, first, min(left, top) - ground)
                    cost += step * (top < left)
                elif top == left:
                    cost -= step
                if last == end:
                    if top == right:
                        cost -= step
                else:
                    cost += step
                    if last != after:
                        after, following = last, waiting.next_start(last, end)
                    if following >= end:
                        cost += cost_of(last, end, min(right, top) - ground)
                key = (cost, -(last - first) * size, first, position)
                if best is None or key < best:
                    best = key
            first = waiting.next_start(first + 1, end)
        return None if best is None else (best[2], best[3])

    def _place(self, start: int, ground: int, first: int, position: int) -> None:
        last, size, number = self.waiting.by_start[first][position]
        self.waiting.remove(first, position)
        bottom = round_up(ground, self.boxes[number].alignment)
        self.offsets[number] = bottom
        top = bottom + size
        end, before = self.end[start], self.previous[start]
        if bottom > ground:
            self._waste(first, last, bottom - ground)
        if first > start:
            wall = min(top, self.height[before])
            self._waste(start, first, wall - ground)
            self._set(start, first, wall, before)
            before = start
        self._set(first, last, top, before)
        if last < end:
            self._set(last, end, ground, first)

    def _set(self, start: int, end: int, height: int, before: int) -> None:
        self.height[start] = height
        self.end[start] = end
        self.previous[start] = before
        if end in self.previous:
            self.previous[end] = start
        heappush(self.lowest, (height, start))


class _SharpPlacement(_Placement):
    """A placement that counts earlier waste.

    The burden of a section is exp(sharpness * (live + wasted - bound) / bound).
    """

    def _weigh(self, count: int) -> None:
        live = live_size_by_section(self.boxes, count)
        bound = max(live, default=0) or 1
        self.factor = self.style.sharpness / bound
        self.burden = [exp(self.factor * (size - bound)) for size in live]
        self.step = self.style.smoothness
        self.tallness = self.style.tallness / bound

    def _cost(self, start: int, end: int, gap: int) -> float:
        return sum(self.burden[start:end]) * (growth_of(self.factor * gap) - 1)

    def _waste(self, start: int, end: int, gap: int) -> None:
        growth = growth_of(self.factor * gap)
        self.burden[start:end] = [each * growth for each in self.burden[start:end]]


def _end_of(entry: tuple[int, int, int]) -> int:
    return entry[0]
