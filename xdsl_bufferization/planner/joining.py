"""Join boxes that fit together exactly, so that fewer and larger ones are placed.

Two boxes with the same live range, stacked, make a box; so do two boxes of the same
size if one ends where the other starts. Neither wastes memory, and without slack, boxes
that fit this well usually belong together: a box that is cut in two has such halves.
Joined boxes are joined with others. Five boxes that only fit all together make a
*pinwheel*, four around one:

    C C D
    B A D
    B E E

Two boxes may also fit by chance. The more boxes start and end at the same time, the
more likely that is. Boxes with few competitors are therefore joined first, which leaves
fewer competitors elsewhere.

Only boxes of the same alignment are joined, with sizes rounded up to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from xdsl_bufferization.planner.problem import round_up
from xdsl_bufferization.planner.skyline import Box

_MOST_IN_PINWHEEL = 64
"""As many pairs of neighbours are compared for the middle of a pinwheel."""


@dataclass(frozen=True)
class Joined:
    """Boxes made of others: `boxes` are left to be placed."""

    boxes: Sequence[Box]
    numbers: Sequence[int]
    """The number of each of them among all boxes, given ones and joined ones."""
    members: Sequence[Sequence[tuple[int, int]]]
    """For each joined box those that it is made of, and their offsets in it."""
    given: int

    def expand(self, offsets: Sequence[int]) -> list[int]:
        """Return offsets of the given boxes for those of the boxes that are left."""
        result = [0] * (self.given + len(self.members))
        for number, offset in zip(self.numbers, offsets, strict=True):
            result[number] = offset
        for number in range(len(result) - 1, self.given - 1, -1):
            for member, offset in self.members[number - self.given]:
                result[member] = result[number] + offset
        return result[: self.given]


def join_boxes(
    boxes: Sequence[Box], count: int, order: Sequence[int] | None = None
) -> Joined:
    """Join boxes in `count` sections as long as any fit, in near-linear time. `order`
    decides between pairs with which equally many others compete."""
    work = Joining(boxes, count)
    work.join_all(list(range(len(boxes)) if order is None else order))
    return work.result()


_Key = tuple[int, int, int]


class Joining:
    """All boxes, and those that are alive (not part of another) by what they fit by."""

    def __init__(self, boxes: Sequence[Box], count: int):
        self.boxes: list[Box] = []
        self.alive: list[bool] = []
        self.members: list[list[tuple[int, int]]] = []
        self.starting = [0] * (count + 1)
        self.ending = [0] * (count + 1)
        # Lists with boxes that are not alive any more: they are dropped from the end.
        self.by_lifetime: dict[_Key, list[int]] = {}
        self.by_start: dict[_Key, list[int]] = {}
        self.by_end: dict[_Key, list[int]] = {}
        self.by_box: dict[Box, list[int]] = {}
        self.given = len(boxes)
        self.compared = 0
        """How many pairs of neighbours, and gaps, have been looked at."""
        for box in boxes:
            size = round_up(box.size, box.alignment)
            self._add(Box(box.first, box.last, size, box.alignment))

    def result(self, fillers: Collection[int] = ()) -> Joined:
        """Return what is left to be placed: the boxes that are alive, without fillers."""
        left = [n for n, alive in enumerate(self.alive) if alive and n not in fillers]
        return Joined([self.boxes[i] for i in left], left, self.members, self.given)

    def add_filler(self, box: Box) -> int:
        """Add a box that stands for no given one."""
        self.members.append([])
        return self._add(box)

    def join_all(self, waiting: list[int]) -> None:
        """Join boxes, and whatever is made of them, as long as any fit."""
        allowed = 1
        while waiting or (self.members and allowed <= _MOST_IN_PINWHEEL):
            waiting = self.join_pairs(waiting, allowed)
            made = self.join_pinwheels(allowed)
            waiting += [number for number in made if self.alive[number]]
            if not made:
                allowed *= 4

    def _add(self, box: Box) -> int:
        number = len(self.boxes)
        self.boxes.append(box)
        self.alive.append(True)
        self.starting[box.first] += 1
        self.ending[box.last] += 1
        first, last, size, alignment = box.first, box.last, box.size, box.alignment
        self.by_lifetime.setdefault((first, last, alignment), []).append(number)
        self.by_start.setdefault((first, size, alignment), []).append(number)
        self.by_end.setdefault((last, size, alignment), []).append(number)
        self.by_box.setdefault(box, []).append(number)
        return number

    def join(self, members: list[tuple[int, int]]) -> int:
        """Make one box of several, given with their offsets in it."""
        parts = [self.boxes[number] for number, _ in members]
        for number, part in zip(members, parts, strict=True):
            self.alive[number[0]] = False
            self.starting[part.first] -= 1
            self.ending[part.last] -= 1
        self.members.append(members)
        return self._add(
            Box(
                min(part.first for part in parts),
                max(part.last for part in parts),
                max(o + part.size for (_, o), part in zip(members, parts, strict=True)),
                parts[0].alignment,
            )
        )

    def _find(self, group: list[int] | None, other: int) -> int | None:
        """Return the newest box of a group that is alive and not the other."""
        if not group:
            return None
        while group and not self.alive[group[-1]]:
            group.pop()
        if not group or group[-1] != other:
            return group[-1] if group else None
        group.pop()
        found = self._find(group, -1)
        group.append(other)
        return found

    # Pairs.

    def join_pairs(self, work: list[int], allowed: int) -> list[int]:
        """Join pairs that fit if no more than `allowed` compete. Return who waits."""
        waiting: list[int] = []
        while work:
            number = work.pop()
            if not self.alive[number]:
                continue
            competing, pair = min(self._pairs(number), default=(0, None))
            if pair is None:
                continue
            if competing <= allowed:
                work.append(self.join(pair))
            else:
                waiting.append(number)
        return waiting[::-1]

    def _pairs(self, number: int) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield pairs that fit, each with the number of pairs that compete with it."""
        box = self.boxes[number]
        first, last, size, alignment = box.first, box.last, box.size, box.alignment
        starting, ending = self.starting, self.ending
        other = self._find(self.by_lifetime[first, last, alignment], number)
        if other is not None:
            yield starting[first] * ending[last], [(number, 0), (other, size)]
        other = self._find(self.by_start.get((last, size, alignment)), number)
        if other is not None:
            yield starting[last] * ending[last], [(number, 0), (other, 0)]
        other = self._find(self.by_end.get((first, size, alignment)), number)
        if other is not None:
            yield starting[first] * ending[first], [(other, 0), (number, 0)]

    # Pinwheels.

    def join_pinwheels(self, allowed: int) -> list[int]:
        """Join what makes a pinwheel around a box beside which no more than `allowed`
        pairs compete. Return what is made."""
        starts: dict[int, list[int]] = {}
        ends: dict[int, list[int]] = {}
        alive = [number for number, alive in enumerate(self.alive) if alive]
        for number in alive:
            starts.setdefault(self.boxes[number].first, []).append(number)
            ends.setdefault(self.boxes[number].last, []).append(number)
        made: list[int] = []
        # What is made may be in the middle of the next one.
        for middle in chain(alive, made):
            box = self.boxes[middle]
            before, after = ends.get(box.first, ()), starts.get(box.last, ())
            competing = len(before) * len(after)
            if not self.alive[middle] or competing > min(allowed, _MOST_IN_PINWHEEL):
                continue
            self.compared += 1 + competing
            found = self._find_pinwheel(middle, before, after)
            if found is not None:
                number = self.join(found)
                made.append(number)
                starts.setdefault(self.boxes[number].first, []).append(number)
                ends.setdefault(self.boxes[number].last, []).append(number)
        return made

    def _find_pinwheel(
        self, middle: int, before: Sequence[int], after: Sequence[int]
    ) -> list[tuple[int, int]] | None:
        box = self.boxes[middle]
        for left in before:
            for right in after:
                one, two = self.boxes[left], self.boxes[right]
                if not self.alive[left] or not self.alive[right]:
                    continue
                if not one.alignment == two.alignment == box.alignment:
                    continue
                below = self._of(one.first, box.last, two.size - box.size, box.alignment)
                above = self._of(box.first, two.last, one.size - box.size, box.alignment)
                if below is not None and above is not None:
                    low = two.size - box.size
                    return [
                        *((below, 0), (right, 0), (middle, low), (left, low)),
                        (above, two.size),
                    ]
        return None

    def _of(self, first: int, last: int, size: int, alignment: int) -> int | None:
        """Return a box that is alive with this lifetime and size."""
        return self._find(self.by_box.get(Box(first, last, size, alignment)), -1)
