"""Buffers with live ranges, sizes and alignments; plans, and the constraints on every
plan.

Time is an integer. A live range is a list of half-open intervals: usually one, more for
a buffer that is dead in between, such as one that only some branches of a program use.
Two buffers *meet* if both are live at the same time; a plan gives buffers that meet
disjoint ranges of memory.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import index

Interval = tuple[int, int]
"""From the first time on, up to and without the second."""


GREATEST = (1 << 63) - 1
"""The greatest size and alignment."""

_MOST_ALIGNMENTS = 16
"""The lower bound counts what so many alignments take, from the smallest on."""


@dataclass(frozen=True)
class Buffer:
    """A buffer to place: `size` units of memory during `lifetime`, at an offset that is a
    multiple of `alignment`.

    The intervals of a lifetime are disjoint and ascend.

    Raises:
        TypeError: for a number that is not an integer, or a lifetime that is no sequence
            of intervals.
        ValueError: for a negative size, an alignment below one, a number of more than 63
            bits, or intervals that are empty or do not ascend.
    """

    size: int
    lifetime: tuple[Interval, ...]
    alignment: int = 1

    def __post_init__(self) -> None:
        # NumPy's integers would overflow in sums.
        own = {
            "size": as_integer("size", self.size),
            "lifetime": _as_intervals(self.lifetime),
            "alignment": as_integer("alignment", self.alignment),
        }
        for name, value in own.items():
            object.__setattr__(self, name, value)
        if self.size < 0:
            raise ValueError(f"the size {self.size} is negative: give 0 or more bytes")
        if self.alignment < 1:
            raise ValueError(
                f"the alignment {self.alignment} is not positive: give 1 for none"
            )
        for what, number in (("size", self.size), ("alignment", self.alignment)):
            if number > GREATEST:
                raise ValueError(f"the {what} {number} is greater than {GREATEST}")
        if not self.lifetime:
            raise ValueError("the live range is empty: give one interval or more")
        previous: int | None = None
        for lower, upper in self.lifetime:
            if lower >= upper:
                raise ValueError(
                    f"the live range from {lower} to {upper} is empty: it must end after "
                    "its start"
                )
            if previous is not None and lower < previous:
                raise ValueError("the intervals of a live range must ascend: sort them")
            previous = upper

    @property
    def lower(self) -> int:
        return self.lifetime[0][0]

    @property
    def upper(self) -> int:
        return self.lifetime[-1][1]


def as_integer(name: str, value: int) -> int:
    """Return what a caller has given as an integer.

    Raises:
        TypeError: if it is none.
    """
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, but must be an integer") from None


def _as_intervals(lifetime: Sequence[Interval]) -> tuple[Interval, ...]:
    try:
        return tuple([(index(lower), index(upper)) for lower, upper in lifetime])
    except (TypeError, ValueError):
        raise TypeError(
            f"lifetime is {lifetime!r}, but must be a tuple of intervals, each of two "
            "integers, such as ((0, 3),)"
        ) from None


@dataclass(frozen=True)
class Plan:
    """An offset for each buffer.

    `height` is the memory that the plan needs, `lower_bound` what no plan can go below,
    and `steps` the work of the search, in a unit that does not depend on the machine.
    """

    offsets: tuple[int, ...]
    height: int
    lower_bound: int
    steps: int

    @property
    def ratio(self) -> float:
        """Return the height in units of the lower bound; 1.0 is certainly optimal."""
        return self.height / self.lower_bound if self.lower_bound else 1.0


def round_up(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment


def height_of(buffers: Sequence[Buffer], offsets: Sequence[int]) -> int:
    return max((o + b.size for o, b in zip(offsets, buffers, strict=True)), default=0)


# What is live when.


@dataclass(frozen=True)
class Sections:
    """Time cut where it matters.

    A *section* is a time at which the set of live buffers has no superset at a time
    beside it. Buffers meet exactly if they share a section, so that there are at most as
    many sections as buffers, and most often far fewer than times.
    """

    count: int
    ranges: Sequence[Sequence[Interval]]
    """The sections of each buffer, as half-open ranges that ascend."""


def cut_into_sections(buffers: Sequence[Buffer]) -> Sections:
    """Sweep over the ends of all intervals: a section closes at the first end of an
    interval after the start of one. Near-linear."""
    events: list[tuple[int, int]] = []
    for buffer in buffers:
        for lower, upper in buffer.lifetime:
            events.append((lower, 1))
            events.append((upper, 0))
    events.sort()
    closings: list[int] = []
    opened = False
    for time, is_start in events:
        if is_start:
            opened = True
        elif opened:
            closings.append(time)
            opened = False
    # The section with the closing time t holds the intervals that contain t - 1.
    ranges: list[list[Interval]] = []
    for buffer in buffers:
        found: list[Interval] = []
        for lower, upper in buffer.lifetime:
            first = bisect_left(closings, lower + 1)
            last = bisect_left(closings, upper + 1)
            if found and found[-1][1] == first:
                found[-1] = (found[-1][0], last)
            elif first < last:
                found.append((first, last))
        ranges.append(found)
    return Sections(len(closings), ranges)


def live_sizes(sections: Sections, sizes: Sequence[int]) -> list[int]:
    """Return the sum of the sizes that are live in each section."""
    changes = [0] * (sections.count + 1)
    for size, ranges in zip(sizes, sections.ranges, strict=True):
        for first, last in ranges:
            changes[first] += size
            changes[last] -= size
    return list(accumulate(changes[:-1]))


def lower_bound(buffers: Sequence[Buffer], sections: Sections) -> int:
    """Return a height that no plan can go below: the most that is live at one time.

    Of the buffers whose offsets are multiples of one number, every one but the highest
    takes a multiple of it.
    """
    sizes = [buffer.size for buffer in buffers]
    bound = max((*live_sizes(sections, sizes), *sizes), default=0)
    alignments = {buffer.alignment for buffer in buffers if buffer.size}
    for common in sorted(alignments - {1})[:_MOST_ALIGNMENTS]:
        rounded, padding = [0] * len(buffers), 0
        for number, (size, buffer) in enumerate(zip(sizes, buffers, strict=True)):
            if size and buffer.alignment % common == 0:
                rounded[number] = round_up(size, common)
                padding = max(padding, rounded[number] - size)
        bound = max(bound, max(live_sizes(sections, rounded), default=0) - padding)
    return bound


# The proof.


def find_overlap(
    buffers: Sequence[Buffer], offsets: Sequence[int]
) -> tuple[int, int] | None:
    """Return two buffers that meet and share memory, or None if the plan is right.

    One sweep over time keeps the live buffers sorted by offset. As long as they are
    disjoint, a new one can overlap only its two neighbours.
    """
    live: list[tuple[int, int]] = []
    for time, buffer in _changes(buffers):
        if not buffers[buffer].size:
            continue
        entry = (offsets[buffer], buffer)
        place = bisect_left(live, entry)
        if time is None:
            del live[place]
            continue
        if place < len(live):
            above, other = live[place]
            if offsets[buffer] + buffers[buffer].size > above:
                return other, buffer
        if place:
            below, other = live[place - 1]
            if below + buffers[other].size > offsets[buffer]:
                return other, buffer
        live.insert(place, entry)
    return None


def _changes(buffers: Sequence[Buffer]) -> Iterator[tuple[int | None, int]]:
    """Yield the buffers in the order in which they become live, with the time, and die,
    with None; deaths before births of the same time."""
    events: list[tuple[int, bool, int]] = []
    for number, buffer in enumerate(buffers):
        for lower, upper in buffer.lifetime:
            events.append((lower, True, number))
            events.append((upper, False, number))
    events.sort()
    for time, born, number in events:
        yield (time if born else None), number


def check(buffers: Sequence[Buffer], offsets: Sequence[int]) -> None:
    """Check a plan.

    Raises:
        ValueError: if an offset is negative or not aligned, or two buffers that meet
            overlap.
    """
    for number, (buffer, offset) in enumerate(zip(buffers, offsets, strict=True)):
        if offset < 0 or offset % buffer.alignment:
            raise ValueError(
                f"buffer {number}: the offset {offset} is not a multiple of "
                f"{buffer.alignment}"
            )
    overlap = find_overlap(buffers, offsets)
    if overlap is not None:
        raise ValueError(
            "buffers {} and {} are live together and overlap".format(*overlap)
        )
