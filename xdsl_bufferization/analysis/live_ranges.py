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

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins, Origin
from xdsl_bufferization.analysis.deallocation.liveness import (
    get_predecessors,
    mark_live,
)
from xdsl_bufferization.analysis.facts.bits import numbers_of
from xdsl_bufferization.analysis.facts.block_graph import block_of, cycles
from xdsl_bufferization.analysis.facts.buffer_uses import classify_use, may_go_on
from xdsl_bufferization.analysis.facts.forwarded_values import RegionGraph
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
        self._predecessors: dict[Region, dict[Block, list[Block]]] = {}
        self._frees = [op for op in self.positions.enter if op.name == "memref.dealloc"]
        self._free_numbers = {op: number for number, op in enumerate(self._frees)}
        self._reached = ReachedValues(
            self._own, self.origins.direct_dependents, _join_uses
        )
        self._known: dict[SSAValue, LiveRange] = {}
        self._arguments: dict[Region, Origin] = {}
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
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        intervals: list[Interval] = []
        if block is not None and accesses:
            start = self._start(value, block, accesses)
            self._cover_from(value, block, start, accesses, intervals)
        if not (intervals or escapes or frees):
            return _UNUSED
        return _Uses(_merge(intervals), (), escapes, frees)

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

    def _start(self, value: SSAValue, block: Block, accesses: list[Operation]) -> int:
        """Return the first position of a root, in the block that defines it."""
        owner = value.owner
        if isinstance(owner, Block):
            return self.positions.block_start[block]
        if not is_allocated(value):
            return self.positions.exit[owner]
        first: int | None = None
        for access in accesses:
            ancestor = block.find_ancestor_op_in_block(access)
            if ancestor is None:
                return self.positions.exit[owner]
            position = self.positions.enter[ancestor]
            first = position if first is None else min(first, position)
        assert first is not None
        return first

    def _cover_from(
        self,
        value: SSAValue,
        block: Block,
        start: int,
        accesses: list[Operation],
        out: list[Interval],
    ) -> None:
        """Add the intervals in which a value that `block` defines is live."""
        region = block.parent
        assert region is not None
        if region.first_block is region.last_block:
            self._cover_block(block, start, accesses, out)
            return
        by_block: dict[Block, list[Operation]] = {}
        for access in accesses:
            by_block.setdefault(_block_around(access, region), []).append(access)
        live_in = self._live_in(value, block, by_block)
        for each in (block, *live_in):
            first = start if each is block else self.positions.block_start[each]
            last = each.last_op
            if last is not None and not live_in.isdisjoint(last.successors):
                out.append((first, self.positions.block_end[each]))
            elif each in by_block:
                self._cover_block(each, first, by_block[each], out)

    def _live_in(
        self, value: SSAValue, defining: Block, used: Iterable[Block]
    ) -> set[Block]:
        """Return the blocks that a value is live at the start of, if some blocks use
        it."""
        region = defining.parent
        assert region is not None
        predecessors = self._predecessors.get(region)
        if predecessors is None:
            predecessors = self._predecessors[region] = get_predecessors(region)
        live_in: dict[Block, dict[SSAValue, None]] = defaultdict(dict[SSAValue, None])
        for block in used:
            mark_live(value, block, defining, predecessors, live_in)
        return set(live_in)

    def frees_between(self, frees: Frees, start: int, end: int) -> Frees:
        """Return those of some deallocations from a position to before another one."""
        enter = self.positions.enter.__getitem__
        first, last = (bisect_left(self._frees, at, key=enter) for at in (start, end))
        return Frees(frees.bits & ((1 << last) - (1 << first)), frees.ops)

    def last_free(self, value: SSAValue, frees: Frees) -> int:
        """Return the position before which the last of some deallocations of a value has
        surely run: those in the iterations to come, and in all blocks that may follow,
        included."""
        starts, ends = self.positions.block_start, self.positions.block_end
        block: Block | None = block_of(value)
        last = 0
        while frees and block is not None:
            region = block.parent
            assert region is not None
            first_block, last_block = region.first_block, region.last_block
            assert first_block is not None and last_block is not None
            inside = self.frees_between(frees, starts[first_block], ends[last_block])
            frees = Frees(frees.bits & ~inside.bits, frees.ops)
            used: dict[Block, None] = {}
            # In a single block, none runs after the last one.
            several = first_block is not last_block
            for free in inside if several else (inside.last,):
                if free is None:
                    continue
                level = free
                end = self.positions.exit[free]
                while level.parent_region() is not region:
                    around = level.parent_op()
                    assert around is not None
                    level = around
                    if not self._is_choice(level):
                        end = self.positions.exit[level]
                last = max(last, end + 1)
                assert level.parent is not None
                used[level.parent] = None
            if several:
                live_in = self._live_in(value, block, used)
                before = self._predecessors[region]
                live_out = (each for inner in live_in for each in before[inner])
                last = max((last, *(ends[each] for each in live_out)))
            block = None if region.parent is None else region.parent.parent
        return last

    def reaches_arguments(self, allocation: SSAValue, region: Region) -> bool:
        """Whether an argument of a block of a region may be an allocation."""
        known = self._arguments.get(region)
        if known is None:
            arguments = (value for block in region.blocks for value in block.args)
            known = self.origins.join(filter(is_memref, arguments))
            self._arguments[region] = known
        return self.origins.get_origin(allocation).has_common_terminal(known)

    def runs_again(self, block: Block) -> bool:
        """Whether control may come back to a block through others of its region."""
        region = block.parent
        assert region is not None
        known = self._cyclic.get(region)
        if known is None:
            known = self._cyclic[region] = set(cycles(region.blocks, None))
        return block in known

    def _cover_block(
        self, block: Block, start: int, accesses: list[Operation], out: list[Interval]
    ) -> None:
        """Add the intervals from `start`, in `block`, to the last access in it."""
        enter, exit = self.positions.enter, self.positions.exit
        while True:
            by_child: dict[Operation, list[Operation]] = {}
            for access in accesses:
                child = block.find_ancestor_op_in_block(access)
                assert child is not None
                by_child.setdefault(child, []).append(access)
            last = max(by_child, key=enter.__getitem__)
            inside = [access for access in by_child[last] if access is not last]
            if len(inside) != len(by_child[last]):
                forwards = REGION_BRANCH.lookup(last) is not None
                out.append((start, (enter if forwards else exit)[last] + 1))
            if not inside:
                return
            if not self._is_choice(last):
                out.append((start, exit[last] + 1))
                return
            out.append((start, enter[last] + 1))
            in_region: dict[Block, list[Operation]] = {}
            for region in last.regions:
                first = region.blocks.first
                if first is None:
                    continue
                found = [each for each in inside if first.find_ancestor_op_in_block(each)]
                if found:
                    in_region[first] = found
            *others, (block, accesses) = in_region.items()
            for other, found in others:
                self._cover_block(other, self.positions.block_start[other], found, out)
            start = self.positions.block_start[block]

    def _is_choice(self, op: Operation) -> bool:
        """Whether at most one region of an op runs, of one block, and once."""
        graph = self._graphs.get(op)
        if graph is None:
            graph = self._graphs[op] = RegionGraph.of(op)
        return graph.is_known and all(
            region.first_block is region.last_block
            and all(after.region is None for after in graph.successors.get(region, ()))
            for region in op.regions
        )


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


def _block_around(op: Operation, region: Region) -> Block:
    """Return the block of a region that holds an op."""
    level: Operation | None = op
    while level is not None and level.parent_region() is not region:
        level = level.parent_op()
    assert level is not None and level.parent is not None
    return level.parent


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
