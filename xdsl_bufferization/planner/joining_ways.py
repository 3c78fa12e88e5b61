"""Join boxes in several ways, and keep the results of which the plans may be low.

For few boxes, what is joined around gaps and what is joined without are both kept: where
boxes are missing in a tight plan, most of the others only fit around the gaps, but a gap
may also be filled in the wrong place. For many boxes, what is joined by chance and by the
number of boxes at the same time (`joining`) are both kept if there are no gaps; if there
are, what leaves fewer is joined around them, and with a higher limit for gaps as well if
too few of them have room, and that leaves far fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from xdsl_bufferization.planner.gaps import join_around_gaps
from xdsl_bufferization.planner.joining import LIKELY, Joined, Joining
from xdsl_bufferization.planner.skyline import Box, live_size_by_section

_LEFT_OF_FEW = 0.8
"""Joined boxes are planned separately if at most this share of the boxes is left."""

_LEFT_OF_MANY = 0.5
"""The same for many boxes, and the share of the joined boxes that a higher limit for gaps
must leave to be of use."""

_LEFT_AROUND_GAPS = 0.9
"""Gaps are of use if at most this share of the boxes that are left without them is left
around them."""

_MOST_BY_CHANCE = 64
"""Many boxes are joined by chance if no more than that many start in a section, on
average: otherwise most of them fit by chance."""

_HIGHER_LIMIT = 1.05
"""Gaps among many boxes are filled up to this height as well, in units of the lower
bound."""

_MOST_IN_ORDERS = 1_000
"""As many boxes are joined in several orders, whatever the chance; the result that leaves
the fewest is kept."""

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
    if steps is not None:
        return _join_many(boxes, count, bound, enough, steps)
    joined = [Joining(boxes, count, by_chance=False).join_given()]
    if len(joined[0].boxes) <= 1:
        return joined
    around = [join_around_gaps(Joining(boxes, count, by_chance=False), bound)]
    likely = Joining(boxes, count, LIKELY).join_given()
    if len(boxes) <= _MOST_IN_ORDERS:
        numbers = range(len(boxes))
        orders: list[Sequence[int]] = [
            numbers,
            numbers[::-1],
            sorted(numbers, key=lambda i: boxes[i].size),
            sorted(numbers, key=lambda i: boxes[i].last - boxes[i].first),
        ]
        joined += [Joining(boxes, count).join_given(order) for order in orders]
        around.append(join_around_gaps(Joining(boxes, count), bound))
    elif _left_of(likely) <= _LEFT_OF_FEW * len(boxes):
        around.append(join_around_gaps(Joining(boxes, count, LIKELY), bound))
    options = [min(joined, key=_left_of)]
    if _left_of(likely) > _left_of(options[0]):
        options.insert(0, likely)
    if min(map(_left_of, around)) < min(map(_left_of, joined)):
        options.insert(0, min(around, key=_left_of))
    return [each for each in options if _left_of(each) <= _LEFT_OF_FEW * len(boxes)]


def _join_many(
    boxes: Sequence[Box], count: int, bound: int, enough: int, steps: int
) -> Sequence[Joined]:
    """Join many boxes around gaps. The lower bound may be less than the lowest plan, so
    that some gaps of that plan have no room below it: a higher limit is tried as well."""

    def by_chance() -> Joining:
        return Joining(boxes, count, LIKELY)

    def by_number() -> Joining:
        return Joining(boxes, count, by_chance=False)

    starts: list[Callable[[], Joining]] = [by_number]
    if len(boxes) <= _MOST_BY_CHANCE * count:
        starts.append(by_chance)
    given: list[Joined] = []
    for start in starts:
        given.append(start().join_given())
        if len(given[-1].boxes) <= 1:
            return given[-1:]
    best = min(range(len(starts)), key=lambda i: _left_of(given[i]))
    if _left_of(given[best]) > _LEFT_OF_MANY * len(boxes):
        return []
    if min(live_size_by_section(boxes, count)) >= bound:
        return given
    around = join_around_gaps(starts[best](), enough, steps)
    found = [min(given[best], around, key=_left_of)]
    fills_gaps = _left_of(around) <= _LEFT_AROUND_GAPS * _left_of(given[best])
    if fills_gaps and around.lacks_room:
        higher = join_around_gaps(starts[best](), int(_HIGHER_LIMIT * bound), steps)
        if _left_of(higher) <= _LEFT_OF_MANY * _left_of(found[0]):
            found.append(higher)
    return found


def join_in_orders(boxes: Sequence[Box], count: int, bound: int) -> Iterator[Joined]:
    """Join few boxes again and again, in other orders, around gaps if there are any. The
    order decides which of the boxes that fit by chance are joined."""
    live = live_size_by_section(boxes, count)
    have_gaps = min(live) < bound
    for round_ in range(1, _MOST_ORDERS + 1):
        order = sorted(range(len(boxes)), key=lambda i: (i + 1) * round_ * _MIX & _MASK)
        mixed = [boxes[number] for number in order]
        if have_gaps:
            around = join_around_gaps(Joining(mixed, count), bound)
            yield _renumber(around, order)
        yield _renumber(Joining(mixed, count).join_given(), order)


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
