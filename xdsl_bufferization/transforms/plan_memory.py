"""The pass plan-memory.

    1. Functions are visited callees first. In each, the pass finds the allocations that
       can be planned, with their live ranges (analysis/live_ranges.py).
    2. The planner (planner/) gives each an offset in the arena of its memory space.
    3. The allocations become views of the arena, and their deallocations are erased.
    4. Some of the other allocations reuse a buffer that has just been freed
       (utils/buffer_reuse.py).

An allocation can be planned if its type has a static size and the identity layout, no
unknown op or op outside of the function may store or free it, its parent ops have known
control flow without parallel iterations, it is not live together with the allocation of
an earlier iteration, and every op that may free it frees only such allocations. If the
caller of the program gives the arena, an allocation that is live together with earlier
ones has several places there (utils/rotating_buffers.py).

A private function takes its arena from its callers, if all of them call it directly:
for a caller, the arena is another buffer, live during the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import reachable_ops
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.live_ranges import LiveRanges
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops, of_class, walk
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.diagnostics import warn
from xdsl_bufferization.interfaces.memory_effects import may_allocate
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pass_options import Alignment, Arena, Unsigned
from xdsl_bufferization.planner import GREATEST, Interval, Plan, plan
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.allocated_spaces import (
    AllocatedSpaces,
    allocates,
)
from xdsl_bufferization.transforms.utils.arenas import (
    Arenas,
    PlannedArena,
    extra_alignment,
)
from xdsl_bufferization.transforms.utils.buffer_reuse import take_over_freed_buffers
from xdsl_bufferization.transforms.utils.function_memory import FunctionMemory
from xdsl_bufferization.transforms.utils.function_signatures import calls_of
from xdsl_bufferization.transforms.utils.memory_capacity import Need, check_capacity
from xdsl_bufferization.transforms.utils.memory_profile import Profile
from xdsl_bufferization.transforms.utils.memory_slots import (
    Keepers,
    Slot,
    Window,
    find_slots,
    find_window,
    has_one_place,
    keep_each,
    keep_until,
    most_live,
    size_of,
)
from xdsl_bufferization.transforms.utils.outside_arenas import note_outside_arenas
from xdsl_bufferization.transforms.utils.rotating_buffers import Rotations
from xdsl_bufferization.transforms.utils.unmatched_names import warn_of_unmatched_spaces

_STACK_LIMIT = 65536
_SEARCH_STEPS = 300

_ONE_BY_ONE = 4
"""How often a single slot is left out of an arena before several are at a time."""

_SHARE_LEFT_OUT = 64
"""Of that many slots, one more than necessary may be left out of an arena, to spare
attempts."""


@dataclass(frozen=True)
class PlanMemoryPass(ModulePass):
    """Let the buffers of a function share one block of memory, an arena, that is as
    small as the search can make it. Run it after deallocation.

        %0 = memref.alloc() : memref<64xf32>
        linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
        %1 = memref.alloc() : memref<64xf32>
        linalg.exp ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
        linalg.exp ins(%1 : memref<64xf32>) outs(%x : memref<64xf32>)
        memref.dealloc %0 : memref<64xf32>
        memref.dealloc %1 : memref<64xf32>

    becomes

        %arena = memref.alloc() : memref<512xi8>
        %c0 = arith.constant 0 : index
        %0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
        linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
        %c256 = arith.constant 256 : index
        %1 = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
        linalg.exp ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
        linalg.exp ins(%1 : memref<64xf32>) outs(%x : memref<64xf32>)
        memref.dealloc %arena : memref<512xi8>

    and buffers with disjoint live ranges can get the same offset. There is an arena for
    each memory space. Buffers of dynamic sizes, those that outlive the function, and
    those of parallel iterations are not put into an arena, but reuse a buffer of the
    same type and sizes that is freed just before. Callers pass private functions their
    arena as an argument. An arena is freed after its last use. A buffer stays outside
    of the arena if the arena with it would raise the worst-case peak of the function.

    Options:
        arena: where the arena of a function that is not private comes from: `allocate`
            (the default) at its start, `argument` for an additional last argument, which
            also has the buffers that a loop allocates while it needs earlier ones, or
            `stack`. The attributes arena_bytes and arena_alignments of a public
            function state the size and alignment of such arguments.
        stack-limit: the largest arena for the stack, in bytes (65536); larger ones are
            allocated.
        alignment: what every offset is a multiple of at least, in bytes, besides that of
            each allocation and of its elements; 0, the default, is 16.
        capacity: the available bytes, for the default memory space, or for another one
            as in capacity="1:65536" or capacity="scratchpad:65536"; a list of them has
            one for each memory space. A function whose
            arenas, together with the allocations of static size outside of them, surely
            need more is an error that names the buffers at the peak; one that may need
            more gives a warning. What aligns an arena does not count, nor the stack.
        search-steps: the work to spend on a plan, for each buffer (300).
    """

    name = "plan-memory"

    arena: Arena = "allocate"
    stack_limit: Unsigned = _STACK_LIMIT
    alignment: Alignment = 0
    capacity: tuple[str, ...] = ()
    search_steps: Unsigned = _SEARCH_STEPS

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.stack_limit != _STACK_LIMIT and self.arena != "stack":
            warn(
                f"{self.name}: stack-limit has no effect on an arena that is not on the "
                "stack. Give arena=stack as well."
            )
        plan_memory(
            op,
            arena=self.arena,
            stack_limit=self.stack_limit,
            alignment=self.alignment,
            capacity=read_capacities(self.capacity),
            search_steps=self.search_steps,
        )


def read_capacities(given: int | str | Iterable[int | str]) -> dict[str, int]:
    """Return the bytes of each memory space, by its name; "" is the default. From Python,
    one capacity need not be in a list, nor be a text.

    Raises:
        PassFailedException: for a text that is neither BYTES nor SPACE:BYTES, or the
            second one of a memory space.
    """
    result: dict[str, int] = {}
    for text in map(str, [given] if isinstance(given, int | str) else given):
        space, colon, number = text.rpartition(":")
        if not number.isdecimal() or bool(colon) != bool(space):
            raise PassFailedException(
                f"plan-memory: capacity is '{text}', but must be a number of bytes, or "
                "SPACE:BYTES for a memory space."
            )
        space = space.strip('"')
        if space in result:
            named = f"memory space {space}" if space else "the default memory space"
            raise PassFailedException(
                f"plan-memory: capacity is given twice for {named}: {result[space]} and "
                f"{number}. Give one number of bytes for each memory space."
            )
        result[space] = int(number)
    return result


@dataclass(frozen=True)
class Placement:
    """A buffer in an arena, in bytes, and when it is live, in numbers of ops."""

    offset: int
    size: int
    intervals: tuple[Interval, ...]


@dataclass(frozen=True)
class FunctionPlan:
    """What was planned for one memory space of a function, in bytes.

    Attributes:
        height: the size of the arena.
        lower_bound: what is live at one time, at most, all buffers aligned.
        before, after: what all allocations of static sizes in the function take, at most
            at one time, with what aligns them.
        placements: what is in the arena.
    """

    function: str
    space: str
    height: int
    lower_bound: int
    before: int
    after: int
    placements: tuple[Placement, ...]

    @property
    def buffers(self) -> int:
        """Return how many buffers share the arena."""
        return len(self.placements)


@on_program
def plan_memory(
    module: ModuleOp,
    *,
    arena: Arena = "allocate",
    stack_limit: int = _STACK_LIMIT,
    alignment: int = 0,
    capacity: dict[str, int] | None = None,
    search_steps: int = _SEARCH_STEPS,
) -> list[FunctionPlan]:
    """Plan the allocations of all functions of a module; see `PlanMemoryPass`.

    Raises:
        PassFailedException: if a function needs more than its capacity.
    """
    return _Planning(
        module, arena, stack_limit, alignment, dict(capacity or {}), search_steps
    ).run()


@on_program
def planned_peaks(module: ModuleOp) -> dict[str, int]:
    """Plan the allocations of all functions of a module, and return what those of static
    sizes take in each function, planned or not, in all memory spaces together: bytes, at
    most at one time in each space."""
    planning = _Planning(module)
    planning.run()
    return planning.peaks


@dataclass(frozen=True)
class _Attempt:
    """An arena for some slots, and the positions that it exists in.

    Attributes:
        excess: the first position at which a run may need more than without it.
        plan: None if it is too much, whatever the plan is.
        taken: the bytes that it takes.
    """

    slots: Sequence[Slot]
    window: Window
    span: Interval
    excess: int | None
    plan: Plan | None = None
    taken: int = 0
    on_stack: bool = False


@dataclass
class _Planning:
    module: ModuleOp
    arena: Arena = "allocate"
    stack_limit: int = _STACK_LIMIT
    alignment: int = 0
    capacity: dict[str, int] = field(default_factory=dict[str, int])
    search_steps: int = _SEARCH_STEPS
    allocations: list[memref.AllocOp] = field(default_factory=list[memref.AllocOp])
    """Those of static sizes in the function that is planned."""
    unknown: list[Operation] = field(default_factory=list[Operation])
    """The ops in that function that may allocate any number of bytes."""
    without_allocations: set[FuncOp] = field(default_factory=set[FuncOp])
    """The functions that are planned and do not allocate when they are called."""
    plans: list[FunctionPlan] = field(default_factory=list[FunctionPlan])
    peaks: dict[str, int] = field(default_factory=dict[str, int])
    """What the allocations of static sizes of each function take."""
    arenas: Arenas = field(default_factory=Arenas)
    given: set[FuncOp] = field(default_factory=set[FuncOp])
    """The functions whose arena is part of one that the caller of the program passes,
    wherever they are called."""
    spaces: AllocatedSpaces | None = None
    """Where ops may allocate, if there is a capacity."""
    needs: dict[tuple[FuncOp, str], Need] = field(
        default_factory=dict[tuple[FuncOp, str], Need]
    )
    """What the calls of a planned function need of a memory space with a capacity."""

    def run(self) -> list[FunctionPlan]:
        if any(self.capacity):
            spaces = _spaces_of(self.module)
            named = list(filter(None, self.capacity))
            warn_of_unmatched_spaces(named, "plan-memory: capacity", spaces)
            for space in set(named) - spaces:
                del self.capacity[space]
        functions = FunctionTable(self.module)
        if self.capacity:
            self.spaces = AllocatedSpaces(functions)
        ordered, recursive = functions.find_recursive()
        keepers = Keepers.of(functions)
        calls = calls_of(self.module, functions)
        if self.arena == "argument":
            callers_first = [each for each in reversed(ordered) if each not in recursive]
            self._find_given(callers_first, functions, calls)
        for function in ordered:
            if function.body.blocks.first is None:
                continue
            is_private = functions.has_known_calls(function)
            takes_arena = (
                function not in recursive
                and (is_private or self.arena == "argument")
                and function not in functions.used_as_values
            )
            self._plan_function(function, functions, keepers, takes_arena)
        for function, arenas in self.arenas.arguments.items():
            for call in calls.get(function, ()):
                self.arenas.complete_call(call, arenas)
        for function in functions.functions:
            take_over_freed_buffers(
                function, lambda op: self._allocates_unknown(op, functions)
            )
        return self.plans

    def _find_given(
        self,
        callers_first: Sequence[FuncOp],
        functions: FunctionTable,
        calls: Mapping[FuncOp, Sequence[CallOp]],
    ) -> None:
        for function in callers_first:
            if function in functions.used_as_values:
                continue
            if not functions.has_known_calls(function) or all(
                self._is_passed_on(call) for call in calls.get(function, ())
            ):
                self.given.add(function)

    def _is_passed_on(self, call: CallOp) -> bool:
        """Whether a callee gets a part of an arena that its caller was given."""
        around = call.parent_op()
        while around is not None and not isinstance(around, FuncOp):
            around = around.parent_op()
        return (
            isinstance(around, FuncOp)
            and around in self.given
            and has_one_place(call, around)
        )

    def _plan_function(
        self,
        function: FuncOp,
        functions: FunctionTable,
        keepers: Keepers,
        takes_arena: bool,
    ) -> None:
        ops = list_ops(function)
        executed = reachable_ops(function, ops)
        calls = [
            (op, arena)
            for op in of_class(executed, CallOp)
            for arena in self.arenas.arguments.get(functions.callee(op) or function, ())
            if functions.callee(op) is not function
        ]
        self.allocations = [
            op for op in of_class(executed, memref.AllocOp) if size_of(op) is not None
        ]
        self.unknown = [op for op in executed if self._allocates_unknown(op, functions)]
        if not calls and not self.allocations:
            note_outside_arenas(function, ops, functions)
            if not self.unknown:
                self.without_allocations.add(function)
                return
            if not self.capacity:
                return
        around: dict[Operation, bool] = {}
        allocations = [
            op for op in self.allocations if has_one_place(op, function, around)
        ]
        ranges = LiveRanges(function, keepers.keeps, ops)
        # Only what the caller of the program gives may be larger than what is needed.
        rotations = Rotations(ranges) if function in self.given else None
        slots = find_slots(ranges, allocations, self.alignment, rotations)
        in_parallel: list[Operation] = []
        for call, arena in calls:
            if has_one_place(call, function, around):
                position = ranges.positions.enter[call]
                slots.append(self.arenas.slot_of_call(call, arena, position))
            else:
                in_parallel.append(call)
        memory = FunctionMemory(ranges, self.allocations, self.unknown)
        by_space: dict[Attribute, list[Slot]] = {space: [] for space in memory.spans}
        for slot in slots:
            by_space.setdefault(slot.space, []).append(slot)
        # Everything is planned before the first op is changed: positions are of old ops.
        planned = [
            each
            for space, found in by_space.items()
            for each in self._plan_space(memory, space, found, takes_arena=takes_arena)
        ]
        for space, capacity in self.capacity.items():
            unknown = {
                op: _reason_of(op, functions)
                for op in self.unknown
                if self._may_allocate_in(space, op)
            }
            needs = {
                op: need
                for op in unknown
                if has_one_place(op, function, around)
                and (callee := functions.callee(op)) is not None
                and (need := self.needs.get((callee, space))) is not None
            }
            for op in (*in_parallel, *unknown):
                if not has_one_place(op, function, around):
                    unknown[op] = "iterations around it may run at the same time"
            need = self._check_capacity(
                memory, space, capacity, planned, slots, unknown, needs
            )
            if need is not None:
                self.needs[function, space] = need
        note_outside_arenas(function, ops, functions, ranges, slots, planned, rotations)
        self.arenas.build(function, planned)
        self._note_what_is_left(function, functions)

    def _note_what_is_left(self, function: FuncOp, functions: FunctionTable) -> None:
        """Note whether calls of a function that is planned may allocate."""
        if not any(
            (may_allocate(op) and isinstance(op, memref.AllocOp))
            or self._allocates_unknown(op, functions)
            for op in list_ops(function)
        ):
            self.without_allocations.add(function)

    def _allocates_unknown(self, op: Operation, functions: FunctionTable) -> bool:
        """Whether an op may allocate a number of bytes that is not known."""
        is_call = CALL.lookup(op) is not None
        if not is_call and not may_allocate(op):
            return False
        if isinstance(op, memref.AllocOp):
            return size_of(op) is None
        if is_call:
            callee = functions.callee(op)
            return callee is None or (
                callee not in self.without_allocations
                and callee.body.blocks.first is not None
            )
        return allocates(op)

    def _plan_space(
        self,
        memory: FunctionMemory,
        space: Attribute,
        slots: Sequence[Slot],
        *,
        takes_arena: bool,
    ) -> list[PlannedArena]:
        """Plan a memory space: an arena for the function, and others for blocks that may
        not run, where one for all would need more memory than the function has needed.

        Args:
            slots: what may be planned there, if anything.
        """
        ranges = memory.ranges
        profile = Profile(memory, space, slots)
        before = profile.peak()
        planned: list[PlannedArena] = []
        work: list[tuple[Block, Sequence[Slot]]] = []
        if slots:
            work.append((ranges.function.body.blocks[0], slots))
        while work:
            block, found = work.pop()
            is_argument = takes_arena and block is ranges.function.body.blocks[0]
            each = self._plan_block(
                ranges, profile, block, found, is_argument=is_argument
            )
            if each is not None:
                planned.append(each)
                continue
            work += _divide(ranges, profile, block, found)
        after = profile.peak()
        function = ranges.function.sym_name.data
        self.peaks[function] = self.peaks.get(function, 0) + after
        name = _name_of(space)
        for each in planned:
            self.plans.append(
                FunctionPlan(
                    function,
                    name,
                    each.plan.height,
                    each.plan.lower_bound,
                    before,
                    after,
                    tuple(
                        Placement(offset, slot.size, tuple(slot.intervals))
                        for slot, offset in zip(
                            each.slots, each.plan.offsets, strict=True
                        )
                    ),
                )
            )
        return planned

    def _plan_block(
        self,
        ranges: LiveRanges,
        profile: Profile,
        block: Block,
        slots: Sequence[Slot],
        *,
        is_argument: bool,
    ) -> PlannedArena | None:
        """Plan an arena for slots of a block, or fewer of them. None if it could raise
        the peak because of blocks that may not run, or if it were for a single buffer
        that then shares it with no other."""

        def attempt(slots: Sequence[Slot]) -> _Attempt:
            return self._attempt(ranges, profile, block, slots, is_argument)

        if len(slots) == 1 and not (
            self.arena == "stack" or _may_be_alone(slots[0], is_argument)
        ):
            return None
        is_conditional = any(profile.conditional_block(slot.op, block) for slot in slots)
        tried = attempt(slots)
        if tried.excess is not None:
            if is_conditional:
                return None
            # What is allocated late and outlives the function would come on top of the
            # arena: let it end before.
            tried = _shorten(tried, attempt)
        if tried is None or tried.plan is None or not 0 < tried.plan.height <= GREATEST:
            return None
        slots = tried.slots
        if len(slots) == 1 and not (
            tried.on_stack or _may_be_alone(slots[0], is_argument)
        ):
            return None
        profile.accept(slots, tried.taken, tried.span)
        return PlannedArena(slots, tried.plan, tried.window, is_argument, tried.on_stack)

    def _attempt(
        self,
        ranges: LiveRanges,
        profile: Profile,
        block: Block,
        slots: Sequence[Slot],
        is_argument: bool,
    ) -> _Attempt:
        """Plan an arena for all these slots of a block, unless what is live at one time,
        which no plan goes below, is too much already."""
        function = ranges.function
        window = find_window(ranges, slots, block)
        span = window.positions
        if is_argument:
            span = (0, ranges.positions.exit[function] + 1)
        is_outside = block is function.body.blocks[0]

        def excess_of(height: int) -> int | None:
            on_stack = is_outside and not is_argument and self._fits_on_stack(height)
            # An arena that the caller of the program gives, or on the stack, spares all.
            if on_stack or (is_argument and function in self.given):
                return None
            # Often it is too much right where it starts.
            for seen in ((span[0], span[0] + 1), span):
                excess = profile.excess(slots, height + extra, seen)
                if excess is not None:
                    return excess
            return None

        extra = extra_alignment(max(slot.alignment for slot in slots))
        least = most_live(slots)
        excess = excess_of(least)
        if excess is not None:
            return _Attempt(slots, window, span, excess)
        buffers = [slot.buffer for slot in slots]
        result = plan(buffers, self.search_steps * len(buffers))
        height = result.height
        if height != least:
            excess = excess_of(height)
        on_stack = is_outside and not is_argument and self._fits_on_stack(height)
        return _Attempt(slots, window, span, excess, result, height + extra, on_stack)

    def _fits_on_stack(self, size: int) -> bool:
        return self.arena == "stack" and size <= self.stack_limit

    def _may_allocate_in(self, space: str, op: Operation) -> bool:
        found = None if self.spaces is None else self.spaces.of(op)
        return found is None or space in map(_name_of, found)

    def _check_capacity(
        self,
        memory: FunctionMemory,
        space: str,
        capacity: int,
        planned: Sequence[PlannedArena],
        slots: Sequence[Slot],
        unknown: Mapping[Operation, str],
        needs: Mapping[Operation, Need],
    ) -> Need | None:
        """Check what the function needs of a memory space, and return it.

        Args:
            unknown: the ops that may allocate there any number of bytes, and the calls of
                parallel iterations, each with an arena; with the reasons.
            needs: what those that are calls need, where it is known.
        """
        return check_capacity(
            memory,
            space,
            capacity,
            [each for each in planned if _name_of(each.slots[0].space) == space],
            [op for op in self.allocations if _space_of(op) == space],
            [slot for slot in slots if _name_of(slot.space) == space],
            unknown,
            needs,
        )


def _may_be_alone(slot: Slot, is_argument: bool) -> bool:
    """Whether an arena for one slot, which is not on the stack, is of use."""
    return is_argument or slot.arena is not None


def _reason_of(op: Operation, functions: FunctionTable) -> str:
    """Return why it is not known how many bytes an op allocates at a time."""
    if CALL.lookup(op) is not None:
        callee = functions.callee(op)
        if callee is None:
            return "it is not known which function it calls"
        return (
            f"@{callee.sym_name.data} allocates a number of bytes that is not known, is "
            "recursive, or is called repeatedly and may keep what it allocates"
        )
    if any(is_memref(r.type) and not r.type.has_static_shape() for r in op.results):
        return "its size is known at run time only"
    return "it may be executed several times, or its size is not known"


def _space_of(op: memref.AllocOp) -> str:
    return _name_of(op.memref.type.memory_space)


def _name_of(space: Attribute) -> str:
    """Return the name that an option gives a memory space."""
    match space:
        case NoneAttr():
            return ""
        case IntegerAttr():
            return str(space.value.data)
        case StringAttr():
            return space.data
        case _:
            return str(space)


def _spaces_of(module: ModuleOp) -> set[str]:
    return {
        _name_of(value.type.memory_space)
        for op in walk(module)
        for values in (op.results, *(b.args for r in op.regions for b in r.blocks))
        for value in values
        if is_memref(value.type)
    }


def _shorten(
    tried: _Attempt, attempt: Callable[[Sequence[Slot]], _Attempt]
) -> _Attempt | None:
    """Leave out the slots that live longest until an arena does not need more than the
    program without it; first as few as possible, then more and more, so that the attempts
    are few. None if there is no such arena."""
    number, kept = 0, tried.slots
    while tried.excess is not None:
        kept = keep_until(tried.slots, tried.excess)
        if len(kept) == len(tried.slots):
            return None
        number += 1
        fewer = len(tried.slots) - (1 << max(number - _ONE_BY_ONE, 0))
        slots = kept if len(kept) < fewer else _first_to_end(kept, fewer)
        if not slots:
            return None
        tried = attempt(slots)
    low, high = len(tried.slots), len(kept)
    while high - low > len(kept) // _SHARE_LEFT_OUT:
        middle = (low + high + 1) // 2
        slots = _first_to_end(kept, middle)
        other = attempt(slots) if len(slots) > len(tried.slots) else tried
        if other.excess is None:
            tried, low = other, middle
        else:
            high = min(middle - 1, len(keep_until(slots, other.excess)))
    return tried


def _first_to_end(slots: Sequence[Slot], number: int) -> list[Slot]:
    """Return so many slots, or fewer, that are dead before the others."""
    if number < 1:
        return []
    return keep_until(slots, sorted(slot.intervals[-1][1] for slot in slots)[number - 1])


def _is_carried(ranges: LiveRanges, slot: Slot, block: Block) -> bool:
    """Whether the next run of a block may have a buffer of this one, as an argument."""
    region = block.parent
    assert region is not None
    return isinstance(slot.op, memref.AllocOp) and ranges.reaches_arguments(
        slot.op.memref, region
    )


def _divide(
    ranges: LiveRanges, profile: Profile, block: Block, slots: Sequence[Slot]
) -> list[tuple[Block, Sequence[Slot]]]:
    """Divide the slots of a block: those that all its runs have, and those of each block
    inside that may not run, if they live in there alone."""
    starts, ends = ranges.positions.block_start, ranges.positions.block_end
    always: list[Slot] = []
    inside: dict[Block, list[Slot]] = {}
    for slot in slots:
        inner = profile.conditional_block(slot.op, block)
        if inner is None:
            always.append(slot)
        elif (
            starts[inner] <= slot.intervals[0][0]
            and slot.intervals[-1][1] <= ends[inner]
            and not _is_carried(ranges, slot, inner)
        ):
            inside.setdefault(inner, []).append(slot)
    if not inside and len(always) == len(slots):
        return []
    # The last one is planned first.
    groups = [*reversed(inside.items()), (block, always)]
    kept = keep_each(slots, [found for _, found in groups])
    return [(each, own) for (each, _), own in zip(groups, kept, strict=True) if own]
