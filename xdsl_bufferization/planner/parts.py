"""The parts of a plan: groups of buffers that never live at the same time.

Parts are planned separately, with one interval for each live range. In each, buffers that
fit together exactly are joined, with and without gaps between them (`joining_ways`). If
that leaves fewer, these are planned first; among many buffers, after repair of what is
placed. Then only the highest part is improved, because it decides the height.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product

from xdsl_bufferization.planner.attempts import (
    MOST_FOR_BEAMS,
    MOST_IN_SWEEPS,
    STYLES,
    STYLES_OF_LARGE,
    STYLES_OF_TIGHT,
    Attempt,
    Part,
    attempts_of,
    cut_boxes,
    mend_attempt,
    place,
    repair_attempt,
    repair_boxes,
    sharp_attempts,
    steps_of_placing,
    sweep_attempts,
    tile,
    top_of,
)
from xdsl_bufferization.planner.beam import Budget
from xdsl_bufferization.planner.joining import Joined
from xdsl_bufferization.planner.joining_ways import join_in_orders, join_in_ways
from xdsl_bufferization.planner.problem import (
    Buffer,
    Interval,
    height_of,
)
from xdsl_bufferization.planner.skyline import (
    Box,
    Style,
    live_size_by_section,
)

_MOST_IN_SKYLINES = 80_000
"""The boxes of a part, times the styles in which they are placed, are at most as many."""

_LEAST_STYLES = 2
_LEAST_OF_LARGE = 4
"""Boxes are placed in so many styles, however small the budget is, and a large part of
which nothing fits together in so many if its plan cannot be repaired."""

_SHARE_OF_TILINGS = 0.4
"""Plans without slack have an additional budget, this share of the given one. Half of
what they take is part of the given budget."""

_MOST_TILED = 2
_SHARE_OF_TILED = 0.25
"""So many unfinished ones are repaired, each with this share of the budget."""

_SHARE_OF_JOINED = 0.75
"""Plans of joined boxes have an additional budget, this share of the given one; a third
of that if there are many buffers."""

_SHARE_OF_SWEEPS = 0.4
"""Of the additional budget for joined boxes, sweeps come first and take at most that
share of the given budget."""

_SHARE_OF_NARROW_SWEEPS = 1.2
_SLACK_OF_SWEEPS = 1.02
"""A large part is swept if placement along a skyline comes to more than this ratio to the
lower bound. Sweeps have an additional budget, that share of the given one."""

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

_CLOSE = 1.003
"""For many buffers, or a large part, a plan of at most this ratio to the lower bound is
not improved."""


@dataclass
class Best:
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


class Parts:
    """All parts. Only the highest one is improved, because it decides the height.

    Attributes:
        without_slack: whether a plan without slack is searched first.
    """

    def __init__(
        self,
        best: Best,
        budget: Budget,
        *,
        can_repair: bool,
        most_for_beams: int,
        without_slack: bool = True,
    ):
        self.buffers = best.buffers
        self.most_for_beams = most_for_beams
        self.bound = best.bound
        self.can_repair = can_repair
        self.without_slack = without_slack
        self.are_many = len(best.buffers) > MOST_FOR_BEAMS
        of_joined = _SHARE_OF_JOINED
        if self.are_many:
            of_joined /= 3
        self.joined_budget = Budget(int(of_joined * budget.steps))
        self.steps_of_sweeps = int(_SHARE_OF_SWEEPS * budget.steps)
        self.parts = [
            self._start(numbers, best, budget) for numbers in _separate(best.ranges)
        ]
        self.open = True

    def _start(self, numbers: list[int], best: Best, budget: Budget) -> Part:
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
        part = Part(numbers, boxes, count, self.most_for_beams)
        part.attempts = attempts_of(part)
        large = part.is_large
        if self.without_slack:
            share = _SHARE_OF_TILINGS * len(boxes) / len(self.buffers)
            own = Budget(int(share * budget.steps))
            is_tiled = tile(part, self.bound, own)
            budget.spend(own.used // 2)
            if is_tiled:
                part.attempts = iter(())
                return part
        enough = int(_CLOSE * self.bound) if large else self.bound
        share = _SHARE_OF_GAPS * len(boxes) / len(self.buffers)
        steps = int(share * budget.steps) if large else None
        options = join_in_ways(boxes, count, self.bound, enough, steps)
        if large:
            self._sweep(part, budget)
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
                sweeps = sweep_attempts(part, own, most)
                joined = chain(sweeps, self._trial_attempts(part, started), joined)
            mended = [
                mend_attempt(part, offsets, self.bound, _SHARE_OF_TILED)
                for _, offsets in sorted(part.tiled, reverse=True)[:_MOST_TILED]
            ]
            part.attempts = chain(mended, joined, part.attempts)
        if not part.offsets or part.height > enough:
            alone = large and not options and not self.can_repair
            least = _LEAST_OF_LARGE if alone else _LEAST_STYLES
            self._place_in_styles(part, budget, least)
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
        self, part: Part, options: Sequence[Joined], enough: int, budget: Budget
    ) -> None:
        """Plan the joined boxes of a large part, which takes less time than planning all
        boxes: those first that are placed lowest, within the shares of the budget that
        the part has by its size. If all boxes, placed once, are lower than the joined
        ones, these are not planned."""
        placed: list[tuple[int, int, Part, Joined]] = []
        for joined in options:
            few = self._place_joined(joined, budget)
            placed.append((few.height, len(placed), few, joined))
            part.consider(joined.expand(few.offsets))
        if part.offsets and part.height > enough:
            direct = place(part, STYLES[0], mirrored=False)
            part.consider(direct)
            if part.offsets is direct:
                return
        for (_, _, few, joined), share in zip(
            sorted(placed), _SHARES_OF_JOINED_MANY, strict=False
        ):
            part.is_joined = True
            if part.height <= enough:
                break
            of_part = share * len(part.boxes) / len(self.buffers)
            own = Budget(int(of_part * budget.steps))
            for attempt in self._search_joined(few, joined, own, enough):
                offsets = attempt(own, part.height)
                if offsets is not None:
                    part.consider(offsets)
                if part.height <= enough:
                    break
            budget.spend(own.used)

    def _sweep(self, part: Part, budget: Budget) -> None:
        """Sweep a large part, with a budget for its size. Half of what it takes is part
        of the given budget."""
        share = _SHARE_OF_NARROW_SWEEPS * len(part.boxes) / len(self.buffers)
        own = Budget(0)
        height: int | None = None
        for attempt in sweep_attempts(part, own, int(share * budget.steps)):
            if height is None:
                height = top_of(part.boxes, place(part, STYLES[0], mirrored=False))
            if height <= _SLACK_OF_SWEEPS * self.bound:
                break
            offsets = attempt(own, height)
            if offsets is not None:
                part.consider(offsets)
                height = part.height
        budget.spend(own.used // 2)

    def _joined_options(
        self, started: Sequence[tuple[Budget, Iterator[Attempt]]]
    ) -> Iterator[Attempt]:
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
        self, part: Part, joined: Joined, own: Budget, enough: int
    ) -> Iterator[Attempt]:
        """Place the joined boxes. Return their searches, within a budget of their own."""
        few = self._place_joined(joined, own)
        part.consider(joined.expand(few.offsets))
        return self._search_joined(few, joined, own, enough)

    def _search_joined(
        self, few: Part, joined: Joined, own: Budget, enough: int
    ) -> Iterator[Attempt]:
        """Return the searches of joined boxes that have been placed, within a budget of
        their own. Repair comes first if there are many buffers."""
        few.attempts = chain(sharp_attempts(few), attempts_of(few))
        if self.are_many:
            repair = repair_attempt(few, enough, _SHARE_OF_JOINED_REPAIR)
            few.attempts = chain((repair,), few.attempts)
        return self._joined_attempts(few, joined, own)

    def _place_joined(self, joined: Joined, own: Budget) -> Part:
        """Place joined boxes along a skyline: a part of its own."""
        few = Part(list(range(len(joined.boxes))), *cut_boxes(joined.boxes))
        self._place_in_styles(few, own)
        return few

    def _repair_of(self, part: Part, offsets: list[int]) -> Attempt:
        """The repair of a plan of a part that is not its best."""
        start = replace(part, offsets=offsets)

        def attempt(budget: Budget, below: int) -> list[int]:
            its = Budget(int(_SHARE_OF_TRIAL_REPAIR * self.joined_budget.steps))
            found = repair_boxes(start, self.bound, its)
            self.joined_budget.spend(its.used)
            return found

        return attempt

    def _trial_attempts(
        self, part: Part, started: list[tuple[Budget, Iterator[Attempt]]]
    ) -> Iterator[Attempt]:
        """Yield plans of what is joined in several orders, each placed and repaired for a
        short time. The best of them is searched next: it is put in front of `started`."""
        own = self.joined_budget
        trials: list[tuple[Part, Joined]] = []

        def attempt_with(joined: Joined) -> Attempt:
            def attempt(budget: Budget, below: int) -> list[int]:
                its = Budget(min(_STEPS_OF_TRIAL, int(_SHARE_OF_TRIALS * own.steps)))
                few = self._place_joined(joined, its)
                few.consider(repair_boxes(few, self.bound, its))
                its.spend(steps_of_placing(part))
                own.spend(its.used)
                trials.append((few, joined))
                return joined.expand(few.offsets)

            return attempt

        if (
            started
            and len(part.boxes) <= MOST_IN_SWEEPS
            and own.steps >= _LEAST_FOR_TRIALS
        ):
            most = own.used + int(_SHARE_OF_TRIALS * own.steps)
            most -= steps_of_placing(part)
            for joined in join_in_orders(part.boxes, part.count, self.bound):
                if own.used >= most:
                    break
                yield attempt_with(joined)
        trials.sort(key=lambda trial: trial[0].height)
        for few, joined in trials[:_MOST_TRIALS_REPAIRED]:
            yield self._repair_of(part, joined.expand(few.offsets))
        if trials:
            few, joined = trials[0]
            few.attempts = chain(sharp_attempts(few), attempts_of(few))
            its = Budget(0)
            started.insert(0, (its, self._joined_attempts(few, joined, its)))

    def _joined_attempts(
        self, few: Part, joined: Joined, own: Budget
    ) -> Iterator[Attempt]:
        left = True

        def attempt(budget: Budget, below: int) -> list[int] | None:
            nonlocal left
            before = few.height
            left = few.improve(own)
            return joined.expand(few.offsets) if few.height < before else None

        while left and few.height > self.bound and not own.is_spent:
            yield attempt

    def _place_in_styles(
        self, part: Part, budget: Budget, least: int = _LEAST_STYLES
    ) -> None:
        """Place the boxes along a skyline, in as many styles as their number allows."""
        runs = max(least, _MOST_IN_SKYLINES // len(part.boxes))
        styles: Iterable[tuple[Style, bool]] = product(STYLES, (False, True))
        if part.is_large and self.can_repair and part.is_joined:
            styles, runs = STYLES_OF_LARGE, 1
        elif part.is_large and self.can_repair and part.offsets:
            styles = product(STYLES_OF_TIGHT, (False, True))
            runs = 2 * len(STYLES_OF_TIGHT)
        elif part.is_large and self.can_repair:
            styles, runs = STYLES_OF_LARGE, 2
        elif part.is_large:
            styles = STYLES_OF_LARGE
        for run, (style, mirrored) in enumerate(islice(styles, runs), start=1):
            part.consider(place(part, style, mirrored))
            if part.height <= self.bound:
                break
            if part.is_large:
                budget.spend(steps_of_placing(part))
                if budget.is_spent and run >= least:
                    break

    @property
    def _highest(self) -> Part:
        return max(self.parts, key=lambda part: part.height)

    def improve(self, budget: Budget) -> None:
        """Make one attempt on the highest part."""
        if self._highest.height <= self.enough or not self._highest.improve(budget):
            self.open = False

    def improve_small(self, own: Budget) -> None:
        """Where there are large parts, improve small ones as long as these are higher,
        within a budget of their own: they take little of the given one by their size."""
        while (
            self.are_large
            and not own.is_spent
            and not self._highest.is_large
            and self._highest.height > self.enough
            and self._highest.improve(own)
        ):
            pass

    def offsets(self) -> list[int]:
        result = [0] * len(self.buffers)
        for part in self.parts:
            for number, offset in zip(part.numbers, part.offsets, strict=True):
                result[number] = offset
        return result


def improve_parts(best: Best, parts: Parts, budget: Budget, steps: int) -> None:
    """Improve the parts until as many steps are used."""
    least = max(parts.enough, parts.floor)
    while parts.open and best.height > least and budget.used < steps:
        parts.improve(budget)
        best.consider(parts.offsets())


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
