"""By how much a sweep through time will have to raise its limit (sweep.py).

Boxes go to the smallest gaps that hold them, without an offset in the gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl_bufferization.planner.floating_blocks import Block
from xdsl_bufferization.planner.skyline import FAR, Box

_DECAY = 0.95
"""The weight of each time at which boxes start, relative to the one before."""

_STEPS_OF_A_STATE = 12
_STEPS_OF_A_TIME = 2
_STEPS_OF_A_JOIN = 7


def estimate_growth(
    blocks: Iterable[Block],
    pool: int,
    boxes: Sequence[Box],
    upcoming: Iterable[tuple[int, Sequence[int]]],
    most: float,
) -> tuple[float, int]:
    """Return by how much the limit will grow, weighted by time, and the steps this took.

    Args:
        pool: the memory below the limit that no block has.
        upcoming: times, and the numbers of the boxes that start then.
        most: stop where it is more, and return what it is so far.
    """
    outlines = [_Outline.of(block) for block in blocks]
    steps = _STEPS_OF_A_STATE
    total = 0.0
    weight = 1.0
    for time, starters in upcoming:
        gaps = 0
        for outline in outlines:
            outline.release(time)
            gaps += len(outline.free)
        steps += _STEPS_OF_A_TIME + gaps * (4 + len(starters)) // 12
        for number in starters:
            box = boxes[number]
            size = box.size
            best: tuple[_Outline, int] | None = None
            least = FAR
            for outline in outlines:
                for i, free in enumerate(outline.free):
                    if size <= free < least:
                        best, least = (outline, i), free
            if best is not None:
                outline, i = best
                outline.free[i] -= size
                outline.guests[i].append((box.last, size))
            elif size <= pool:
                pool -= size
                outlines.append(_Outline([0, 0], [size], [box.last], [[], []]))
            else:
                steps += _STEPS_OF_A_JOIN
                pool -= _put_between(outlines, box, pool)
                if pool < 0:
                    total -= weight * pool
                    pool = 0
                    if total > most:
                        return total, steps
        weight *= _DECAY
    return total, steps


class _Outline(NamedTuple):
    """What an estimate needs of a block: for each live box its size and its end, and the
    memory below it and on top, with the boxes (end, size) that were put there."""

    free: list[int]
    sizes: list[int]
    ends: list[int]
    guests: list[list[tuple[int, int]]]

    @staticmethod
    def of(block: Block) -> _Outline:
        bottoms = [0, *(top for _, top, _ in block.live)]
        tops = [*(offset for offset, _, _ in block.live), block.extent]
        return _Outline(
            list(map(int.__sub__, tops, bottoms)),
            [top - offset for offset, top, _ in block.live],
            [last for _, _, last in block.live],
            [[] for _ in tops],
        )

    def release(self, time: int) -> None:
        """Free the memory of what ends by a time."""
        free, ends, guests = self.free, self.ends, self.guests
        if ends and min(ends) <= time:
            for i in range(len(ends) - 1, -1, -1):
                if ends[i] <= time:
                    free[i] += self.sizes[i] + free.pop(i + 1)
                    guests[i] += guests.pop(i + 1)
                    del ends[i], self.sizes[i]
        for i, inside in enumerate(guests):
            if inside:
                stay = [guest for guest in inside if guest[0] > time]
                if len(stay) < len(inside):
                    free[i] += sum([size for end, size in inside if end <= time])
                    guests[i] = stay

    def reverse(self) -> None:
        for each in self:
            each.reverse()

    def append(self, other: _Outline, between: int) -> None:
        """Put another block on top, with more or less memory between them."""
        self.free[-1] += between + other.free[0]
        self.guests[-1] += other.guests[0]
        self.free.extend(other.free[1:])
        self.guests.extend(other.guests[1:])
        self.sizes.extend(other.sizes)
        self.ends.extend(other.ends)


def _put_between(outlines: list[_Outline], box: Box, pool: int) -> int:
    """Put a box between the ends of two blocks: those that leave the least, or where it
    fits between none, those that hold the most of it. If there is one block only, put it
    beyond its end. Return what it takes of the pool, which may be more than there is."""
    need = box.size - pool
    ends = sorted(
        [
            (outline.free[end], n, end)
            for n, outline in enumerate(outlines)
            for end in (0, -1)
        ]
    )
    if not ends:
        outlines.append(_Outline([0, 0], [box.size], [box.last], [[], []]))
        return box.size
    if len(outlines) == 1:
        free, _, end = ends[1]
        outlines[0].free[end] = 0
        outlines[0].guests[end].append((box.last, box.size))
        return box.size - free
    found = None
    low, high = 0, len(ends) - 1
    while low < high:
        one, other = ends[low], ends[high]
        if one[0] + other[0] < need:
            low += 1
            continue
        if one[1] != other[1] and (found is None or one[0] + other[0] < found[0]):
            found = one[0] + other[0], one, other
        high -= 1
    if found is None:
        top = ends[-1]
        one = next(each for each in ends[-2::-1] if each[1] != top[1])
        found = one[0] + top[0], one, top
    free, (_, n, end), (_, m, its_end) = found
    lower, upper = outlines[n], outlines[m]
    if end == 0:
        lower.reverse()
    if its_end == -1:
        upper.reverse()
    taken = max(0, box.size - free)
    lower.append(upper, taken - box.size)
    lower.guests[len(lower.sizes) - len(upper.sizes)].append((box.last, box.size))
    del outlines[m]
    return taken
