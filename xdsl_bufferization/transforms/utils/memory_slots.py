"""The objects that plan-memory plans: allocations, their live ranges, and the positions
of their arenas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.analysis.live_ranges import LiveRange, LiveRanges
from xdsl_bufferization.dialects import affine, memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.planner import Interval
from xdsl_bufferization.transforms.utils.allocation_placement import is_parallel
from xdsl_bufferization.transforms.utils.buffer_sizes import static_bytes

EVERY_ALLOCATION = 16
"""What the addresses of all allocations are a multiple of, as those of malloc."""


@dataclass
class Slot:
    """What gets an offset: an allocation, or the arena of a function that is called."""

    op: Operation
    space: Attribute
    size: int
    alignment: int
    intervals: Sequence[Interval]
    frees: Sequence[Operation] = ()
    arena: SSAValue | None = None
    """The argument of the callee."""


def find_slots(
    ranges: LiveRanges, allocations: Sequence[memref.AllocOp], alignment: int
) -> list[Slot]:
    """Return the allocations that can be planned: of those, and of what frees them,
    nothing else depends."""
    found: dict[SSAValue, LiveRange] = {}
    for op in allocations:
        live = ranges.of(op.memref)
        if not (live.escapes or live.has_earlier):
            found[op.memref] = live
    freed: dict[Operation, list[SSAValue]] = {}
    kept: list[Operation] = []
    for value, live in found.items():
        for free in live.frees:
            freed.setdefault(free, []).append(value)
    for free in freed:
        terminals = ranges.origins.get_terminals(free.operands[0])
        if not all(terminal in found for terminal in terminals):
            kept.append(free)
    while kept:
        for value in freed.pop(kept.pop(), ()):
            live = found.pop(value, None)
            if live is not None:
                kept += [free for free in live.frees if free in freed]
    slots: list[Slot] = []
    for op in allocations:
        live = found.get(op.memref)
        if live is None:
            continue
        size = size_of(op)
        assert size is not None
        enter = ranges.positions.enter[op]
        intervals = live.intervals or ((enter, enter + 1),)
        slots.append(
            Slot(
                op,
                op.memref.type.memory_space,
                size,
                alignment or max(stated_alignment(op), EVERY_ALLOCATION),
                intervals,
                live.frees,
            )
        )
    return slots


def size_of(op: memref.AllocOp) -> int | None:
    """Return the bytes of an allocation that a view of bytes may take the place of."""
    type_ = op.memref.type
    return static_bytes(type_) if isinstance(type_.layout, NoneAttr) else None


def stated_alignment(op: memref.AllocOp) -> int:
    """Return what the address of an allocation must be a multiple of, 0 if anything."""
    given = op.properties.get("alignment")
    return given.value.data if isinstance(given, IntegerAttr) else 0


def has_one_place(op: Operation, function: FuncOp) -> bool:
    """Whether no two instances of an op run at the same time within a function."""
    parent = op.parent_op()
    while parent is not function:
        if parent is None or REGION_BRANCH.lookup(parent) is None:
            return False
        if is_parallel(parent) or isinstance(parent, affine.ParallelOp):
            return False
        parent = parent.parent_op()
    return True


def find_keepers(
    functions: FunctionTable, callees_first: Iterable[FuncOp]
) -> set[FuncOp | None]:
    """Return the functions that may free an argument, or keep it in memory; those that
    call such a function are taken to do so as well. Deallocation leaves none."""
    keepers: set[FuncOp | None] = set()
    for function in callees_first:
        frees = [op for op in walk(function) if isinstance(op, memref.DeallocOp)]
        origins = BufferOrigins(function) if frees else None
        if (
            any(
                isinstance(terminal, BlockArgument)
                for free in frees
                for terminal in (origins.get_terminals(free.memref) if origins else ())
            )
            or any(_stores_memref(op) for op in walk(function))
            or any(functions.callee(op) in keepers for op in walk(function))
        ):
            keepers.add(function)
    return keepers


def _stores_memref(op: Operation) -> bool:
    return isinstance(op, memref.StoreOp) and is_memref(op.operands[0])


# Where the arena is.


@dataclass(frozen=True)
class Window:
    """Where an arena is allocated and freed, and the positions that it exists in."""

    start: InsertPoint
    ends: Sequence[InsertPoint]
    positions: Interval


def find_window(ranges: LiveRanges, slots: Sequence[Slot], block: Block) -> Window:
    """Return the smallest part of a block that has all its slots; all of a function if
    the block is the first of several."""
    function = ranges.function
    enter, exit = ranges.positions.enter, ranges.positions.exit
    first, last = block.first_op, block.last_op
    assert first is not None and last is not None
    if block is function.body.blocks[0] and block.next_block is not None:
        ends = [InsertPoint.before(op) for op in return_ops(function)]
        return Window(
            InsertPoint.before(first), ends, (enter[function], exit[function] + 1)
        )
    start = min(enter[slot.op] for slot in slots)
    end = max(slot.intervals[-1][1] for slot in slots)
    while exit[first] < start and first.next_op is not None:
        first = first.next_op
    while enter[last] >= end and last.prev_op is not None and last is not first:
        last = last.prev_op
    place = InsertPoint.before(last) if last is block.last_op else InsertPoint.after(last)
    return Window(InsertPoint.before(first), [place], (enter[first], exit[last] + 1))


def keep_until(slots: Sequence[Slot], position: int) -> list[Slot]:
    """Return the slots that are dead from a position on, but for those that an op frees
    which may free one of the others."""
    return keep(slots, [slot for slot in slots if slot.intervals[-1][1] <= position])


def keep(slots: Sequence[Slot], kept: Sequence[Slot]) -> list[Slot]:
    """Return those of the kept slots that no op frees which may free another one."""
    kept = [*kept]
    while True:
        planned = {slot.op for slot in kept}
        others = {free for slot in slots if slot.op not in planned for free in slot.frees}
        fewer = [slot for slot in kept if others.isdisjoint(slot.frees)]
        if len(fewer) == len(kept):
            return kept
        kept = fewer
