"""The plan of a set of buffers: every method in turn, until one meets the lower bound.

    1. First and best fit, by size, area, start, length and conflicts, which supports
       holes in live ranges; unless too many buffers meet.
    2. Placement along a skyline, from the first section on and from the last, in several
       styles.
    3. Beam searches, in the order of time (`sweep`) and from the ground up (`beam`), of
       increasing width.
    4. Exact search, for few buffers.

Before the second step, buffers that fit together exactly are joined, with and without
gaps between them (`joining_ways`). If that leaves fewer, these are placed along a skyline
and by beam searches first; among many buffers, after repair of what is placed. Many
buffers with different alignments are also planned as if they had none.

From the second step on, a live range is treated as one interval, from the first time to
the last; groups of buffers without common live times are planned separately. If there
are holes or different alignments, the intervals are also planned one by one, without
alignments, and the buffers that cannot stay at these offsets are inserted again. All
methods are deterministic, and limited by steps, not by time: a plan is the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, permutations, product
from math import gcd

from xdsl_bufferization.planner.beam import Budget, Instance, Manner, search_beam
from xdsl_bufferization.planner.exact import search_exactly
from xdsl_bufferization.planner.first_fit import (
    count_conflicts,
    find_conflicts,
    fit_in_order,
)
from xdsl_bufferization.planner.joining import Joined
from xdsl_bufferization.planner.joining_ways import join_in_orders, join_in_ways
from xdsl_bufferization.planner.problem import (
    GREATEST,
    Buffer,
    Interval,
    Plan,
    cut_into_sections,
    height_of,
    lower_bound,
    round_up,
)
from xdsl_bufferization.planner.repair import ConflictingBuffers, lower_plan, mend_plan
from xdsl_bufferization.planner.skyline import (
    Box,
    Style,
    live_size_by_section,
    place_along_skyline,
)
from xdsl_bufferization.planner.sweep import search_sweep

DEFAULT_STEPS = 7_000_000
"""The default budget: some 8 seconds, on the machine that it was measured on."""

_FEW_CONFLICTS = 400_000
"""With at most that many pairs that meet, first fit in all orders is fast."""

_MOST_CONFLICTS = 5_000_000
"""With more pairs that meet, first fit and repair take too long and too much memory."""

_MOST_IN_FITS = 4_000_000
"""If many buffers meet, the pairs that meet, times the orders of first fit, are at most
as many."""

_SHARES_OF_BEAMS = (0.5, 0.15)
"""The share of the budget for beam searches before repair, for few buffers and many."""

_SHARE_OF_REPAIR = 0.6
"""The share of the remaining budget for repair; all of it for many buffers."""

_MOST_IN_SKYLINES = 80_000
"""The boxes of a part, times the styles in which they are placed, are at most as many."""

_SHARE_OF_JOINED = 0.75
"""Plans of joined boxes have an additional budget, this share of the given one; a third
of that if there are many buffers."""

_SHARE_OF_SWEEPS = 0.4
"""Of the additional budget for joined boxes, sweeps come first and take at most that
share of the given budget."""

_GROWTH_OF_SWEEPS = 1.06
"""A sweep stops at this ratio to the lower bound."""

_MOST_IN_ALL_ORDERS = 6
"""As few buffers are fitted in all orders."""

_MOST_IN_SWEEPS = 1_000
"""The boxes of a part that is swept."""

_SHARES_OF_JOINED_MANY = (0.5, 0.1)
"""The shares of the given budget, not an additional one, for plans of joined boxes that
are made of many, with the lower and the higher limit for gaps."""

_SHARE_OF_GAPS = 0.1
"""The additional budget of large parts for gaps between joined boxes, a share of the
given one; one of each limit for gaps."""

_SHARE_OF_JOINED_REPAIR = 0.8
"""The share of what is left of these for repair, before further searches."""

_STEPS_OF_TRIAL = 100_000
"""The steps of repair for a plan of boxes that are joined in one of several orders."""

_LEAST_FOR_TRIALS = 1_000_000
"""With a smaller budget for joined boxes, they are joined in one order only."""

_SHARE_OF_TRIALS = 0.35
_MOST_TRIALS_REPAIRED = 4
_SHARE_OF_TRIAL_REPAIR = 0.05
"""Of the additional budget for joined boxes, what such plans take, and what repair of all
boxes takes for each of the best of them."""

_SHARE_OF_RELAXED = 0.5
"""Plans of relaxed buffers have an additional budget, this share of the given one, or
half of it for many buffers."""

_CLOSE = 1.003
"""For many buffers, or a large part, a plan of at most this ratio to the lower bound is
not improved."""

_MOST_FOR_BEAMS = 4_000
"""Parts of more boxes are too large for beam searches."""

_MOST_OF_MIXED_FOR_BEAMS = 600
"""Likewise, if the alignments differ: the boxes are then planned as if they had none."""

_SHARE_FOR_MANY = 0.7
"""The share of the budget for more buffers than `_MOST_FOR_BEAMS`, which take longer to
prepare."""

_STEPS_OF_PLACING = (20, 60)
_MANY_TO_PLACE = 20_000
"""The steps that placing a box along a skyline takes, and those if there are more boxes
than that."""

_MOST_FOR_EXACT = 60


def plan(buffers: Sequence[Buffer], steps: int = DEFAULT_STEPS) -> Plan:
    """Find offsets for buffers such that those that meet do not overlap, and the height
    is low. `steps` limits the search; without any, the fast methods run alone.

    Raises:
        ValueError: if `steps` is negative.
    """
    if steps < 0:
        raise ValueError(f"steps is {steps}, but must not be negative")
    sections = cut_into_sections(buffers)
    bound = lower_bound(buffers, sections)
    budget = Budget(steps)
    sized = [number for number, buffer in enumerate(buffers) if buffer.size]
    best = _Best(
        [buffers[number] for number in sized],
        [sections.ranges[number] for number in sized],
        bound,
    )
    _run_portfolio(best, budget)
    offsets = [0] * len(buffers)
    for number, offset in zip(sized, best.offsets, strict=True):
        offsets[number] = offset
    return Plan(tuple(offsets), best.height, bound, budget.used)


def plan_conflicts(
    sizes: Sequence[int],
    conflicts: Sequence[set[int]],
    alignments: Sequence[int] | None = None,
) -> Plan:
    """Find offsets for buffers. `conflicts` lists for each buffer those that it must not
    overlap. The lower bound is the greatest clique that a greedy search finds."""
    numbers = range(len(sizes))
    aligned = alignments or [1] * len(sizes)
    both_ways = [set(found) for found in conflicts]
    for number in numbers:
        for other in conflicts[number]:
            both_ways[other].add(number)
    bound = 0
    for number in sorted(numbers, key=lambda i: -sizes[i]):
        clique = sizes[number]
        common = both_ways[number] - {number}
        while common:
            other = max(common, key=lambda i: (sizes[i], -i))
            clique += sizes[other]
            common &= both_ways[other]
        bound = max(bound, clique)
    best: tuple[int, list[int]] | None = None
    weights = [sum(sizes[i] for i in both_ways[number]) for number in numbers]
    orders: list[Callable[[int], tuple[int, ...]]] = [
        lambda i: (-sizes[i], -weights[i]),
        lambda i: (-weights[i], -sizes[i]),
        lambda i: (-sizes[i] * (len(both_ways[i]) + 1),),
        lambda i: (-len(both_ways[i]), -sizes[i]),
    ]
    for key, smallest_gap in product(orders, (False, True)):
        offsets = fit_in_order(
            sorted(numbers, key=key), sizes, aligned, both_ways, smallest_gap=smallest_gap
        )
        height = max(map(int.__add__, offsets, sizes), default=0)
        if best is None or height < best[0]:
            best = height, offsets
        if height == bound:
            break
    assert best is not None
    return Plan(tuple(best[1]), best[0], bound, 0)


@dataclass
class _Best:
    """The buffers, and the lowest plan of them so far."""

    buffers: Sequence[Buffer]
    ranges: Sequence[Sequence[Interval]]
    bound: int
    offsets: list[int] = field(default_factory=list[int])
    height: int = -1

    @property
    def is_optimal(self) -> bool:
        return 0 <= self.height <= self.bound

    def consider(self, offsets: list[int]) -> None:
        height = height_of(self.buffers, offsets)
        if self.height < 0 or height < self.height:
            self.offsets, self.height = offsets, height


def _run_portfolio(best: _Best, budget: Budget) -> None:
    pairs = count_conflicts(best.ranges)
    fits = None
    if pairs <= _FEW_CONFLICTS:
        fits = _Fits(best)
        fits.run()
    if best.is_optimal:
        return
    if fits is not None and len(best.buffers) <= _MOST_IN_ALL_ORDERS:
        fits.run_all_orders()
        return
    are_mixed = len({buffer.alignment for buffer in best.buffers}) > 1
    most = _MOST_OF_MIXED_FOR_BEAMS if are_mixed else _MOST_FOR_BEAMS
    can_repair = pairs <= _MOST_CONFLICTS
    if len(best.buffers) > _MOST_FOR_BEAMS:
        budget.steps = int(_SHARE_FOR_MANY * budget.steps)
    parts = _Parts(best, budget, can_repair=can_repair, most_for_beams=most)
    best.consider(parts.offsets())
    if can_repair and best.height > parts.enough:
        if fits is None:
            fits = _Fits(best)
            fits.run(max(1, _MOST_IN_FITS // pairs))
            budget.spend(pairs // 2)
        if parts.are_large and are_mixed:
            fits.align(budget, most)
        if fits.have_holes or (are_mixed and not parts.are_large):
            share = _SHARE_OF_RELAXED / 2 if parts.are_large else _SHARE_OF_RELAXED
            fits.relax(parts.enough, Budget(int(share * budget.steps)), most)
        if not parts.are_large:
            share = _SHARES_OF_BEAMS[parts.are_many]
            _improve(best, parts, budget, int(share * budget.steps))
        share = 1.0 if parts.are_many or parts.are_large else _SHARE_OF_REPAIR
        own = Budget(int(share * (budget.steps - budget.used)))
        fits.repair(parts.enough, own)
        budget.spend(own.used)
    _improve(best, parts, budget, budget.steps)
    budget.spend(parts.joined_budget.used)


def _improve(best: _Best, parts: _Parts, budget: Budget, steps: int) -> None:
    """Improve the parts until as many steps are used."""
    least = max(parts.enough, parts.floor)
    while parts.open and best.height > least and budget.used < steps:
        parts.improve(budget)
        best.consider(parts.offsets())


class _Fits:
    """What works with conflicts: first and best fit in several orders, and repair."""

    def __init__(self, best: _Best):
        self.best = best
        self.conflicts = find_conflicts(best.ranges)
        self.sizes = [buffer.size for buffer in best.buffers]
        self.alignments = [buffer.alignment for buffer in best.buffers]
        self.lengths = [
            sum(last - first for first, last in ranges) for ranges in best.ranges
        ]
        areas = [
            float(size * length)
            for size, length in zip(self.sizes, self.lengths, strict=True)
        ]
        self.conflicting = ConflictingBuffers(
            self.sizes, self.alignments, areas, self.conflicts
        )

    def run(self, most: int | None = None) -> None:
        """Fit the buffers in all orders, or in a few that are good for many buffers."""
        best, sizes, lengths, conflicts = (
            self.best,
            self.sizes,
            self.lengths,
            self.conflicts,
        )
        first = [ranges[0][0] for ranges in best.ranges]
        last = [ranges[-1][1] for ranges in best.ranges]
        # Sizes of as many bits are about equal. First fit by start is optimal for equal
        # ones.
        by_bits: list[Callable[[int], tuple[int, ...]]] = [
            lambda i: (-sizes[i].bit_length(), first[i], -lengths[i]),
            lambda i: (-sizes[i].bit_length(), -last[i], -lengths[i]),
        ]
        keys: list[Callable[[int], tuple[int, ...]]] = [
            lambda i: (-sizes[i], first[i]),
            lambda i: (-sizes[i] * lengths[i], first[i]),
            lambda i: (first[i], -sizes[i]),
            lambda i: (-len(conflicts[i]), -sizes[i]),
            lambda i: (-lengths[i], -sizes[i]),
        ]
        orders = product((*keys, *by_bits), (False, True))
        if most is not None:
            orders = ((key, False) for key in (*by_bits, *keys)[:most])
        for key, smallest_gap in orders:
            order = sorted(range(len(sizes)), key=key)
            offsets = fit_in_order(
                order, sizes, self.alignments, conflicts, smallest_gap=smallest_gap
            )
            best.consider(offsets)
            if best.is_optimal:
                return

    def run_all_orders(self) -> None:
        """Fit the buffers in all orders. First fit in the order of the offsets of a plan
        does not raise any of them, so one of the plans is optimal."""
        for order in permutations(range(len(self.sizes))):
            self.best.consider(
                fit_in_order(
                    order, self.sizes, self.alignments, self.conflicts, smallest_gap=False
                )
            )

    def align(self, budget: Budget, most_for_beams: int) -> None:
        """Plan the buffers as if they needed no alignment, so that more of them fit
        together exactly. Then fit them in the order of these offsets."""
        best = self.best
        buffers = [Buffer(buffer.size, buffer.lifetime) for buffer in best.buffers]
        free = _Best(buffers, best.ranges, best.bound)
        parts = _Parts(free, budget, can_repair=True, most_for_beams=most_for_beams)
        offsets = parts.offsets()
        order = sorted(range(len(offsets)), key=offsets.__getitem__)
        best.consider(
            fit_in_order(
                order, self.sizes, self.alignments, self.conflicts, smallest_gap=False
            )
        )

    @property
    def have_holes(self) -> bool:
        return any(len(ranges) > 1 for ranges in self.best.ranges)

    def relax(self, enough: int, budget: Budget, most_for_beams: int) -> None:
        """Plan each interval of a live range as a buffer of its own, and without
        alignment, so that more of them fit together exactly. Then mend that plan."""
        best = self.best
        owners = [
            (number, interval)
            for number, ranges in enumerate(best.ranges)
            for interval in ranges
        ]
        ranges = [[interval] for _, interval in owners]
        # Rounded up to what divides all alignments, a size takes no more memory.
        common = gcd(*self.alignments)
        sizes = [min(round_up(size, common), GREATEST) for size in self.sizes]
        buffers = [Buffer(sizes[number], (each,)) for number, each in owners]
        bound = lower_bound(buffers, cut_into_sections(buffers))
        free = _Best(buffers, ranges, bound)
        parts = _Parts(free, budget, can_repair=True, most_for_beams=most_for_beams)
        free.consider(parts.offsets())
        _improve(free, parts, budget, budget.steps // 2)
        longest = [0] * len(self.sizes)
        offsets = [0] * len(self.sizes)
        for (number, (first, last)), offset in zip(owners, free.offsets, strict=True):
            if last - first > longest[number]:
                longest[number] = last - first
                offsets[number] = round_up(offset, self.alignments[number])
        mended = mend_plan(offsets, best.height, enough, self.conflicting, budget)
        if mended is not None:
            best.consider(mended)

    def repair(self, enough: int, budget: Budget) -> None:
        """Lower the best plan."""
        self.best.consider(
            lower_plan(self.best.offsets, enough, self.conflicting, budget)
        )


# Skylines.


_Attempt = Callable[[Budget, int], list[int] | None]
"""A search for offsets lower than a height."""


@dataclass
class _Part:
    """Buffers that do not live at the same time as any others, and their best plan."""

    numbers: list[int]
    boxes: Sequence[Box]
    count: int
    most_for_beams: int = _MOST_FOR_BEAMS
    offsets: list[int] = field(default_factory=list[int])
    height: int = 0
    is_joined: bool = False
    """Whether this plan is one of joined boxes."""
    attempts: Iterator[_Attempt] = field(default_factory=lambda: iter(()))

    @property
    def is_large(self) -> bool:
        """Whether it is too large for beams."""
        return len(self.boxes) > self.most_for_beams

    def consider(self, offsets: list[int]) -> None:
        height = _top(self.boxes, offsets)
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


class _Parts:
    """All parts. Only the highest one is improved, because it decides the height."""

    def __init__(
        self, best: _Best, budget: Budget, *, can_repair: bool, most_for_beams: int
    ):
        self.buffers = best.buffers
        self.most_for_beams = most_for_beams
        self.bound = best.bound
        self.can_repair = can_repair
        self.are_many = len(best.buffers) > _MOST_FOR_BEAMS
        of_joined = _SHARE_OF_JOINED
        if self.are_many:
            of_joined /= 3
        self.joined_budget = Budget(int(of_joined * budget.steps))
        self.steps_of_sweeps = int(_SHARE_OF_SWEEPS * budget.steps)
        self.parts = [
            self._start(numbers, best, budget) for numbers in _separate(best.ranges)
        ]
        self.open = True

    def _start(self, numbers: list[int], best: _Best, budget: Budget) -> _Part:
        base = min(best.ranges[number][0][0] for number in numbers)
        count = max(best.ranges[number][-1][1] for number in numbers) - base
        boxes = [
            Box(
                best.ranges[number][0][0] - base,
                best.ranges[number][-1][1] - base,
                self.buffers[number].size,
                self.buffers[number].alignment,
            )
            for number in numbers
        ]
        part = _Part(numbers, boxes, count, self.most_for_beams)
        part.attempts = _attempts(part)
        large = part.is_large
        enough = int(_CLOSE * self.bound) if large else self.bound
        share = _SHARE_OF_GAPS * len(boxes) / len(self.buffers)
        steps = int(share * budget.steps) if large else None
        options = join_in_ways(boxes, count, self.bound, enough, steps)
        if large:
            self._improve_joined(part, options, enough, budget)
        else:
            started = [
                (its, self._start_joined(part, joined, its, enough))
                for joined in options
                for its in [Budget(0)]
            ]
            joined = self._joined_options(started)
            if not self.are_many:
                own, most = self.joined_budget, self.steps_of_sweeps
                sweeps = _sweep_attempts(part, own, most)
                joined = chain(sweeps, self._trial_attempts(part, started), joined)
            part.attempts = chain(joined, part.attempts)
        if not part.offsets or part.height > enough:
            self._place_in_styles(part, budget)
        return part

    @property
    def floor(self) -> int:
        """A lower bound of the plans of the parts: without holes, more may be live."""
        return max(
            max(live_size_by_section(part.boxes, part.count)) for part in self.parts
        )

    @property
    def are_large(self) -> bool:
        """Whether a part is too large for beams."""
        return any(part.is_large for part in self.parts)

    @property
    def enough(self) -> int:
        """The height that is low enough."""
        is_close_enough = self.are_large or self.are_many
        return int(_CLOSE * self.bound) if is_close_enough else self.bound

    def _improve_joined(
        self, part: _Part, options: Sequence[Joined], enough: int, budget: Budget
    ) -> None:
        """Plan the joined boxes of a large part, which takes less time than planning all
        boxes, within the shares of the budget that the part has by its size; unless all
        boxes, placed once, are lower than the joined ones."""
        direct: list[int] = []
        for joined, share in zip(options, _SHARES_OF_JOINED_MANY, strict=False):
            of_part = share * len(part.boxes) / len(self.buffers)
            own = Budget(int(of_part * budget.steps))
            attempts = self._start_joined(part, joined, own, enough)
            if not direct and part.height > enough:
                direct = _place(part, _STYLES[0], mirrored=False)
                part.consider(direct)
            if part.offsets is direct:
                budget.spend(own.used)
                continue
            part.is_joined = True
            for attempt in attempts:
                offsets = attempt(own, part.height)
                if offsets is not None:
                    part.consider(offsets)
                if part.height <= enough:
                    break
            budget.spend(own.used)
            if part.height <= enough:
                break

    def _joined_options(
        self, started: Sequence[tuple[Budget, Iterator[_Attempt]]]
    ) -> Iterator[_Attempt]:
        """Yield the searches of the joined boxes of a small part, which have a budget for
        each option: an equal share of what is left when it begins. If there are many
        buffers, half of the budget is left for other parts."""
        own = self.joined_budget
        reserve = (own.steps - own.used) // 2 if self.are_many else 0
        for number, (its, attempts) in enumerate(started):
            left = own.steps - own.used - reserve
            its.steps = left // (len(started) - number)
            yield from attempts
            own.spend(its.used)

    def _start_joined(
        self, part: _Part, joined: Joined, own: Budget, enough: int
    ) -> Iterator[_Attempt]:
        """Place the joined boxes. Return their searches, within a budget of their own.
        Repair comes first if there are many buffers."""
        few = self._place_joined(joined, own)
        part.consider(joined.expand(few.offsets))
        few.attempts = chain(_sharp_attempts(few), _attempts(few))
        if self.are_many:
            repair = _repair_attempt(few, enough, _SHARE_OF_JOINED_REPAIR)
            few.attempts = chain((repair,), few.attempts)
        return self._joined_attempts(few, joined, own)

    def _place_joined(self, joined: Joined, own: Budget) -> _Part:
        """Place joined boxes along a skyline: a part of its own."""
        few = _Part(list(range(len(joined.boxes))), *_cut_boxes(joined.boxes))
        self._place_in_styles(few, own)
        return few

    def _repair_of(self, part: _Part, offsets: list[int]) -> _Attempt:
        """The repair of a plan of a part that is not its best."""
        start = replace(part, offsets=offsets)

        def attempt(budget: Budget, below: int) -> list[int]:
            its = Budget(int(_SHARE_OF_TRIAL_REPAIR * self.joined_budget.steps))
            found = _repair_boxes(start, self.bound, its)
            self.joined_budget.spend(its.used)
            return found

        return attempt

    def _trial_attempts(
        self, part: _Part, started: list[tuple[Budget, Iterator[_Attempt]]]
    ) -> Iterator[_Attempt]:
        """Yield plans of what is joined in several orders, each placed and repaired for a
        short time. The best of them is searched next: it is put in front of `started`."""
        own = self.joined_budget
        trials: list[tuple[_Part, Joined]] = []

        def attempt_with(joined: Joined) -> _Attempt:
            def attempt(budget: Budget, below: int) -> list[int]:
                its = Budget(min(_STEPS_OF_TRIAL, int(_SHARE_OF_TRIALS * own.steps)))
                few = self._place_joined(joined, its)
                few.consider(_repair_boxes(few, self.bound, its))
                its.spend(_steps_of_placing(len(part.boxes)))
                own.spend(its.used)
                trials.append((few, joined))
                return joined.expand(few.offsets)

            return attempt

        if (
            started
            and len(part.boxes) <= _MOST_IN_SWEEPS
            and own.steps >= _LEAST_FOR_TRIALS
        ):
            most = own.used + int(_SHARE_OF_TRIALS * own.steps)
            most -= _steps_of_placing(len(part.boxes))
            for joined in join_in_orders(part.boxes, part.count, self.bound):
                if own.used >= most:
                    break
                yield attempt_with(joined)
        trials.sort(key=lambda trial: trial[0].height)
        for few, joined in trials[:_MOST_TRIALS_REPAIRED]:
            yield self._repair_of(part, joined.expand(few.offsets))
        if trials:
            few, joined = trials[0]
            few.attempts = chain(_sharp_attempts(few), _attempts(few))
            its = Budget(0)
            started.insert(0, (its, self._joined_attempts(few, joined, its)))

    def _joined_attempts(
        self, few: _Part, joined: Joined, own: Budget
    ) -> Iterator[_Attempt]:
        left = True

        def attempt(budget: Budget, below: int) -> list[int] | None:
            nonlocal left
            before = few.height
            left = few.improve(own)
            return joined.expand(few.offsets) if few.height < before else None

        while left and few.height > self.bound and not own.is_spent:
            yield attempt

    def _place_in_styles(self, part: _Part, budget: Budget) -> None:
        """Place the boxes along a skyline, in as many styles as their number allows."""
        number = len(part.boxes)
        runs = max(2, _MOST_IN_SKYLINES // number)
        styles = _STYLES
        if part.is_large:
            styles = (*_MORE_STYLES[:2], *_STYLES, *_MORE_STYLES[2:])
            if self.can_repair and part.is_joined:
                runs = 1
            elif self.can_repair and part.offsets:
                styles, runs = _STYLES_OF_TIGHT, 2 * len(_STYLES_OF_TIGHT)
            elif self.can_repair:
                runs = 2
        for style, mirrored in islice(product(styles, (False, True)), runs):
            part.consider(_place(part, style, mirrored))
            if part.height <= self.bound:
                break
            if part.is_large:
                budget.spend(_steps_of_placing(number))
                if budget.is_spent and style is not styles[0]:
                    break

    def improve(self, budget: Budget) -> None:
        """Make one attempt on the highest part."""
        highest = max(self.parts, key=lambda part: part.height)
        if highest.height <= self.enough or not highest.improve(budget):
            self.open = False

    def offsets(self) -> list[int]:
        result = [0] * len(self.buffers)
        for part in self.parts:
            for number, offset in zip(part.numbers, part.offsets, strict=True):
                result[number] = offset
        return result


_STYLES = (Style(0.1), Style(0.5), Style(0.0), Style(0.1, 8, 16))
_MORE_STYLES = (
    *(Style(3.0, 16, 64, 1.0), Style(1.0, 16, 64, 1.0), Style(0.3, 8, 16, 0.3)),
    *(Style(3.0, 64, 64, 0.3), Style(1.0, 64, 64, 0.3), Style(3.0, 8, 16, 2.0)),
)
"""For parts that are too large for beams."""
_STYLES_OF_TIGHT = (
    _STYLES[0],
    _STYLES[3],
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

_SMOOTHNESS = (0.1, 0.03, 0.3)
_ORDERS = ("width", "area", "size")


def _top(boxes: Sequence[Box], offsets: Sequence[int]) -> int:
    return max((o + box.size for o, box in zip(offsets, boxes, strict=True)), default=0)


def _mirror(part: _Part, mirrored: bool) -> Sequence[Box]:
    """Return the boxes, with time reversed if `mirrored`."""
    if not mirrored:
        return part.boxes
    return [
        Box(part.count - box.last, part.count - box.first, box.size, box.alignment)
        for box in part.boxes
    ]


def _place(part: _Part, style: Style, mirrored: bool) -> list[int]:
    boxes = _mirror(part, mirrored)
    return place_along_skyline(boxes, part.count, style)


def _steps_of_placing(number: int) -> int:
    return number * _STEPS_OF_PLACING[number > _MANY_TO_PLACE]


def _cut_boxes(boxes: Sequence[Box]) -> tuple[Sequence[Box], int]:
    """Cut time into the sections of these boxes alone. Return the boxes in the new
    sections, and the number of sections."""
    buffers = [Buffer(box.size, ((box.first, box.last),)) for box in boxes]
    sections = cut_into_sections(buffers)
    cut = [
        Box(*ranges[0], box.size, box.alignment)
        for box, ranges in zip(boxes, sections.ranges, strict=True)
    ]
    return cut, sections.count


def _attempts(part: _Part) -> Iterator[_Attempt]:
    """Yield the searches of a part, cheap ones first."""
    number = len(part.boxes)
    if part.is_large:
        yield from _sharp_attempts(part)
        return
    if number <= _MOST_FOR_EXACT:
        yield _exact_attempt(part, 30_000)
    for width, sharpness in _BEAMS:
        for smoothness, order, mirrored in product(_SMOOTHNESS, _ORDERS, (False, True)):
            manner = Manner(smoothness, sharpness, order)
            yield _beam_attempt(part, manner, width, mirrored)
    yield _exact_attempt(part, 1 << 60)


def _sharp_attempts(part: _Part) -> Iterator[_Attempt]:
    for style, mirrored in product(_SHARP_STYLES, (False, True)):
        yield _placement_attempt(part, style, mirrored)


def _placement_attempt(part: _Part, style: Style, mirrored: bool) -> _Attempt:
    def attempt(budget: Budget, below: int) -> list[int]:
        budget.spend(_steps_of_placing(len(part.boxes)))
        return _place(part, style, mirrored)

    return attempt


def _repair_boxes(part: _Part, enough: int, budget: Budget) -> list[int]:
    """Repair the best plan of a part, unless too many boxes meet. It takes less time for
    joined boxes than for all, because fewer meet, and moves what fits together at
    once."""
    ranges = [((box.first, box.last),) for box in part.boxes]
    if count_conflicts(ranges) > _MOST_CONFLICTS:
        return part.offsets
    boxes = ConflictingBuffers(
        [box.size for box in part.boxes],
        [box.alignment for box in part.boxes],
        [float(box.size * (box.last - box.first)) for box in part.boxes],
        find_conflicts(ranges),
    )
    return lower_plan(part.offsets, enough, boxes, budget)


def _repair_attempt(part: _Part, enough: int, share: float) -> _Attempt:
    """The repair of the best plan of a part, within a share of the budget."""

    def attempt(budget: Budget, below: int) -> list[int]:
        own = Budget(int(share * (budget.steps - budget.used)))
        offsets = _repair_boxes(part, enough, own)
        budget.spend(own.used)
        return offsets

    return attempt


def _beam_attempt(part: _Part, manner: Manner, width: int, mirrored: bool) -> _Attempt:
    def attempt(budget: Budget, below: int) -> list[int] | None:
        instance = Instance(_mirror(part, mirrored), part.count, manner)
        return search_beam(instance, width, below, budget)

    return attempt


def _sweep_attempts(part: _Part, own: Budget, most: int) -> Iterator[_Attempt]:
    """Yield the sweeps of a part, until that many steps of their own budget are used, if
    all its boxes have one alignment, to which sizes are rounded up."""
    if len({box.alignment for box in part.boxes}) > 1:
        return
    if len(part.boxes) > _MOST_IN_SWEEPS:
        return
    for width, mirrored in product(_SWEEPS, (False, True)):
        if own.used >= most:
            return
        yield _sweep_attempt(part, width, mirrored, own, most)


def _sweep_attempt(
    part: _Part, width: int, mirrored: bool, own: Budget, most: int
) -> _Attempt:
    def attempt(budget: Budget, below: int) -> list[int] | None:
        boxes = [
            replace(box, size=round_up(box.size, box.alignment))
            for box in _mirror(part, mirrored)
        ]
        limit = max(live_size_by_section(boxes, part.count))
        below = min(below, int(_GROWTH_OF_SWEEPS * limit))
        its = Budget(most - own.used)
        offsets = search_sweep(boxes, part.count, limit, width, below, its)
        own.spend(its.used)
        return offsets

    return attempt


def _exact_attempt(part: _Part, steps: int) -> _Attempt:
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


def _separate(ranges: Sequence[Sequence[Interval]]) -> list[list[int]]:
    """Group buffers such that buffers of different groups are never live together."""
    order = sorted(range(len(ranges)), key=lambda number: ranges[number][0][0])
    groups: list[list[int]] = []
    end = -1
    for number in order:
        if ranges[number][0][0] >= end:
            groups.append([])
        groups[-1].append(number)
        end = max(end, ranges[number][-1][1])
    return groups
