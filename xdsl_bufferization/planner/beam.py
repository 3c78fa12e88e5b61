"""Beam search for a low plan: several skylines in parallel, keeping the best ones.

A state is a set of placed boxes, the skyline above them, and for each section its
*potential*: the height of the skyline plus the sizes of all boxes that are still to be
placed there, which is a lower bound for the plan. Only waste increases potential. A
state branches into the boxes that may come next, as in `skyline`: the leftmost ones on
the ground of the lowest valley. After each placement, valleys are filled as far as no
remaining box fits, so that waste counts as soon as it is certain.

States with equally many boxes are compared by the sum over all sections of
exp(sharpness * potential / bound), and by the steps of the skyline. The exponential
tolerates waste where little is live, and penalizes it where much is.

The same branching without the limit on the number of states, depth first, is an exact
search (see `exact`). The order of placements is that of MiniMalloc's canonical solutions
(Moffitt, MiniMalloc, ASPLOS 2023): from the ground up, every buffer at the lowest offset
that the buffers before it leave. Pruning uses potentials, MiniMalloc's section
inference. The rule that one of the leftmost candidates comes first is this package's
addition: it excludes permutations of boxes on the same ground.

A set of boxes is an integer with one bit per box: a few integer operations find the
boxes in a valley.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp
from typing import NamedTuple

from xdsl_bufferization.planner.problem import Interval, round_up
from xdsl_bufferization.planner.skyline import FAR, Box, growth_of, live_size_by_section


@dataclass
class Budget:
    """Steps that are left: about one for each candidate and each section changed."""

    steps: int
    used: int = 0

    def spend(self, steps: int) -> None:
        self.used += steps

    @property
    def is_spent(self) -> bool:
        return self.used >= self.steps


class Placed(NamedTuple):
    """A box, its offset, and what was placed before it."""

    box: int
    offset: int
    before: Placed | None


@dataclass(slots=True)
class State:
    score: float
    waste: float
    remaining: int
    floor: list[int]
    potential: list[int]
    burden: list[float]
    """For each section the exponential of its potential."""
    highest: int
    """The greatest potential of all sections."""
    placed: Placed | None


class Choice(NamedTuple):
    """A box that a state may place, and what it wastes beside it."""

    cost: float
    rank: int
    state: int
    box: int
    ground: int
    start: int
    end: int


@dataclass(frozen=True)
class Manner:
    """How states are compared.

    `smoothness` is the value of a step less in the skyline, `sharpness` the factor in the
    exponent, `order` what decides between equal costs: the widest, the one of the
    greatest area or of the greatest size.
    """

    smoothness: float = 0.1
    sharpness: float = 30.0
    order: str = "width"


_ORDERS: dict[str, Callable[[Box], tuple[int, ...]]] = {
    "width": lambda box: (box.first - box.last, -box.size),
    "area": lambda box: ((box.first - box.last) * box.size,),
    "size": lambda box: (-box.size, box.first - box.last),
}


class Instance:
    """Boxes by start, and what is asked about them again and again."""

    def __init__(self, boxes: Sequence[Box], count: int, manner: Manner):
        self.order = sorted(
            range(len(boxes)), key=lambda i: (boxes[i].first, -boxes[i].last, i)
        )
        self.boxes = [boxes[i] for i in self.order]
        self.count = count
        self.manner = manner
        number = len(boxes)
        self.everything = (1 << number) - 1
        # The boxes that start in or after a section are those from one number on.
        self.number_from = [number] * (count + 1)
        for i in range(number - 1, -1, -1):
            self.number_from[self.boxes[i].first] = i
        for section in range(count - 1, -1, -1):
            self.number_from[section] = min(
                self.number_from[section], self.number_from[section + 1]
            )
        self.ending_by = [0] * (count + 1)
        self.covering = [0] * count
        for i, box in enumerate(self.boxes):
            self.ending_by[box.last] |= 1 << i
            for section in range(box.first, box.last):
                self.covering[section] |= 1 << i
        for section in range(1, count + 1):
            self.ending_by[section] |= self.ending_by[section - 1]
        self.live = live_size_by_section(boxes, count)
        self.bound = max(self.live, default=0) or 1
        ranked = sorted(
            range(number), key=lambda i: (*_ORDERS[manner.order](self.boxes[i]), i)
        )
        self.rank = [0] * number
        for rank, i in enumerate(ranked):
            self.rank[i] = rank
        self.factor = manner.sharpness / self.bound
        self.equal_before = self._equal_boxes()
        self.looked_at = 0
        """How many candidates were, so far."""

    def _equal_boxes(self) -> list[int]:
        """Return for each box the equal ones before it: they are placed first."""
        seen: dict[Box, int] = {}
        result: list[int] = []
        for i, box in enumerate(self.boxes):
            result.append(seen.get(box, 0))
            seen[box] = result[i] | 1 << i
        return result

    def start(self) -> State:
        burden = [exp(self.factor * (live - self.bound)) for live in self.live]
        return State(
            0.0,
            0.0,
            self.everything,
            [0] * self.count,
            list(self.live),
            burden,
            self.bound,
            None,
        )

    def fitting(self, remaining: int, start: int, end: int) -> int:
        """Return the boxes that live within the sections from `start` to `end`."""
        first = self.number_from[start]
        return (remaining & self.ending_by[end]) >> first << first

    def choices(self, state: State, number: int) -> Iterator[Choice]:
        """Yield what may come next on the ground of the lowest valley."""
        floor, burden = state.floor, state.burden
        ground = min(floor)
        start = floor.index(ground)
        end = start + 1
        count = self.count
        while end < count and floor[end] == ground:
            end += 1
        left = floor[start - 1] if start else FAR
        right = floor[end] if end < count else FAR
        before = list(accumulate(burden[start:end], initial=0.0))
        boxes, rank, factor = self.boxes, self.rank, self.factor
        smoothness = self.manner.smoothness
        candidates = self.fitting(state.remaining, start, end)
        earlier: list[Interval] = []
        limit = FAR
        while candidates:
            lowest = candidates & -candidates
            candidates ^= lowest
            self.looked_at += 1
            i = lowest.bit_length() - 1
            box = boxes[i]
            first, last = box.first, box.last
            if self.equal_before[i] & state.remaining:
                continue
            bottom = round_up(ground, box.alignment)
            top = bottom + box.size
            if first >= limit:
                # A candidate before this one lives in the gap: if it fits there, it may
                # as well be there.
                gap = min(left, top)
                if any(last <= first and below <= gap for last, below in earlier):
                    continue
            earlier.append((last, top))
            cost = state.waste
            steps = 0
            if bottom > ground:
                lost = before[last - start] - before[first - start]
                cost += lost * (growth_of(factor * (bottom - ground)) - 1)
            if first > start:
                gap = min(left, top) - ground
                cost += before[first - start] * (growth_of(factor * gap) - 1)
                steps += top < left
            elif top == left:
                steps -= 1
            if last < end:
                steps += 1
                if not self.fitting(state.remaining ^ lowest, last, end):
                    gap = min(right, top) - ground
                    lost = before[-1] - before[last - start]
                    cost += lost * (growth_of(factor * gap) - 1)
            elif top == right:
                steps -= 1
            limit = min(limit, last)
            yield Choice(
                cost + smoothness * steps, rank[i], number, i, ground, start, end
            )

    def place(self, state: State, choice: Choice) -> State:
        """Return the state after a choice, with all valleys filled that stay empty."""
        box = self.boxes[choice.box]
        ground, start, end = choice.ground, choice.start, choice.end
        bottom = round_up(ground, box.alignment)
        top = bottom + box.size
        after = State(
            0.0,
            state.waste,
            state.remaining ^ (1 << choice.box),
            state.floor[:],
            state.potential[:],
            state.burden[:],
            state.highest,
            Placed(choice.box, bottom, state.placed),
        )
        if bottom > ground:
            _raise(after, self.factor, box.first, box.last, bottom)
        if start < box.first:
            left = after.floor[start - 1] if start else FAR
            _raise(after, self.factor, start, box.first, min(left, top))
        after.floor[box.first : box.last] = [top] * (box.last - box.first)
        covering, remaining, floor = self.covering, after.remaining, after.floor
        for section in range(start, end):
            if not covering[section] & remaining:
                floor[section] = FAR
        self._fill_valleys(after, start, end)
        return after

    def _fill_valleys(self, state: State, low: int, high: int) -> None:
        """Fill the valleys in and beside the sections from `low` to `high`, up to the
        lower wall where no box can come that lives in the valley."""
        floor, count, covering = state.floor, self.count, self.covering
        again = True
        while again:
            again = False
            start = max(0, low - 1)
            while start and floor[start - 1] == floor[start]:
                start -= 1
            while start < count and start <= high:
                ground = floor[start]
                end = start + 1
                while end < count and floor[end] == ground:
                    end += 1
                wall = min(
                    floor[start - 1] if start else FAR, floor[end] if end < count else FAR
                )
                if ground < wall:
                    fitting = self.fitting(state.remaining, start, end)
                    inner, outer = start, end
                    if not fitting:
                        inner = end
                    else:
                        while not covering[inner] & fitting:
                            inner += 1
                        while not covering[outer - 1] & fitting:
                            outer -= 1
                    if inner > start or outer < end:
                        _raise(state, self.factor, start, inner, wall)
                        _raise(state, self.factor, max(inner, outer), end, wall)
                        low, high = min(low, start), max(high, end)
                        again = True
                start = end

    def offsets(self, state: State) -> list[int]:
        result = [0] * len(self.boxes)
        placed = state.placed
        while placed is not None:
            result[self.order[placed.box]] = placed.offset
            placed = placed.before
        return result


def _raise(state: State, factor: float, start: int, end: int, height: int) -> None:
    """Leave the sections from `start` to `end` empty up to a height."""
    if start >= end:
        return
    floor, potential, burden = state.floor, state.potential, state.burden
    lost = height - floor[start]
    growth = growth_of(factor * lost)
    highest = state.highest
    waste = 0.0
    for section in range(start, end):
        floor[section] = height
        potential[section] += lost
        if potential[section] > highest:
            highest = potential[section]
        waste += burden[section]
        burden[section] *= growth
    state.highest = highest
    state.waste += waste * (growth - 1)


def count_steps(floor: Sequence[int]) -> int:
    return sum(map(int.__ne__, floor, floor[1:]))


def search_beam(
    instance: Instance, width: int, below: int, budget: Budget
) -> list[int] | None:
    """Return offsets of a plan lower than `below`, or None if none was found.

    `width` states of each number of placed boxes are kept.
    """
    states = [instance.start()]
    smoothness = instance.manner.smoothness
    for _ in instance.boxes:
        choices: list[Choice] = []
        for number, state in enumerate(states):
            choices += instance.choices(state, number)
        choices.sort()
        budget.spend(instance.looked_at)
        instance.looked_at = 0
        found: list[State] = []
        seen: set[tuple[int, tuple[int, ...]]] = set()
        for choice in choices[: 2 * width]:
            after = instance.place(states[choice.state], choice)
            budget.spend(choice.end - choice.start + instance.count // 8)
            if after.highest >= below:
                continue
            if width > 1:
                key = (after.remaining, tuple(after.floor))
                if key in seen:
                    continue
                seen.add(key)
                after.score = after.waste + smoothness * count_steps(after.floor)
            found.append(after)
        if not found or budget.is_spent:
            return None
        found.sort(key=_score_of)
        states = found[:width]
    return instance.offsets(states[0])


def _score_of(state: State) -> float:
    return state.score
