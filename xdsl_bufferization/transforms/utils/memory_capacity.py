"""Whether a function fits into the capacity of a memory space.

What counts at each position are the arenas that are there and the allocations of static
size outside of them. An allocation is surely there from its op to the first op that may
free it: if that is too much, it is an error. It may be there from where an iteration
receives it to the last op that may free it, and twice in a loop that makes it again while
that of the iteration before is needed: if that is too much, it is a warning.

A call needs what its callee has been found to need, besides an arena of the caller. What
the callee may keep stays until the caller returns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.forwarded_values import RegionGraph
from xdsl_bufferization.analysis.live_ranges import LiveRanges
from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.dialects.memory_layout import static_bytes
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.diagnostics import describe, warn
from xdsl_bufferization.planner import Interval
from xdsl_bufferization.transforms.utils.arenas import PlannedArena
from xdsl_bufferization.transforms.utils.function_memory import FunctionMemory
from xdsl_bufferization.transforms.utils.memory_slots import Slot, has_one_place, size_of

_SHOWN = 8
"""How many ops a message names."""


@dataclass(frozen=True)
class _Use:
    """Bytes that are taken between two positions, and the op that they are named by; none
    for an arena, which its slots name."""

    interval: Interval
    size: int
    op: Operation | None


@dataclass(frozen=True)
class _Arena:
    """An arena, where it counts, and what is in it."""

    interval: Interval
    size: int
    is_argument: bool
    inside: Sequence[_Use]


@dataclass(frozen=True)
class Need:
    """What a call of a function needs of a memory space, besides the arenas that its
    caller passes.

    Attributes:
        surely, maybe: the bytes at its peak.
        keeps: whether memory may be there after it has returned.
    """

    surely: int
    maybe: int
    keeps: bool


def check_capacity(
    memory: FunctionMemory,
    space: str,
    capacity: int,
    planned: Sequence[PlannedArena],
    allocations: Sequence[memref.AllocOp],
    slots: Sequence[Slot],
    unknown: Mapping[Operation, str],
    needs: Mapping[Operation, Need],
) -> Need | None:
    """Check that a function needs no more bytes at a time than there are.

    Args:
        space: how the memory space is printed; "" is the default.
        planned: the arenas.
        allocations: all of static size, in arenas or not.
        slots: what may be planned, the arenas of called functions included.
        unknown: the ops that may allocate any number of bytes, with the reasons.
        needs: what those of them that are calls need, where it is known.

    Returns:
        what calls of the function need; None if it is not known.

    Raises:
        PassFailedException: if it needs more.

    Warns:
        UserWarning: if it may need more, or the size or number of allocations is not
            known.
    """
    ranges = memory.ranges
    in_arena = {(slot.op, slot.arena) for each in planned for slot in each.slots}
    outside = [op for op in allocations if (op, None) not in in_arena]
    planned = [each for each in planned if not each.on_stack]
    taken = [_Use(_span_of(each, ranges), each.plan.height, None) for each in planned]
    taken += [
        _Use(slot.intervals[0], slot.size, slot.op)
        for slot in slots
        if slot.arena is not None and (slot.op, slot.arena) not in in_arena
    ]
    surely, maybe = [*taken], [*taken]
    known = {op: need for op in unknown if (need := _need_of(op, ranges, needs))}
    unknown = {op: reason for op, reason in unknown.items() if op not in known}
    end = ranges.positions.exit[ranges.function] + 1
    keeps = False
    for op, need in known.items():
        start = ranges.positions.enter[op]
        surely.append(_Use((start, start + 1), need.surely, op))
        maybe.append(_Use((start, end if need.keeps else start + 1), need.maybe, op))
        keeps |= need.keeps
    for op in outside:
        size = size_of(op)
        assert size is not None
        live = ranges.of(op.memref)
        keeps |= live.escapes or not live.frees
        span = memory.spans[op.memref.type.memory_space][op]
        surely.append(_Use((span.start, span.sure_end), size, op))
        maybe += [_Use(interval, size, op) for interval in _intervals_of(op, ranges)]
    arenas = [
        _Arena(
            use.interval,
            use.size,
            each.is_argument,
            [
                _Use(interval, slot.size, slot.op)
                for slot in each.slots
                for interval in slot.intervals
            ],
        )
        for use, each in zip(taken, planned, strict=False)
    ]
    message = _over_capacity(ranges.function, space, capacity, surely, arenas, "needs")
    if message:
        raise PassFailedException(message)
    message = _over_capacity(ranges.function, space, capacity, maybe, arenas, "may need")
    if message:
        warn(message)
    uncounted = {**unknown}
    for op in outside:
        if not has_one_place(op, ranges.function):
            uncounted[op] = "iterations around it may run at the same time"
        elif memory.may_be_several(op) and not _is_exchanged(op, ranges):
            uncounted[op] = (
                "it may be executed again before its buffers of earlier iterations are "
                "freed. Free each of them in its iteration or in the next one"
            )
    if uncounted and not message:
        warn(
            f"plan-memory: @{ranges.function.sym_name.data} may need more than its "
            f"capacity{_of(space)}, whatever that is: how many bytes these ops need at a "
            "time is not known:"
            + _listed([f"{_describe(op)}\n    {why}" for op, why in uncounted.items()])
        )
    if uncounted:
        return None
    given = {number for number, each in enumerate(planned) if each.is_argument}
    peaks = [
        _find_peak([use for n, use in enumerate(uses) if n not in given], ())
        for uses in (surely, maybe)
    ]
    return Need(peaks[0][0], peaks[1][0], keeps)


def _need_of(
    op: Operation, ranges: LiveRanges, needs: Mapping[Operation, Need]
) -> Need | None:
    """Return what is known of what an op needs, a call or one that makes a buffer of
    static size; None if it may be needed several times at once, or nothing is known."""
    need = needs.get(op)
    if need is None and isinstance(op, bufferization.CloneOp | memref.AllocOp):
        (type_,) = op.result_types
        size = static_bytes(type_) if is_memref(type_) else None
        need = None if size is None else Need(size, size, True)
    if need is None or (need.keeps and not _runs_once(op, ranges)):
        return None
    return need


def _runs_once(op: Operation, ranges: LiveRanges) -> bool:
    """Whether an op runs at most once in a call of its function."""
    block = op.parent
    assert block is not None
    return _loop_around(op, ranges.function) is ranges.function and not ranges.runs_again(
        block
    )


def _is_exchanged(op: memref.AllocOp, ranges: LiveRanges) -> bool:
    """Whether a loop that runs once carries an allocation to its next iteration, and each
    iteration frees the one that it was given: there are two at most."""
    block, loop = op.parent, op.parent_op()
    if not isinstance(loop, scf.ForOp) or not _runs_once(loop, ranges):
        return False
    assert block is not None and isinstance(block.last_op, scf.YieldOp)
    carried = [
        argument
        for argument, value in zip(block.args[1:], block.last_op.operands, strict=True)
        if value is op.memref
    ]
    frees = [
        use.operation
        for argument in carried
        for use in argument.uses
        if isinstance(use.operation, memref.DeallocOp) and use.operation.parent is block
    ]
    # Freed after the next one is made, it counts twice only if it is needed until then.
    return len(carried) == len(frees) == 1 and (
        ranges.of(op.memref).has_earlier or frees[0].is_before_in_block(op)
    )


def _span_of(arena: PlannedArena, ranges: LiveRanges) -> Interval:
    if arena.is_argument:
        return 0, ranges.positions.exit[ranges.function] + 1
    return arena.window.positions


def _intervals_of(op: memref.AllocOp, ranges: LiveRanges) -> list[Interval]:
    """Return where an allocation takes memory: as long as it is accessed, and from its op
    to where it may be freed last. Where there may be two, an interval for each."""
    live = ranges.of(op.memref)
    enter, exit = ranges.positions.enter, ranges.positions.exit
    function = ranges.function
    start, last = enter[op], live.frees.last
    end = 0 if last is None else exit[last] + 1
    if live.escapes or not live.frees:
        end = exit[function] + 1
    if not live.has_earlier:
        start = min((start, *(first for first, _ in live.intervals)))
    end = max((end, enter[op] + 1, *(last for _, last in live.intervals)))
    found = [(start, end)]
    if live.has_earlier:
        around = _loop_around(op, function)
        found.append((enter[around], exit[around] + 1))
    return found


def _loop_around(op: Operation, function: FuncOp) -> Operation:
    """Return the innermost op around another one that runs it repeatedly."""
    region = op.parent_region()
    while region is not None:
        around = region.parent
        if around is None or around is function:
            break
        graph = RegionGraph.of(around)
        if not graph.is_known or region in graph.repetitive:
            return around
        region = around.parent_region()
    return function


def _find_peak(taken: Sequence[_Use], named: Sequence[_Use]) -> tuple[int, int]:
    """Return the most bytes that are taken at one position, and where; of several such
    positions, one at which what is named is largest."""
    changes: dict[int, list[int]] = {}
    for number, uses in enumerate((taken, named)):
        for use in uses:
            start, end = use.interval
            changes.setdefault(start, [0, 0])[number] += use.size
            changes.setdefault(end, [0, 0])[number] -= use.size
    now, most, where = (0, 0), (0, 0), 0
    for position in sorted(changes):
        change = changes[position]
        now = now[0] + change[0], now[1] + change[1]
        if now > most:
            most, where = now, position
    return most[0], where


def _over_capacity(
    function: FuncOp,
    space: str,
    capacity: int,
    taken: Sequence[_Use],
    arenas: Sequence[_Arena],
    verb: str,
) -> str:
    """Return what to say of a function that takes too much; nothing if it does not.

    Args:
        arenas: those that are taken.
    """
    inside = [use for arena in arenas for use in arena.inside]
    named = [*inside, *(use for use in taken if use.op is not None)]
    needed, position = _find_peak(taken, named)
    if needed <= capacity:
        return ""
    live = _live_at(position, named)
    held = "".join(_describe_held(each, position) for each in arenas)
    bytes_of_live = sum(use.size for use in live)
    rest = ""
    if bytes_of_live <= capacity:
        rest = (
            " The others are between buffers, because of their alignment (options "
            "alignment and buffer-alignment) or of what is live at other times."
        )
    return (
        f"plan-memory: @{function.sym_name.data} {verb} {needed} bytes{_of(space)}, but "
        f"its capacity is {capacity}. At the peak, {bytes_of_live} bytes are live.{rest} "
        "Make buffers smaller, by tiling for example, or let fewer of them live "
        f"together:{_lines_of(live)}{held}"
    )


def _describe_held(arena: _Arena, position: int) -> str:
    """Return what to say of an arena that exists at a position, but whose size is due to
    what is live elsewhere; nothing of any other."""
    start, end = arena.interval
    most, where = _find_peak(arena.inside, arena.inside)
    if not start <= position < end or most <= sum(
        use.size for use in _live_at(position, arena.inside)
    ):
        return ""
    held = (
        ", which the caller passes, counts as long as the function runs"
        if arena.is_argument
        else " counts from its first use to its last"
    )
    return (
        f"\nAn arena of {arena.size} bytes{held}. Most of it is used where these buffers "
        f"are live:{_lines_of(_live_at(where, arena.inside))}"
    )


def _live_at(position: int, uses: Sequence[_Use]) -> list[_Use]:
    """Return what is live at a position, the largest first."""
    live = [use for use in uses if use.interval[0] <= position < use.interval[1]]
    return sorted(live, key=lambda use: -use.size)


def _lines_of(uses: Sequence[_Use]) -> str:
    return _listed(
        [f"\n  {use.size} bytes:{_describe(use.op)}" for use in uses if use.op]
    )


def _describe(op: Operation) -> str:
    """Describe an op without the numbers of its results: printed alone, they count from
    0 in each op."""
    text = describe(op)
    if any(result.name_hint for result in op.results):
        return text
    return _NUMBERED_RESULTS.sub("", text, count=1)


_NUMBERED_RESULTS = re.compile(r"(?<=^    )(%\d+(:\d+)?(, )?)+ = ", re.MULTILINE)


def _of(space: str) -> str:
    return f" of memory space {space}" if space else ""


def _listed(texts: Sequence[str]) -> str:
    more = f"\n  and {len(texts) - _SHOWN} others" if len(texts) > _SHOWN else ""
    return "".join(texts[:_SHOWN]) + more
