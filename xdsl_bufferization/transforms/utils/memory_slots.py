"""The objects that plan-memory plans: allocations, their live ranges, and the positions
of their arenas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from xdsl.dialects.builtin import NoneAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.terminal_groups import TerminalGroups
from xdsl_bufferization.analysis.facts.bits import connected_groups
from xdsl_bufferization.analysis.facts.buffer_uses import classify_use
from xdsl_bufferization.analysis.facts.functions import (
    FunctionTable,
    return_ops,
    with_callers,
)
from xdsl_bufferization.analysis.facts.parallel_ops import runs_in_parallel
from xdsl_bufferization.analysis.live_ranges import (
    Frees,
    LiveRange,
    LiveRanges,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import (
    EVERY_ALLOCATION,
    allocation_alignment,
    element_alignment,
    static_bytes,
)
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import is_allocated, is_memref
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.planner import GREATEST, Buffer, Interval
from xdsl_bufferization.transforms.utils.conditional_frees import ConditionalFrees
from xdsl_bufferization.transforms.utils.rotating_buffers import Rotations

_KEPT = frozenset(("free", "escape"))
"""The kinds of uses after which a buffer may be freed, or accessed by anything."""


@dataclass
class Slot:
    """What gets an offset: an allocation, or the arena of a function that is called."""

    op: Operation
    space: Attribute
    size: int
    alignment: int
    intervals: Sequence[Interval]
    frees: Frees = field(default_factory=Frees)
    arena: SSAValue | None = None
    """The argument of the callee."""
    names: Sequence[SSAValue] = ()
    """What may be earlier allocations of the op (`rotating_buffers`). There is one slot
    more than there are names."""

    @cached_property
    def buffer(self) -> Buffer:
        """What the planner knows of it."""
        return Buffer(self.size, tuple(self.intervals), self.alignment)


def find_slots(
    ranges: LiveRanges,
    allocations: Sequence[memref.AllocOp],
    alignment: int,
    rotations: Rotations | None = None,
) -> list[Slot]:
    """Return the allocations that can be planned: of those, and of what frees them,
    nothing else depends.

    Args:
        rotations: gives several slots to what is allocated again while it is needed;
            None if such allocations are not planned.
    """
    found: dict[SSAValue, LiveRange] = {}
    names: dict[SSAValue, Sequence[SSAValue]] = {}
    for op in allocations:
        live = ranges.of(op.memref)
        if live.escapes:
            continue
        if live.has_earlier:
            needed = None if rotations is None else rotations.find_names(op)
            if needed is None:
                continue
            names[op.memref] = needed
        found[op.memref] = live
    freed = Frees.union(live.frees for live in found.values())
    is_planned = TerminalGroups(ranges.origins, found.__contains__)
    frees_others = [bool(is_planned.of(free.operands[0], False)) for free in freed]
    if rotations is not None:
        conditional = ConditionalFrees([*freed], found.__contains__)
        frees_others = [
            others and not conditional.frees_only_expected(free)
            for free, others in zip(freed, frees_others, strict=True)
        ]
    kept, *groups = connected_groups(
        [
            freed.select(frees_others).bits,
            *(live.frees.bits for live in found.values()),
        ]
    )
    planned = {
        value: live
        for (value, live), group in zip(found.items(), groups, strict=True)
        if group != kept
    }
    slots: list[Slot] = []
    for op in allocations:
        live = planned.get(op.memref)
        if live is None:
            continue
        size = size_of(op)
        assert size is not None
        enter = ranges.positions.enter[op]
        intervals = live.intervals or ((enter, enter + 1),)
        type_ = op.memref.type
        earlier = names.get(op.memref, ()) if size else ()
        slot = Slot(
            op,
            type_.memory_space,
            size,
            max(
                alignment or EVERY_ALLOCATION,
                alignment_of(op),
                element_alignment(type_.element_type) or EVERY_ALLOCATION,
            ),
            intervals,
            live.frees,
            names=earlier,
        )
        slots += [slot] * (len(earlier) + 1)
    return slots


def size_of(op: memref.AllocOp) -> int | None:
    """Return the bytes of an allocation that a view of bytes may take the place of."""
    type_ = op.memref.type
    size = static_bytes(type_) if isinstance(type_.layout, NoneAttr) else None
    return None if size is None or size > GREATEST else size


def alignment_of(op: memref.AllocOp) -> int:
    """Return what the address of an allocation must be a multiple of; 0 for what every
    allocation has."""
    return allocation_alignment(op, op.memref.type.element_type)


def has_one_place(
    op: Operation, function: FuncOp, known: dict[Operation, bool] | None = None
) -> bool:
    """Whether no two instances of an op run at the same time within a function.

    Args:
        known: what has been found out for the ops around others, if many are asked about.
    """
    known = {} if known is None else known
    known[function] = True
    inside: list[Operation] = []
    parent = op.parent_op()
    while parent is not None and parent not in known:
        inside.append(parent)
        parent = parent.parent_op()
    found = parent is not None and known[parent]
    for parent in reversed(inside):
        found = found and (
            REGION_BRANCH.lookup(parent) is not None and not runs_in_parallel(parent)
        )
        known[parent] = found
    return found


@dataclass(frozen=True)
class Keepers:
    """The functions that may free an argument, or keep a reference to it when they
    return; those that call such a function are taken to do so as well.

    Attributes:
        by_value: whether an indirect call may call one of them.
    """

    functions: FunctionTable
    found: set[FuncOp]
    by_value: bool

    @staticmethod
    def of(functions: FunctionTable) -> Keepers:
        """Find the keepers of a program. An external function is assumed to be none."""
        callers: dict[FuncOp, list[FuncOp]] = {}
        indirect: list[FuncOp] = []
        for function in functions.functions:
            for op in walk(function):
                if CALL.lookup(op) is None:
                    continue
                callee = functions.callee(op)
                if callee is None:
                    indirect.append(function)
                else:
                    callers.setdefault(callee, []).append(function)
        own = [each for each in functions.functions if _keeps_argument(each)]
        found = with_callers(own, callers)
        by_value = any(not functions.has_known_calls(each) for each in found)
        if by_value:
            found = with_callers((*own, *indirect), callers)
        return Keepers(functions, found, by_value)

    def keeps(self, op: Operation) -> bool:
        """Whether an op is a call that may free an operand, or keep it."""
        if CALL.lookup(op) is None:
            return False
        callee = self.functions.callee(op)
        return self.by_value if callee is None else callee in self.found


def _keeps_argument(function: FuncOp) -> bool:
    """Whether an op of a function, other than a call, may free or keep an argument."""
    kept = [
        operand
        for op in walk(function)
        # What a clone makes is memory of its own when the function returns.
        if not isinstance(op, ReturnOp) and op.name != "bufferization.clone"
        for operand in op.operands
        if is_memref(operand)
        and not is_allocated(operand)
        and classify_use(op, operand) in _KEPT
    ]
    if not kept:
        return False
    is_argument = TerminalGroups(
        BufferOrigins(function), lambda terminal: isinstance(terminal, BlockArgument)
    )
    return any(is_argument.of(operand, True) for operand in kept)


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
    first = block.first_op
    assert first is not None
    if block is function.body.blocks[0] and block.next_block is not None:
        ends = [InsertPoint.before(op) for op in return_ops(function)]
        return Window(
            InsertPoint.before(first), ends, (enter[function], exit[function] + 1)
        )
    start = min(enter[slot.op] for slot in slots)
    end = max(slot.intervals[-1][1] for slot in slots)
    first = ranges.positions.child_at(block, start)
    last = ranges.positions.child_at(block, max(start, end - 1))
    place = InsertPoint.before(last) if last is block.last_op else InsertPoint.after(last)
    return Window(InsertPoint.before(first), [place], (enter[first], exit[last] + 1))


def most_live(slots: Sequence[Slot]) -> int:
    """Return the most bytes of slots that are live at one position."""
    changes = sorted(
        change
        for slot in slots
        for start, end in slot.intervals
        for change in ((start, slot.size), (end, -slot.size))
    )
    return max(accumulate(size for _, size in changes), default=0)


def keep_until(slots: Sequence[Slot], position: int) -> list[Slot]:
    """Return the slots that are dead from a position on, but for those that an op frees
    which may free one of the others."""
    return keep(slots, [slot for slot in slots if slot.intervals[-1][1] <= position])


def keep(slots: Sequence[Slot], kept: Sequence[Slot]) -> list[Slot]:
    """Return those of the kept slots that no op frees which may free another one."""
    (found,) = keep_each(slots, [kept])
    return found


def keep_each(slots: Sequence[Slot], parts: Sequence[Sequence[Slot]]) -> list[list[Slot]]:
    """Return for each part of the slots those that no op frees which may free one that
    is not in this part."""
    groups = connected_groups([slot.frees.bits for slot in slots])
    group_of = dict(zip((slot.op for slot in slots), groups, strict=True))
    sizes = Counter(group_of.values())
    result: list[list[Slot]] = []
    for part in parts:
        own = Counter(group_of[op] for op in {slot.op for slot in part})
        result.append([s for s in part if own[group_of[s.op]] == sizes[group_of[s.op]]])
    return result
