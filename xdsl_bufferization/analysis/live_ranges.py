"""When the contents of each allocation are needed: live ranges over control flow.

Ops are numbered in program order, an op with regions at its start and at its end. The
live range of an allocation is a set of intervals of these numbers, from the first
access to the last through all its aliases. Two allocations whose live ranges do not
overlap may share memory.

    %a = memref.alloc()            // 0
    linalg.fill outs(%a)           // 1   a
    scf.if %c {                    // 2   a
      %b = memref.alloc()          // 3
      memref.copy %a, %b           // 4   a b
    } else {
      %d = memref.alloc()          // 5
      linalg.fill outs(%d)         // 6     d
    }

A *root* is an allocation, or a value that it is forwarded to: a block argument, or a
result of an op with regions, of a call or of arith.select. All views of a root count as
the root. Its range starts at its first access if it is an allocation, and at its
definition otherwise, and ends at the last use:

- A use in a region that may run again needs the contents until the end of the complete
  op: the next iteration may use them again.
- If only one of several regions runs, those that do not use the root are holes, unless
  it is used after the op.
- In a region of several blocks, the range covers the blocks in which the root is live
  by the usual definition.

The range of an allocation is the union of those of all roots that may be it. If such a
root is live when the allocation starts, an allocation of an earlier iteration is live:
both need their own memory, and `has_earlier` is true.

Each root is visited once. What the aliases of an allocation are live in is shared with
other allocations that have the same ones, so the cost is near linear in the number of
uses and aliases unless there are many intervals in the result.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins, Origin
from xdsl_bufferization.analysis.facts.bits import numbers_of
from xdsl_bufferization.analysis.facts.block_graph import block_of, cycles
from xdsl_bufferization.analysis.facts.buffer_uses import classify_use, may_go_on
from xdsl_bufferization.analysis.facts.forwarded_values import RegionGraph
from xdsl_bufferization.analysis.facts.live_blocks import (
    BlockFlow,
    Defined,
    LiveBlocks,
)
from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.interfaces.memory_effects import (
    is_allocated,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
)
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE

Interval = tuple[int, int]
"""Positions from the first one to before the second one."""

FEW = 64
"""Of how many intervals a union is computed before it is needed."""


@dataclass(frozen=True)
class Frees:
    """Some of the deallocations of a function, in program order.

    Attributes:
        bits: a bit for each of `ops`. Many allocations may have many deallocations in
            common: lists would take the square of their number.
        ops: all deallocations of the function.
    """

    bits: int = 0
    ops: Sequence[Operation] = ()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __iter__(self) -> Iterator[Operation]:
        return (self.ops[number] for number in numbers_of(self.bits))

    @property
    def first(self) -> Operation | None:
        lowest = self.bits & -self.bits
        return self.ops[lowest.bit_length() - 1] if lowest else None

    @property
    def last(self) -> Operation | None:
        return self.ops[self.bits.bit_length() - 1] if self.bits else None

    @staticmethod
    def union(several: Iterable[Frees]) -> Frees:
        """Return all deallocations of several sets of one function."""
        bits = 0
        ops: Sequence[Operation] = ()
        for each in several:
            bits |= each.bits
            ops = each.ops or ops
        return Frees(bits, ops)

    def select(self, flags: Iterable[bool]) -> Frees:
        """Return those with a flag that is set; there is one for each, in order."""
        numbers = zip(numbers_of(self.bits), flags, strict=True)
        return Frees(sum(1 << number for number, flag in numbers if flag), self.ops)


@dataclass(frozen=True)
class LiveRange:
    """When the contents of an allocation are needed.

    Attributes:
        intervals: disjoint, ascending; empty if the allocation is never accessed.
        has_earlier: whether the allocation of an earlier iteration is needed as well
            when this one starts.
        escapes: whether something outside of the function, or that is not known, may
            keep it or free it.
        frees: the ops that free it, if nothing else, or other allocations.
    """

    intervals: tuple[Interval, ...]
    has_earlier: bool
    escapes: bool
    frees: Frees


@dataclass
class Positions:
    """The numbers of ops and blocks."""

    enter: dict[Operation, int] = field(default_factory=dict[Operation, int])
    exit: dict[Operation, int] = field(default_factory=dict[Operation, int])
    block_start: dict[Block, int] = field(default_factory=dict[Block, int])
    block_end: dict[Block, int] = field(default_factory=dict[Block, int])
    _ops: dict[Block, tuple[list[Operation], list[int]]] = field(
        default_factory=dict[Block, tuple[list[Operation], list[int]]]
    )
    """The ops of blocks that have been asked about, and their positions."""

    @staticmethod
    def of(root: Operation) -> Positions:
        self = Positions()
        number = 0
        work: list[tuple[Operation, bool]] = [(root, False)]
        blocks: dict[Operation, Block] = {}
        while work:
            op, done = work.pop()
            if done:
                self.exit[op] = number
                number += 1
                continue
            block = op.parent
            if block is not None and op is not root and block not in self.block_start:
                self.block_start[block] = number
                blocks[op] = block
            self.enter[op] = number
            if not op.regions:
                self.exit[op] = number
            number += 1
            if block is not None and op is not root:
                self.block_end[block] = number
            if op.regions:
                work.append((op, True))
                inner = [
                    each
                    for region in op.regions
                    for nested in region.blocks
                    for each in nested.ops
                ]
                work.extend((each, False) for each in reversed(inner))
        for block in self.block_end:
            last = block.last_op
            assert last is not None
            self.block_end[block] = self.exit[last] + 1
        return self

    def child_at(self, block: Block, position: int) -> Operation:
        """Return the op of a block that is, or holds, what is at a position."""
        ops, starts = self.ops_of(block)
        return ops[bisect_right(starts, position) - 1]

    def ops_of(self, block: Block) -> tuple[Sequence[Operation], Sequence[int]]:
        """Return the ops of a block, and where each of them starts."""
        known = self._ops.get(block)
        if known is None:
            ops = list(block.ops)
            known = self._ops[block] = ops, [self.enter[op] for op in ops]
        return known

    def bounds(self, block: Block) -> Interval:
        """Return the positions of a block, from the first one to after the last one."""
        return self.block_start[block], self.block_end[block]


class LiveRanges:
    """The live ranges of allocations in one function.

    Args:
        keeps: whether an op with otherwise unknown effects, such as a call, may free or
            store its operands.
        ops: all ops inside, if a list of them is available.
    """

    def __init__(
        self,
        function: func.FuncOp,
        keeps: Callable[[Operation], bool] = lambda op: False,
        ops: Sequence[Operation] | None = None,
    ):
        self.function = function
        self.origins = BufferOrigins(function, ops)
        self._keeps = keeps
        self.positions = Positions.of(function)
        self._graphs: dict[Operation, RegionGraph] = {}
        self._choices: dict[Operation, bool] = {}
        self._flows: dict[Region, _RegionFlow] = {}
        self._accesses: dict[SSAValue, _Accesses] = {}
        self._live_blocks: dict[SSAValue, LiveBlocks] = {}
        self._frees = [op for op in self.positions.enter if op.name == "memref.dealloc"]
        self._free_numbers = {op: number for number, op in enumerate(self._frees)}
        self._free_positions = [self.positions.enter[op] for op in self._frees]
        self._reached = ReachedValues(
            self._own, self.origins.direct_dependents, _join_uses
        )
        self._known: dict[SSAValue, LiveRange] = {}
        self._arguments: dict[Region, Origin] = {}
        self._arguments_around: dict[Region, int] = {}
        self._cyclic: dict[Region, set[Block]] = {}
        self._going_on: dict[Operation, bool] = {}

    def of(self, allocation: SSAValue) -> LiveRange:
        """Return the live range of a result of an allocation."""
        known = self._known.get(allocation)
        if known is None:
            known = self._known[allocation] = self._find(allocation)
        return known

    def _find(self, allocation: SSAValue) -> LiveRange:
        own = self._find_uses(allocation)
        dependents = self.origins.direct_dependents(allocation)
        others = _join_uses(map(self._reached.of, dependents))
        intervals = others.all_intervals()
        has_earlier = False
        if own.intervals:
            start = self._first_access(allocation, own.intervals)
            # What begins at the first access is made of this allocation by that op. An
            # argument of the block may begin where the allocation itself does.
            is_access = start > self._defined_at(allocation)
            has_earlier = any(
                a < start < b or (a == start < b and not is_access) for a, b in intervals
            )
        return LiveRange(
            _merge([*own.intervals, *intervals]),
            has_earlier,
            own.escapes or others.escapes,
            Frees(own.frees | others.frees, self._frees),
        )

    def _first_access(self, allocation: SSAValue, intervals: Sequence[Interval]) -> int:
        """Return the first position of an allocation in the block that makes it. Others,
        which are executed later, may come first in the text."""
        block = allocation.owner.parent
        assert isinstance(block, Block)
        made, end = self._defined_at(allocation), self.positions.block_end[block]
        return min(
            (max(a, made) for a, b in intervals if made < b and a < end),
            default=intervals[0][0],
        )

    def _defined_at(self, allocation: SSAValue) -> int:
        op = allocation.owner
        assert isinstance(op, Operation)
        return self.positions.exit[op]

    def _own(self, value: SSAValue) -> _Uses:
        """Return the uses of a root; none for a view, which counts as its root."""
        return _UNUSED if _is_view(value) else self._find_uses(value)

    def _find_uses(self, value: SSAValue) -> _Uses:
        found = self._find_accesses(value)
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        intervals: list[Interval] = []
        if block is not None and found.positions:
            start = self._start(value, block, found.positions)
            self._cover_from(value, block, start, found.positions, intervals)
        if not (intervals or found.escapes or found.frees):
            return _UNUSED
        return _Uses(_merge(intervals), (), found.escapes, found.frees)

    def _find_accesses(self, value: SSAValue) -> _Accesses:
        """Return what accesses or frees a root or a view of it."""
        known = self._accesses.get(value)
        if known is not None:
            return known
        frees = 0
        escapes = False
        accesses: list[Operation] = []
        views = [value]
        for view in views:
            for use in view.uses:
                kind = classify_use(use.operation, view)
                if kind == "view":
                    views.append(use.operation.results[0])
                elif kind == "free":
                    frees |= 1 << self._free_numbers[use.operation]
                elif self._lets_escape(use.operation, kind):
                    escapes = True
                    accesses.append(use.operation)
                elif kind == "access":
                    accesses.append(use.operation)
                elif kind == "compared":
                    # Until then, no other buffer may have the same address.
                    pointer = use.operation.results[0]
                    accesses += (each.operation for each in pointer.uses)
        positions = sorted({self.positions.enter[access] for access in accesses})
        found = self._accesses[value] = _Accesses(positions, escapes, frees)
        return found

    def _lets_escape(self, op: Operation, kind: str) -> bool:
        """Whether a buffer may be kept, or freed unseen, by an op that uses it so."""
        return (
            kind == "escape"
            or self._keeps(op)
            or (kind == "access" and self._goes_on(op))
        )

    def escapes_by(self, allocation: SSAValue) -> list[Operation]:
        """Return the ops that let an allocation escape, under any of its names."""
        names = [allocation]
        known = set(names)
        found: dict[Operation, None] = {}
        for name in names:
            for use in name.uses:
                op = use.operation
                if self._lets_escape(op, kind := classify_use(op, name)):
                    found[op] = None
                elif kind == "view":
                    names += {op.results[0]} - known
                    known.add(op.results[0])
            for dependent in self.origins.direct_dependents(name):
                if dependent not in known:
                    known.add(dependent)
                    names.append(dependent)
        return [*found]

    def _goes_on(self, op: Operation) -> bool:
        """Whether an op around another one may still run after the ops that follow it."""
        around: list[Operation] = []
        level = op.parent_op()
        while level not in (None, self.function) and level not in self._going_on:
            around.append(level)
            level = level.parent_op()
        found = level is not None and self._going_on.get(level, False)
        for level in reversed(around):
            found = self._going_on[level] = found or may_go_on(level)
        return found

    def _start(self, value: SSAValue, block: Block, accesses: Sequence[int]) -> int:
        """Return the first position of a root, in the block that defines it."""
        owner = value.owner
        start, end = self.positions.bounds(block)
        if isinstance(owner, Block):
            return start
        if not is_allocated(value) or accesses[0] < start or end <= accesses[-1]:
            return self.positions.exit[owner]
        return self.positions.enter[self.positions.child_at(block, accesses[0])]

    def _cover_from(
        self,
        value: SSAValue,
        block: Block,
        start: int,
        accesses: Sequence[int],
        out: list[Interval],
    ) -> None:
        """Add the intervals in which a value that `block` defines is live.

        Args:
            accesses: positions, ascending.
        """
        region = block.parent
        assert region is not None
        if region.first_block is region.last_block:
            self._cover_block(block, start, accesses, out)
            return
        flow = self._flow_of(region)
        defining = flow.blocks.numbers[block]
        live = self._live_blocks[value]
        if live.leaves:
            out.append((start, flow.ends[defining]))
        for first, last in live.through:
            out.append((flow.starts[first], flow.ends[last]))
        for number, found in flow.by_block(accesses):
            if number == defining:
                if not live.leaves:
                    self._cover_block(block, start, found, out)
                continue
            run = bisect_right(live.through, number, key=_first_of) - 1
            if run < 0 or live.through[run][1] < number:
                self._cover_block(flow.order[number], flow.starts[number], found, out)

    def _flow_of(self, region: Region) -> _RegionFlow:
        """Return the control flow of a region of several blocks. First find where all
        roots that they define are live: together, this takes the steps of a few."""
        flow = self._flows.get(region)
        if flow is not None:
            return flow
        flow = self._flows[region] = _RegionFlow.of(region, self.positions)
        roots: list[SSAValue] = []
        defined: list[Defined] = []
        for block, number in flow.blocks.numbers.items():
            for value in (
                *block.args,
                *(each for op in block.ops for each in op.results),
            ):
                if not is_memref(value) or _is_view(value):
                    continue
                accesses = self._find_accesses(value).positions
                used = [each for each, _ in flow.by_block(accesses)]
                roots.append(value)
                defined.append(Defined(number, used))
        found = flow.blocks.find_live(defined)
        self._live_blocks.update(zip(roots, found, strict=True))
        return flow

    def frees_between(self, frees: Frees, start: int, end: int) -> Frees:
        """Return those of some deallocations from a position to before another one."""
        first = bisect_left(self._free_positions, start)
        last = bisect_left(self._free_positions, end)
        return Frees(frees.bits & ((1 << last) - (1 << first)), frees.ops)

    def last_frees(self, values: Sequence[SSAValue]) -> list[int]:
        """Return for each value the position before which the last of its deallocations
        has surely run: those in the iterations to come, and in all blocks that may
        follow, included. 0 for a value without one."""
        last = [0] * len(values)
        asked: dict[Region, list[tuple[int, Defined]]] = {}
        ends: dict[tuple[Region, int], tuple[int, int]] = {}
        for index, value in enumerate(values):
            bits = self.of(value).frees.bits
            block: Block | None = block_of(value)
            while bits and block is not None:
                region = block.parent
                assert region is not None
                flow: _RegionFlow | None = None
                if region.first_block is region.last_block:
                    start, end = self.positions.bounds(block)
                else:
                    flow = self._flow_of(region)
                    start, end = flow.starts[0], flow.ends[-1]
                inside = self.frees_between(Frees(bits), start, end).bits
                bits &= ~inside
                if flow is None:
                    # None runs after the last one.
                    if inside:
                        free = self._frees[inside.bit_length() - 1]
                        last[index] = max(last[index], self._end_of_free(free, region))
                elif inside:
                    used: set[int] = set()
                    for number in numbers_of(inside):
                        known = ends.get((region, number))
                        if known is None:
                            end = self._end_of_free(self._frees[number], region)
                            at = flow.block_at(self._free_positions[number])
                            known = ends[region, number] = at, end
                        used.add(known[0])
                        last[index] = max(last[index], known[1])
                    defined = Defined(flow.blocks.numbers[block], used)
                    asked.setdefault(region, []).append((index, defined))
                block = None if region.parent is None else region.parent.parent
        for region, queries in asked.items():
            flow = self._flow_of(region)
            found = flow.blocks.find_live([defined for _, defined in queries])
            for (index, defined), live in zip(queries, found, strict=True):
                if live.leaves:
                    last[index] = max(last[index], flow.ends[defined.block])
                if live.through:
                    last[index] = max(last[index], flow.ends[live.through[-1][1]])
        return last

    def _end_of_free(self, free: Operation, region: Region) -> int:
        """Return the position before which a deallocation inside of a region has surely
        run, those in iterations to come included."""
        level = free
        end = self.positions.exit[free]
        while level.parent_region() is not region:
            around = level.parent_op()
            assert around is not None
            level = around
            if not self._is_choice(level):
                end = self.positions.exit[level]
        return end + 1

    def reaches_arguments(self, allocation: SSAValue, region: Region) -> bool:
        """Whether an argument of a block of a region may be an allocation."""
        known = self._arguments.get(region)
        if known is None:
            arguments = (value for block in region.blocks for value in block.args)
            known = self.origins.join(filter(is_memref, arguments))
            self._arguments[region] = known
        return self.origins.get_origin(allocation).has_common_terminal(known)

    def reaches_arguments_around(self, allocation: SSAValue) -> bool:
        """Whether an argument of a block around an allocation, or of one beside such a
        block, may be an allocation."""
        known = self._arguments_around
        inside: list[Region] = []
        region = block_of(allocation).parent
        while region is not None and region not in known:
            inside.append(region)
            above = region.parent
            region = None if above is None else above.parent_region()
        bits = 0 if region is None else known[region]
        for region in reversed(inside):
            arguments = (value for block in region.blocks for value in block.args)
            bits |= self.origins.join(filter(is_memref, arguments)).bits
            known[region] = bits
        return self.origins.get_origin(allocation).bits & bits != 0

    def runs_again(self, block: Block) -> bool:
        """Whether control may come back to a block through others of its region."""
        region = block.parent
        assert region is not None
        known = self._cyclic.get(region)
        if known is None:
            known = self._cyclic[region] = set(cycles(region.blocks, None))
        return block in known

    def _cover_block(
        self, block: Block, start: int, accesses: Sequence[int], out: list[Interval]
    ) -> None:
        """Add the intervals from `start`, in `block`, to the last access in it.

        Args:
            accesses: positions in the block, ascending.
        """
        enter, exit = self.positions.enter, self.positions.exit
        low, high = 0, len(accesses)
        work = [(block, start, low, high)]
        while work:
            block, start, low, high = work.pop()
            last = self.positions.child_at(block, accesses[high - 1])
            inside = bisect_right(accesses, enter[last], low, high)
            if inside > low and accesses[inside - 1] == enter[last]:
                forwards = REGION_BRANCH.lookup(last) is not None
                out.append((start, (enter if forwards else exit)[last] + 1))
            if inside == high:
                continue
            if not self._is_choice(last):
                out.append((start, exit[last] + 1))
                continue
            out.append((start, enter[last] + 1))
            for region in last.regions:
                first = region.blocks.first
                if first is None or first.first_op is None:
                    continue
                begin, end = self.positions.bounds(first)
                low = bisect_left(accesses, begin, inside, high)
                until = bisect_left(accesses, end, inside, high)
                if low < until:
                    work.append((first, begin, low, until))

    def graph_of(self, op: Operation) -> RegionGraph:
        """Return where control goes in an op with regions."""
        graph = self._graphs.get(op)
        if graph is None:
            graph = self._graphs[op] = RegionGraph.of(op)
        return graph

    def _is_choice(self, op: Operation) -> bool:
        """Whether at most one region of an op runs, of one block, and once."""
        known = self._choices.get(op)
        if known is None:
            graph = self.graph_of(op)
            known = self._choices[op] = graph.is_known and all(
                region.first_block is region.last_block
                and all(
                    after.region is None for after in graph.successors.get(region, ())
                )
                for region in op.regions
            )
        return known


@dataclass(frozen=True)
class _RegionFlow:
    """A region of several blocks, in the order of the text, and their positions."""

    blocks: BlockFlow
    order: Sequence[Block]
    starts: Sequence[int]
    ends: Sequence[int]

    @staticmethod
    def of(region: Region, positions: Positions) -> _RegionFlow:
        order = [*region.blocks]
        starts: list[int] = []
        ends: list[int] = []
        end = 0
        for block in order:
            # A block without ops has no positions.
            start = positions.block_start.get(block, end)
            end = positions.block_end.get(block, end)
            starts.append(start)
            ends.append(end)
        return _RegionFlow(BlockFlow(region), order, starts, ends)

    def block_at(self, position: int) -> int:
        """Return the number of the block that holds a position."""
        return bisect_right(self.starts, position) - 1

    def by_block(self, positions: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield the number of each block that holds some ascending positions, and
        these."""
        first = 0
        while first < len(positions):
            number = self.block_at(positions[first])
            last = bisect_left(positions, self.ends[number], first)
            yield number, positions[first:last]
            first = last


