"""Join boxes in several ways, and keep the results of which the plans may be low.

For few boxes, what is joined around gaps and what is joined without are both kept: where
boxes are missing in a tight plan, most of the others only fit around the gaps, but a gap
may also be filled in the wrong place. For many boxes, the result that leaves the fewest
is kept, and one with a higher limit for gaps if that leaves far fewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl_bufferization.planner.gaps import join_around_gaps
from xdsl_bufferization.planner.joining import Joined, join_boxes
from xdsl_bufferization.planner.skyline import Box, live_size_by_section

_LEFT_OF_FEW = 0.8
"""Joined boxes are planned separately if at most this share of the boxes is left."""

_LEFT_OF_MANY = 0.5
"""The same for many boxes, and the share of the joined boxes that a higher limit for gaps
must leave to be of use."""

_HIGHER_LIMIT = 1.05
"""Gaps among many boxes are filled up to this height as well, in units of the lower
bound."""

_MOST_ORDERS = 12
"""Few boxes are joined in as many orders."""

_MIX = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
"""The golden ratio, as a part of this: its multiples, sorted, mix numbers."""


def join_in_ways(
    boxes: Sequence[Box], count: int, bound: int, enough: int, steps: int | None
) -> Sequence[Joined]:
    """Join boxes, around gaps and without gaps. Return the results that leave few boxes,
    the best first.

    Args:
        bound: a lower bound of the height.
        enough: a height that is low enough.
        steps: limits the search for gaps among many boxes; None for few.
    """
    number = len(boxes)
    joined = join_boxes(boxes, count)
    if len(joined.boxes) <= 1:
        return [joined]
    if steps is not None:
        return _join_many(boxes, count, bound, enough, steps, joined)
    numbers = range(number)
    orders: list[Sequence[int]] = [
        numbers[::-1],
        sorted(numbers, key=lambda i: boxes[i].size),
        sorted(numbers, key=lambda i: boxes[i].last - boxes[i].first),
    ]
    joined = min(
        joined, *(join_boxes(boxes, count, order) for order in orders), key=_left_of
    )
    around = join_around_gaps(boxes, count, bound)
    options = [around, joined] if _left_of(around) < _left_of(joined) else [joined]
    return [each for each in options if _left_of(each) <= _LEFT_OF_FEW * number]


def _join_many(
    boxes: Sequence[Box],
    count: int,
    bound: int,
    enough: int,
    steps: int,
    joined: Joined,
) -> Sequence[Joined]:
    """Join many boxes around gaps. The lower bound may be less than the lowest plan, so
    that some gaps of that plan have no room below it: a higher limit is tried as well."""
    if _left_of(joined) > _LEFT_OF_MANY * len(boxes):
        return []
    around = join_around_gaps(boxes, count, enough, steps)
    best = min(joined, around, key=_left_of)
    limit = int(_HIGHER_LIMIT * bound)
    higher = join_around_gaps(boxes, count, limit, steps)
    if _left_of(higher) <= _LEFT_OF_MANY * _left_of(best):
        return [best, higher]
    return [best]


def join_in_orders(boxes: Sequence[Box], count: int, bound: int) -> Iterator[Joined]:
    """Join few boxes again and again, in other orders, around gaps if there are any. The
    order decides which of the boxes that fit by chance are joined."""
    live = live_size_by_section(boxes, count)
    have_gaps = min(live) < bound
    for round_ in range(1, _MOST_ORDERS + 1):
        order = sorted(range(len(boxes)), key=lambda i: (i + 1) * round_ * _MIX & _MASK)
        mixed = [boxes[number] for number in order]
        if have_gaps:
            yield _renumber(join_around_gaps(mixed, count, bound), order)
        yield _renumber(join_boxes(mixed, count), order)


def _renumber(joined: Joined, order: Sequence[int]) -> Joined:
    """Return what was joined of boxes in an order as joined of these boxes."""

    def number_of(number: int) -> int:
        return order[number] if number < joined.given else number

    return replace(
        joined,
        numbers=[number_of(number) for number in joined.numbers],
        members=[
            [(number_of(number), offset) for number, offset in found]
            for found in joined.members
        ],
    )


def _left_of(joined: Joined) -> int:
    return len(joined.boxes)
