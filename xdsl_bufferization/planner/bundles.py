"""Bundles: buffers of which each is live in the holes of the others.

Along a skyline, a buffer takes its memory from the start of its live range to the end,
also in holes. Where so many buffers meet that this cannot be repaired, those with holes
are bundled first. A bundle is planned as one buffer without holes, as large as its
largest one. Buffers are put into the first bundle in which they fit, the largest first,
so that those of a bundle are of about the same size. Their live ranges overlap:
otherwise, a bundle could be live longer than any of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl_bufferization.planner.problem import Buffer, Interval

_MOST_OPEN = 16
"""A buffer may be put into one of so many bundles, those that were begun last."""


@dataclass
class _Bundle:
    alignment: int
    """That of its first buffer, a multiple of all others."""
    members: list[int] = field(default_factory=list[int])
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])
    """The sections of its intervals, in order."""

    def fits(self, alignment: int, ranges: Sequence[Interval]) -> bool:
        """Whether a buffer is live in holes only, some of them inside of the bundle, and
        aligned wherever the bundle is."""
        starts, ends = self.starts, self.ends
        if self.alignment % alignment:
            return False
        if ranges[0][0] >= ends[-1] or ranges[-1][1] <= starts[0]:
            return False
        for first, last in ranges:
            after = bisect_right(starts, first)
            if after and ends[after - 1] > first:
                return False
            if after < len(starts) and starts[after] < last:
                return False
        return True

    def add(self, number: int, ranges: Sequence[Interval]) -> None:
        self.members.append(number)
        for first, last in ranges:
            after = bisect_right(self.starts, first)
            self.starts.insert(after, first)
            self.ends.insert(after, last)


def bundle(
    buffers: Sequence[Buffer], ranges: Sequence[Sequence[Interval]]
) -> list[list[int]]:
    """Return the numbers of the buffers of each bundle. `ranges` are their live ranges in
    sections. A buffer without holes is a bundle of its own."""
    bundles = [[number] for number, found in enumerate(ranges) if len(found) == 1]
    with_holes = [number for number, found in enumerate(ranges) if len(found) > 1]
    # One that needs a large alignment is not put beside others for which it is too large.
    with_holes.sort(key=lambda i: (-buffers[i].alignment, -buffers[i].size, ranges[i][0]))
    open_: deque[_Bundle] = deque(maxlen=_MOST_OPEN)
    for number in with_holes:
        alignment = buffers[number].alignment
        fitting = (each for each in open_ if each.fits(alignment, ranges[number]))
        found = next(fitting, None)
        if found is None:
            found = _Bundle(alignment)
            open_.append(found)
            bundles.append(found.members)
        found.add(number, ranges[number])
    return bundles


def buffer_of(members: Sequence[int], buffers: Sequence[Buffer]) -> Buffer:
    """Return the buffer without holes that is planned for a bundle."""
    found = [buffers[number] for number in members]
    first = min(each.lifetime[0][0] for each in found)
    last = max(each.lifetime[-1][1] for each in found)
    return Buffer(
        max(each.size for each in found),
        ((first, last),),
        max(each.alignment for each in found),
    )
