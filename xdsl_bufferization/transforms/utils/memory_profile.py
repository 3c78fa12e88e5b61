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
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import add

from xdsl.ir import Attribute, Block, Operation, Region

from xdsl_bufferization.analysis.facts.forwarded_values import RegionGraph
from xdsl_bufferization.analysis.live_ranges import Frees, LiveRanges
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import of_class
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.planner import Interval
from xdsl_bufferization.transforms.utils.change_points import ChangePoints
from xdsl_bufferization.transforms.utils.memory_slots import (
    Slot,
    alignment_of,
    size_of,
)


@dataclass(frozen=True)
class Span:
    """The bytes of an allocation, from where it is made to where it may be freed last;
    and to where it is surely there, if its block runs. `first` is where it may be there
    first, in a later iteration of a loop."""

    size: int
    start: int
    end: int
    sure_end: int
    frees: Frees = field(default_factory=Frees)
    first: int | None = None

    @property
    def extent(self) -> tuple[int, int, int]:
        """Return from where to where it may be there, and its bytes."""
        return self.start if self.first is None else self.first, self.end, self.size

    def is_shared_by(self, at: int, other: int, ranges: LiveRanges) -> bool:
        """Whether what is there at one position is there at another one, though neither
        is certain."""
        if not (self.start <= at < self.end and self.sure_end <= other < self.end):
            return False
        return other <= at or not ranges.frees_between(self.frees, at, other)


class Profile:
    """The allocations of static sizes of a function in one memory space.

    Args:
        unknown: the ops that may allocate any number of bytes. What is needed before and
            after them is not compared.
    """

    def __init__(
        self,
        ranges: LiveRanges,
        space: Attribute,
        allocations: Sequence[memref.AllocOp],
        slots: Sequence[Slot],
        unknown: Collection[Operation],
    ):
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
        own = [op for op in allocations if op.memref.type.memory_space == space]
        last_frees = ranges.last_frees([op.memref for op in own])
        for op, last_free in zip(own, last_frees, strict=True):
            self.spans[op] = self._span_of(op, ranges, last_free)
        enter = ranges.positions.enter
        several = [op for op in allocations if may_be_several(op, ranges)]
        one = set(allocations).difference(several)
        origins = ranges.origins
        known = origins.join(op.memref for op in allocations if op in one).bits
        self._unknown = sorted(enter[op] for op in (*unknown, *several))
        self._changes = sorted(
            [
                *self._unknown,
                *(
                    enter[op]
                    for op in of_class(enter, memref.DeallocOp)
                    # It may free what a call has returned, say.
                    if origins.get_origin(op.memref).bits & ~known
                ),
            ]
        )
        self._points = ChangePoints.of(
            ranges.function, ranges.positions, self._find_changes(slots)
        )
        always: dict[Region, set[Block]] = {}
        for block in self._points.blocks:
            if block.parent is not None and block is block.parent.blocks.first:
                always[block.parent] = self._always_entered(block.parent)
        self._surely_inside = {
            block: block.parent is not None and block in always[block.parent]
            for block in self._points.blocks
        }
        self._limits = self._find_limits()
        self._uncertain = {op: s for op, s in self.spans.items() if s.sure_end < s.end}
        self._starts = sorted(
            ((s.start, op) for op, s in self.spans.items()), key=_first_of
        )
        self._accepted: set[Operation] = set()
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
        for at in (*self._changes, *map(self._positions.enter.__getitem__, frees)):
            yield from (at, at + 1)
        for slot in slots:
            yield slot.intervals[-1][1]

    def _zeros(self) -> list[int]:
        return [0] * len(self._points.positions)

    def _span_of(self, op: memref.AllocOp, ranges: LiveRanges, last_free: int) -> Span:
        size = size_of(op)
        assert size is not None and op.parent is not None
        size += alignment_of(op)
        enter = self._positions.enter
        live = ranges.of(op.memref)
        frees = live.frees
        start = enter[op]
        # If it is carried to another iteration, it may be there before it is made.
        first = min(start, live.intervals[0][0]) if live.intervals else start
        end = self._length
        if frees:
            needed = (until for _, until in live.intervals)
            end = max(last_free, *needed)
        if live.escapes:
            # The frees may be conditional. If they are not executed, the function may
            # return the buffer.
            end = self._length
        sure_end = self._length if frees.first is None else enter[frees.first]
        sure_end = min(sure_end, self._reached_only_after(op.parent, frees))
        end, sure_end = max(end, start + 1), max(sure_end, start + 1)
        return Span(size, start, end, sure_end, frees, first)

    def _reached_only_after(self, block: Block, frees: Iterable[Operation]) -> int:
        """Return the end of the positions that are reached only after a block has run,
        and, where there are several blocks, that are never reached after a free."""
        region = block.parent
        assert region is not None
        ends = self._positions.block_end
        last = region.blocks.last
        if block is not region.blocks.first or last is None or block is last:
            return ends[block]
        for free in frees:
            level: Operation | None = free
            while level is not None and level.parent_region() is not region:
                level = level.parent_op()
            leaving = level.parent.last_op if level is not None and level.parent else None
            if leaving is not None and leaving.successors:
                return ends[block]
        return ends[last]

    def conditional_block(self, op: Operation, around: Block) -> Block | None:
        """Return the outermost block that holds an op and that a run of the block
        `around` it may not reach; None if such a run always reaches it."""
        found: Block | None = None
        block = op.parent
        while block is not None and block is not around:
            if not self._surely_inside[block]:
                found = block
            parent = block.parent_op()
            if parent is self._function or parent is None:
                break
            block = parent.parent
        return found

    def _always_entered(self, region: Region) -> set[Block]:
        """Return the blocks of a region that run whenever the op around it does."""
        op = region.parent
        assert op is not None
        if op is not self._function and not surely_runs(op):
            graph = RegionGraph.of(op)
            entered = [successor.region for successor in graph.successors[None]]
            if not graph.is_known or entered != [region]:
                return set()
        return set(_unbranched(region))

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
            after = [*_unbranched(region)]
            reached[number] += [points.numbers[inner] for inner in after[1:]]
            if around >= 0:
                sure_to_run = (inner for inner in after if self._surely_inside[inner])
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
        first, last = (points.before[position] for position in window)
        planned = {slot.op for slot in slots}
        upper, spared = self._upper[first:last], self._spared[first:last]
        arenas = self._arenas[first:last]
        self._replace(slots, height, window, first, upper, arenas, spared)
        made = self._made_between(*window, planned)
        most_before: dict[int, int] = {}
        number = bytes_made = 0
        unknown = bisect_left(self._unknown, window[0])
        for index in range(last - first):
            at, block = points.positions[first + index], points.block_at[first + index]
            while number < len(made) and made[number][0] <= at:
                bytes_made += made[number][1]
                number += 1
            while unknown < len(self._unknown) and self._unknown[unknown] <= at:
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
        found = bisect_left(self._changes, first)
        return found < len(self._changes) and self._changes[found] <= last

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
        self._replace(slots, height, window, 0, *lists)

    def _replace(
        self,
        slots: Sequence[Slot],
        height: int,
        window: Interval,
        base: int,
        upper: list[int],
        arenas: list[int],
        spared: list[int],
    ) -> None:
        # An allocation may have several slots.
        spans = [self.spans[op] for op in dict.fromkeys(slot.op for slot in slots)]
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
            (max(before[start] - base, 0), min(before[end] - base, len(totals)), size)
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


