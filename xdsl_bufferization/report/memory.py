"""The memory that a bufferized program needs over time, estimated statically.

An allocation is live from its op to the last op that frees it, through any alias, and
to the end of its function if there is none, for example if it is returned. A call needs
the peak of its callee in addition to the live buffers. A loop counts as one iteration,
and all branches count as taken. The peak is a lower bound (not `is_complete`) if sizes
known only at run time are not counted, a recursive function allocates memory at each
depth, or a callee is not known. A function without a body allocates what it returns, of
unknown size, and otherwise no memory.

The stack counts, up to the end of the function, loop or scope around the op. An arena
that a function takes as an argument (`plan-memory{arena=argument}`) counts as long as the
function runs, but not where a function of the program passes it: there, it is memory of
the caller already. Other arguments do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.allocation_scopes import automatic_allocation_region
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.view_like import get_renamed
from xdsl_bufferization.remarks.model import allocated_bytes
from xdsl_bufferization.report.buffers import BufferGroups
from xdsl_bufferization.transforms.utils.arenas import ARENA_ALIGNMENTS, ARENA_BYTES

_ALLOCATIONS = ("memref.alloc", "memref.alloca", "memref.realloc", "bufferization.clone")


@dataclass(frozen=True)
class Allocation:
    """A buffer of the bufferized program.

    Attributes:
        name: how the program names it, or its type.
        bytes: its size; None where that depends on the run.
        begin, end: the first and last line of the bufferized program in which it lives.
        is_argument: whether it is an arena that the caller of the function passes.
    """

    name: str
    function: str
    type: str
    bytes: int | None
    begin: int
    end: int
    is_freed: bool
    is_on_stack: bool = False
    is_argument: bool = False


@dataclass(frozen=True)
class Peak:
    """The most memory that a function holds at a time, an estimate.

    Attributes:
        line: the line of the bufferized program where it does.
        live: what is live there.
        is_complete: whether the sizes of all allocations, and how many are live at a
            time, are known; if not, `bytes` is a lower bound.
        on_stack: how many of the bytes are on the stack, also in functions that it calls.
        passed: how many are arenas that the caller passes.
    """

    function: str
    bytes: int
    line: int
    live: tuple[Allocation, ...]
    is_complete: bool
    on_stack: int = 0
    passed: int = 0


@dataclass(frozen=True)
class PlannedBuffer:
    """A part of an arena, where memory was planned.

    Attributes:
        arena: how the program names the arena.
        offset: where the part begins, in bytes.
        begin, end: the first and last line of the bufferized program that uses it.
    """

    name: str
    arena: str
    offset: int
    bytes: int
    begin: int
    end: int


@dataclass(frozen=True)
class FunctionMemory:
    """The memory of one function: the arenas that it takes and its allocations, in order,
    what planning has put into them, and its peak."""

    name: str
    allocations: tuple[Allocation, ...]
    planned: tuple[PlannedBuffer, ...]
    peak: Peak


def estimate_memory(
    module: ModuleOp, lines: dict[Operation, int], buffers: BufferGroups
) -> tuple[FunctionMemory, ...]:
    """Estimate the memory of each function with a body, in program order.

    Args:
        lines: the line of each op of the module.
        buffers: the buffers of the module.
    """
    lives = _lives(buffers)
    table = FunctionTable(module)
    found: dict[FuncOp, FunctionMemory] = {}
    # What a call needs: the caller has the arenas that it passes.
    called: dict[FuncOp, Peak] = {}
    for cycle in _callees_first(table):
        for func in cycle:
            if func.body.blocks:
                memory, called[func] = _function_memory(func, lines, table, called)
                planned = tuple(_planned_buffers(func, buffers, lives))
                found[func] = replace(memory, planned=planned)
        if len(cycle) > 1 or any(table.callee(op) is cycle[0] for op in walk(cycle[0])):
            _complete_cycle([func for func in cycle if func in found], found, called)
    return tuple(found[func] for func in list_functions(module) if func in found)


def _callees_first(table: FunctionTable) -> Iterator[list[FuncOp]]:
    """The functions, together with those on a cycle of calls with them."""
    ordered, circular = table.callees_first()
    yield from ([func] for func in ordered)
    callees = {
        func: list(dict.fromkeys(filter(None, map(table.callee, walk(func)))))
        for func in circular
    }
    yield from strongly_connected(circular, lambda func: callees.get(func, ()))


def _complete_cycle(
    cycle: list[FuncOp],
    found: dict[FuncOp, FunctionMemory],
    called: dict[FuncOp, Peak],
) -> None:
    """Give the functions of a cycle of calls one answer: if one of them needs memory, all
    may need it, at any depth."""
    peaks = [called[func] for func in cycle]
    if all(peak.is_complete and not peak.bytes for peak in peaks):
        return
    for func in cycle:
        called[func] = replace(called[func], is_complete=False)
        peak = replace(found[func].peak, is_complete=False)
        found[func] = replace(found[func], peak=peak)


def _function_memory(
    func: FuncOp,
    lines: dict[Operation, int],
    table: FunctionTable,
    called: dict[FuncOp, Peak],
) -> tuple[FunctionMemory, Peak]:
    """Return the memory of a function, and what a call of it needs."""
    name = func.sym_name.data
    ops = [op for op in walk(func) if op is not func]
    last = max((lines[op] for op in ops), default=lines[func])
    freed = _last_frees(ops, lines)
    allocations = list(_arenas(func, lines[func], last))
    # What is needed beside the allocations: the callees', in lines.
    calls: list[tuple[int, Peak]] = []
    is_known = True
    for op in ops:
        if op.name in _ALLOCATIONS:
            buffer = op.results[0]
            end = freed.get(buffer)
            is_on_stack = op.name == "memref.alloca"
            scope = automatic_allocation_region(op) if is_on_stack else None
            if scope is not None:
                end = max(lines[inner] for each in scope.blocks for inner in each.ops)
            type_ = buffer.type
            allocations.append(
                Allocation(
                    name=_name(buffer),
                    function=name,
                    type=str(type_),
                    bytes=allocated_bytes(type_),
                    begin=lines[op],
                    end=last if end is None else max(end, lines[op]),
                    is_freed=end is not None,
                    is_on_stack=is_on_stack,
                )
            )
        elif CALL.lookup(op) is not None:
            callee = table.callee(op)
            needed = None if callee is None else called.get(callee)
            if needed is not None:
                calls.append((lines[op], needed))
            elif callee is None or not callee.body.blocks:
                is_known &= callee is not None and not any(map(is_memref, op.results))
    own = [each for each in allocations if not each.is_argument]
    peak = _find_peak(name, lines[func], allocations, calls)
    needed = peak
    if len(own) < len(allocations):
        needed = _find_peak(name, lines[func], own, calls)
    if not is_known:
        peak = replace(peak, is_complete=False)
        needed = replace(needed, is_complete=False)
    return FunctionMemory(name, tuple(allocations), (), peak), needed


def _arenas(func: FuncOp, first: int, last: int) -> Iterator[Allocation]:
    """Find the arenas that a function takes, its last arguments."""
    stated = [func.attributes.get(name) for name in (ARENA_BYTES, ARENA_ALIGNMENTS)]
    arrays = [cast("ArrayAttr[Attribute]", a) for a in stated if isinstance(a, ArrayAttr)]
    number = max((len(array) for array in arrays), default=0)
    for argument in func.args[max(len(func.args) - number, 0) :]:
        yield Allocation(
            name=_name(argument),
            function=func.sym_name.data,
            type=str(argument.type),
            bytes=allocated_bytes(argument.type),
            begin=first,
            end=last,
            is_freed=False,
            is_argument=True,
        )


def _lives(buffers: BufferGroups) -> dict[int, tuple[int, int]]:
    """The first and last line of each buffer."""
    lives: dict[int, tuple[int, int]] = {}
    for line, numbers in sorted(buffers.of_lines.items()):
        for number in numbers:
            lives[number] = (lives.get(number, (line, line))[0], line)
    return lives


def _planned_buffers(
    func: FuncOp, buffers: BufferGroups, lives: dict[int, tuple[int, int]]
) -> Iterator[PlannedBuffer]:
    for op in walk(func):
        if not isinstance(op, memref.ViewOp) or op.operands[2:]:
            continue
        buffer, size = op.results[0], allocated_bytes(op.results[0].type)
        offset = constant_integer(op.operands[1])
        if size is not None and offset is not None:
            begin, end = lives[buffers.number_of(buffer)]
            arena = _name(_base(op.operands[0]))
            yield PlannedBuffer(_name(buffer), arena, offset, size, begin, end)


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else str(value.type)


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
    inside = max(
        (peak for at, peak in calls if at == where),
        key=lambda peak: peak.bytes,
        default=None,
    )
    return Peak(
        function,
        most,
        where,
        live,
        is_complete,
        on_stack=sum(a.bytes or 0 for a in live if a.is_on_stack)
        + (0 if inside is None else inside.on_stack),
        passed=sum(a.bytes or 0 for a in live if a.is_argument),
    )
