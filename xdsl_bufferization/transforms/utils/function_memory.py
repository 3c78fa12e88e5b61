"""The allocations of a function, in all of its memory spaces: where they take memory, and
which blocks surely run. All of it is found once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Block, Operation, Region

from xdsl_bufferization.analysis.live_ranges import Frees, LiveRanges
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import of_class
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.transforms.utils.memory_slots import (
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


class FunctionMemory:
    """The allocations of static sizes of a function.

    Args:
        allocations: all of them.
        unknown: the ops that may allocate any number of bytes.

    Attributes:
        spans: by memory space.
        unknown: the positions at which any number of bytes may be allocated, ascending.
        changes: the positions at which any number of bytes may come or go, ascending.
    """

    def __init__(
        self,
        ranges: LiveRanges,
        allocations: Sequence[memref.AllocOp],
        unknown: Collection[Operation],
    ):
        self.ranges = ranges
        self._always: dict[Region, set[Block]] = {}
        self._repeated: dict[Block, bool] = {}
        self.spans: dict[Attribute, dict[Operation, Span]] = {}
        last_frees = ranges.last_frees([op.memref for op in allocations])
        for op, last_free in zip(allocations, last_frees, strict=True):
            own = self.spans.setdefault(op.memref.type.memory_space, {})
            own[op] = self._span_of(op, last_free)
        enter = ranges.positions.enter
        several = [op for op in allocations if self.may_be_several(op)]
        one = set(allocations).difference(several)
        origins = ranges.origins
        known = origins.join(op.memref for op in allocations if op in one).bits
        self.unknown = sorted(enter[op] for op in (*unknown, *several))
        self.changes = sorted(
            [
                *self.unknown,
                *(
                    enter[op]
                    for op in of_class(enter, memref.DeallocOp)
                    # It may free what a call has returned, say.
                    if origins.get_origin(op.memref).bits & ~known
                ),
            ]
        )

    def may_be_several(self, op: memref.AllocOp) -> bool:
        """Whether an allocation may be made again while that of an earlier iteration has
        not been freed."""
        block = op.parent
        assert block is not None
        ranges = self.ranges
        live = ranges.of(op.memref)
        positions = ranges.positions
        start = positions.block_start[block]
        if ranges.frees_between(live.frees, start, positions.block_end[block]):
            if live.has_earlier:
                return True
            # Carried to the next iteration, it must be freed there before another is
            # made.
            before = ranges.frees_between(live.frees, start, positions.enter[op])
            return ranges.reaches_arguments_around(op.memref) and not (
                before == live.frees and all(free.parent is block for free in before)
            )
        return self._is_repeated(block)

    def _is_repeated(self, block: Block) -> bool:
        """Whether a block may run several times while the function runs once."""
        inside: list[Block] = []
        found = True
        inner: Block | None = block
        while inner is not None:
            known = self._repeated.get(inner)
            if known is not None:
                found = known
                break
            inside.append(inner)
            around, region = inner.parent_op(), inner.parent
            if around is None or region is None or self.ranges.runs_again(inner):
                break
            if around is self.ranges.function:
                found = False
                break
            graph = self.ranges.graph_of(around)
            if not graph.is_known or region in graph.repetitive:
                break
            inner = around.parent
        for each in inside:
            self._repeated[each] = found
        return found

    def is_surely_inside(self, block: Block) -> bool:
        """Whether a block runs whenever the op around it does."""
        region = block.parent
        if region is None:
            return False
        always = self._always.get(region)
        if always is None:
            always = self._always[region] = self._always_entered(region)
        return block in always

    def _always_entered(self, region: Region) -> set[Block]:
        """Return the blocks of a region that run whenever the op around it does."""
        op = region.parent
        assert op is not None
        if op is not self.ranges.function and not surely_runs(op):
            graph = self.ranges.graph_of(op)
            entered = [successor.region for successor in graph.successors[None]]
            if not graph.is_known or entered != [region]:
                return set()
        return set(unbranched(region))

    def _span_of(self, op: memref.AllocOp, last_free: int) -> Span:
        size = size_of(op)
        assert size is not None and op.parent is not None
        size += alignment_of(op)
        length = self.ranges.positions.exit[self.ranges.function] + 1
        enter = self.ranges.positions.enter
        live = self.ranges.of(op.memref)
        frees = live.frees
        start = enter[op]
        # If it is carried to another iteration, it may be there before it is made.
        first = min(start, live.intervals[0][0]) if live.intervals else start
        end = length
        if frees:
            needed = (until for _, until in live.intervals)
            end = max((last_free, *needed))
        if live.escapes:
            # The frees may be conditional. If they are not executed, the function may
            # return the buffer.
            end = length
        sure_end = length if frees.first is None else enter[frees.first]
        sure_end = min(sure_end, self._reached_only_after(op.parent, frees))
        end, sure_end = max(end, start + 1), max(sure_end, start + 1)
        return Span(size, start, end, sure_end, frees, first)

    def _reached_only_after(self, block: Block, frees: Iterable[Operation]) -> int:
        """Return the end of the positions that are reached only after a block has run,
        and, where there are several blocks, that are never reached after a free."""
        region = block.parent
        assert region is not None
        ends = self.ranges.positions.block_end
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


def unbranched(region: Region) -> Iterator[Block]:
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