def may_be_several(op: memref.AllocOp, ranges: LiveRanges) -> bool:
    """Whether an allocation may be made again while that of an earlier iteration has not
    been freed."""
    block = op.parent
    assert block is not None
    live = ranges.of(op.memref)
    positions = ranges.positions
    start = positions.block_start[block]
    if ranges.frees_between(live.frees, start, positions.block_end[block]):
        if live.has_earlier:
            return True
        # Carried to the next iteration, it must be freed there before another is made.
        before = ranges.frees_between(live.frees, start, positions.enter[op])
        return _is_carried(op, ranges) and not (
            before == live.frees and all(free.parent is block for free in before)
        )
    inner: Block | None = block
    while inner is not None:
        around, region = inner.parent_op(), inner.parent
        if around is None or region is None or ranges.runs_again(inner):
            return True
        if around is ranges.function:
            return False
        graph = RegionGraph.of(around)
        if not graph.is_known or region in graph.repetitive:
            return True
        inner = around.parent
    return True


def _is_carried(op: memref.AllocOp, ranges: LiveRanges) -> bool:
    """Whether an argument of a block around an allocation, or of one beside such a block,
    may be what was allocated earlier."""
    region = op.parent_region()
    while region is not None:
        if ranges.reaches_arguments(op.memref, region):
            return True
        above = region.parent
        region = None if above is None else above.parent_region()
    return False


def _first_of(entry: tuple[int, Operation]) -> int:
    return entry[0]


def _unbranched(region: Region) -> Iterator[Block]:
    """Yield the blocks of a region that every run of it reaches: the first one, and
    those that follow without a choice."""
    block = region.blocks.first
    seen: set[Block] = set()
    while block is not None and block not in seen:
        yield block
        seen.add(block)
        last = block.last_op
        after = set(last.successors) if last is not None else set[Block]()
        block = after.pop() if len(after) == 1 else None
