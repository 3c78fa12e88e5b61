"""The allocations of a function over time, and whether replacing them by arenas raises
the peak.

Branches may not be taken and loops may not run, so the peak of an execution is not that
of the program. An arena must not be larger than the memory that the same execution
would have needed: at each position, the memory allocated with the arena is compared
with

- the memory that is definitely allocated without it, at that position or at any other
  one of the same block or of a surrounding block, since an execution that reaches this
  position passes those as well;
- or only the arena, and later allocations, with the memory that the arena replaces at
  an earlier position of the block.

An aligned allocation takes its size plus its alignment, as malloc's alignment is
smaller.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import add

from xdsl.ir import Attribute, Block, Operation

from xdsl_bufferization.analysis.live_ranges import Frees
from xdsl_bufferization.planner import Interval
from xdsl_bufferization.transforms.utils.change_points import ChangePoints
from xdsl_bufferization.transforms.utils.function_memory import (
    FunctionMemory,
    Span,
    unbranched,
)
from xdsl_bufferization.transforms.utils.memory_slots import Slot


class Profile:
    """The allocations of static sizes of a function in one memory space.

    What is needed before and after an op that may allocate any number of bytes is not
    compared.
    """

    def __init__(self, memory: FunctionMemory, space: Attribute, slots: Sequence[Slot]):
        ranges = memory.ranges
        self._memory = memory
        self._ranges = ranges
        self._positions = ranges.positions
        self._function = ranges.function
        self._length = ranges.positions.exit[ranges.function] + 1
        self.spans: dict[Operation, Span] = {}
        for slot in slots:
            if slot.arena is not None:
                # A called function has its arena for as long as it runs.
                (start, end), *_ = slot.intervals
                self.spans[slot.op] = Span(slot.size, start, end, end)
        self.spans.update(memory.spans.get(space, {}))
        self._points = ChangePoints.of(
            ranges.function, ranges.positions, self._find_changes(slots)
        )
        self._limits = self._find_limits()
        self._uncertain = {op: s for op, s in self.spans.items() if s.sure_end < s.end}
        self._starts = sorted(
            ((s.start, op) for op, s in self.spans.items()), key=_first_of
        )
        self._accepted: set[Operation] = set()
        self._conditional: tuple[Block | None, dict[Block, Block | None]] = None, {}
        """For the block that was last asked about, what is known of those inside."""
        # At each point: all that may be there, arenas, and what these spare for sure.
        self._upper = self._zeros()
        self._arenas = self._zeros()
        self._spared = self._zeros()
        self._add(self._upper, 0, (span.extent for span in self.spans.values()))

    def _find_changes(self, slots: Sequence[Slot]) -> Iterator[int]:
        """Yield all positions from which on the profile may say something else."""
        for span in self.spans.values():
            yield from (span.extent[0], span.start, span.end, span.sure_end)
        frees = Frees.union(span.frees for span in self.spans.values())
        for at in (*self._memory.changes, *map(self._positions.enter.__getitem__, frees)):
            yield from (at, at + 1)
        for slot in slots:
            yield slot.intervals[-1][1]

    def _zeros(self) -> list[int]:
        return [0] * len(self._points.positions)

    def conditional_block(self, op: Operation, around: Block) -> Block | None:
        """Return the outermost block that holds an op and that a run of the block
        `around` it may not reach; None if such a run always reaches it."""
        if self._conditional[0] is not around:
            self._conditional = around, {around: None}
        known = self._conditional[1]
        inside: list[Block] = []
        block = op.parent
        while block is not None and block not in known:
            inside.append(block)
            parent = block.parent_op()
            block = None if parent in (self._function, None) else parent.parent
        found = None if block is None else known[block]
        for block in reversed(inside):
            if found is None and not self._memory.is_surely_inside(block):
                found = block
            known[block] = found
        return found

    def _find_limits(self) -> list[tuple[int, int]]:
        """Return for each block what every run that reaches it allocates at one time, and
        at which position."""
        points = self._points
        sure = self._zeros()
        self._add(sure, 0, ((s.start, s.sure_end, s.size) for s in self.spans.values()))
        limits = [(0, 0)] * len(points.blocks)
        for number, size, at in zip(points.block_at, sure, points.positions, strict=True):
            limits[number] = max(limits[number], (size, at))
        reached: list[list[int]] = [[number] for number in range(len(points.blocks))]
        for number, block in enumerate(points.blocks):
            region, around = block.parent, points.around[number]
            if region is None or block is not region.blocks.first:
                continue
            after = [*unbranched(region)]
            reached[number] += [points.numbers[inner] for inner in after[1:]]
            if around >= 0:
                sure_to_run = (
                    inner for inner in after if self._memory.is_surely_inside(inner)
                )
                reached[around] += [points.numbers[inner] for inner in sure_to_run]
        for number in reversed(range(len(points.blocks))):
            limits[number] = max(limits[inner] for inner in reached[number])
        for number, around in enumerate(points.around):
            if around >= 0:
                limits[number] = max(limits[number], limits[around])
        return limits

    def peak(self) -> int:
        """Return the most at one time, over all paths together."""
        return max(self._upper, default=0)

    def excess(self, slots: Sequence[Slot], height: int, window: Interval) -> int | None:
        """Return the first position at which a run may need more if an arena takes the
        place of slots than it has needed so far; None if there is none."""
        points = self._points
        first, last = map(points.before, window)
        planned = {slot.op for slot in slots}
        upper, spared = self._upper[first:last], self._spared[first:last]
        arenas = self._arenas[first:last]
        self._replace(slots, height, window, window, first, upper, arenas, spared)
        made = self._made_between(*window, planned)
        most_before: dict[int, int] = {}
        number = bytes_made = 0
        unknown = bisect_left(self._memory.unknown, window[0])
        for index in range(last - first):
            at, block = points.positions[first + index], points.block_at[first + index]
            while number < len(made) and made[number][0] <= at:
                bytes_made += made[number][1]
                number += 1
            while (
                unknown < len(self._memory.unknown)
                and self._memory.unknown[unknown] <= at
            ):
                most_before = {}
                unknown += 1
            most = most_before.get(block)
            if most is None:
                most = most_before.get(points.around[block], 0)
            most = max(spared[index] + bytes_made, most)
            most_before[block] = most
            limit, reached = self._limits[block]
            if arenas[index] + bytes_made <= most:
                continue
            if self._is_change_between(at, reached):
                return at
            if upper[index] <= limit:
                continue
            shared = (
                span.size
                for op, span in self._uncertain.items()
                if op not in planned and span.is_shared_by(at, reached, self._ranges)
            )
            if upper[index] > limit + sum(shared):
                return at
        return None

    def _is_change_between(self, at: int, reached: int) -> bool:
        """Whether memory of unknown size may come or go between two positions."""
        first, last = min(at, reached), max(at, reached)
        found = bisect_left(self._memory.changes, first)
        return found < len(self._memory.changes) and self._memory.changes[found] <= last

    def _made_between(
        self, start: int, end: int, planned: set[Operation]
    ) -> list[tuple[int, int]]:
        """Return where allocations are made that stay, and their bytes."""
        first = bisect_left(self._starts, start, key=_first_of)
        last = bisect_left(self._starts, end, key=_first_of)
        return [
            (position, self.spans[op].size)
            for position, op in self._starts[first:last]
            if op not in planned and op not in self._accepted
        ]

    def accept(self, slots: Sequence[Slot], height: int, window: Interval) -> None:
        """Replace slots by an arena from now on."""
        for slot in slots:
            self._accepted.add(slot.op)
            self._uncertain.pop(slot.op, None)
        lists = (self._upper, self._arenas, self._spared)
        self._replace(slots, height, window, (0, self._length), 0, *lists)

    def _replace(
        self,
        slots: Sequence[Slot],
        height: int,
        window: Interval,
        seen: Interval,
        base: int,
        upper: list[int],
        arenas: list[int],
        spared: list[int],
    ) -> None:
        """Replace slots by an arena in totals of the positions that are `seen`, of which
        the first point has the number `base`."""
        # An allocation may have several slots.
        several = [self.spans[op] for op in dict.fromkeys(slot.op for slot in slots)]
        begin, end = seen
        spans = [s for s in several if s.extent[0] < end and begin < s.end]
        extents = (span.extent for span in spans)
        self._add(upper, base, ((start, end, -size) for start, end, size in extents))
        self._add(spared, base, ((s.start, s.sure_end, s.size) for s in spans))
        for each in (upper, arenas):
            self._add(each, base, [(*window, height)])

    def _add(
        self, totals: list[int], base: int, spans: Iterable[tuple[int, int, int]]
    ) -> None:
        """Add the sizes of spans to the totals of the points from number `base` on."""
        before = self._points.before
        found = [
            (max(before(start) - base, 0), min(before(end) - base, len(totals)), size)
            for start, end, size in spans
        ]
        found = [each for each in found if each[0] < each[1]]
        if not found:
            return
        begin = min(first for first, _, _ in found)
        stop = max(last for _, last, _ in found)
        changes = [0] * (stop - begin + 1)
        for first, last, size in found:
            changes[first - begin] += size
            changes[last - begin] -= size
        totals[begin:stop] = map(add, totals[begin:stop], accumulate(changes))


def _first_of(entry: tuple[int, Operation]) -> int:
    return entry[0]
