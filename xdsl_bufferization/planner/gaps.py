"""Join boxes that fit together except for a gap, which is memory that nothing uses.

If no memory was wasted elsewhere, the live bytes fall where a gap begins, and rise by as
much where it ends. Sizes are seldom equal by chance. A gap that explains such a fall, or
such a rise, is therefore likely to be one of a good plan, and a *filler*, a box that is
placed like the others and then forgotten, makes boxes fit together (joining.py):

    B f        C    o o                  o f
    o o        C    B f         B f o    o B

A filler takes memory only where enough of it is free below a limit.

The likely gaps are filled first. A gap has a *grade*: 0 if it explains all of the fall
and all of the rise, 1 if it explains all of one and a part of the other, 2 if it explains
a part of both, 3 if it explains all of one, and the other becomes larger.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import NamedTuple

from xdsl_bufferization.planner.joining import Joined, Joining
from xdsl_bufferization.planner.skyline import Box

_GRADES = 4
_MOST_COMPARED = 32
"""As many boxes that start or end at the same time are compared with a box."""

_MOST_ROUNDS = 8
"""All boxes are looked at as often for each grade, at most."""


class _Gap(NamedTuple):
    """A gap beside a box, and what fits if it is filled."""

    grade: int
    other: int
    """The box with which the box and the filler are joined."""
    first: int
    last: int
    size: int


def join_around_gaps(work: Joining, limit: int, steps: int | None = None) -> Joined:
    """Join the given boxes, none of which have been joined, and fill gaps in which less
    than `limit` bytes are live, if `steps` is given until as many gaps and pairs of
    neighbours have been looked at."""
    waiting = list(range(work.given))
    gaps = _Gaps(work, limit)
    waiting += gaps.fill_explained()
    work.join_all(waiting)
    for grade in range(_GRADES):
        for _ in range(_MOST_ROUNDS):
            if steps is not None and work.compared >= steps:
                break
            made = gaps.fill_beside(grade)
            if not made:
                break
            work.join_all(made)
    lacks_room = gaps.refused > len(gaps.fillers)
    return replace(work.result(gaps.fillers), lacks_room=lacks_room)


class _Gaps:
    """What is known of the gaps in a plan of boxes that are being joined."""

    def __init__(self, work: Joining, limit: int):
        self.work = work
        self.count = count = work.count
        self.fillers: set[int] = set()
        self.refused = 0
        """How often a gap had no room."""
        self.change = [0] * (count + 1)
        """By section, the change of the live bytes at its start that no filler explains;
        none at the ends of time."""
        for box in work.boxes:
            self.change[box.first] += box.size
            self.change[box.last] -= box.size
        self.room = [limit - live for live in accumulate(self.change[:-1])]
        """By section, the memory that is free for fillers."""
        self.change[0] = self.change[count] = 0

    def _has_room(self, first: int, last: int, size: int) -> bool:
        has_room = min(self.room[first:last]) >= size
        self.refused += not has_room
        return has_room

    def _fill(self, first: int, last: int, size: int, alignment: int) -> int:
        self.room[first:last] = [free - size for free in self.room[first:last]]
        if first > 0:
            self.change[first] += size
        if last < self.count:
            self.change[last] -= size
        filler = self.work.add_filler(Box(first, last, size, alignment))
        self.fillers.add(filler)
        return filler

    def fill_explained(self) -> list[int]:
        """Fill the gaps that explain all of a fall and, at some later time, all of a
        rise."""
        begun: dict[int, list[int]] = {}
        found: list[tuple[int, int, int]] = []
        for time in range(1, self.count):
            change = self.change[time]
            if change < 0:
                begun.setdefault(-change, []).append(time)
            elif change > 0 and begun.get(change):
                first = begun[change].pop()
                found.append((time - first, first, change))
        # A filler has an alignment, and is joined with boxes of that one only.
        alignment = min((box.alignment for box in self.work.boxes), default=1)
        return [
            self._fill(first, first + length, size, alignment)
            for length, first, size in sorted(found)
            if size % alignment == 0 and self._has_room(first, first + length, size)
        ]

    def fill_beside(self, grade: int) -> list[int]:
        """Fill the best gap beside each box, of at most this grade, and join what then
        fits. Return what is made."""
        work = self.work
        starting: dict[int, list[int]] = {}
        ending: dict[int, list[int]] = {}
        by_size: dict[int, list[tuple[int, int]]] = {}
        alive = [number for number, alive in enumerate(work.alive) if alive]
        for number in alive:
            box = work.boxes[number]
            starting.setdefault(box.first, []).append(number)
            ending.setdefault(box.last, []).append(number)
            by_size.setdefault(box.size, []).append((box.first, number))
        for found in by_size.values():
            found.sort()
        made: list[int] = []
        for number in alive:
            if not work.alive[number]:
                continue
            box = work.boxes[number]
            best: _Gap | None = None
            for other, first, last, size in self._gaps(
                number,
                _some(starting.get(box.first)),
                _some(ending.get(box.last)),
                _some(ending.get(box.first)),
                _some(starting.get(box.last)),
                by_size[box.size],
            ):
                work.compared += 1
                its_grade = self._grade(first, last, size)
                if (
                    its_grade <= (grade if best is None else best.grade - 1)
                    and work.boxes[other].alignment == box.alignment
                    and self._has_room(first, last, size)
                ):
                    best = _Gap(its_grade, other, first, last, size)
            if best is not None:
                made.append(self._join(number, best))
        return [number for number in made if work.alive[number]]

    def _gaps(
        self,
        number: int,
        same_start: Sequence[int],
        same_end: Sequence[int],
        before: Sequence[int],
        after: Sequence[int],
        same_size: Sequence[tuple[int, int]],
    ) -> Iterator[tuple[int, int, int, int]]:
        """Yield the gaps beside a box that another one bounds: that box, the first and
        the last time, and the size."""
        boxes, alive = self.work.boxes, self.work.alive
        first, last, size = boxes[number].first, boxes[number].last, boxes[number].size
        for other in same_start:
            if alive[other] and boxes[other].last > last:
                yield other, last, boxes[other].last, size
        for other in same_end:
            if alive[other] and boxes[other].first < first:
                yield other, boxes[other].first, first, size
        for others in (before, after):
            for other in others:
                if alive[other] and boxes[other].size > size:
                    yield other, first, last, boxes[other].size - size
        position = bisect_left(same_size, (last + 1, -1))
        for start, other in islice(same_size, position, position + _MOST_COMPARED):
            if alive[other]:
                yield other, last, start, size

    def _grade(self, first: int, last: int, size: int) -> int:
        """Return the grade of a gap; the number of grades if it has none."""
        explained = partly = 0
        for time, change in ((first, size), (last, -size)):
            if not 0 < time < self.count:
                partly += 1
                continue
            before = self.change[time]
            if before == -change:
                explained += 1
            elif abs(before) - abs(before + change) == size:
                partly += 1
        if explained:
            return 0 if explained == 2 else 3 - 2 * partly
        return 2 if partly == 2 else _GRADES

    def _join(self, number: int, gap: _Gap) -> int:
        """Fill a gap, and join the box with the filler, and both with the other box."""
        work = self.work
        box = work.boxes[number]
        filler = self._fill(gap.first, gap.last, gap.size, box.alignment)
        if (gap.first, gap.last) == (box.first, box.last):
            number = work.join([(number, 0), (filler, box.size)])
        else:
            number = work.join([(number, 0), (filler, 0)])
        box, other = work.boxes[number], work.boxes[gap.other]
        is_stacked = (box.first, box.last) == (other.first, other.last)
        return work.join([(number, 0), (gap.other, box.size if is_stacked else 0)])


def _some(numbers: Sequence[int] | None) -> Sequence[int]:
    return numbers[:_MOST_COMPARED] if numbers else ()
