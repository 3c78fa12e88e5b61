"""The memory that a block holds after each of its ops, and whether it may hold more.

A buffer may live longer if that does not raise the peak: wherever it is live in addition,
the block must hold no more than somewhere before.

    %t = memref.alloc() : memref<40xi32>
    memref.dealloc %t                       // If %t lived on, there would be two buffers
    %new = memref.alloc() : memref<48xi32>  // here, and there is never more than one now.

What is held is a number of units of several sorts: bytes of buffers of static size,
buffers of one dynamic size, and what an op allocates or frees if that is not known. One
point holds no more than another one if it has no more units of any sort.

A call of a function that always needs the same memory for a while holds a unit of its own
sort. Any other op that may need memory for a while divides the block into sections.
Nothing may be added at such an op, and only points of one section are compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import static_bytes
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
)
from xdsl_bufferization.transforms.utils.buffer_reuse import sort_of

MOST_PEAKS = 8
"""Other points of a section are compared with this many that hold much."""

Units = Mapping[Hashable, int]
"""Numbers of units, by their sort."""


@dataclass(frozen=True)
class Longer:
    """What a block holds in addition: after the op at position `start`, or from its start
    on if that is -1, until the op at position `end`."""

    start: int
    end: int
    units: Units


class MemoryChanges:
    """Where a function allocates and frees.

    Args:
        functions: the functions that calls refer to.
        ops: all ops of the function.
        temporary_users: those that may need memory for a while.
        count_branches: whether to count what a branch may allocate and yields.
    """

    def __init__(
        self,
        functions: FunctionTable,
        ops: Iterable[Operation],
        temporary_users: set[Operation],
        *,
        count_branches: bool = True,
    ) -> None:
        self._functions = functions
        self._count_branches = count_branches
        self._temporary_users = temporary_users
        self._allocating: set[Operation] = set()
        self._freeing: set[Operation] = set()
        self._is_steady: dict[FuncOp, bool] = {}
        for op in ops:
            for effect in get_allocations_and_frees(op) or ():
                if effect.kind is EffectKind.ALLOCATE:
                    _add_ancestors(op, self._allocating)
                elif effect.kind is EffectKind.FREE:
                    _add_ancestors(op, self._freeing)

    def within(self, op: Operation) -> Units | None:
        """What is held only while an op runs, or while it may need as much; None if this
        is not known."""
        if op in self._temporary_users:
            callee = self._functions.callee(op) if CALL.lookup(op) is not None else None
            if callee is None:
                return None
            steady = self._is_steady.get(callee)
            if steady is None:
                steady = self._is_steady[callee] = _is_steady(callee)
            return {("called", callee): 1} if steady else None
        if isinstance(op, memref.AllocOp) or not _allocates(op):
            return {}
        return None

    def after(self, op: Operation) -> Units:
        """What is held in addition after an op."""
        if isinstance(op, memref.AllocOp):
            return units_of(op)
        if isinstance(op, memref.DeallocOp):
            return _freed(op)
        units: dict[Hashable, int] = {}
        if self._count_branches and op in self._allocating:
            units["allocated", op] = 1
        if op in self._freeing:
            units["freed", op] = -1
        return units


def _is_steady(function: FuncOp) -> bool:
    """Whether each call of a function needs the same memory, and frees it."""
    block = function.body.blocks.first
    if block is None or block is not function.body.blocks.last:
        return False
    allocated: set[SSAValue] = set()
    for op in list_ops(function):
        if CALL.lookup(op) is not None:
            return False
        if isinstance(op, memref.AllocOp):
            if op.parent is not block or op.operands:
                return False
            allocated.add(op.memref)
        elif isinstance(op, memref.DeallocOp):
            if op.parent is not block or op.operands[0] not in allocated:
                return False
            allocated.remove(op.operands[0])
        elif get_allocations_and_frees(op):
            return False
    return not allocated


def _add_ancestors(op: Operation, found: set[Operation]) -> None:
    around = op.parent_op()
    while around is not None and around not in found:
        found.add(around)
        around = around.parent_op()


@dataclass(frozen=True)
class _Section:
    """The points at positions `start` to `end` - 1."""

    start: int
    end: int
    changes: list[tuple[int, Units]]


class BlockMemory:
    """What a block holds, more or less than at its start."""

    def __init__(self, block: Block, memory: MemoryChanges) -> None:
        # While the op number i runs, and after it: 2 * i and 2 * i + 1.
        self.positions = {op: 2 * number for number, op in enumerate(block.ops)}
        self.end = 2 * len(self.positions)
        self._units: dict[int, Units] = {}
        self._barriers: list[int] = []
        for op, position in self.positions.items():
            within = memory.within(op)
            if within is None:
                self._barriers.append(position)
                continue
            if within:
                self._units[position] = within
                self._units[position + 1] = {sort: -n for sort, n in within.items()}
            elif after := memory.after(op):
                self._units[position] = after
        starts = [-1, *self._barriers]
        ends = [*self._barriers, self.end]
        events = sorted(self._units.items(), key=lambda event: event[0])
        places = [position for position, _ in events]
        self._sections = [
            _Section(s, e, events[bisect_left(places, s) : bisect_left(places, e)])
            for s, e in zip(starts, ends, strict=True)
        ]
        self._peaks = [_find_peaks(section.changes) for section in self._sections]

    def freed_by(self, op: Operation) -> Units:
        """What is held in addition after an op of the block if it frees nothing."""
        units = self._units.get(self.positions[op], {})
        return {sort: -count for sort, count in units.items()}

    def may_hold(self, added: Sequence[Longer]) -> bool:
        """Whether the peak stays the same if the block holds something in addition. Takes
        near-linear time."""
        changes: dict[int, list[tuple[int, Units, int]]] = defaultdict(list)
        for each in added:
            if bisect_left(self._barriers, each.start + 1) < bisect_left(
                self._barriers, each.end
            ):
                return False
            changes[each.start].append((1, each.units, 1))
            changes[each.end].append((-1, each.units, -1))
        places = sorted(changes)
        held: dict[Hashable, int] = defaultdict(int)
        count = 0
        number = 0
        for section, peaks in zip(self._sections, self._peaks, strict=True):
            first: list[tuple[int, Units, int]] = []
            inside: dict[int, list[tuple[int, Units, int]]] = {}
            while number < len(places) and places[number] < section.end:
                place = places[number]
                if place <= section.start:
                    first += changes[place]
                else:
                    inside[place] = changes[place]
                number += 1
            points = _points(section, first, inside)
            if not _are_covered(points, peaks, held, count):
                return False
            for _, more in points:
                for sign, units, counted in more:
                    if counted:
                        count += counted
                        for sort, number_of in units.items():
                            held[sort] += sign * number_of
        return True


def _points(
    section: _Section,
    first: list[tuple[int, Units, int]],
    inside: dict[int, list[tuple[int, Units, int]]],
) -> list[tuple[int, list[tuple[int, Units, int]]]]:
    """What changes at each point of a section: a sign, units, and 1 if an addition
    begins, -1 if one ends."""
    own = dict(section.changes)
    points = [(section.start, first)]
    for place in sorted({*own, *inside}):
        more = [*inside.get(place, ())]
        if place in own:
            more.append((1, own[place], 0))
        points.append((place, more))
    return points


def _are_covered(
    points: list[tuple[int, list[tuple[int, Units, int]]]],
    peaks: list[Units],
    held: Mapping[Hashable, int],
    count: int,
) -> bool:
    """Whether each point with an addition holds no more than one of the peaks."""
    needed: list[bool] = []
    for _, more in points:
        count += sum(counted for _, _, counted in more)
        needed.append(count > 0)
    for peak in peaks:
        if not any(needed):
            return True
        left = {sort: -number for sort, number in held.items()}
        for sort, number in peak.items():
            left[sort] = left.get(sort, 0) + number
        short = {sort for sort, number in left.items() if number < 0}
        for index, (_, more) in enumerate(points):
            for sign, units, _ in more:
                for sort, number in units.items():
                    left[sort] = left.get(sort, 0) - sign * number
                    if left[sort] < 0:
                        short.add(sort)
                    else:
                        short.discard(sort)
            if not short:
                needed[index] = False
    return not any(needed)


def _find_peaks(changes: list[tuple[int, Units]]) -> list[Units]:
    """What is held in addition to the start of a section at the points that hold much."""
    level: dict[Hashable, int] = defaultdict(int)
    total = 0
    marks: list[tuple[int, int]] = [(0, -1)]
    for index, (_, units) in enumerate(changes):
        total += sum(units.values())
        after: Units = changes[index + 1][1] if index + 1 < len(changes) else {}
        if any(n > 0 for n in units.values()) and not any(n > 0 for n in after.values()):
            marks.append((total, index))
    wanted = {index for _, index in nlargest(MOST_PEAKS, marks)}
    found: list[Units] = [{}] if -1 in wanted else []
    for index, (_, units) in enumerate(changes):
        for sort, number in units.items():
            level[sort] += number
        if index in wanted:
            found.append(dict(level))
    return found


def units_of(op: memref.AllocOp) -> Units:
    """What an allocation takes."""
    bytes_ = _known_bytes(op.memref.type)
    if bytes_ is None:
        return {sort_of(op): 1}
    units: dict[Hashable, int] = {_bytes_in(op.memref.type): bytes_}
    if isinstance(op.alignment, IntegerAttr):
        units["aligned", op.alignment.value.data] = 1
    return units


def _known_bytes(type_: MemRefType[Attribute]) -> int | None:
    return static_bytes(type_) if isinstance(type_.layout, NoneAttr) else None


def _bytes_in(type_: MemRefType[Attribute]) -> Hashable:
    """The sort of the bytes of a memory space."""
    return "bytes", type_.memory_space


def _allocates(op: Operation) -> bool:
    return any(
        effect.kind is EffectKind.ALLOCATE
        for effect in get_allocations_and_frees(op) or ()
    )


def _freed(op: memref.DeallocOp) -> Units:
    buffer: SSAValue = op.operands[0]
    if isinstance(buffer.owner, memref.ExtractStridedMetadataOp):
        buffer = buffer.owner.operands[0]
    if isinstance(buffer.owner, memref.AllocOp):
        return {sort: -count for sort, count in units_of(buffer.owner).items()}
    # An alignment may have taken more.
    units: dict[Hashable, int] = {("freed", op): -1}
    if is_memref(buffer.type) and (bytes_ := _known_bytes(buffer.type)) is not None:
        units[_bytes_in(buffer.type)] = -bytes_
    return units
