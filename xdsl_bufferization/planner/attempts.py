"""The attempts to plan a part: placements along a skyline, sweeps, beam searches, exact
search and repair, each within a budget.

A part is a set of buffers of which each is live at one interval, as boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from xdsl_bufferization.planner.beam import Budget, Instance, Manner, search_beam
from xdsl_bufferization.planner.exact import search_exactly
from xdsl_bufferization.planner.fillers import fill_up
from xdsl_bufferization.planner.first_fit import (
    count_conflicts,
    find_conflicts,
)
from xdsl_bufferization.planner.problem import (
    Buffer,
    cut_into_sections,
    round_up,
)
from xdsl_bufferization.planner.repair import ConflictingBuffers, lower_plan, mend_plan
from xdsl_bufferization.planner.skyline import (
    Box,
    Style,
    live_size_by_section,
    place_along_skyline,
)
from xdsl_bufferization.planner.sweep import HORIZON, search_sweep
from xdsl_bufferization.planner.tilings import Tiling

MOST_CONFLICTS = 5_000_000
"""With more pairs that meet, first fit and repair take too long and too much memory."""

MOST_FOR_BEAMS = 4_000
"""Parts of more boxes are too large for beam searches."""

MOST_IN_SWEEPS = 1_000
"""The boxes of a part that is swept with many states, and whatever it is like."""

_GROWTH_OF_SWEEPS = 1.06
"""A sweep stops at this ratio to the lower bound."""

_STEPS_OF_PLACING = (20, 60)
_MANY_TO_PLACE = 20_000
"""The steps that placing a box along a skyline takes, and those if there are more boxes
than that."""

_LIVE_OF_A_STEP = 1_000
"""If so many are live at a time, it takes twice as many."""

_MOST_FOR_EXACT = 60

Attempt = Callable[[Budget, int], list[int] | None]
"""A search for offsets lower than a height."""


@dataclass
class Part:
    """Buffers that do not live at the same time as any others, and their best plan."""

    numbers: list[int]
    boxes: Sequence[Box]
    count: int
    most_for_beams: int = MOST_FOR_BEAMS
    offsets: list[int] = field(default_factory=list[int])
    height: int = 0
    is_joined: bool = False
    """Whether this plan is one of joined boxes."""
    attempts: Iterator[Attempt] = field(default_factory=lambda: iter(()))
    tiled: list[tuple[int, list[int]]] = field(
        default_factory=list["tuple[int, list[int]]"]
    )
    """Plans without slack up to a section, or from one on: how many sections they have,
    and the offsets, which are at the limit for the other boxes."""

    @property
    def is_large(self) -> bool:
        """Whether it is too large for beams."""
        return len(self.boxes) > self.most_for_beams

    def consider(self, offsets: list[int]) -> None:
        height = top_of(self.boxes, offsets)
        if not self.offsets or height < self.height:
            self.offsets, self.height = offsets, height

    def improve(self, budget: Budget) -> bool:
        """Make the next attempt. Return False if none is left."""
        attempt = next(self.attempts, None)
        if attempt is None:
            return False
        offsets = attempt(budget, self.height)
        if offsets is not None:
            self.consider(offsets)
        return True


_CANDIDATES_OF_LARGE = 32
"""As many boxes are compared for each place in a part that is too large for beams."""

STYLES = (Style(0.1), Style(0.5), Style(0.0), Style(0.1, 8, 16))
_MORE_STYLES = tuple(
    Style(smoothness, starts, ends, tallness, candidates=_CANDIDATES_OF_LARGE)
    for smoothness, starts, ends, tallness in (
        *((3.0, 16, 64, 1.0), (1.0, 16, 64, 1.0), (0.3, 8, 16, 0.3)),
        *((3.0, 64, 64, 0.3), (1.0, 64, 64, 0.3), (3.0, 8, 16, 2.0)),
    )
)
STYLES_OF_LARGE = tuple(
    dict.fromkeys(
        (
            *((_MORE_STYLES[0], False), (_MORE_STYLES[0], True)),
            *((STYLES[0], False), (STYLES[2], True)),
            *product((*_MORE_STYLES[:2], *STYLES, *_MORE_STYLES[2:]), (False, True)),
        )
    )
)
"""For parts that are too large for beams: styles, and whether time is reversed."""

STYLES_OF_TIGHT = (
    STYLES[0],
    STYLES[3],
    _MORE_STYLES[0],
    Style(1.0, 8, 16, 0.0, 100.0),
)
"""For such parts in which boxes fit together, but are better placed one by one."""

_SHARP_STYLES = tuple(
    Style(smoothness, starts, ends, tallness, sharpness)
    for ends, tallness in ((16, 0.0), (64, 1.0), (16, 0.1), (64, 0.0))
    for sharpness in (100.0, 30.0)
    for smoothness, starts in ((1.0, 8), (0.1, 8), (0.03, 16), (0.3, 4))
)
_BEAMS = (
    *((4, 30.0), (8, 10.0), (8, 60.0), (16, 30.0)),
    *((32, 10.0), (64, 60.0), (128, 30.0)),
)
"""The width of each round of beam searches, and the sharpness of its manners."""

_SWEEPS = (16, 32, 64)
"""The width of each round of sweeps."""

_NARROW_SWEEPS = (2, 4)
"""The width of each round of narrow sweeps."""

_LEAST_DENSITY = 0.95
_MOST_LIVE = 80
"""In a narrow sweep, as much of the memory is live on average, in at most so many
boxes."""

_HORIZON_BY_LIVE = 3.0
_LEAST_HORIZON_BY_LIVE = 1.8
"""A narrow sweep looks ahead as many times as boxes are live on average, times this, or
at least times the second number if it would take too many steps otherwise."""

_STEPS_OF_LOOKING = 4
_STEPS_BY_LIVE = 0.5
"""The steps that a narrow sweep takes for a box and each time it looks ahead, and in
addition for each live box."""

_SHARE_OF_NARROW = 0.85
"""The share of the budget of sweeps that narrow ones take of small parts."""

_TILINGS = ((2, 20.0), (8, 3.0), (16, 8.0), (64, 3.0))
"""The ways that a tiling keeps, and what it costs there that boxes of several places end
at the same time."""

_TILING_BY_BOX = 400
_SHARE_OF_TILING = 7
"""The first of them have as many steps for each box, and at most as many times the budget
of the others, which half of what they take is part of."""

_LEAST_OF_TILINGS = 0.85
"""A tiling is searched if as much of the memory is live on average."""

_LEAST_TILED = 0.45
"""A plan of that share of the sections is repaired if no other is found."""

_SMOOTHNESS = (0.1, 0.03, 0.3)
_ORDERS = ("width", "area", "size")


def top_of(boxes: Sequence[Box], offsets: Sequence[int]) -> int:
    """Return the height of a plan."""
    return max((o + box.size for o, box in zip(offsets, boxes, strict=True)), default=0)


def _mirror(part: Part, mirrored: bool) -> Sequence[Box]:
    """Return the boxes, with time reversed if `mirrored`."""
    return _reverse(part.boxes, part.count) if mirrored else part.boxes


def _reverse(boxes: Sequence[Box], count: int) -> Sequence[Box]:
    return [
        Box(count - box.last, count - box.first, box.size, box.alignment) for box in boxes
    ]


def place(part: Part, style: Style, mirrored: bool) -> list[int]:
    """Place the boxes along a skyline, from the last section on if `mirrored`."""
    boxes = _mirror(part, mirrored)
    return place_along_skyline(boxes, part.count, style)


def steps_of_placing(part: Part) -> int:
    """Return the steps that placing the boxes of a part takes: more if many are live."""
    number = len(part.boxes)
    live = sum(box.last - box.first for box in part.boxes) / part.count
    steps = _STEPS_OF_PLACING[number > _MANY_TO_PLACE]
    return int(number * steps * (1 + live / _LIVE_OF_A_STEP))


def cut_boxes(boxes: Sequence[Box]) -> tuple[Sequence[Box], int]:
    """Cut time into the sections of these boxes alone. Return the boxes in the new
    sections, and the number of sections."""
    buffers = [Buffer(box.size, ((box.first, box.last),)) for box in boxes]
    sections = cut_into_sections(buffers)
    cut = [
        Box(*ranges[0], box.size, box.alignment)
        for box, ranges in zip(boxes, sections.ranges, strict=True)
    ]
    return cut, sections.count


def attempts_of(part: Part) -> Iterator[Attempt]:
    """Yield the searches of a part, cheap ones first."""
    number = len(part.boxes)
    if part.is_large:
        yield from sharp_attempts(part)
        return
    if number <= _MOST_FOR_EXACT:
        yield _exact_attempt(part, 30_000)
    for width, sharpness in _BEAMS:
        for smoothness, order, mirrored in product(_SMOOTHNESS, _ORDERS, (False, True)):
            manner = Manner(smoothness, sharpness, order)
            yield _beam_attempt(part, manner, width, mirrored)
    yield _exact_attempt(part, 1 << 60)


def sharp_attempts(part: Part) -> Iterator[Attempt]:
    for style, mirrored in product(_SHARP_STYLES, (False, True)):
        yield _placement_attempt(part, style, mirrored)


def _placement_attempt(part: Part, style: Style, mirrored: bool) -> Attempt:
    def attempt(budget: Budget, below: int) -> list[int]:
        budget.spend(steps_of_placing(part))
        return place(part, style, mirrored)

    return attempt


def repair_boxes(part: Part, enough: int, budget: Budget) -> list[int]:
    """Repair the best plan of a part, unless too many boxes meet. It takes less time for
    joined boxes than for all, because fewer meet, and moves what fits together at
    once."""
    ranges = [((box.first, box.last),) for box in part.boxes]
    if count_conflicts(ranges) > MOST_CONFLICTS:
        return part.offsets
    return lower_plan(part.offsets, enough, _conflicting(part), budget)


def repair_attempt(part: Part, enough: int, share: float) -> Attempt:
    """The repair of the best plan of a part, within a share of the budget."""

    def attempt(budget: Budget, below: int) -> list[int]:
        own = Budget(int(share * (budget.steps - budget.used)))
        offsets = repair_boxes(part, enough, own)
        budget.spend(own.used)
        return offsets

    return attempt


def _beam_attempt(part: Part, manner: Manner, width: int, mirrored: bool) -> Attempt:
    def attempt(budget: Budget, below: int) -> list[int] | None:
        instance = Instance(_mirror(part, mirrored), part.count, manner)
        return search_beam(instance, width, below, budget)

    return attempt


def tile(part: Part, limit: int, budget: Budget) -> bool:
    """Plan a part of one alignment that fills almost all of the memory, from the first
    section on and from the last, with more and more ways. Return whether there is no
    slack then. If not, the plans are kept that reach far enough to be repaired."""
    boxes = _rounded(part)
    sizes = live_size_by_section(boxes, part.count)
    if (
        len({box.alignment for box in boxes}) > 1
        or max(sizes) > limit
        or sum(sizes) < _LEAST_OF_TILINGS * limit * part.count
    ):
        return False
    narrow = Budget(min(_TILING_BY_BOX * len(boxes), _SHARE_OF_TILING * budget.steps))
    for (width, cost), mirrored in product(_TILINGS, (False, True)):
        its = narrow if width == _TILINGS[0][0] else budget
        used = its.used
        tiled = _reverse(boxes, part.count) if mirrored else boxes
        tiling = Tiling(tiled, part.count, limit, width, cost)
        offsets = tiling.find(its)
        if its is narrow:
            budget.spend((its.used - used) // 2)
        if offsets is not None and tiling.reached == part.count:
            part.consider(offsets)
            return True
        if offsets is not None and tiling.reached >= _LEAST_TILED * part.count:
            part.tiled.append((tiling.reached, offsets))
        if budget.is_spent:
            break
    return False


def mend_attempt(part: Part, offsets: list[int], enough: int, share: float) -> Attempt:
    """The repair of offsets at which not all boxes can be, within a share of the
    budget."""

    def attempt(budget: Budget, below: int) -> list[int] | None:
        own = Budget(int(share * (budget.steps - budget.used)))
        mended = mend_plan(offsets, below, enough, _conflicting(part), own)
        budget.spend(own.used)
        return mended

    return attempt


def _conflicting(part: Part) -> ConflictingBuffers:
    return ConflictingBuffers(
        [box.size for box in part.boxes],
        [box.alignment for box in part.boxes],
        [float(box.size * (box.last - box.first)) for box in part.boxes],
        find_conflicts([((box.first, box.last),) for box in part.boxes]),
    )


def sweep_attempts(part: Part, own: Budget, most: int) -> Iterator[Attempt]:
    """Yield the sweeps of a part, until that many steps of their own budget are used, if
    all its boxes have one alignment, to which sizes are rounded up."""
    if len({box.alignment for box in part.boxes}) > 1:
        return
    is_small = len(part.boxes) <= MOST_IN_SWEEPS
    yield from _narrow_sweeps(
        part, own, int(_SHARE_OF_NARROW * most) if is_small else most
    )
    if not is_small:
        return
    boxes = _rounded(part)
    for width, mirrored in product(_SWEEPS, (False, True)):
        if own.used >= most:
            return
        yield _sweep_attempt(part, boxes, width, mirrored, own, most, HORIZON)


def _narrow_sweeps(part: Part, own: Budget, most: int) -> Iterator[Attempt]:
    """Yield the sweeps of a part of which few boxes are live at a time, and fill almost
    all of the memory: few states are enough if each looks far ahead. What is free is
    filled with boxes as well."""
    boxes = _rounded(part)
    sizes = live_size_by_section(boxes, part.count)
    limit = max(sizes)
    if sum(sizes) < _LEAST_DENSITY * limit * part.count:
        return
    live = sum(box.last - box.first for box in boxes) / part.count
    if live > _MOST_LIVE:
        return
    boxes = [*boxes, *fill_up(sizes, limit)]
    live = sum(box.last - box.first for box in boxes) / part.count
    steps = _STEPS_OF_LOOKING + _STEPS_BY_LIVE * live
    affordable = (most - own.used) / (steps * len(boxes))
    if affordable < _LEAST_HORIZON_BY_LIVE * live:
        return
    horizon = int(min(affordable, _HORIZON_BY_LIVE * live)) + 1
    for width, mirrored in product(_NARROW_SWEEPS, (False, True)):
        if own.used >= most:
            return
        yield _sweep_attempt(part, boxes, width, mirrored, own, most, horizon)


def _rounded(part: Part) -> Sequence[Box]:
    return [box._replace(size=round_up(box.size, box.alignment)) for box in part.boxes]


def _sweep_attempt(
    part: Part,
    boxes: Sequence[Box],
    width: int,
    mirrored: bool,
    own: Budget,
    most: int,
    horizon: int,
) -> Attempt:
    """Return the sweep of the boxes of a part, and of others after these."""

    def attempt(budget: Budget, below: int) -> list[int] | None:
        swept = _reverse(boxes, part.count) if mirrored else boxes
        limit = max(live_size_by_section(swept, part.count))
        below = min(below, int(_GROWTH_OF_SWEEPS * limit))
        its = Budget(most - own.used)
        offsets = search_sweep(swept, part.count, limit, width, below, its, horizon)
        own.spend(its.used)
        return None if offsets is None else offsets[: len(part.boxes)]

    return attempt


def _exact_attempt(part: Part, steps: int) -> Attempt:
    def attempt(budget: Budget, below: int) -> list[int] | None:
        own = Budget(min(steps, budget.steps - budget.used))
        offsets, complete = search_exactly(
            Instance(part.boxes, part.count, Manner()), below, own
        )
        budget.spend(own.used)
        if complete:
            part.attempts = iter(())
        return offsets

    return attempt
