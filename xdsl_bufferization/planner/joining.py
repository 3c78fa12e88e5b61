"""Join boxes that fit together exactly, so that fewer and larger ones are placed.

Two boxes with the same live range, stacked, make a box; so do two boxes of the same
size if one ends where the other starts. Neither wastes memory, and without slack, boxes
that fit this well usually belong together: a box that is cut in two has such halves.
Joined boxes are joined with others. Five boxes that only fit all together make a
*pinwheel*, four around one:

    C C D
    B A D
    B E E

Two boxes may also fit by chance, the more likely the more boxes start and end at the same
time, and the fewer sizes there are. What fits is therefore joined in the order of the
*chance*: the number of boxes that are expected to fit as well as this one if sizes and
lengths are as frequent as among all boxes (`_Chances`). Boxes with the same live range
are hardly there by chance if a box beside them is as large as they are together:

    A A C C C
    B B C C C

Only boxes of the same alignment are joined, with sizes rounded up to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate, chain
from math import gcd, inf

from xdsl_bufferization.planner.problem import round_up
from xdsl_bufferization.planner.skyline import Box

_MOST_IN_PINWHEEL = 64
_MOST_IN_PINWHEEL_OF_MANY = 8
"""As many pairs of neighbours are compared for the middle of a pinwheel; fewer if there
are more than `_VERY_MANY` boxes."""

_VERY_MANY = 20_000

_MOST_OF_LIFETIME = 5
"""As many boxes of one live range are compared, and those at most are stacked at once."""

_MOST_BESIDE = 32
"""As many neighbours of a box that has been made are compared with it."""

_MANY = 4_000
_LEAST_OF_MANY = 0.002
"""All boxes are searched for pinwheels again if there were at least so many, a share of
the number of the given ones beyond a few."""

_SURE = 0.1
"""What fits with a smaller chance is joined before pinwheels are looked for."""

LIKELY = 1.0
"""What fits with a greater chance mostly does not belong together."""


@dataclass(frozen=True)
class Joined:
    """Boxes made of others: `boxes` are left to be placed."""

    boxes: Sequence[Box]
    numbers: Sequence[int]
    """The number of each of them among all boxes, given ones and joined ones."""
    members: Sequence[Sequence[tuple[int, int]]]
    """For each joined box those that it is made of, and their offsets in it."""
    given: int
    lacks_room: bool = False
    """Whether most of the gaps between them have no room below the limit."""

    def expand(self, offsets: Sequence[int]) -> list[int]:
        """Return offsets of the given boxes for those of the boxes that are left."""
        result = [0] * (self.given + len(self.members))
        for number, offset in zip(self.numbers, offsets, strict=True):
            result[number] = offset
        for number in range(len(result) - 1, self.given - 1, -1):
            for member, offset in self.members[number - self.given]:
                result[member] = result[number] + offset
        return result[: self.given]


_Key = tuple[int, int, int]
_Members = list[tuple[int, int]]
"""The boxes that make another one, with their offsets in it."""


class _Chances:
    """How likely it is that a box has a certain size, and that it has a certain length.
    Within a power of two, all sizes that are multiples of the greatest common divisor are
    equally likely, and so are all lengths."""

    def __init__(self, boxes: Sequence[Box]):
        self.number = max(1, len(boxes))
        self.unit = gcd(*(box.size for box in boxes)) or 1
        self.given = Counter(box.size for box in boxes)
        self.sizes = Counter((box.size // self.unit).bit_length() for box in boxes)
        self.lengths = Counter((box.last - box.first).bit_length() for box in boxes)

    def of_size(self, size: int) -> float:
        power = (size // self.unit).bit_length()
        similar = self.sizes[power] / (1 << max(0, power - 1))
        return max(similar, self.given[size] - 1) / self.number

    def of_length(self, length: int) -> float:
        power = length.bit_length()
        return self.lengths[power] / (1 << max(0, power - 1)) / self.number


class Joining:
    """All boxes, and those that are alive (not part of another) by what they fit by.

    Args:
        count: the number of sections.
        most_chance: what fits with a greater chance is not joined.
        by_chance: whether what fits with the smallest chance is joined first. Otherwise
            that is where the fewest boxes start and end, which takes less time, and
            suits boxes that start and end at few times.
    """

    def __init__(
        self,
        boxes: Sequence[Box],
        count: int,
        most_chance: float = inf,
        *,
        by_chance: bool = True,
    ):
        self.count = count
        self.boxes: list[Box] = []
        self.alive: list[bool] = []
        self.members: list[_Members] = []
        self.most_chance = most_chance
        self.starting = [0] * (count + 1)
        self.ending = [0] * (count + 1)
        # Lists with boxes that are not alive any more, which are dropped when found.
        self.at_start: list[list[int]] = [[] for _ in range(count + 1)]
        self.at_end: list[list[int]] = [[] for _ in range(count + 1)]
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
        self.chances = _Chances(self.boxes) if by_chance else None

    def result(self, fillers: Collection[int] = ()) -> Joined:
        """Return what is left to be placed: the boxes that are alive, without fillers."""
        left = [n for n, alive in enumerate(self.alive) if alive and n not in fillers]
        return Joined([self.boxes[i] for i in left], left, self.members, self.given)

    def add_filler(self, box: Box) -> int:
        """Add a box that stands for no given one."""
        self.members.append([])
        return self._add(box)

    def join_given(self, order: Sequence[int] | None = None) -> Joined:
        """Join the given boxes as long as any fit, in near-linear time. `order` decides
        between those of the same chance."""
        self.join_all(range(self.given) if order is None else order)
        return self.result()

    def join_all(self, waiting: Sequence[int]) -> None:
        """Join boxes, and whatever is made of them, as long as any fit."""
        for most in self._stages():
            made: Sequence[int] = waiting
            while made:
                waiting = self._join_stacks(waiting, most)
                made = self._join_pinwheels(most)
                waiting = [*waiting, *(number for number in made if self.alive[number])]
                if len(made) < _LEAST_OF_MANY * (self.given - _MANY):
                    break
            if not waiting:
                break

    def _stages(self) -> Sequence[float]:
        """Return the chances up to which boxes are joined, one after the other."""
        if self.chances is None:
            return (1.0, 4.0, 16.0, 64.0, inf)
        return (min(_SURE, self.most_chance), self.most_chance)

    def _add(self, box: Box) -> int:
        number = len(self.boxes)
        self.boxes.append(box)
        self.alive.append(True)
        self.starting[box.first] += 1
        self.ending[box.last] += 1
        self.at_start[box.first].append(number)
        self.at_end[box.last].append(number)
        first, last, size, alignment = box.first, box.last, box.size, box.alignment
        self.by_lifetime.setdefault((first, last, alignment), []).append(number)
        self.by_start.setdefault((first, size, alignment), []).append(number)
        self.by_end.setdefault((last, size, alignment), []).append(number)
        self.by_box.setdefault(box, []).append(number)
        return number

    def join(self, members: _Members) -> int:
        """Make one box of several."""
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

    def _newest(self, group: list[int], most: int) -> Sequence[int]:
        """Return the newest boxes of a group that are alive. Few of the group are looked
        at, and of these, those that are not alive are dropped."""
        recent = group[-2 * most :]
        alive = [number for number in recent if self.alive[number]]
        if len(alive) < len(recent):
            group[-2 * most :] = alive
        return alive[-most:]

    # Stacks, and pairs of one size.

    def _join_stacks(self, waiting: Sequence[int], most: float) -> list[int]:
        """Join what fits with at most this chance, the least likely first. Return the
        boxes of which something fits with a greater chance."""
        heap: list[tuple[float, int, int]] = []
        for position, number in enumerate(reversed(waiting)):
            if self.alive[number]:
                found = self._fit(number)
                if found is not None:
                    heap.append((found[0], position, number))
        heapify(heap)
        left: list[tuple[int, int]] = []
        while heap:
            chance, position, number = heappop(heap)
            found = self._fit(number) if self.alive[number] else None
            if found is None:
                continue
            if found[0] > chance and heap and found[0] > heap[0][0]:
                heappush(heap, (found[0], position, number))
                continue
            if found[0] > most:
                left.append((position, number))
                continue
            made = self.join(found[1])
            beside = self._stacks_beside(self.boxes[made]) if self.chances else ()
            for other in (made, *beside):
                found = self._fit(other)
                if found is not None:
                    heappush(heap, (found[0], -other, other))
        return [number for _, number in sorted(left, reverse=True)]

    def _stacks_beside(self, box: Box) -> Iterator[int]:
        """Yield boxes that with another one are as large as a box beside them."""
        for beside in (self.at_end[box.first], self.at_start[box.last]):
            for number in self._newest(beside, _MOST_BESIDE):
                one = self.boxes[number]
                rest = Box(one.first, one.last, box.size - one.size, one.alignment)
                if self._find(self.by_box.get(rest), number) is not None:
                    yield number

    def _fit(self, number: int) -> tuple[float, _Members] | None:
        """Return the boxes that a box fits together with by the least chance."""
        best: tuple[float, _Members] | None = None
        for chance, members in self._fits(number):
            if best is None or chance < best[0]:
                best = chance, members
        return best

    def _fits(self, number: int) -> Iterator[tuple[float, _Members]]:
        """Yield boxes that a box fits together with, each time with the chance."""
        box = self.boxes[number]
        first, last, size, alignment = box.first, box.last, box.size, box.alignment
        starting, ending = self.starting, self.ending
        size_chance = self.chances.of_size(size) if self.chances else None
        other = self._find(self.by_start.get((last, size, alignment)), number)
        if other is not None:
            chance = ending[last] if size_chance is None else size_chance
            yield starting[last] * chance, [(number, 0), (other, 0)]
        other = self._find(self.by_end.get((first, size, alignment)), number)
        if other is not None:
            chance = starting[first] if size_chance is None else size_chance
            yield ending[first] * chance, [(other, 0), (number, 0)]
        group = self.by_lifetime[first, last, alignment]
        if self.chances is None:
            other = self._find(group, number)
            if other is not None:
                yield starting[first] * ending[last], [(number, 0), (other, size)]
        elif len(group) > 1:
            found = self._newest(group, _MOST_OF_LIFETIME)
            others = [other for other in found if other != number]
            yield from self._stacks(number, others, self.chances)

    def _stacks(
        self, number: int, others: Sequence[int], chances: _Chances
    ) -> Iterator[tuple[float, _Members]]:
        """Yield what a box may be stacked with, of others with the same live range."""
        box = self.boxes[number]
        first, last, alignment = box.first, box.last, box.alignment
        starting, ending = self.starting[last], self.ending[first]
        stacks: list[tuple[int, tuple[int, ...]]] = [(box.size, (number,))]
        for other in others:
            size = self.boxes[other].size
            stacks += [(size + below, (*stack, other)) for below, stack in stacks]
        for size, stack in stacks[1:]:
            after = self.by_start.get((last, size, alignment)) if starting else None
            before = self.by_end.get((first, size, alignment)) if ending else None
            beside = 0
            if self._find(after, -1) is not None:
                beside = starting
            elif self._find(before, -1) is not None:
                beside = ending
            if beside:
                chance = beside * chances.of_size(size) * len(stacks)
            elif len(stack) == 2:
                chance = self.starting[first] * chances.of_length(last - first)
            else:
                continue
            yield chance, self._stacked(stack)

    def _stacked(self, numbers: Sequence[int]) -> _Members:
        """Return boxes with the offsets that they have if they are stacked."""
        sizes = (self.boxes[number].size for number in numbers)
        return list(zip(numbers, accumulate(sizes, initial=0), strict=False))

    # Pinwheels.

    def _join_pinwheels(self, most: float) -> list[int]:
        """Join what makes a pinwheel around a box beside which few pairs compete, `most`
        of them if boxes are not joined by chance. Return what is made."""
        are_many = self.given > _VERY_MANY
        allowed: float = _MOST_IN_PINWHEEL_OF_MANY if are_many else _MOST_IN_PINWHEEL
        if not self.chances:
            allowed = min(most, allowed)
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
            if not self.alive[middle] or competing > allowed:
                continue
            self.compared += 1 + competing
            found = self._find_pinwheel(middle, before, after) if competing else None
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
