"""Place any number of buffers from the bottom up, along a skyline.

The *skyline* is the top of what has been placed so far, section by section. Where it is
lowest, there is a *valley*: a run of sections of one height between higher ones. Only
buffers whose live range is in the valley can be placed on its ground, and one of them
should be: otherwise, the space is lost. The choice is between the leftmost ones. The
best one wastes little (sections to its left that nothing can fill, and to its right
where nothing fits) and leaves a smooth skyline, with few steps. If nothing fits, the
valley is filled up to its lower wall, which is also waste.

Waste counts by section: where live bytes are at their maximum, it makes the plan
higher; where few bytes are live, it does no harm.

Every placement takes O(log n), apart from the few candidates that are compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate

from xdsl_bufferization.planner.problem import round_up

FAR = 1 << 62
"""Higher than any skyline, later than any section."""


@dataclass(frozen=True)
class Box:
    """A buffer to place, live in the sections from `first` to before `last`."""

    first: int
    last: int
    size: int
    alignment: int


@dataclass(frozen=True)
class Style:
    """What the choice among candidates goes by.

    `smoothness` is the waste that one step less is worth, in units of what the lower
    bound is in one section, `tallness` what one unit of size is: high boxes are harder to
    place when the skyline is high. `starts` and `ends` limit the candidates.
    """

    smoothness: float = 0.1
    starts: int = 4
    ends: int = 6
    tallness: float = 0.0


def live_shares(boxes: Sequence[Box], count: int, power: int = 8) -> list[float]:
    """Return the weight of waste in each section: a power of the share of the lower bound
    that is live in it."""
    changes = [0] * (count + 1)
    for box in boxes:
        changes[box.first] += box.size
        changes[box.last] -= box.size
    live = list(accumulate(changes[:-1]))
    most = max(live, default=0) or 1
    return [(size / most) ** power for size in live]


def place_along_skyline(
    boxes: Sequence[Box], count: int, weights: Sequence[float], style: Style
) -> list[int]:
    """Return offsets for boxes in `count` sections, in O(n log n)."""
    return _Placement(boxes, count, weights, style).run()


class _Waiting:
    """The boxes that have not been placed, by start and then end; and for every start the
    earliest end, in a tree that finds the next start from which a box fits."""

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
    """The skyline as a list of runs of equal height, each known by its first section."""

    def __init__(
        self, boxes: Sequence[Box], count: int, weights: Sequence[float], style: Style
    ):
        self.boxes = boxes
        self.waiting = _Waiting(boxes, count)
        self.style = style
        self.weight_before = list(accumulate(weights, initial=0.0))
        bound = sum(box.size for box in boxes) / max(count, 1)
        self.step = style.smoothness * bound
        self.height = {0: 0}
        self.end = {0: count}
        self.previous: dict[int, int] = {0: -1}
        self.height[-1] = self.height[count] = FAR
        self.lowest = [(0, 0)]
        self.offsets = [0] * len(boxes)

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
        waiting, weight, step = self.waiting, self.weight_before, self.step
        tallness = self.style.tallness
        left, right = self.height[self.previous[start]], self.height[end]
        best: tuple[float, int, int, int] | None = None
        first = waiting.next_start(start, end)
        limit = FAR
        for _ in range(self.style.starts):
            if first >= min(end, limit):
                break
            found = waiting.by_start[first]
            past = bisect_right(found, end, key=_end_of)
            # Whatever starts after the end of a candidate leaves room for it.
            limit = min(limit, found[0][0])
            for position in range(past - 1, max(-1, past - 1 - self.style.ends), -1):
                last, size, number = found[position]
                bottom = round_up(ground, self.boxes[number].alignment)
                top = bottom + size
                cost = (weight[last] - weight[first]) * (bottom - ground)
                cost -= tallness * size
                if first > start:
                    gap = min(left, top) - ground
                    cost += (weight[first] - weight[start]) * gap
                    cost += step * (top < left)
                elif top == left:
                    cost -= step
                if last == end:
                    if top == right:
                        cost -= step
                else:
                    cost += step
                    if waiting.next_start(last, end) >= end:
                        gap = min(right, top) - ground
                        cost += (weight[end] - weight[last]) * gap
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
        if first > start:
            self._set(start, first, min(top, self.height[before]), before)
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


def _end_of(entry: tuple[int, int, int]) -> int:
    return entry[0]