@dataclass(frozen=True)
class _Accesses:
    """The positions at which a root or a view of it is accessed, ascending; whether it
    escapes, and a bit for each deallocation that may free it."""

    positions: Sequence[int]
    escapes: bool
    frees: int


@dataclass(frozen=True, eq=False)
class _Uses:
    """When the contents of some roots are needed, and what happens to them.

    Attributes:
        intervals: disjoint, ascending.
        parts: others, whose intervals are needed as well.
        frees: a bit for each deallocation of the function.
    """

    intervals: tuple[Interval, ...]
    parts: tuple[_Uses, ...]
    escapes: bool
    frees: int

    def all_intervals(self) -> list[Interval]:
        """Return the intervals, with those of all parts; they may overlap."""
        found = {id(self)}
        work: list[_Uses] = [self]
        for uses in work:
            for part in uses.parts:
                if id(part) not in found:
                    found.add(id(part))
                    work.append(part)
        return [interval for uses in work for interval in uses.intervals]


_UNUSED = _Uses((), (), escapes=False, frees=0)


def _join_uses(several: Iterable[_Uses]) -> _Uses:
    different = {id(uses): uses for uses in several if uses is not _UNUSED}
    if not different:
        return _UNUSED
    first, *others = different.values()
    if not others:
        return first
    escapes, frees = first.escapes, first.frees
    for uses in others:
        escapes |= uses.escapes
        frees |= uses.frees
    parts = (first, *others)
    number = sum(len(uses.intervals) for uses in parts)
    if number > FEW or any(uses.parts for uses in parts):
        return _Uses((), parts, escapes, frees)
    intervals = [interval for uses in parts for interval in uses.intervals]
    return _Uses(_merge(intervals), (), escapes, frees)


def _is_view(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and VIEW_LIKE.lookup(owner) is not None


def _first_of(run: Interval) -> int:
    return run[0]


def _merge(intervals: list[Interval]) -> tuple[Interval, ...]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
