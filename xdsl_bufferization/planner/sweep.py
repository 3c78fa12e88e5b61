"""Beam search in the order of time, with offsets that stay open as long as possible.

Where a plan has no slack, boxes that end together and boxes that start then take the same
memory, although no two of them fit together exactly: of a and b, and c and d, only the
sums are equal.

    b b d d d
    b b d d d
    a a c c c

Such boxes must be neighbours. At the start of time, nothing tells which of the boxes
are. A state is therefore a list of *blocks* instead of offsets. A block is a range of
memory with live boxes at fixed distances; it may still be turned upside down, and blocks
may be stacked in any order. At first, each box is a block. A box that starts goes into a
gap of a block, to its bottom or its top, or becomes a block, or goes between the ends of
two blocks, which become one. The *pool* is the memory below the limit that no block has.
If a box fits nowhere, the limit grows.

Where few boxes are live at a time and fill the memory, the farther the estimate looks,
the better it is: if it includes three times as many times as boxes are live, two states
are enough for thousands of boxes.

States are compared by how much the limit has grown, and by an estimate of how much it
will in the next sections: boxes go to the smallest gaps that hold them, without an offset
in the gap.

Only sizes that need no alignment are supported: with an alignment, a block could not be
turned or moved.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterator, Sequence
from math import inf
from typing import NamedTuple

from xdsl_bufferization.planner.beam import Budget
from xdsl_bufferization.planner.floating_blocks import Block, Live, offsets_of
from xdsl_bufferization.planner.growth_estimate import estimate_growth
from xdsl_bufferization.planner.skyline import Box

HORIZON = 24
"""The estimate includes as many times at which boxes start, if not said otherwise."""

_MOST_NEXT = 3
"""As many of the boxes that start together are considered to be placed next."""

_MOST_WAYS = 12
"""As many ways to place a box are compared."""


class _State(NamedTuple):
    growth: int
    """By how much the limit was exceeded."""
    blocks: tuple[Block, ...]
    pool: int
    waiting: tuple[int, ...]
    """The boxes that start now and are not placed, largest first."""


_INSIDE, _ALONE, _BEYOND, _BETWEEN_LOW, _BETWEEN_HIGH = range(5)


class _Way(NamedTuple):
    """A way to place a box: what is left of the gap, or the growth of the limit; the
    kind; one or two blocks, each with its end; and an offset inside the first one."""

    left: int
    kind: int
    block: int = 0
    end: int = 0
    other: int = 0
    its_end: int = 0
    offset: int = 0


def search_sweep(
    boxes: Sequence[Box],
    count: int,
    limit: int,
    width: int,
    below: int,
    budget: Budget,
    horizon: int = HORIZON,
) -> list[int] | None:
    """Return offsets of a plan lower than `below`, as near to `limit` as it gets, or None
    if none was found. `width` states are kept. All alignments are 1."""
    return _Sweep(boxes, count, limit, below, horizon).run(width, budget)


class _Sweep:
    def __init__(
        self, boxes: Sequence[Box], count: int, limit: int, below: int, horizon: int
    ):
        self.boxes = boxes
        self.limit = limit
        self.horizon = horizon
        self.most_growth = below - 1 - limit
        self.steps = 0
        starting: list[list[int]] = [[] for _ in range(count)]
        for number, box in enumerate(boxes):
            starting[box.first].append(number)
        for found in starting:
            found.sort(key=lambda i: (-boxes[i].size, -boxes[i].last, i))
        self.starting: list[tuple[int, Sequence[int]]] = [
            (time, found) for time, found in enumerate(starting) if found
        ]

    def run(self, width: int, budget: Budget) -> list[int] | None:
        states = [_State(0, (), self.limit, ())]
        for position, (time, starters) in enumerate(self.starting):
            states = [_advance(state, time, starters) for state in states]
            for _ in starters:
                found: dict[object, _State] = {}
                for state in states:
                    for after in self._successors(state, is_first=not position):
                        self._consider(after, found)
                states = self._best_of(found.values(), position, width)
                budget.spend(self.steps)
                self.steps = 0
                if budget.is_spent or not states:
                    return None
        best = min(states, key=lambda state: state.growth)
        return offsets_of(best.blocks, [box.size for box in self.boxes])

    def _best_of(
        self, found: Collection[_State], position: int, width: int
    ) -> list[_State]:
        """Return as many of some states as are kept. They are only compared if there are
        more: the estimates take most of the time."""
        if len(found) <= width:
            return list(found)
        best: list[tuple[float, int, _State]] = []
        for number, state in enumerate(found):
            most = best[-1][0] - state.growth if len(best) == width else inf
            if most < 0:
                continue
            score = state.growth + self._estimate(state, position, most)
            insort(best, (score, number, state))
            del best[width:]
        return [state for _, _, state in best]

    def _consider(self, state: _State, found: dict[object, _State]) -> None:
        """Add a state to those found, unless one with as good blocks is among them."""
        if state.growth > self.most_growth:
            return
        shapes = [(b.extent, min(b.live, b.turned())) for b in state.blocks]
        shapes.sort()
        key = (tuple(shapes), state.waiting)
        other = found.get(key)
        if other is None or other.growth > state.growth:
            found[key] = state

    # What comes next.

    def _successors(self, state: _State, *, is_first: bool) -> Iterator[_State]:
        seen: set[tuple[int, int]] = set()
        fitted = False
        for number in state.waiting[:_MOST_NEXT]:
            box = self.boxes[number]
            if (box.size, box.last) in seen:
                continue
            seen.add((box.size, box.last))
            if is_first and box.size <= state.pool:
                ways = [_Way(0, _ALONE)]
            else:
                ways = self._ways(state, box.size)
            fitted = fitted or bool(ways)
            if len(ways) > _MOST_WAYS:
                # What fits exactly, perhaps with another box that starts now.
                exact = {0, *(self.boxes[i].size for i in state.waiting if i != number)}
                ways.sort(key=lambda way: (way.left not in exact, *way))
            for way in ways[:_MOST_WAYS]:
                yield self._place(state, number, way)
        if not fitted:
            number = state.waiting[0]
            for way in _growing_ways(state, self.boxes[number].size)[:_MOST_WAYS]:
                yield self._place(state, number, way)

    def _ways(self, state: _State, size: int) -> list[_Way]:
        """Return the ways to place a box of this size below the limit."""
        ways: list[_Way] = []
        pool = state.pool
        if size <= pool:
            ways.append(_Way(0, _ALONE))
        ends: list[tuple[int, int, int]] = []
        for n, block in enumerate(state.blocks):
            bottom = 0
            for offset, top, _ in (*block.live, Live(block.extent, block.extent, 0)):
                left = offset - bottom - size
                if left >= 0:
                    ways.append(_Way(left, _INSIDE, n, offset=bottom))
                    if left:
                        ways.append(_Way(left, _INSIDE, n, offset=offset - size))
                bottom = top
            for end in (0, 1):
                gap = block.gap_at(end)
                if gap < size:
                    ends.append((gap, n, end))
        self.steps += len(ends) * len(ends) // 8
        for i, (gap, n, end) in enumerate(ends):
            if gap and size - gap <= pool:
                ways.append(_Way(0, _BEYOND, n, end))
            for other, m, its_end in ends[i + 1 :]:
                left = gap + other - size
                if m != n and left + pool >= 0:
                    ways.append(_Way(max(left, 0), _BETWEEN_LOW, n, end, m, its_end))
                    if left > 0:
                        ways.append(_Way(left, _BETWEEN_HIGH, n, end, m, its_end))
        return ways

    def _place(self, state: _State, number: int, way: _Way) -> _State:
        box = self.boxes[number]
        size, pool = box.size, state.pool
        blocks = list(state.blocks)
        if way.kind == _INSIDE:
            blocks[way.block] = blocks[way.block].put(box, number, way.offset)
        elif way.kind == _ALONE:
            blocks.append(Block(size, (), None).put(box, number, 0))
            pool -= size
        elif way.kind == _BEYOND:
            block = blocks[way.block].with_free_end(way.end, 1)
            more = size - block.gap_at(1)
            block = block._replace(extent=block.extent + more)
            blocks[way.block] = block.put(box, number, block.extent - size)
            pool -= more
        else:
            lower = blocks[way.block].with_free_end(way.end, 1)
            upper = blocks[way.other].with_free_end(way.its_end, 0)
            gap, above = lower.gap_at(1), upper.gap_at(0)
            space = max(0, size - gap - above)
            offset = lower.extent - gap
            if way.kind == _BETWEEN_HIGH:
                offset += gap + above - size
            blocks[way.block] = lower.stack(upper, space).put(box, number, offset)
            del blocks[way.other]
            pool -= space
        return _State(
            state.growth + max(0, -pool),
            tuple(blocks),
            max(0, pool),
            tuple([i for i in state.waiting if i != number]),
        )

    def _estimate(self, state: _State, position: int, most: float) -> float:
        upcoming = self.starting[position + 1 : position + 1 + self.horizon]
        if state.waiting:
            upcoming.insert(0, (self.starting[position][0], state.waiting))
        growth, steps = estimate_growth(
            state.blocks, state.pool, self.boxes, upcoming, most
        )
        self.steps += steps
        return growth


def _advance(state: _State, time: int, starters: Sequence[int]) -> _State:
    """Remove what ends by a time."""
    blocks = [
        block._replace(live=tuple([each for each in block.live if each.last > time]))
        for block in state.blocks
    ]
    return state._replace(blocks=tuple(blocks), waiting=tuple(starters))


def _growing_ways(state: _State, size: int) -> list[_Way]:
    """Return the ways to place a box that fits nowhere, those of least growth first."""
    ends = [
        (block.gap_at(end), n, end)
        for n, block in enumerate(state.blocks)
        for end in (0, 1)
    ]
    ways = [_Way(size, _ALONE)]
    for i, (gap, n, end) in enumerate(ends):
        if gap:
            ways.append(_Way(size - gap, _BEYOND, n, end))
        for other, m, its_end in ends[i + 1 :]:
            if m != n and gap and other:
                ways.append(_Way(size - gap - other, _BETWEEN_LOW, n, end, m, its_end))
    return sorted(ways)
