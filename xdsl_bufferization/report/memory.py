"""How much memory a bufferized program needs at a time, estimated from its text.

An allocation lives from its op to the last op that frees it, under whatever name, and to
the end of its function where none is found: a buffer that is returned, say. A call needs
what its callee needs at its peak, beside what is live. A loop counts as one iteration,
and all branches as taken; sizes that are known at run time only are not counted, which
makes a peak a lower bound (`is_complete`).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.view_like import get_renamed
from xdsl_bufferization.remarks.model import size_of

_ALLOCATIONS = ("memref.alloc", "memref.alloca", "memref.realloc", "bufferization.clone")


@dataclass(frozen=True)
class Allocation:
    """A buffer of the bufferized program.

    Attributes:
        name: how the program names it, or its type.
        bytes: its size; None where that depends on the run.
        begin, end: the first and last line of the bufferized program in which it lives.
    """

    name: str
    function: str
    type: str
    bytes: int | None
    begin: int
    end: int
    is_freed: bool


@dataclass(frozen=True)
class Peak:
    """The most memory that a function holds at a time, an estimate.

    Attributes:
        line: the line of the bufferized program where it does.
        live: what is live there.
        is_complete: whether the sizes of all allocations are known; if not, `bytes` is a
            lower bound.
    """

    function: str
    bytes: int
    line: int
    live: tuple[Allocation, ...]
    is_complete: bool


@dataclass(frozen=True)
class FunctionMemory:
    """The memory of one function: its allocations, in order, and its peak."""

    name: str
    allocations: tuple[Allocation, ...]
    peak: Peak


def estimate_memory(
    module: ModuleOp, lines: dict[Operation, int]
) -> tuple[FunctionMemory, ...]:
    """Estimate the memory of each function with a body, in program order.

    Args:
        lines: the line of each op of the module.
    """
    table = FunctionTable(module)
    ordered, circular = table.callees_first()
    found: dict[FuncOp, FunctionMemory] = {}
    for func in (*ordered, *circular):
        if func.body.blocks:
            found[func] = _function_memory(func, lines, table, found)
    return tuple(found[func] for func in list_functions(module) if func in found)


def _function_memory(
    func: FuncOp,
    lines: dict[Operation, int],
    table: FunctionTable,
    known: dict[FuncOp, FunctionMemory],
) -> FunctionMemory:
    name = func.sym_name.data
    ops = [op for op in walk(func) if op is not func]
    last = max((lines[op] for op in ops), default=lines[func])
    freed = _last_frees(ops, lines)
    allocations: list[Allocation] = []
    # What is needed beside the allocations: the callees', in lines.
    calls: list[tuple[int, Peak]] = []
    for op in ops:
        if op.name in _ALLOCATIONS:
            buffer = op.results[0]
            end = freed.get(buffer)
            hint, type_ = buffer.name_hint, buffer.type
            allocations.append(
                Allocation(
                    name=f"%{hint}" if hint else str(type_),
                    function=name,
                    type=str(type_),
                    bytes=size_of(type_),
                    begin=lines[op],
                    end=last if end is None else max(end, lines[op]),
                    is_freed=end is not None,
                )
            )
        elif CALL.lookup(op) is not None:
            callee = table.callee(op)
            memory = None if callee is None else known.get(callee)
            if memory is not None:
                calls.append((lines[op], memory.peak))
    peak = _find_peak(name, lines[func], allocations, calls)
    return FunctionMemory(name, tuple(allocations), peak)


def _last_frees(ops: list[Operation], lines: dict[Operation, int]) -> dict[SSAValue, int]:
    """The line of the last op that frees each buffer, or a view of it."""
    freed: dict[SSAValue, int] = {}
    for op in ops:
        if op.name in ("memref.dealloc", "bufferization.dealloc"):
            for value in op.operands:
                base = _base(value)
                freed[base] = max(freed.get(base, 0), lines[op])
    return freed


def _base(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, Operation):
        source = get_renamed(value.owner)
        if source is None:
            break
        value = source
    return value


def _find_peak(
    function: str,
    line: int,
    allocations: list[Allocation],
    calls: list[tuple[int, Peak]],
) -> Peak:
    # At each line allocations come first, then what callees need, then what is freed.
    events: list[tuple[int, int, int, int]] = []
    for allocation in allocations:
        size = allocation.bytes or 0
        events.append((allocation.begin, 0, size, 0))
        events.append((allocation.end, 2, -size, 0))
    for at, peak in calls:
        events.append((at, 1, 0, peak.bytes))
    now, most, where = 0, 0, line
    for at, _, change, inside in sorted(events):
        now += change
        if now + inside > most:
            most, where = now + inside, at
    live = tuple(a for a in allocations if a.begin <= where <= a.end)
    is_complete = all(a.bytes is not None for a in allocations) and all(
        peak.is_complete for _, peak in calls
    )
    return Peak(function, most, where, live, is_complete)
