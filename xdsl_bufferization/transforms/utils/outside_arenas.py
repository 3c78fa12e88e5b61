"""Remarks on why plan-memory leaves an allocation outside of the arenas."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.buffer_uses import puts_memory
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.parallel_ops import runs_in_parallel
from xdsl_bufferization.analysis.live_ranges import LiveRanges
from xdsl_bufferization.checkers.lifetimes.helper import calls_with
from xdsl_bufferization.checkers.lifetimes.recognition import is_dealloc_helper
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import of_class
from xdsl_bufferization.remarks.active import active_log
from xdsl_bufferization.transforms.utils.arenas import PlannedArena
from xdsl_bufferization.transforms.utils.memory_slots import (
    Slot,
    has_one_place,
    size_of,
)
from xdsl_bufferization.transforms.utils.rotating_buffers import MOST_NAMES, Rotations


def note_outside_arenas(
    function: FuncOp,
    ops: Sequence[Operation],
    functions: FunctionTable,
    ranges: LiveRanges | None = None,
    slots: Sequence[Slot] = (),
    planned: Sequence[PlannedArena] = (),
    rotations: Rotations | None = None,
) -> None:
    """Note, if remarks are collected, why allocations of a function are not planned.

    Args:
        functions: those of the program.
        ranges: None if no allocation has a known size.
        slots: what can be planned.
        planned: the arenas.
        rotations: if what is allocated again while it is needed may be planned.
    """
    log = active_log()
    if log is None:
        return
    inside = {slot.op for each in planned for slot in each.slots}
    possible = {slot.op for slot in slots}
    for op in of_class(ops, memref.AllocOp):
        if op in inside:
            continue
        reason = _reason_of_form(op, function)
        if reason is None and op in possible:
            reason = _reason_of_space(op, slots)
        if reason is None and ranges is not None:
            reason = _reason_of_use(op, ranges, rotations, functions)
        if reason is not None:
            log.outside_arenas[op] = reason


def _reason_of_form(op: memref.AllocOp, function: FuncOp) -> str | None:
    if DYNAMIC_INDEX in op.memref.type.get_shape():
        return "its size is known at run time only"
    if not isinstance(op.memref.type.layout, NoneAttr):
        return "its type has a layout"
    if size_of(op) is None:
        return "it is not known how many bytes it has"
    if has_one_place(op, function):
        return None
    around = op.parent_op()
    while around is not None and around is not function:
        if runs_in_parallel(around):
            return f"the iterations of {around.name} around it may run in parallel"
        around = around.parent_op()
    return "the control flow of an op around it is not known"


def _reason_of_space(op: memref.AllocOp, slots: Sequence[Slot]) -> str:
    """Return why an allocation that can be planned is in no arena."""
    if not size_of(op):
        return "it has no bytes"
    if all(slot.op is op for slot in slots if slot.space == op.memref.type.memory_space):
        return "there is no other buffer to share an arena with"
    return "an arena with it could raise the peak"


def _reason_of_escape(ops: Sequence[Operation], functions: FunctionTable) -> str:
    """Return what one of some ops does with a buffer that it may keep or free: what the
    program says, before what deallocation has made of it."""
    if any(isinstance(op, ReturnOp) for op in ops):
        return "the function returns it"
    for op in ops:
        if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            continue
        if isinstance(op, CallOp):
            return f"@{op.callee.string_value()} may keep or free it"
        if puts_memory(op):
            return f"{op.name} stores it in memory"
        return f"{op.name} may keep or free it"
    if all(_is_listed_to_free(op.results[0], functions) for op in ops):
        return (
            "a list of pointers decides at run time what is freed, as too many buffers "
            "of a loop or branch may be the same one or an argument of the function. Let "
            "a loop start with a copy of the argument"
        )
    return "its address is kept"


def _is_listed_to_free(pointer: SSAValue, functions: FunctionTable) -> bool:
    """Whether a pointer is in a list that a deallocation passes to its helper function,
    and stored nowhere else."""
    lists = [
        use.operation.operands[1]
        for use in pointer.uses
        if isinstance(use.operation, memref.StoreOp)
    ]
    return bool(lists) and all(
        any(
            (callee := functions.callee(call)) is not None and is_dealloc_helper(callee)
            for call in calls_with(list_)
        )
        for list_ in lists
    )


def _reason_of_use(
    op: memref.AllocOp,
    ranges: LiveRanges,
    rotations: Rotations | None,
    functions: FunctionTable,
) -> str:
    live = ranges.of(op.memref)
    if live.escapes:
        return _reason_of_escape(ranges.escapes_by(op.memref), functions)
    if live.has_earlier and rotations is not None:
        if rotations.find_names(op) is None:
            return (
                f"more than {MOST_NAMES} values may be what earlier iterations allocated "
                "there, and are still needed"
            )
    elif live.has_earlier:
        return "it is still needed when the next iteration allocates it again"
    return (
        "an op may free it or, instead of it, a buffer that is not in an arena, such as "
        "an argument of the function"
    )
