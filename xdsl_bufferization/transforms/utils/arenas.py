"""Building the arenas of plan-memory, and the views of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
    i8,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.live_ranges import Frees
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import EVERY_ALLOCATION
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.planner import Plan
from xdsl_bufferization.remarks.active import active_log
from xdsl_bufferization.transforms.utils.memory_slots import Slot, Window
from xdsl_bufferization.transforms.utils.rotating_buffers import choose_cell

ARENA_BYTES = "arena_bytes"
ARENA_ALIGNMENTS = "arena_alignments"
"""Attributes of a function that takes arenas as its last arguments: their sizes, and what
their addresses must be a multiple of."""


@dataclass(frozen=True)
class PlannedArena:
    """Slots of one memory space, their offsets, and where the arena comes from."""

    slots: Sequence[Slot]
    plan: Plan
    window: Window
    is_argument: bool
    on_stack: bool

    @property
    def type(self) -> MemRefType[Attribute]:
        return MemRefType(i8, [self.plan.height], NoneAttr(), self.slots[0].space)

    @property
    def alignment(self) -> int:
        return max(slot.alignment for slot in self.slots)


@dataclass
class Arenas:
    """The arenas that functions take as arguments, and what callers pass for them."""

    arguments: dict[FuncOp, list[SSAValue]] = field(
        default_factory=dict[FuncOp, list[SSAValue]]
    )
    """In the order of the arguments."""
    _alignments: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _passed: dict[tuple[Operation, SSAValue], SSAValue] = field(
        default_factory=dict[tuple[Operation, SSAValue], SSAValue]
    )
    """For a call and an arena of its callee, the view that the caller has planned."""

    def slot_of_call(self, call: CallOp, arena: SSAValue, position: int) -> Slot:
        """Return the slot that the caller at `position` needs for an arena of its
        callee."""
        type_ = _arena_type(arena)
        return Slot(
            call,
            type_.memory_space,
            type_.get_shape()[0],
            self._alignments[arena],
            ((position, position + 1),),
            arena=arena,
        )

    def build(self, function: FuncOp, planned: Sequence[PlannedArena]) -> None:
        """Build the arenas of a function, and replace its allocations by views of
        them."""
        # All arenas first: their windows are bounded by ops that views replace.
        for each, arena in [(each, self._make(function, each)) for each in planned]:
            self._rewrite(each, arena)

    def _make(self, function: FuncOp, planned: PlannedArena) -> SSAValue:
        if planned.is_argument:
            return self._add_argument(function, planned.type, planned.alignment)
        with built_for(planned.slots[0].op):
            arena = _allocate(planned)
            if (log := active_log()) is not None and isinstance(arena.owner, Operation):
                log.note(arena.owner, log.cause("arena", planned.slots[0].op))
            if not planned.on_stack:
                for end in planned.window.ends:
                    Rewriter.insert_op(memref.DeallocOp.get(arena), end)
        return arena

    def _rewrite(self, planned: PlannedArena, arena: SSAValue) -> None:
        cells: list[SSAValue] = []
        for slot, offset in zip(planned.slots, planned.plan.offsets, strict=True):
            with built_for(slot.op):
                cells.append(_place(slot, arena, offset))
                if slot.arena is not None:
                    self._passed[slot.op, slot.arena] = cells.pop()
                elif len(cells) > len(slot.names):
                    buffer = choose_cell(slot.op, cells, slot.names, slot.size)
                    Rewriter.replace_op(slot.op, [], [buffer])
                    cells = []
        for free in Frees.union(slot.frees for slot in planned.slots):
            Rewriter.erase_op(free)

    def _add_argument(
        self, function: FuncOp, type_: MemRefType[Attribute], alignment: int
    ) -> SSAValue:
        entry = function.body.blocks[0]
        arena = entry.insert_arg(type_, len(entry.args))
        arena.name_hint = "arena"
        inputs = function.function_type.inputs.data
        if function.arg_attrs is not None:
            function.arg_attrs = ArrayAttr([*function.arg_attrs, DictionaryAttr({})])
        function.function_type = FunctionType.from_lists(
            [*inputs, type_], [*function.function_type.outputs.data]
        )
        self.arguments.setdefault(function, []).append(arena)
        self._alignments[arena] = alignment
        if function.sym_visibility != StringAttr("private"):
            size = _arena_type(arena).get_shape()[0]
            for name, number in ((ARENA_BYTES, size), (ARENA_ALIGNMENTS, alignment)):
                earlier = function.attributes.get(name, ArrayAttr[Attribute]([]))
                if not isinstance(earlier, ArrayAttr):
                    raise PassFailedException(
                        f"plan-memory: {name} of @{function.sym_name.data} must be an "
                        f"array, with a number for each arena{describe(function)}"
                    )
                numbers = cast("ArrayAttr[Attribute]", earlier).data
                function.attributes[name] = ArrayAttr(
                    [*numbers, IntegerAttr(number, i64)]
                )
        return arena

    def complete_call(self, call: CallOp, arenas: Sequence[SSAValue]) -> None:
        """Pass the arenas: those that the caller has planned, or new allocations."""
        operands = [*call.operands]
        for arena in arenas:
            view = self._passed.get((call, arena))
            if view is None:
                with built_for(call):
                    alloc = _new_arena(_arena_type(arena), self._alignments[arena])
                    view = alloc.memref
                    free = memref.DeallocOp.get(view)
                Rewriter.insert_op(alloc, InsertPoint.before(call))
                Rewriter.insert_op(free, InsertPoint.after(call))
            operands.append(view)
        call.operands = operands


def _arena_type(arena: SSAValue) -> MemRefType[Attribute]:
    return cast("MemRefType[Attribute]", arena.type)


def _new_arena(type_: MemRefType[Attribute], alignment: int) -> memref.AllocOp:
    stated = extra_alignment(alignment)
    return memref.AllocOp((), (), type_, IntegerAttr(stated, i64) if stated else None)


def extra_alignment(alignment: int) -> int:
    """Return the alignment to ask for, 0 if every allocation has it: it costs bytes."""
    return alignment if alignment > EVERY_ALLOCATION else 0


def _allocate(planned: PlannedArena) -> SSAValue:
    if planned.on_stack:
        op = _arena_on_stack(planned)
    else:
        op = _new_arena(planned.type, planned.alignment)
    op.results[0].name_hint = "arena"
    Rewriter.insert_op(op, planned.window.start)
    return op.results[0]


def _arena_on_stack(planned: PlannedArena) -> memref.AllocaOp:
    """Build an arena whose alignment is always stated: the stack, unlike malloc, aligns
    bytes to nothing."""
    alignment = max(planned.alignment, EVERY_ALLOCATION)
    return memref.AllocaOp((), (), planned.type, IntegerAttr(alignment, i64))


def _place(slot: Slot, arena: SSAValue, offset: int) -> SSAValue:
    """Create a view for an allocation or a call."""
    shift = arith.ConstantOp.from_int_and_width(offset, IndexType())
    shift.result.name_hint = f"c{offset}"
    type_ = slot.op.results[0].type if slot.arena is None else slot.arena.type
    view = memref.ViewOp.create(operands=[arena, shift.result], result_types=[type_])
    Rewriter.insert_op([shift, view], InsertPoint.before(slot.op))
    if slot.arena is None:
        view.results[0].name_hint = slot.op.results[0].name_hint
    return view.results[0]
